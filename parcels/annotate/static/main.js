// The app: the current page, the annotator, and the keyboard commands.
import { get, onSaving, ownWaiting, save, send, waiting } from './api.js';
import { make } from './dom.js';
import { Labelling } from './labelling.js';
import { PageList } from './pages.js';
import { Palette } from './palette.js';
import { Panel, percent } from './panel.js';
import { askName, currentName } from './people.js';
import { Project } from './project.js';
import { RoundsPanel } from './rounds.js';
import { Stage } from './stage.js';

const KEYS = [
  ['a letter', 'label the block (the letters are next to the labels)'],
  ['Enter', 'confirm the predicted label'],
  ['Shift+Enter', 'confirm all remaining predicted labels of the page'],
  ['↓ ↑ or j k', 'next or previous block'],
  ['Shift+↓, Shift+click', 'select a range'],
  ['.', 'next block without your label'],
  ['u', 'the block with the lowest confidence'],
  ['Backspace', 'remove the label'],
  ['Ctrl+Z, Ctrl+Shift+Z', 'undo or redo'],
  ['z', 'zoom to the block or back'],
  ['x', 'hide or show elements that float over the page'],
  ['] [', 'next or previous page'],
  ['/', 'search and filter pages'],
  ['q', 'project: queue, learning curve, agreement, export'],
];
const TOAST_MS = 8000;
const element = (id) => document.getElementById(id);

class App {
  async start() {
    this.session = await get('/api/session');
    const labels = this.session.labels;
    this.colours = new Map(labels.map((label) => [label.name, label.colour]));
    this.keys = new Map(labels.map((label) => [label.key, label.name]));
    this.stage = new Stage();
    this.palette = new Palette(labels, (name) => this.labelling.label(name));
    this.panel = new Panel(this.colours);
    this.labelling = new Labelling(this.stage, this.palette, this.panel, this.colours, () => this.progress());
    this.labelling.unsureBelow = this.session.unsure_below;
    this.project = new Project(this, new PageList(this, (page) => { element('project').close(); this.show(page); }));
    this.rounds = new RoundsPanel(this);
    this.past = [];
    this.tabs = new BroadcastChannel('parcels');
    this.tabs.onmessage = (event) => this.receive(event.data);
    this.legend();
    this.help();
    this.listen();
    this.annotator = this.session.saves ? await currentName() : '';
    element('who').textContent = this.annotator;
    const asked = new URLSearchParams(location.search).get('page');
    await this.show(asked || await this.next());
    if (waiting().length) send();
  }

  async switchName() {
    const name = await askName(true);
    if (!name || name === this.annotator) return;
    this.annotator = name;
    element('who').textContent = name;
    this.past = [];
    await this.show(this.current || await this.next(), true);
  }

  async next(isBack = false) {
    const query = new URLSearchParams({ annotator: this.annotator, after: this.current || '' });
    if (isBack) query.set('back', '1');
    return (await get(`/api/next?${query}`)).page;
  }

  async show(page, isBack = false) {
    element('notice').hidden = true;
    this.stage.stage.hidden = false;
    if (!page) { this.finish(); return; }
    if (this.current && this.current !== page && !isBack) this.past.push(this.current);
    this.current = page;
    const who = encodeURIComponent(this.annotator);
    try {
      const [loaded] = await Promise.all([get(`/api/page/${page}?annotator=${who}`), this.stage.load(page)]);
      this.page = loaded;
    } catch (error) {
      this.showNotice(error.message);
      return;
    }
    this.stage.measure(this.page.blocks);
    this.stage.pane.scrollTo(0, 0);
    element('page-title').textContent = this.page.title;
    const place = this.session.saves || this.session.pages < 2 ? '' : `page ${this.page.place} of ${this.session.pages} · `;
    element('page-url').textContent = `${place}${this.page.url}${this.page.model ? ` · labels by ${this.page.model}` : ''}`;
    document.title = `${this.page.title} · PARCELS`;
    history.replaceState(null, '', `?page=${page}${location.hash}`);
    this.labelling.open(this.page, this.annotator, this.session.saves);
    this.progress();
    this.stage.pane.focus({ preventScroll: true });
    this.usableAt = performance.now(); // ms since the navigation, read by the benchmark
    if (this.rounds.isOpen) await this.rounds.ofPage();
    document.body.dataset.ready = page;
  }

  showNotice(text) {
    element('notice').hidden = false;
    element('notice').textContent = text;
    this.stage.stage.hidden = true;
  }

  // Shows an error over the page.
  warn(text) {
    clearTimeout(this.warning);
    Object.assign(element('toast'), { textContent: text, hidden: false });
    this.warning = setTimeout(() => { element('toast').hidden = true; }, TOAST_MS);
  }

  finish() {
    this.showNotice('All pages have your labels or the labels of enough annotators. Thank you.');
  }

  progress() {
    const [all, own] = [this.page.blocks.length, this.labelling.own.size];
    element('page-progress').style.width = `${all ? (100 * own) / all : 0}%`;
    element('page-count').textContent = this.session.saves ? `${own} of ${all} blocks` : `${all} blocks`;
    if (!this.session.saves) element('saved').textContent = 'read only';
  }

  saved(event) {
    const place = element('saved');
    place.classList.toggle('waits', event.waits > 0 || Boolean(event.refused));
    if (event.refused) place.textContent = `Not saved: ${event.refused}`;
    else if (event.failure) place.textContent = `${event.waits} steps waiting in this browser`;
    else place.textContent = event.waits ? `saving ${event.waits}…` : 'saved ✓';
    if (event.failure && event.failure !== this.failure) this.warn(event.failure);
    this.failure = event.failure;
    if (event.version && this.page && event.step.page === this.page.page && event.step.annotator === this.annotator) {
      const isAlone = event.isMine && event.before === this.labelling.version;
      if (isAlone) this.labelling.version = event.version;
      else this.refresh();
      this.tabs.postMessage({ page: event.step.page, annotator: event.step.annotator, version: event.version });
    }
  }

