// SPDX-License-Identifier: BSD-3-Clause
// Who sent how much to whom.

const matrix = (function () {
  const given = data.matrix;
  const canvas = document.getElementById("matrix"), text = document.getElementById("matrix-text");
  const side = 60, largest = 40;
  let size = 1, from = 0, to = 0;
  const cells = new Map();

  const name = i => given.per > 1 ? `ranks ${i * given.per}-${(i + 1) * given.per - 1}` : `rank ${i}`;

  function sentence(i, k) {
    const cell = cells.get(i * given.n + k);
    return `${name(i)} to ${name(k)}: ` + (cell
      ? `${show(cell[2], "B")} in ${show(cell[3])} messages, ${show(cell[2] / cell[3], "B")} each` : "nothing");
  }

  // From nothing to the most, dark in both themes: the picture has a light ground.
  function shades() {
    const plate = rgbOf("--plate"), full = rgbOf("--full");
    return share => `rgb(${plate.map((p, i) => Math.round(p + (full[i] - p) * share)).join(" ")})`;
  }

  // Bytes differ by orders of magnitude: shades of their logarithm.
  function draw() {
    if (!given || !given.cells.length) return;
    const width = Math.min(widthOf(canvas.parentElement), 720);
    size = Math.max(1, Math.min(largest, (width - side) / given.n));
    const [g] = prepare(canvas, size * given.n + 20);
    const shade = shades();
    const most = Math.log1p(Math.max(...given.cells.map(c => c[2])));
    g.fillStyle = style("--plate");
    g.fillRect(side, 0, size * given.n, size * given.n);
    for (const [i, k, bytes] of given.cells) {
      const share = most > 0 ? Math.log1p(bytes) / most : 1;
      g.fillStyle = shade(0.15 + 0.85 * share);
      g.fillRect(side + k * size, i * size, Math.max(1, size - (size > 4 ? 1 : 0)), Math.max(1, size - (size > 4 ? 1 : 0)));
    }
    g.fillStyle = style("--soft");
    const step = Math.max(1, Math.ceil(16 / size));
    for (let i = 0; i < given.n; i += step) g.fillText(String(i * given.per), 2, (i + .5) * size);
    const wide = Math.max(1, Math.ceil(28 / size)), y = size * given.n + 10;
    for (let k = 0; k < given.n; k += wide) {
      const label = String(k * given.per);
      g.fillText(label, side + (k + .5) * size - g.measureText(label).width / 2, y);
    }
    g.fillText("to", 2, y);
    g.strokeStyle = style("--mark");
    g.lineWidth = 2;
    g.strokeRect(side + to * size, from * size, Math.max(2, size), Math.max(2, size));
    text.textContent = sentence(from, to);
  }

  function cellAt(event) {
    const [x, y] = pointIn(canvas, event);
    const i = Math.floor(y / size), k = Math.floor((x - side) / size);
    return i >= 0 && k >= 0 && i < given.n && k < given.n ? [i, k] : null;
  }

  if (given && given.cells.length) {
    given.cells.forEach(cell => cells.set(cell[0] * given.n + cell[1], cell));
    [from, to] = given.cells.reduce((a, b) => b[2] > a[2] ? b : a);
    document.getElementById("matrix-section").hidden = false;
    canvas.addEventListener("mousemove", event => {
      const cell = cellAt(event);
      note(event, cell ? sentence(...cell) : "");
    });
    canvas.addEventListener("mouseleave", event => note(event, ""));
    canvas.addEventListener("click", event => {
      const cell = cellAt(event);
      if (cell) [from, to] = cell;
      draw();
    });
    onKey(canvas, event => {
      const steps = {ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1]};
      if (!steps[event.key]) return;
      from = Math.max(0, Math.min(given.n - 1, from + steps[event.key][0]));
      to = Math.max(0, Math.min(given.n - 1, to + steps[event.key][1]));
      draw();
      event.preventDefault();
    });
  }

  return {draw};
})();
