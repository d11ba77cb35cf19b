// The page in its frame, and one region per block above it. The frame runs no scripts: this document reads its boxes.

const SCREEN_HEIGHT = 800;
const LONGEST = 60000;
const MARK = 'data-parcels-block';

export class Stage {
  constructor() {
    this.pane = document.getElementById('pane');
    this.stage = document.getElementById('stage');
    this.frame = document.getElementById('frame');
    this.overlay = document.getElementById('overlay');
    this.chip = document.getElementById('chip');
    this.regions = [];
    this.boxes = [];
    this.zoom = 0;
    new ResizeObserver(() => this.fit()).observe(this.pane);
  }

  load(page) {
    this.overlay.replaceChildren();
    this.regions = [];
    this.chip.hidden = true;
    this.zoom = 0;
    return new Promise((done) => {
      this.frame.style.height = `${SCREEN_HEIGHT}px`;
      this.frame.onload = () => done();
      this.frame.src = `/frame/${page}`;
    });
  }

  // Calls the method of `Document.prototype`: an element of the page may have a name that shadows it.
  all(selector) {
    const inside = this.frame.contentDocument;
    const ask = Object.getPrototypeOf(Object.getPrototypeOf(inside)).querySelectorAll;
    return ask.call(inside, selector);
  }

  pinFloating() {
    const view = this.frame.contentWindow;
    this.floating = [];
    const fixed = [];
    for (const element of this.all('body *')) {
      const style = view.getComputedStyle(element);
      if (style.position === 'fixed') fixed.push([element, element.getBoundingClientRect()]);
    }
    for (const [element, box] of fixed) {
      const place = { position: 'absolute', left: box.left, top: box.top, width: box.width, height: box.height };
      for (const [name, value] of Object.entries(place)) {
        element.style.setProperty(name, typeof value === 'number' ? `${value}px` : value, 'important');
      }
      for (const side of ['right', 'bottom']) element.style.setProperty(side, 'auto', 'important');
      element.style.setProperty('margin', '0', 'important');
      this.floating.push(element);
    }
  }

  toggleFloating() {
    const isShown = this.floating.some((element) => element.style.visibility !== 'hidden');
    for (const element of this.floating) {
      element.style.setProperty('visibility', isShown ? 'hidden' : 'visible', 'important');
    }
    return this.floating.length ? !isShown : null;
  }

  measure(blocks) {
    this.pinFloating();
    const root = this.all('html')[0];
    const body = this.all('body')[0];
    const width = this.frame.clientWidth;
    this.height = Math.min(Math.max(root?.scrollHeight || 0, body?.scrollHeight || 0, SCREEN_HEIGHT), LONGEST);
    this.frame.style.height = `${this.height}px`;
    this.boxes = new Array(blocks.length).fill(null);
    for (const element of this.all(`[${MARK}]`)) {
      const n = Number(element.getAttribute(MARK));
      for (const rect of element.getClientRects()) {
        const left = Math.max(rect.left, 0);
        const right = Math.min(rect.right, width);
        if (rect.width < 1 || rect.height < 1 || right - left < 1 || rect.bottom <= 0 || rect.top > LONGEST) continue;
        const box = this.boxes[n];
        if (!box) this.boxes[n] = { left, top: rect.top, right, bottom: rect.bottom };
        else {
          box.left = Math.min(box.left, left);
          box.top = Math.min(box.top, rect.top);
          box.right = Math.max(box.right, right);
          box.bottom = Math.max(box.bottom, rect.bottom);
        }
      }
    }
    this.draw();
    this.fit();
  }

  draw() {
    const area = (box) => (box.right - box.left) * (box.bottom - box.top);
    const order = this.boxes.map((box, n) => n).filter((n) => this.boxes[n]);
    order.sort((one, other) => area(this.boxes[other]) - area(this.boxes[one]));
    const regions = document.createDocumentFragment();
    this.regions = new Array(this.boxes.length).fill(null);
    for (const n of order) {
      const box = this.boxes[n];
      const region = document.createElement('div');
      region.className = 'region';
      region.dataset.n = n;
      region.style.cssText = `left:${box.left - 2}px;top:${box.top - 2}px;width:${box.right - box.left + 4}px;`
        + `height:${box.bottom - box.top + 4}px`;
      this.regions[n] = region;
      regions.append(region);
    }
    this.overlay.replaceChildren(regions);
  }

  get scale() {
    const style = getComputedStyle(this.pane);
    const room = this.pane.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const fitting = Math.min(Math.max(room / 1000, 0.2), 1.5);
    return this.zoom || fitting;
  }

  fit() {
    const scale = this.scale;
    this.stage.style.width = '1000px';
    this.stage.style.height = `${this.height || SCREEN_HEIGHT}px`;
    this.stage.style.transform = `scale(${scale})`;
    this.stage.style.marginBottom = `${(this.height || SCREEN_HEIGHT) * (scale - 1)}px`;
    this.stage.style.marginRight = `${1000 * (scale - 1)}px`;
  }

  toggleZoom(n) {
    const box = this.boxes[n];
    if (this.zoom || !box) this.zoom = 0;
    else this.zoom = Math.min(Math.max((this.pane.clientWidth * 0.8) / Math.max(box.right - box.left, 1), 1), 3);
    this.fit();
    this.reveal(n, true);
  }

  reveal(n, isCentred = false) {
    const box = this.boxes[n];
    if (!box) return;
    const [scale, pane] = [this.scale, this.pane];
    const [top, bottom] = [box.top * scale + 14, box.bottom * scale + 14];
    const isSeen = top >= pane.scrollTop + 20 && bottom <= pane.scrollTop + pane.clientHeight - 20;
    if (isCentred || !isSeen) {
      pane.scrollTop = Math.max(0, Math.min(top - 80, (top + bottom) / 2 - pane.clientHeight / 2));
      if (bottom - top > pane.clientHeight) pane.scrollTop = top - 40;
      if (this.zoom) pane.scrollLeft = box.left * scale - 40;
    }
  }

  tag(n, text, colour) {
    const box = this.boxes[n];
    this.chip.hidden = !box || !text;
    if (this.chip.hidden) return;
    this.chip.textContent = text;
    this.chip.style.setProperty('--c', colour);
    const larger = 1 / Math.min(this.scale, 1); // the tag stays legible on a page that is scaled down
    this.chip.style.fontSize = `${12 * larger}px`;
    this.chip.style.left = `${Math.max(Math.min(box.left - 4, 1000 - this.chip.offsetWidth), 0)}px`;
    this.chip.style.top = `${box.top >= 30 * larger ? box.top - 9 - 22 * larger : box.bottom + 8}px`;
  }
}
