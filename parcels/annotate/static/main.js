// The app: which page is on the screen, who labels it, and what the keys do.
import { get, onSaving, ownWaiting, save, send, waiting } from './api.js';
import { make } from './dom.js';
import { Film } from './film.js';
import { Labelling } from './labelling.js';
import { Palette } from './palette.js';
import { Panel } from './panel.js';
import { Project } from './project.js';
import { Stage } from './stage.js';

const KEYS = [
  ['a letter', 'gives the block that label (the letters are beside the labels)'],
  ['Enter', 'the predicted label is right'],
  ['Shift+Enter', 'all predicted labels that are left on this page are right'],
  ['↓ ↑ or j k', 'next, previous block'],
  ['Shift+↓, Shift+click', 'choose a range'],
  ['.', 'next block without your label'],
  ['u', 'the block of which the model is least sure'],
  ['Backspace', 'take the label back'],
  ['Ctrl+Z, Ctrl+Shift+Z', 'undo, redo'],
  ['z', 'zoom to the block and back'],
  ['x', 'hide or show what floats over the page'],
  ['] [', 'next page, page before'],
  ['q', 'project: queue, learning curve, agreement, export'],
];
const element = (id) => document.getElementById(id);

class App {
  async start() {
    this.session = await get('/api/session');
    const labels = this.session.labels;
    this.colours = new Map(labels.map((label) => [label.name, label.colour]));
    this.keys = new Map(labels.map((label) => [label.key, label.name]));
    this.stage = new Stage();
    this.palette = new Palette(labels, (name) => this.labelling.say(name));
    this.panel = new Panel(this.colours);
    this.labelling = new Labelling(this.stage, this.palette, this.panel, this.colours, () => this.progress());
    this.project = new Project(this);
    this.film = new Film(this);
    this.past = [];
    this.tabs = new BroadcastChannel('parcels');
    this.tabs.onmessage = (event) => this.heard(event.data);
    this.help();
    this.listen();
    this.annotator = this.session.saves ? await this.name() : '';
    element('who').textContent = this.annotator;
    const asked = new URLSearchParams(location.search).get('page');
    await this.show(asked || await this.next());
    if (waiting().length) send();
  }

  async name() {
    const [, mode, given] = location.hash.split('/');
    if (mode === 'label' && given) sessionStorage.setItem('parcels-annotator', decodeURIComponent(given));
    const known = sessionStorage.getItem('parcels-annotator');
    if (known) return known;
    const dialog = element('ask-name');
    element('name').value = localStorage.getItem('parcels-annotator') || '';
    dialog.showModal();
    dialog.addEventListener('cancel', (event) => event.preventDefault());
    await new Promise((done) => { dialog.addEventListener('close', done, { once: true }); });
    const name = element('name').value.trim();
    sessionStorage.setItem('parcels-annotator', name);
    localStorage.setItem('parcels-annotator', name);
    return name;
  }

  async next() {
    if (!this.session.saves) return this.page ? this.page.page : this.session.first;
    const after = this.page ? `&after=${this.page.page}` : '';
    return (await get(`/api/next?annotator=${encodeURIComponent(this.annotator)}${after}`)).page;
  }

  async show(page, isBack = false) {
    element('notice').hidden = true;
    this.stage.stage.hidden = false;
    if (!page) { this.finish(); return; }
    if (this.page && !isBack) this.past.push(this.page.page);
    const who = encodeURIComponent(this.annotator);
    try {
      const [found] = await Promise.all([get(`/api/page/${page}?annotator=${who}`), this.stage.load(page)]);
      this.page = found;
    } catch (error) {
      this.say(error.message);
      return;
    }
    this.stage.measure(this.page.blocks);
    this.stage.pane.scrollTo(0, 0);
    element('page-title').textContent = this.page.title;
    element('page-url').textContent = `${this.page.url}${this.page.model ? ` · labels by ${this.page.model}` : ''}`;
    document.title = `${this.page.title} · PARCELS`;
    history.replaceState(null, '', `?page=${page}${location.hash}`);
    this.labelling.open(this.page, this.annotator, this.session.saves);
    this.progress();
    this.stage.pane.focus({ preventScroll: true });
    this.usableAt = performance.now(); // ms since the navigation: what the benchmark reads
    if (this.film.isOpen) await this.film.ofPage();
    document.body.dataset.ready = page;
  }

  say(text) {
    element('notice').hidden = false;
    element('notice').textContent = text;
    this.stage.stage.hidden = true;
  }

  finish() {
    this.say(this.session.saves ? 'Every page has your labels, or those of enough people. Thank you.'
      : 'There is no other page.');
  }

