// The list of pages. The server searches and filters, and sends only the part on the screen.
import { get } from './api.js';
import { make } from './dom.js';

const TYPING_MS = 200;
const STATES = [['', 'any state'], ['unlabelled', 'without labels'], ['labelled', 'with labels'], ['mine', 'with my labels']];

export class PageList {
  constructor(app, open) {
    this.app = app;
    this.open = open;
    this.filter = { words: '', host: '', state: '', type: '', uncertain: false, offset: 0 };
    this.asked = 0;
  }

  async parts() {
    this.count = make('p', { class: 'muted', role: 'status' });
    this.rows = make('div', { class: 'page-rows' });
    this.turn = make('div', { class: 'row' });
    const list = await this.ask();
    const parts = [this.filters(list), this.count, this.rows, this.turn];
    this.show(list);
    setTimeout(() => this.search.focus());
    return parts;
  }

  filters(list) {
    const { filter } = this;
    const set = (name) => (event) => this.change(name, event.target.value);
    this.search = make('input', { type: 'search', class: 'wide', placeholder: 'words in the address or title', value: filter.words,
      'aria-label': 'search', oninput: set('words') });
    const hosts = make('datalist', { id: 'hosts' }, ...list.hosts.map(([host, count]) => make('option', { value: host }, count)));
    const host = make('input', { type: 'search', placeholder: 'host', value: filter.host, list: 'hosts', 'aria-label': 'host',
      oninput: set('host') });
    const choose = (name, options) => make('select', { 'aria-label': name, onchange: set(name) },
      ...options.map(([value, text]) => make('option', { value, selected: filter[name] === value }, text)));
    const filters = make('div', { class: 'filters' }, this.search, host, hosts);
    if (this.app.session.saves) filters.append(choose('state', STATES));
    if (list.page_types.length) {
      filters.append(choose('type', [['', 'any type'], ...list.page_types.map(([type, count]) => [type, `${type} (${count})`])]));
    }
    if (list.has_confidence) {
      const share = Math.round(list.uncertain_share * 100);
      const below = Math.round(list.unsure_below * 100);
      filters.append(make('label', { title: `at least ${share} % of the blocks have a confidence below ${below} %` },
        make('input', { type: 'checkbox', checked: filter.uncertain, onchange: (event) => this.change('uncertain', event.target.checked) }),
        ' uncertain'));
    }
    return filters;
  }

  change(name, value) {
    Object.assign(this.filter, { [name]: value, offset: 0 });
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.refresh(), TYPING_MS);
  }

  async refresh() {
    this.asked += 1;
    const { asked } = this;
    try {
      const list = await this.ask();
      if (asked === this.asked) this.show(list); // a late response belongs to an earlier query
    } catch (error) {
      this.count.textContent = error.message;
    }
  }

  ask() {
    const { uncertain, ...filter } = this.filter;
    const query = new URLSearchParams({ annotator: this.app.annotator, ...filter });
    if (uncertain) query.set('uncertain', '1');
    return get(`/api/pages?${query}`);
  }

  show(list) {
    const last = Math.min(list.offset + list.part, list.found);
    this.count.textContent = list.found ? `${list.offset + 1} to ${last} of ${number(list.found)} pages`
      + `${list.found < list.all ? ` (${number(list.all)} in all)` : ''}` : `None of ${number(list.all)} pages matches.`;
    this.rows.replaceChildren(...list.pages.map((one) => this.row(one)));
    const by = (step, text) => make('button', { disabled: step < 0 ? !list.offset : last >= list.found,
      onclick: () => { this.filter.offset = Math.max(0, list.offset + step * list.part); this.refresh(); } }, text);
    this.turn.replaceChildren(...(list.found > list.part ? [by(-1, '‹ previous'), by(1, 'more ›')] : []));
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
