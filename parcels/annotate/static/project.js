// The project: the queue, the learning curve, the agreement between annotators, and exports.
import { get, post } from './api.js';
import { chart, make, meter } from './dom.js';
import { percent } from './panel.js';

const TABS = { queue: 'Queue', pages: 'Pages', curve: 'Learning curve', agreement: 'Agreement', export: 'Export' };

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
    const body = make('div', {}, make('p', { class: 'muted' }, tab === 'curve' ? 'Measuring. This takes a moment…' : '…'));
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
    const [queue, now] = await Promise.all([get(`/api/queue?${who}`), get(`/api/project?${who}`)]);
    const shared = Object.entries(now.by_people).filter(([, pages]) => pages).map(([people, pages]) => `${pages} by ${people}`).join(', ');
    const rows = queue.pages.slice(0, 14).map((one) => make('tr', {},
      make('td', {}, make('button', { onclick: () => { this.dialog.close(); this.app.show(one.page); } }, 'open')),
      make('td', {}, make('b', {}, one.site), make('br'), make('small', {}, shorter(one.url))),
      make('td', {}, WHY[one.why]), make('td', { class: 'number' }, one.people),
      make('td', { class: 'number' }, meter(one.doubt / 2, '#f0a202'), one.doubt.toFixed(2))));
    return [
      make('p', {}, `${now.labelled} of ${now.pages} pages have labels${shared ? ` (${shared} annotators)` : ''}. `
        + `You labelled ${now.own_blocks} blocks on ${now.own_pages} pages.`),
      table(make('tr', {}, make('th'), make('th', {}, 'page'), make('th', {}, 'reason'),
        make('th', { class: 'number' }, 'annotators'), make('th', { class: 'number' }, 'doubt per block')), ...rows),
      make('p', { class: 'muted' }, 'Doubt is 1 − confidence plus the share of view pairs that disagree. The queue alternates between sites.'),
    ];
  }

  pages() { return this.list.parts(); }

  async curve() {
    const curve = await get('/api/curve');
    if (!curve.points.length) return [make('p', {}, curve.hint)];
    const points = curve.points.map((one) => [one.labels, one.error]);
    const series = [{ points, colour: '#1b64c8', dots: true }];
    if (curve.next) {
      const end = points[points.length - 1];
      const { labels, error, low, high } = curve.next;
      series.push({ points: [end, [labels, error]], colour: '#d62728', dash: '4 3', dots: true,
        band: [end, [labels, low], [labels, high]] });
    }
    return [chart(series, { width: 780, height: 250, x: 'labelled blocks', y: 'error on held-out sites' }),
      make('div', { class: 'hint' }, curve.hint), make('p', { class: 'muted' }, curve.how)];
  }

  async agreement() {
    const agreement = await get('/api/agreement');
    if (!agreement.items) return [make('p', {}, 'Agreement needs blocks with labels from two annotators.')];
    const rows = Object.keys(agreement.cohen).map((name) => make('tr', {},
      make('td', { colour: this.app.colours.get(name) || '#1c2430' }, make('i'), name),
      make('td', { class: 'number' }, kappa(agreement.cohen[name])), make('td', { class: 'number' }, kappa(agreement.fleiss[name]))));
    const pairs = agreement.pairs.map((one) => `${one.people.join(' and ')}: ${kappa(one.kappa)}`).join('; ');
    return [
      make('p', {}, `${agreement.items} blocks have labels from two or more annotators. ${percent(agreement.agreed)} of the pairs of labels `
        + 'are equal.'),
      make('p', { class: 'muted' }, `Cohen’s kappa per pair: ${pairs}`),
      table(make('tr', {}, make('th', {}, 'label'), make('th', { class: 'number' }, 'Cohen’s kappa'),
        make('th', { class: 'number' }, 'Fleiss’ kappa')), ...rows)];
  }

  async export() {
    const link = (what, text) => make('p', {}, make('a', { href: `/export/${what}`, download: '' }, text));
    const seal = make('button', { onclick: async () => {
      const response = await (await post('/api/seal', {})).json();
      seal.textContent = response.error || `${response.sealed} leaf labels written to the table`;
    } }, 'Write all labels to the table now');
    return [
      make('p', {}, 'Labels are written to the table annotations of the store, at the latest when the server stops.'), seal,
      link('annotations', 'All labels as JSON Lines: one line per page and annotator'),
      link('votes', 'Voted labels as JSON Lines: the majority of annotators, without ties'),
      link('label-studio', 'Label Studio tasks with the labels of all annotators'),
      link('label-studio-config', 'Label Studio labelling configuration'),
      link('agreement', 'Agreement as JSON: Cohen’s and Fleiss’ kappa per label'),
    ];
  }
}

const table = (...rows) => make('div', { class: 'scroll' }, make('table', {}, ...rows));
const WHY = { begun: 'you started it', shared: 'others labelled it', new: 'no labels yet' };
const kappa = (value) => (value === null ? '—' : value.toFixed(3));
const shorter = (url) => (url.length > 80 ? `${url.slice(0, 77)}…` : url);
