// Creates elements from plain data. Text is always set as text, never as markup.

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'colour') element.style.setProperty('--c', value);
    else if (name === 'width') element.style.width = value;
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function meter(share, colour, isAgainst = false) {
  const inside = make('span');
  inside.style.width = `${Math.round(Math.min(Math.abs(share), 1) * 100)}%`;
  const outside = make('span', { class: isAgainst ? 'meter against' : 'meter' }, inside);
  if (colour) outside.style.setProperty('--c', colour);
  return outside;
}

export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// A small line chart: series of [x, y] with a colour, y from 0.
export function chart(series, { width = 420, height = 170, x = '', y = '' } = {}) {
  const points = series.flatMap((one) => one.points.concat(one.band || []));
  const far = Math.max(...points.map((point) => point[0]), 1);
  const near = Math.min(...points.map((point) => point[0]), far);
  const high = Math.max(...points.map((point) => point[1]), 0.01) * 1.08;
  const at = (point) => [38 + ((point[0] - near) / (far - near || 1)) * (width - 54),
    height - 26 - (point[1] / high) * (height - 40)];
  const svg = draw('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' });
  for (const share of [0, 0.5, 1]) {
    const level = height - 26 - share * (height - 40);
    svg.append(draw('line', { x1: 38, x2: width - 12, y1: level, y2: level, stroke: '#e3e7ec' }));
    const text = draw('text', { x: 33, y: level + 4, 'text-anchor': 'end' });
    text.textContent = (share * high).toFixed(high < 1 ? 2 : 0);
    svg.append(text);
  }
  for (const one of series) {
    if (one.band) svg.append(draw('polygon', { points: one.band.map(at).join(' '), fill: one.colour, opacity: 0.15 }));
    svg.append(draw('polyline', { points: one.points.map(at).join(' '), fill: 'none', stroke: one.colour,
      'stroke-width': 2, 'stroke-dasharray': one.dash || 'none' }));
    for (const point of one.dots ? one.points : []) {
      svg.append(draw('circle', { cx: at(point)[0], cy: at(point)[1], r: 2.6, fill: one.colour }));
    }
  }
  for (const [text, place, anchor] of [[near, 38, 'start'], [far, width - 12, 'end'], [x, width / 2, 'middle']]) {
    const element = draw('text', { x: place, y: height - 8, 'text-anchor': anchor });
    element.textContent = text;
    svg.append(element);
  }
  const title = draw('text', { x: 38, y: 10 });
  title.textContent = y;
  svg.append(title);
  return svg;
}
