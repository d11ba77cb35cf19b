// The rounds of co-training on a slider. Each block shows the round, view and confidence with which it was labelled.
import { get } from './api.js';
import { chart, make } from './dom.js';

export class RoundsPanel {
  constructor(app) {
    this.app = app;
    this.place = document.getElementById('film');
  }

  get isOpen() { return !this.place.hidden; }

  async toggle() {
    if (this.isOpen) { this.close(); return; }
    this.history = await get('/api/film');
    this.place.hidden = false;
    if (!this.history.rounds.length) {
      this.place.replaceChildren(make('span', { class: 'muted' },
        'The store has no rounds of co-training. Run: parcels run cotrain --store STORE'));
      return;
    }
    await this.load(this.history.model);
    if (!this.blocks.some(Boolean) && this.history.pages.length) await this.app.show(this.history.pages[0].page);
  }

  async load(model) {
    if (model !== this.history.model) this.history = await get(`/api/film?model=${encodeURIComponent(model)}`);
    const last = this.history.rounds.length;
    this.slider = make('input', { type: 'range', min: 0, max: last, value: last, 'aria-label': 'round',
      oninput: () => this.show() });
    this.about = make('span', { class: 'about' });
    const models = make('select', { onchange: (event) => this.load(event.target.value) },
      ...this.history.models.map((name) => make('option', { selected: name === model }, name)));
    const next = make('button', { title: 'another page with co-trained blocks', onclick: () => this.another() },
      'another page');
    this.place.replaceChildren(models, this.slider, this.about, this.curves(), next);
    await this.ofPage();
  }

  curves() {
    const agreement = this.history.rounds.filter((one) => one.agreement !== null).map((one) => [one.round, one.agreement]);
    const error = this.history.rounds.filter((one) => one.error !== null).map((one) => [one.round, one.error]);
    const series = [{ points: agreement, colour: '#2ca02c' }, { points: error, colour: '#d62728' }];
    return chart(series.filter((one) => one.points.length), { width: 230, height: 96, x: 'round',
      y: error.length ? 'agreement of the views, held-out error' : 'agreement of the views' });
  }

  async another() {
    const pages = this.history.pages.map((one) => one.page);
    const at = pages.indexOf(this.app.page.page);
    if (pages.length) await this.app.show(pages[(at + 1) % pages.length]);
  }

  async ofPage() {
    if (!this.isOpen || !this.history.rounds.length) return;
    const model = encodeURIComponent(this.history.model);
    this.blocks = (await get(`/api/page/${this.app.page.page}/film?model=${model}`)).blocks;
    this.show();
  }

  show() {
    const round = Number(this.slider.value);
    this.app.labelling.showRound(this.blocks, round);
    const here = this.blocks.filter((one) => one && one.round <= round).length;
    const now = this.history.rounds[round - 1];
    const views = now ? Object.entries(now.views).map(([view, count]) => `${view} ${count}`).join(', ') : '';
    this.about.replaceChildren(make('b', {}, round ? `round ${round} of ${this.history.rounds.length}` : 'before co-training'),
      make('br'), make('small', {}, now ? `labelled ${now.added_count} blocks (${views}); ${here} on this page so far`
        : 'only labels by people'));
  }

  close() {
    this.place.hidden = true;
    this.app.labelling.showRound(null, 0);
  }
}