  progress() {
    const [all, own] = [this.page.blocks.length, this.labelling.own.size];
    element('page-progress').style.width = `${all ? (100 * own) / all : 0}%`;
    element('page-count').textContent = this.session.saves ? `${own} of ${all} blocks` : `${all} blocks`;
    if (!this.session.saves) element('saved').textContent = 'only looking';
  }

  saved(event) {
    const place = element('saved');
    place.classList.toggle('waits', event.waits > 0 || Boolean(event.refused));
    if (event.refused) place.textContent = `not saved: ${event.refused}`;
    else if (event.failure) place.textContent = `${event.waits} steps wait: no server`;
    else place.textContent = event.waits ? `saving ${event.waits}…` : 'saved ✓';
    if (event.version && this.page && event.step.page === this.page.page) {
      const isAlone = event.isMine && event.before === this.labelling.version;
      if (isAlone) this.labelling.version = event.version;
      else this.refresh();
      this.tabs.postMessage({ page: event.step.page, annotator: event.step.annotator, version: event.version });
    }
  }

  heard(news) {
    const isHere = this.page && news.page === this.page.page && news.annotator === this.annotator;
    if (isHere && news.version !== this.labelling.version) this.refresh();
  }

  async refresh() {
    if (!this.page || !this.annotator || ownWaiting()) return; // when they are saved, their answers tell of others
    const page = this.page.page;
    const found = await get(`/api/page/${page}/own?annotator=${encodeURIComponent(this.annotator)}`);
    const isNews = this.page.page === page && found.version >= this.labelling.version;
    if (isNews && !ownWaiting()) this.labelling.takeOver(found.own, found.version);
  }

  listen() {
    onSaving((event) => this.saved(event));
    element('go-on').onclick = async () => this.show(await this.next());
    element('go-back').onclick = () => this.back();
    element('open-project').onclick = () => this.project.open();
    element('open-film').onclick = () => this.film.toggle();
    element('open-help').onclick = () => element('help').showModal();
    for (const id of ['go-on', 'open-project', 'open-film']) element(id).hidden = !this.session.saves;
    document.addEventListener('keydown', (event) => this.key(event));
    window.addEventListener('focus', () => this.refresh().catch(() => {}));
  }

  async back() {
    const page = this.past.pop();
    if (page) await this.show(page, true);
  }

  key(event) {
    if (document.querySelector('dialog[open]') || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const { labelling } = this;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!this.page || !labelling.blocks.length) return;
    if (event.ctrlKey || event.metaKey) {
      if (key === 'z') { (event.shiftKey ? labelling.redo() : labelling.undo()); event.preventDefault(); }
      if (key === 'y') { labelling.redo(); event.preventDefault(); }
      return;
    }
    if (event.altKey) return;
    const acts = {
      ArrowDown: () => labelling.step(1, event.shiftKey), ArrowRight: () => labelling.step(1, event.shiftKey),
      ArrowUp: () => labelling.step(-1, event.shiftKey), ArrowLeft: () => labelling.step(-1, event.shiftKey),
      j: () => labelling.step(1, event.shiftKey), k: () => labelling.step(-1, event.shiftKey),
      Enter: () => (event.shiftKey ? labelling.confirmRest() : labelling.confirm()),
      Backspace: () => labelling.say(null), Delete: () => labelling.say(null),
      '.': () => labelling.nextOpen(), u: () => labelling.nextUnsure(),
      z: () => this.stage.toggleZoom(labelling.at), x: () => this.stage.toggleFloating(),
      ']': () => element('go-on').click(), '[': () => this.back(), q: () => element('open-project').click(),
      '?': () => element('help').showModal(),
    };
    const act = acts[event.key] || acts[key] || (this.keys.has(key) && (() => labelling.say(this.keys.get(key))));
    if (act) { act(); event.preventDefault(); }
  }

  help() {
    element('help').replaceChildren(
      make('button', { class: 'close', onclick: () => element('help').close() }, '×'), make('h2', {}, 'Keys'),
      make('div', { class: 'keys' }, ...KEYS.flatMap(([keys, does]) => [make('kbd', {}, keys), make('span', {}, does)])),
      make('p', { class: 'muted' }, 'Dashed: predicted. Solid: your label. An orange dot: the model is unsure, or its '
        + 'views disagree. Every step is on the server’s disk when it says “saved”.'));
  }
}

const app = new App();
window.parcels = { app, save };
app.start().catch((error) => app.say ? app.stage ? app.say(error.message)
  : document.body.append(String(error.message)) : null);
