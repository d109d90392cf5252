// SPDX-License-Identifier: BSD-3-Clause
// The map of ranks and regions, and one of its regions as bars.

const ranks = (function () {
  const map = data.map;
  const canvas = document.getElementById("map"), spread = document.getElementById("spread");
  const text = document.getElementById("map-text"), cells = document.createElement("canvas");
  const rowHeight = 16;
  let side = 240, metric = 0, chosen = 0, column = 0, cellWidth = 1;

  const rowsOf = () => map.nodes.length;
  const columns = map ? map.ranks.length : 0;
  const valueAt = (row, bin) => map.values[metric][row * columns + bin];

  function meanOf(row) {
    let sum = 0, n = 0;
    for (let bin = 0; bin < columns; bin++) {
      const value = valueAt(row, bin);
      if (value === null) continue;
      sum += value;
      n++;
    }
    return n ? sum / n : 0;
  }

  const rankText = bin => bin + 1 < columns && map.ranks[bin + 1] - map.ranks[bin] > 1
    ? `ranks ${map.ranks[bin]}-${map.ranks[bin + 1] - 1}` : `rank ${map.ranks[bin]}`;

  function sentence(row, bin) {
    const value = valueAt(row, bin), mean = meanOf(row);
    const times = value !== null && mean > 0 ? `, ${(value / mean).toFixed(2)} of the mean ${showMetric(mean, metric)}` : "";
    return `${pathOf(map.nodes[row])}, ${rankText(bin)}: ${showMetric(value, metric)}${times}`;
  }

  // Colours as pixels have them, of which no eye tells more than 512 apart.
  function shades() {
    const mix = mixer(), n = 256;
    const bytes = Uint8ClampedArray.from(
      Array.from({length: 2 * n + 1}, (_, i) => [...mix(0.5 + i / (2 * n)), 255]).flat());
    const dots = new Uint32Array(bytes.buffer);
    return ratio => dots[Math.round(2 * n * Math.max(0, Math.min(1, ratio - 0.5)))];
  }

  // The cells as one small picture that is made as large as it has to be: there
  // are many of them, and one by one they take several times as long.
  function drawCells(g, width) {
    const pixels = new ImageData(columns, rowsOf()), dots = new Uint32Array(pixels.data.buffer);
    const shade = shades();
    for (let row = 0; row < rowsOf(); row++) {
      const mean = meanOf(row);
      for (let bin = 0; bin < columns; bin++) {
        const value = valueAt(row, bin);
        if (value !== null) dots[row * columns + bin] = shade(mean > 0 ? value / mean : 1);
      }
    }
    cells.width = columns;
    cells.height = rowsOf();
    cells.getContext("2d").putImageData(pixels, 0, 0);
    g.imageSmoothingEnabled = false;
    g.drawImage(cells, side, 0, width - side, rowsOf() * rowHeight);
    for (let row = 0; row < rowsOf(); row++) g.clearRect(side, (row + 1) * rowHeight - 1, width - side, 1);
    for (let bin = 1; cellWidth > 4 && bin <= columns; bin++)
      g.clearRect(Math.round(side + bin * cellWidth) - 1, 0, 1, rowsOf() * rowHeight);
  }

  function draw() {
    if (!map || !rowsOf()) return;
    const [g, width] = prepare(canvas, rowsOf() * rowHeight + 18);
    const ink = style("--ink"), soft = style("--soft"), accent = style("--accent");
    side = Math.min(240, Math.round(0.4 * width)); // for the names
    cellWidth = (width - side) / columns;
    drawCells(g, width);
    for (let row = 0; row < rowsOf(); row++) {
      g.fillStyle = row === chosen ? accent : ink;
      g.fillText(fit(g, nameOf(map.nodes[row]), side - 12), 2, (row + 0.5) * rowHeight);
    }
    g.fillStyle = soft;
    g.fillText("rank " + map.ranks[0], side, rowsOf() * rowHeight + 9);
    const last = String(map.ranks[columns - 1]);
    g.fillText(last, width - g.measureText(last).width, rowsOf() * rowHeight + 9);
    g.strokeStyle = accent;
    g.lineWidth = 2;
    g.strokeRect(side + column * cellWidth, chosen * rowHeight, Math.max(2, cellWidth), rowHeight - 1);
    text.textContent = sentence(chosen, column);
    drawSpread();
  }

  function drawSpread() {
    const height = 150, low = 20;
    const [g, width] = prepare(spread, height);
    const mean = meanOf(chosen), soft = style("--soft");
    let most = 0;
    for (let bin = 0; bin < columns; bin++) most = Math.max(most, valueAt(chosen, bin) || 0);
    const scale = most > 0 ? (height - low - 16) / most : 0;
    const step = (width - side) / columns;
    g.fillStyle = colourOf(regionOf(map.nodes[chosen]));
    for (let bin = 0; bin < columns; bin++) {
      const h = (valueAt(chosen, bin) || 0) * scale;
      g.fillRect(side + bin * step, height - low - h, Math.max(0.5, step - (step > 4 ? 1 : 0)), h);
    }
    const y = height - low - mean * scale;
    g.strokeStyle = style("--mark");
    g.beginPath();
    g.moveTo(side, y);
    g.lineTo(width, y);
    g.stroke();
    g.fillStyle = style("--ink");
    g.fillText(fit(g, nameOf(map.nodes[chosen]), side - 12), 2, 20);
    g.fillStyle = soft;
    g.fillText("max " + showMetric(most, metric), 2, 40);
    g.fillText("mean " + showMetric(mean, metric), 2, 58);
  }

  function cellAt(event) {
    const [x, y] = pointIn(canvas, event);
    const row = Math.floor(y / rowHeight), bin = Math.floor((x - side) / cellWidth);
    return row >= 0 && row < rowsOf() ? [row, bin] : null;
  }

  function choose(row, bin) {
    chosen = Math.max(0, Math.min(rowsOf() - 1, row));
    column = Math.max(0, Math.min(columns - 1, bin));
    draw();
    state.save();
  }

  if (map && map.nodes.length) {
    document.getElementById("map-section").hidden = false;
    canvas.addEventListener("mousemove", event => {
      const cell = cellAt(event);
      note(event, cell && cell[1] >= 0 && cell[1] < columns ? sentence(...cell) : cell ? pathOf(map.nodes[cell[0]]) : "");
    });
    canvas.addEventListener("mouseleave", event => note(event, ""));
    canvas.addEventListener("click", event => {
      const cell = cellAt(event);
      if (cell) choose(...cell);
    });
    onKey(canvas, event => {
      const steps = {ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1]};
      if (!steps[event.key]) return;
      choose(chosen + steps[event.key][0], column + steps[event.key][1]);
      event.preventDefault();
    });
    state.keep("rank", () => chosen || column ? `${chosen},${column}` : "", text => {
      const [row, bin] = text.split(",").map(Number);
      choose(row >= 0 ? Math.floor(row) : 0, bin >= 0 ? Math.floor(bin) : 0);
    });
  }

  return {
    draw, use(index) { metric = index; draw(); },
    // Chooses a node and a rank, if the map has them.
    show(node, rank) {
      const row = map ? map.nodes.indexOf(node) : -1;
      if (row < 0) return;
      choose(row, map.ranks.findLastIndex(first => first <= rank));
    },
  };
})();