  receive(message) {
    const isHere = this.page && message.page === this.page.page && message.annotator === this.annotator;
    if (isHere && message.version !== this.labelling.version) this.refresh();
  }

  async refresh() {
    if (!this.page || !this.annotator || ownWaiting()) return; // the responses of waiting steps bring newer labels
    const page = this.page.page;
    const stored = await get(`/api/page/${page}/own?annotator=${encodeURIComponent(this.annotator)}`);
    const isNewer = this.page.page === page && stored.version >= this.labelling.version;
    if (isNewer && !ownWaiting()) this.labelling.replaceOwn(stored.own, stored.version);
  }

  listen() {
    onSaving((event) => this.saved(event));
    const { labelling } = this;
    const act = (id, does) => { element(id).onclick = () => Promise.resolve().then(does).catch((error) => this.warn(error.message)); };
    act('go-on', async () => this.show(await this.next()));
    act('go-back', () => this.back());
    act('open-pages', () => this.project.open('pages'));
    act('open-project', () => this.project.open());
    act('open-film', () => this.rounds.toggle());
    act('open-help', () => element('help').showModal());
    act('who', () => this.switchName());
    for (const id of ['open-project', 'open-film', 'who']) element(id).hidden = !this.session.saves;
    for (const id of ['go-on', 'go-back', 'open-pages']) element(id).hidden = !this.session.saves && this.session.pages < 2;
    element('tools').append(...[
      ['‹', 'previous block', () => labelling.step(-1)], ['✓', 'confirm the predicted label', () => labelling.confirm()],
      ['›', 'next block', () => labelling.step(1)], ['✓ all', 'confirm all remaining predicted labels', () => labelling.confirmRest()],
      ['undo', 'undo', () => labelling.undo()], ['zoom', 'zoom to the block or back', () => this.stage.toggleZoom(labelling.at)],
      ['details', 'details of the block', () => document.body.classList.toggle('details')],
    ].map(([text, title, onclick]) => make('button', { title, 'aria-label': title, onclick }, text)));
    document.addEventListener('keydown', (event) => this.key(event));
    window.addEventListener('focus', () => this.refresh().catch(() => {}));
  }

  async back() {
    if (!this.session.saves) { await this.show(await this.next(true)); return; }
    const page = this.past.pop();
    if (page) await this.show(page, true);
  }

  key(event) {
    if (document.querySelector('dialog[open]') || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const { labelling } = this;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const hasBlocks = this.page && labelling.blocks.length > 0;
    if (event.ctrlKey || event.metaKey) {
      if (hasBlocks && key === 'z') { (event.shiftKey ? labelling.redo() : labelling.undo()); event.preventDefault(); }
      if (hasBlocks && key === 'y') { labelling.redo(); event.preventDefault(); }
      return;
    }
    if (event.altKey) return;
    const press = (id) => () => { if (!element(id).hidden) element(id).click(); };
    const walk = { ']': press('go-on'), '[': press('go-back'), '/': press('open-pages'), q: press('open-project'),
      '?': press('open-help') };
    const acts = hasBlocks && {
      ArrowDown: () => labelling.step(1, event.shiftKey), ArrowRight: () => labelling.step(1, event.shiftKey),
      ArrowUp: () => labelling.step(-1, event.shiftKey), ArrowLeft: () => labelling.step(-1, event.shiftKey),
      j: () => labelling.step(1, event.shiftKey), k: () => labelling.step(-1, event.shiftKey),
      Enter: () => (event.shiftKey ? labelling.confirmRest() : labelling.confirm()),
      Backspace: () => labelling.label(null), Delete: () => labelling.label(null),
      '.': () => labelling.nextOpen(), u: () => labelling.nextUnsure(),
      z: () => this.stage.toggleZoom(labelling.at), x: () => this.stage.toggleFloating(),
    };
    const act = walk[event.key] || walk[key] || (hasBlocks
      && (acts[event.key] || acts[key] || (this.keys.has(key) && (() => labelling.label(this.keys.get(key))))));
    if (act) { act(); event.preventDefault(); }
  }

  get unsure() { return `confidence below ${percent(this.session.unsure_below)}`; }

  legend() {
    const [saves, unsure] = [this.session.saves, make('span', { class: 'unsure', title: `predicted label with a ${this.unsure}` })];
    element('legend').append(...[
      [make('i', { class: 'predicted' }), 'predicted'], ...(saves ? [[make('i', { class: 'own' }), 'your label']] : []),
      [unsure, this.unsure],
    ].map(([sign, text]) => make('span', {}, sign, text)));
  }

  help() {
    element('help').replaceChildren(
      make('button', { class: 'close', onclick: () => element('help').close() }, '×'), make('h2', {}, 'Keys'),
      make('div', { class: 'keys' }, ...KEYS.flatMap(([keys, does]) => [make('kbd', {}, keys), make('span', {}, does)])),
      make('p', { class: 'muted' }, `Dashed: predicted. Solid: your label. Orange dot: ${this.unsure}. `
        + '“Saved” means that every step is on the server’s disk.'));
  }
}

const app = new App();
window.parcels = { app, save };
app.start().catch((error) => app.stage ? app.showNotice(error.message)
  : document.body.append(String(error.message)));
