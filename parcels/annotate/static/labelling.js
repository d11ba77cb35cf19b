// The labels of one page: selection, labelling, undo. A change is shown at once and saved in the background.
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
    Object.assign(this, { page, annotator, saves, blocks: page.blocks, history: null, round: 0 });
    this.own = new Map(Object.entries(page.own).map(([n, label]) => [Number(n), label]));
    this.version = page.version;
    this.done = [];
    this.undone = [];
    this.visible = this.blocks.map((block) => block.n).filter((n) => this.stage.boxes[n]);
    this.at = -1;
    this.anchor = -1;
    this.selected = new Set();
    for (const block of this.blocks) this.paint(block.n);
    const first = this.blocks.find((block) => !this.own.has(block.n) && this.stage.boxes[block.n]);
    this.go(first ? first.n : 0);
  }

  labelOf(n) { return this.own.get(n) || this.blocks[n].label; }

  paint(n) {
    const region = this.stage.regions[n];
    if (!region) return;
    const shown = this.history ? this.labelledBy(n) : null;
    const label = this.history ? shown && shown.label : this.labelOf(n);
    region.style.setProperty('--c', this.colours.get(label) || '#8b95a3');
    region.classList.toggle('own', this.history ? Boolean(shown) : this.own.has(n));
    region.classList.toggle('unknown', !this.history && !label);
    region.classList.toggle('later', Boolean(this.history) && !shown);
    region.classList.toggle('unsure', !this.history && this.isUnsure(n));
    region.classList.toggle('picked', this.selected.size > 1 && this.selected.has(n));
    region.classList.toggle('current', n === this.at);
  }

  // Depends on the model's confidence only; the panel shows whether the views disagree.
  isUnsure(n) {
    const { label, confidence } = this.blocks[n];
    return Boolean(label) && confidence < this.unsureBelow;
  }

  labelledBy(n) {
    const block = this.history[n];
    return block && block.round <= this.round ? block : null;
  }

  tag(n) {
    if (!(n in this.blocks)) { this.stage.tag(-1, ''); return; }
    const [block, own] = [this.blocks[n], this.own.get(n)];
    const entry = this.history && this.labelledBy(n);
    if (this.history && !entry) this.stage.tag(n, 'not labelled yet', '#8b95a3');
    else if (entry) {
      this.stage.tag(n, `${entry.label} · round ${entry.round} · ${entry.view} · ${Math.round(entry.confidence * 100)} %`,
        this.colours.get(entry.label));
    } else {
      const text = own || (block.label ? `${block.label}? ${this.isUnsure(n) ? 'only ' : ''}${Math.round(block.confidence * 100)} % sure` : 'no label');
      this.stage.tag(n, text, this.colours.get(this.labelOf(n)) || '#8b95a3');
    }
  }

  // selection

  go(n, isRange = false) {
    if (!(n in this.blocks)) return;
    const before = [this.at, ...this.selected];
    this.at = n;
    if (!isRange || this.anchor < 0) this.anchor = n;
    const [from, to] = [Math.min(this.anchor, n), Math.max(this.anchor, n)];
    this.selected = new Set();
    for (let one = from; one <= to; one += 1) this.selected.add(one);
    for (const one of [...before, ...this.selected]) if (one in this.blocks) this.paint(one);
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
    while (n in this.blocks && !this.stage.boxes[n] && this.visible.length) n += by;
    if (n in this.blocks) this.go(n, isRange);
  }

  nextOpen() {
    const order = [...this.blocks.keys()];
    const later = order.slice(this.at + 1).concat(order.slice(0, this.at + 1));
    const next = later.find((n) => !this.own.has(n));
    if (next !== undefined) this.go(next);
  }

  nextUnsure() {
    let best = -1;
    for (const block of this.blocks) {
      if (!this.own.has(block.n) && block.label && (best < 0 || block.confidence < this.blocks[best].confidence)) best = block.n;
    }
    if (best >= 0) this.go(best);
  }

  // labelling

  label(label) {
    if (!this.saves || this.history || !this.selected.size) return;
    const selected = [...this.selected].sort((one, other) => one - other);
    this.change(selected.map((n) => [n, label]));
    if (label && selected.length === 1) this.step(1);
    else this.go(this.at);
  }

  confirm() {
    const selected = [...this.selected].filter((n) => this.labelOf(n));
    this.change(selected.map((n) => [n, this.labelOf(n)]));
    this.step(1);
  }

  confirmRest() {
    const rest = this.blocks.filter((block) => !this.own.has(block.n) && block.label);
    this.change(rest.map((block) => [block.n, block.label]));
    this.go(this.at);
  }

  change(labels) {
    if (!this.saves || this.history) return;
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

  // Shows labels that the same annotator gave in another tab or on another machine.
  replaceOwn(own, version) {
    const labels = new Map(Object.entries(own).map(([n, label]) => [Number(n), label]));
    for (const block of this.blocks) {
      const [now, before] = [labels.get(block.n), this.own.get(block.n)];
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

  showRound(history, round) {
    this.history = history;
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
    this.panel.show(this.page, block, block && this.own.get(block.n), this.selected.size);
  }
}
