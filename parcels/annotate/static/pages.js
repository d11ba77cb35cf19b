// The list of pages. The server searches and filters: only the part that is on the screen is ever sent.
import { get } from './api.js';
import { make } from './dom.js';

const TYPING_MS = 200;
const STATES = [['', 'any state'], ['unlabelled', 'without labels'], ['labelled', 'with labels'], ['mine', 'with my labels']];

export class PageList {
  constructor(app, open) {
    this.app = app;
    this.open = open;
    this.wanted = { words: '', host: '', state: '', type: '', uncertain: false, offset: 0 };
    this.asked = 0;
  }

  async parts() {
    this.count = make('p', { class: 'muted', role: 'status' });
    this.rows = make('div', { class: 'page-rows' });
    this.turn = make('div', { class: 'row' });
    const found = await this.ask();
    const parts = [this.filters(found), this.count, this.rows, this.turn];
    this.show(found);
    setTimeout(() => this.search.focus());
    return parts;
  }

  filters(found) {
    const { wanted } = this;
    const set = (name) => (event) => this.change(name, event.target.value);
    this.search = make('input', { type: 'search', class: 'wide', placeholder: 'words of address or title', value: wanted.words,
      'aria-label': 'search', oninput: set('words') });
    const hosts = make('datalist', { id: 'hosts' }, ...found.hosts.map(([host, count]) => make('option', { value: host }, count)));
    const host = make('input', { type: 'search', placeholder: 'host', value: wanted.host, list: 'hosts', 'aria-label': 'host',
      oninput: set('host') });
    const choose = (name, options) => make('select', { 'aria-label': name, onchange: set(name) },
      ...options.map(([value, text]) => make('option', { value, selected: wanted[name] === value }, text)));
    const filters = make('div', { class: 'filters' }, this.search, host, hosts);
    if (this.app.session.saves) filters.append(choose('state', STATES));
    if (found.page_types.length) {
      filters.append(choose('type', [['', 'any type'], ...found.page_types.map(([type, count]) => [type, `${type} (${count})`])]));
    }
    if (found.has_confidence) {
      const share = Math.round(found.uncertain_share * 100);
      const below = Math.round(found.unsure_below * 100);
      filters.append(make('label', { title: `at least ${share} % of the page’s blocks are less than ${below} % sure` },
        make('input', { type: 'checkbox', checked: wanted.uncertain, onchange: (event) => this.change('uncertain', event.target.checked) }),
        ' uncertain'));
    }
    return filters;
  }

  change(name, value) {
    Object.assign(this.wanted, { [name]: value, offset: 0 });
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.refresh(), TYPING_MS);
  }

  async refresh() {
    this.asked += 1;
    const { asked } = this;
    try {
      const found = await this.ask();
      if (asked === this.asked) this.show(found); // an answer that comes late is that of another question
    } catch (error) {
      this.count.textContent = error.message;
    }
  }

  ask() {
    const { uncertain, ...wanted } = this.wanted;
    const query = new URLSearchParams({ annotator: this.app.annotator, ...wanted });
    if (uncertain) query.set('uncertain', '1');
    return get(`/api/pages?${query}`);
  }

  show(found) {
    const last = Math.min(found.offset + found.part, found.found);
    this.count.textContent = found.found ? `${found.offset + 1} to ${last} of ${number(found.found)} pages`
      + `${found.found < found.all ? ` (${number(found.all)} in all)` : ''}` : `None of ${number(found.all)} pages is such a page.`;
    this.rows.replaceChildren(...found.pages.map((one) => this.row(one)));
    const by = (step, text) => make('button', { disabled: step < 0 ? !found.offset : last >= found.found,
      onclick: () => { this.wanted.offset = Math.max(0, found.offset + step * found.part); this.refresh(); } }, text);
    this.turn.replaceChildren(...(found.found > found.part ? [by(-1, '‹ before'), by(1, 'more ›')] : []));
  }

  row(one) {
    const state = one.is_mine ? 'your labels' : one.people ? `labels by ${one.people}` : '';
    const marks = [[one.page_type, 'mark'], [state, 'mark mine'], [one.unsure ? `${one.unsure} unsure` : '', 'mark unsure']];
    const isCurrent = one.page === this.app.current;
    return make('button', { class: isCurrent ? 'page-row current' : 'page-row', 'data-page': one.page, onclick: () => this.open(one.page) },
      make('span', { class: 'page-name' }, make('b', {}, one.title || (one.name === one.url ? '' : one.name) || one.host), make('small', {}, one.url)),
      ...marks.filter(([text]) => text).map(([text, kind]) => make('span', { class: kind }, text)));
  }
}

const number = (count) => count.toLocaleString('en');
