// Details of a block: its text and box, each view's vote, and the features with most effect.
import { get } from './api.js';
import { make, meter } from './dom.js';

export class Panel {
  constructor(colours, choose) {
    this.colours = colours;
    this.choose = choose;
    this.place = document.getElementById('panel');
    this.why = new Map();
    this.pending = 0;
  }

  show(page, block, own, selected) {
    clearTimeout(this.pending);
    if (!block) {
      this.place.replaceChildren(make('p', { class: 'muted' }, 'Select a block.'));
      return;
    }
    const label = own || block.label;
    const parts = [this.heading(block, own, label)];
    if (selected > 1) parts.push(make('p', { class: 'muted' }, `${selected} blocks are selected. A key labels all of them.`));
    parts.push(make('div', { class: block.text ? 'text' : 'text none' }, block.text || 'no text'));
    parts.push(this.facts(block));
    if (Object.keys(block.views).length) parts.push(make('h3', {}, 'Votes of the views'), this.votes(block.views));
    this.reasons = make('div', {}, make('p', { class: 'muted' }, '…'));
    parts.push(make('h3', {}, 'Why this label'), this.reasons);
    this.place.replaceChildren(...parts);
    const key = `${page.page}/${block.n}`;
    this.key = key; // a late response belongs to another block
    if (this.why.has(key)) this.explain(this.why.get(key));
    else this.pending = setTimeout(() => this.ask(key, page, block), 350);
  }

  heading(block, own, label) {
    const colour = this.colours.get(label) || '#8b95a3';
    const how = own ? (own === block.label ? 'your label, same as predicted' : `your label; predicted: ${block.label || '—'}`)
      : block.label ? `predicted, ${percent(block.confidence)} sure` : 'no prediction';
    return make('div', { class: 'head' }, make('div', { class: 'said', colour }, make('i'), make('span', {}, label || 'no label')),
      make('small', {}, `block ${block.n} · ${how}`));
  }

  facts(block) {
    const box = block.box ? block.box.map((value) => Math.round(value)) : null;
    const facts = [
      ['path', block.path, 'path'],
      ['area', block.area || '—'],
      ['box', box ? `${box[0]}, ${box[1]} · ${box[2]} × ${box[3]} px` : 'not laid out'],
      ['leaves', block.kinds.join(', ')],
    ];
    if (block.hidden) facts.push(['hidden', block.hidden]);
    return make('dl', {}, ...facts.flatMap(([name, value, kind]) => [
      make('dt', {}, name), make('dd', kind ? { class: kind } : {}, value)]));
  }

  votes(views) {
    return make('table', {}, ...Object.entries(views).map(([view, [label, confidence]]) => {
      const colour = this.colours.get(label) || '#8b95a3';
      return make('tr', {}, make('td', { class: 'muted' }, view), make('td', { colour }, make('i'), label),
        make('td', { class: 'number' }, meter(confidence, colour), percent(confidence)));
    }));
  }

  async ask(key, page, block) {
    try {
      const explanation = await get(`/api/page/${page.page}/why/${block.n}`);
      this.why.set(key, explanation);
      if (this.key === key) this.explain(explanation);
    } catch (error) {
      if (this.key === key) this.reasons.replaceChildren(make('p', { class: 'muted' }, error.message));
    }
  }

  explain(explanation) {
    const most = Math.max(...explanation.features.map((one) => Math.abs(one.effect)), 0.001);
    const features = explanation.features.filter((one) => Math.abs(one.effect) >= 0.0005).slice(0, 8);
    const rows = features.map((one) => make('tr', {},
      make('td', {}, one.name.replace('.', ' · ')), make('td', { class: 'number muted' }, short(one.value)),
      make('td', { class: 'number' }, meter(one.effect / most, null, one.effect < 0), signed(one.effect))));
    const words = Object.entries(explanation.words).flatMap(([view, list]) => list.slice(0, 5)
      .filter((one) => Math.abs(one.effect) >= 0.05)
      .map((one) => make('tr', {}, make('td', { class: 'muted' }, view), make('td', {}, one.name),
        make('td', { class: 'number' }, signed(one.effect)))));
    const others = explanation.runners_up.map(([label, share]) => `${label} ${percent(share)}`).join(', ');
    this.reasons.replaceChildren(
      make('small', {}, `${explanation.model}: ${explanation.label} ${percent(explanation.confidence)}; then ${others}`),
      rows.length ? make('table', { title: 'how much less likely the label would be with the page’s median value' },
        make('tr', {}, make('th', {}, 'feature'), make('th', { class: 'number' }, 'value'),
          make('th', { class: 'number' }, 'effect')), ...rows)
        : make('p', { class: 'muted' }, 'No single feature decides. The label stays the same without any one of them.'),
      words.length ? make('table', {}, make('tr', {}, make('th', {}, 'view'), make('th', {}, 'word'),
        make('th', { class: 'number' }, 'share of the score')), ...words) : '',
    );
  }
}

export const percent = (share) => (share === null || share === undefined ? '—' : `${Math.round(share * 100)} %`);
const signed = (value) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
const short = (value) => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toFixed(2))).toString();
