// The labels with their keys and counts on the page, and the rubric of the current one.
import { make } from './dom.js';

export class Palette {
  constructor(labels, choose) {
    this.labels = labels;
    this.rows = new Map();
    this.rubric = make('div', { id: 'rubric' });
    const place = document.getElementById('palette');
    place.replaceChildren(make('h2', {}, 'Labels'));
    for (const label of labels) {
      const count = make('small');
      const row = make('button', {
        class: 'label', colour: label.colour, 'data-label': label.name, tabindex: '-1',
        onclick: () => choose(label.name), onmouseenter: () => this.explain(label.name),
      }, make('kbd', {}, label.key), make('i'), make('span', {}, label.name), count);
      this.rows.set(label.name, { row, count });
      place.append(row);
    }
    place.append(this.rubric);
    this.explain(labels[0].name);
  }

  explain(name) {
    const label = this.labels.find((one) => one.name === name);
    if (!label) return;
    this.rubric.style.setProperty('--c', label.colour);
    this.rubric.replaceChildren(
      make('b', {}, label.name), make('p', {}, label.rubric),
      make('ul', {}, ...label.like.map((text) => make('li', {}, text)),
        ...label.unlike.map((text) => make('li', { class: 'unlike' }, text))),
    );
  }

  show(counts, current) {
    for (const [name, { row, count }] of this.rows) {
      count.textContent = counts.get(name) || '';
      row.classList.toggle('current', name === current);
    }
    this.explain(current);
  }
}
