// The labels of one page: what is chosen, what was said, and how to take it back. What a key does shows at once; saving
// follows behind.
import { save } from './api.js';

export class Labelling {
  constructor(stage, palette, panel, colours, changed) {
    Object.assign(this, { stage, palette, panel, colours, changed });
    this.blocks = [];
    this.overlay = stage.overlay;
    this.overlay.addEventListener('mousedown', (event) => this.press(event));
    this.overlay.addEventListener('mouseover', (event) => this.hover(event));
    this.overlay.addEventListener('mouseleave', () => this.tag(this.at));
  }

  open(page, annotator, saves) {
    Object.assign(this, { page, annotator, saves, blocks: page.blocks, film: null, round: 0 });
    this.own = new Map(Object.entries(page.own).map(([n, label]) => [Number(n), label]));
    this.version = page.version;
    this.done = [];
    this.undone = [];
    this.seen = this.blocks.map((block) => block.n).filter((n) => this.stage.boxes[n]);
    this.at = -1;
    this.anchor = -1;
    this.picked = new Set();
    for (const block of this.blocks) this.paint(block.n);
    const first = this.blocks.find((block) => !this.own.has(block.n) && this.stage.boxes[block.n]);
    this.go(first ? first.n : 0);
  }

  labelOf(n) { return this.own.get(n) || this.blocks[n].label; }

  paint(n) {
    const region = this.stage.regions[n];
    if (!region) return;
    const shown = this.film ? this.filmed(n) : null;
    const label = this.film ? shown && shown.label : this.labelOf(n);
    region.style.setProperty('--c', this.colours.get(label) || '#8b95a3');
    region.classList.toggle('own', this.film ? Boolean(shown) : this.own.has(n));
    region.classList.toggle('unknown', !this.film && !label);
    region.classList.toggle('later', Boolean(this.film) && !shown);
    region.classList.toggle('unsure', !this.film && this.isUnsure(n));
    region.classList.toggle('picked', this.picked.size > 1 && this.picked.has(n));
    region.classList.toggle('current', n === this.at);
  }

  // Only the model's confidence decides: that its views disagree is in the panel.
  isUnsure(n) {
    const { label, confidence } = this.blocks[n];
    return Boolean(label) && confidence < this.unsureBelow;
  }

  filmed(n) {
    const found = this.film[n];
    return found && found.round <= this.round ? found : null;
  }

  tag(n) {
    if (!(n in this.blocks)) { this.stage.tag(-1, ''); return; }
    const [block, own] = [this.blocks[n], this.own.get(n)];
    const film = this.film && this.filmed(n);
    if (this.film && !film) this.stage.tag(n, 'not labelled yet', '#8b95a3');
    else if (film) {
      this.stage.tag(n, `${film.label} · round ${film.round} · ${film.view} · ${Math.round(film.confidence * 100)} %`,
        this.colours.get(film.label));
    } else {
      const text = own || (block.label ? `${block.label}? ${this.isUnsure(n) ? 'only ' : ''}${Math.round(block.confidence * 100)} % sure` : 'no label');
      this.stage.tag(n, text, this.colours.get(this.labelOf(n)) || '#8b95a3');
    }
  }

  // choosing

  go(n, isRange = false) {
    if (!(n in this.blocks)) return;
    const before = [this.at, ...this.picked];
    this.at = n;
    if (!isRange || this.anchor < 0) this.anchor = n;
    const [from, to] = [Math.min(this.anchor, n), Math.max(this.anchor, n)];
    this.picked = new Set();
    for (let one = from; one <= to; one += 1) this.picked.add(one);
    for (const one of [...before, ...this.picked]) if (one in this.blocks) this.paint(one);
    this.stage.reveal(n);
    this.tag(n);
    this.show();
  }

  press(event) {
    const region = event.target.closest('.region');
    if (!region || event.button) return;
    event.preventDefault();
    this.stage.pane.focus({ preventScroll: true });
    this.go(Number(region.dataset.n), event.shiftKey);
  }

  hover(event) {
    const region = event.target.closest('.region');
    if (region) this.tag(Number(region.dataset.n));
  }

  step(by, isRange) {
    let n = this.at + by;
    while (n in this.blocks && !this.stage.boxes[n] && this.seen.length) n += by;
    if (n in this.blocks) this.go(n, isRange);
  }

  nextOpen() {
    const order = [...this.blocks.keys()];
    const later = order.slice(this.at + 1).concat(order.slice(0, this.at + 1));
    const found = later.find((n) => !this.own.has(n));
    if (found !== undefined) this.go(found);
  }

  nextUnsure() {
    let best = -1;
    for (const block of this.blocks) {
      if (!this.own.has(block.n) && block.label && (best < 0 || block.confidence < this.blocks[best].confidence)) best = block.n;
    }
    if (best >= 0) this.go(best);
  }

  // saying

  say(label) {
    if (!this.saves || this.film || !this.picked.size) return;
    const chosen = [...this.picked].sort((one, other) => one - other);
    this.change(chosen.map((n) => [n, label]));
    if (label && chosen.length === 1) this.step(1);
    else this.go(this.at);
  }

  confirm() {
    const chosen = [...this.picked].filter((n) => this.labelOf(n));
    this.change(chosen.map((n) => [n, this.labelOf(n)]));
    this.step(1);
  }

  confirmRest() {
    const rest = this.blocks.filter((block) => !this.own.has(block.n) && block.label);
    this.change(rest.map((block) => [block.n, block.label]));
    this.go(this.at);
  }

  change(labels) {
    if (!this.saves || this.film) return;
    const news = labels.filter(([n, label]) => (this.own.get(n) || null) !== label);
    if (!news.length) return;
    this.done.push({ before: news.map(([n]) => [n, this.own.get(n) || null]), after: news });
    this.undone = [];
    this.apply(news);
  }

  apply(labels) {
    for (const [n, label] of labels) {
      if (label) this.own.set(n, label);
      else this.own.delete(n);
      this.paint(n);
    }
    save(this.page.page, this.annotator, labels);
    this.changed();
  }

  undo() { this.move(this.done, this.undone, 'before'); }

  redo() { this.move(this.undone, this.done, 'after'); }

  move(from, to, which) {
    const change = from.pop();
    if (!change || !this.saves) return;
    to.push(change);
    this.apply(change[which]);
    this.go(change.after[0][0]);
  }

  // Another tab, or another machine, has labelled this page as the same person.
  takeOver(own, version) {
    const said = new Map(Object.entries(own).map(([n, label]) => [Number(n), label]));
    for (const block of this.blocks) {
      const [now, before] = [said.get(block.n), this.own.get(block.n)];
      if (now !== before) {
        if (now) this.own.set(block.n, now);
        else this.own.delete(block.n);
        this.paint(block.n);
      }
    }
    this.version = version;
    this.changed();
    this.show();
  }

  setFilm(film, round) {
    this.film = film;
    this.round = round;
    for (const block of this.blocks) this.paint(block.n);
    this.tag(this.at);
  }

  show() {
    const counts = new Map();
    for (const block of this.blocks) {
      const label = this.labelOf(block.n);
      counts.set(label, (counts.get(label) || 0) + 1);
    }
    this.palette.show(counts, this.at >= 0 ? this.labelOf(this.at) : null);
    const block = this.blocks[this.at];
    this.panel.show(this.page, block, block && this.own.get(block.n), this.picked.size);
  }
}
