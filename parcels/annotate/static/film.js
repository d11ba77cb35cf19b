// The film of co-training: a slider over rounds; each block shows when, by which view and how surely it was labelled.
import { get } from './api.js';
import { chart, make } from './dom.js';

export class Film {
  constructor(app) {
    this.app = app;
    this.place = document.getElementById('film');
  }

  get isOpen() { return !this.place.hidden; }

  async toggle() {
    if (this.isOpen) { this.close(); return; }
    this.film = await get('/api/film');
    this.place.hidden = false;
    if (!this.film.rounds.length) {
      this.place.replaceChildren(make('span', { class: 'muted' },
        'There is no film yet: parcels run cotrain --store … makes one.'));
      return;
    }
    await this.load(this.film.model);
    if (!this.blocks.some(Boolean) && this.film.pages.length) await this.app.show(this.film.pages[0].page);
  }

  async load(model) {
    if (model !== this.film.model) this.film = await get(`/api/film?model=${encodeURIComponent(model)}`);
    const last = this.film.rounds.length;
    this.slider = make('input', { type: 'range', min: 0, max: last, value: last, 'aria-label': 'round',
      oninput: () => this.show() });
    this.about = make('span', { class: 'about' });
    const models = make('select', { onchange: (event) => this.load(event.target.value) },
      ...this.film.models.map((name) => make('option', { selected: name === model }, name)));
    const next = make('button', { title: 'a page on which co-training labelled blocks', onclick: () => this.another() },
      'another page');
    this.place.replaceChildren(models, this.slider, this.about, this.curves(), next);
    await this.ofPage();
  }

  curves() {
    const agreement = this.film.rounds.filter((one) => one.agreement !== null).map((one) => [one.round, one.agreement]);
    const error = this.film.rounds.filter((one) => one.error !== null).map((one) => [one.round, one.error]);
    const series = [{ points: agreement, colour: '#2ca02c' }, { points: error, colour: '#d62728' }];
    return chart(series.filter((one) => one.points.length), { width: 230, height: 96, x: 'round',
      y: error.length ? 'views agree, held-out error' : 'share on which the views agree' });
  }

  async another() {
    const pages = this.film.pages.map((one) => one.page);
    const at = pages.indexOf(this.app.page.page);
    if (pages.length) await this.app.show(pages[(at + 1) % pages.length]);
  }

  async ofPage() {
    if (!this.isOpen || !this.film.rounds.length) return;
    const model = encodeURIComponent(this.film.model);
    this.blocks = (await get(`/api/page/${this.app.page.page}/film?model=${model}`)).blocks;
    this.show();
  }

  show() {
    const round = Number(this.slider.value);
    this.app.labelling.setFilm(this.blocks, round);
    const here = this.blocks.filter((one) => one && one.round <= round).length;
    const now = this.film.rounds[round - 1];
    const views = now ? Object.entries(now.views).map(([view, count]) => `${view} ${count}`).join(', ') : '';
    this.about.replaceChildren(make('b', {}, round ? `round ${round} of ${this.film.rounds.length}` : 'before co-training'),
      make('br'), make('small', {}, now ? `labelled ${now.added_count} (${views}); on this page ${here} so far`
        : 'only what people labelled is known'));
  }

  close() {
    this.place.hidden = true;
    this.app.labelling.setFilm(null, 0);
  }
}
