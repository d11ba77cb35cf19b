// The project: what comes next, what more labels would bring, how far people agree, and the labels to take away.
import { get, post } from './api.js';
import { chart, make, meter } from './dom.js';
import { percent } from './panel.js';

const TABS = { queue: 'What next', pages: 'Pages', curve: 'Learning curve', agreement: 'Agreement', export: 'Export' };

export class Project {
  constructor(app, list) {
    this.app = app;
    this.list = list;
    this.dialog = document.getElementById('project');
  }

  async open(tab = 'queue') {
    if (!this.dialog.open) this.dialog.showModal();
    const shown = Object.entries(TABS).filter(([name]) => this.app.session.saves || name === 'pages');
    const tabs = make('div', { class: 'tabs' }, ...shown.map(([name, title]) => make('button',
      { class: name === tab ? 'current' : '', onclick: () => this.open(name), 'data-tab': name }, title)));
    const body = make('div', {}, make('p', { class: 'muted' }, tab === 'curve' ? 'Measuring: this takes a moment…' : '…'));
    this.dialog.replaceChildren(make('button', { class: 'close', onclick: () => this.dialog.close() }, '×'),
      make('h2', {}, this.app.session.saves ? 'Project' : 'Pages'), tabs, body);
    tabs.hidden = shown.length < 2;
    try {
      body.replaceChildren(...await this[tab]());
    } catch (error) {
      body.replaceChildren(make('p', { class: 'muted' }, error.message));
    }
  }

  async queue() {
    const who = `annotator=${encodeURIComponent(this.app.annotator)}`;
    const [found, now] = await Promise.all([get(`/api/queue?${who}`), get(`/api/project?${who}`)]);
    const shared = Object.entries(now.by_people).filter(([, pages]) => pages).map(([people, pages]) => `${pages} by ${people}`).join(', ');
    const rows = found.pages.slice(0, 14).map((one) => make('tr', {},
      make('td', {}, make('button', { onclick: () => { this.dialog.close(); this.app.show(one.page); } }, 'open')),
      make('td', {}, make('b', {}, one.site), make('br'), make('small', {}, shorter(one.url))),
      make('td', {}, WHY[one.why]), make('td', { class: 'number' }, one.people),
      make('td', { class: 'number' }, meter(one.doubt / 2, '#f0a202'), one.doubt.toFixed(2))));
    return [
      make('p', {}, `${now.labelled} of ${now.pages} pages have labels${shared ? ` (${shared} people)` : ''}; `
        + `you labelled ${now.own_blocks} blocks on ${now.own_pages} pages.`),
      table(make('tr', {}, make('th'), make('th', {}, 'page'), make('th', {}, 'why'),
        make('th', { class: 'number' }, 'people'), make('th', { class: 'number' }, 'doubt per block')), ...rows),
      make('p', { class: 'muted' }, 'Doubt: how unsure the model is, plus how far its views disagree. Sites take turns.'),
    ];
  }

  pages() { return this.list.parts(); }

  async curve() {
    const found = await get('/api/curve');
    if (!found.points.length) return [make('p', {}, found.hint)];
    const points = found.points.map((one) => [one.labels, one.error]);
    const series = [{ points, colour: '#1b64c8', dots: true }];
    if (found.next) {
      const end = points[points.length - 1];
      const { labels, error, low, high } = found.next;
      series.push({ points: [end, [labels, error]], colour: '#d62728', dash: '4 3', dots: true,
        band: [end, [labels, low], [labels, high]] });
    }
    return [chart(series, { width: 780, height: 250, x: 'blocks with a label', y: 'error on sites not learned from' }),
      make('div', { class: 'hint' }, found.hint), make('p', { class: 'muted' }, found.how)];
  }

  async agreement() {
    const found = await get('/api/agreement');
    if (!found.items) return [make('p', {}, 'Agreement needs blocks that two people have labelled.')];
    const rows = Object.keys(found.cohen).map((name) => make('tr', {},
      make('td', { colour: this.app.colours.get(name) || '#1c2430' }, make('i'), name),
      make('td', { class: 'number' }, kappa(found.cohen[name])), make('td', { class: 'number' }, kappa(found.fleiss[name]))));
    const pairs = found.pairs.map((one) => `${one.people.join(' and ')}: ${kappa(one.kappa)}`).join('; ');
    return [
      make('p', {}, `${found.items} blocks were labelled by two or more people; ${percent(found.agreed)} of their pairs `
        + 'of labels are equal.'),
      make('p', { class: 'muted' }, `Cohen’s kappa of each two: ${pairs}`),
      table(make('tr', {}, make('th', {}, 'label'), make('th', { class: 'number' }, 'Cohen’s kappa'),
        make('th', { class: 'number' }, 'Fleiss’ kappa')), ...rows)];
  }

  async export() {
    const link = (what, text) => make('p', {}, make('a', { href: `/export/${what}`, download: '' }, text));
    const seal = make('button', { onclick: async () => {
      const said = await (await post('/api/seal', {})).json();
      seal.textContent = said.error || `${said.sealed} labels of leaves went into the table`;
    } }, 'Put all labels into the table now');
    return [
      make('p', {}, 'Labels are in the table annotations of the store, at the latest when the server ends.'), seal,
      link('annotations', 'All labels, JSON Lines: a page and a person a line'),
      link('votes', 'The vote, JSON Lines: what most people said, ties left out'),
      link('label-studio', 'Label Studio: tasks with everybody’s annotations'),
      link('label-studio-config', 'Label Studio: the labelling set-up that fits'),
      link('agreement', 'Agreement: Cohen’s and Fleiss’ kappa by label'),
    ];
  }
}

const table = (...rows) => make('div', { class: 'scroll' }, make('table', {}, ...rows));
const WHY = { begun: 'you began it', shared: 'others labelled it', new: 'nobody has' };
const kappa = (value) => (value === null ? '—' : value.toFixed(3));
const shorter = (url) => (url.length > 80 ? `${url.slice(0, 77)}…` : url);
