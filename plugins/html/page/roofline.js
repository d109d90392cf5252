// SPDX-License-Identifier: BSD-3-Clause
// A roofline: what regions compute per byte and per second, if both are counted.

const roofline = (function () {
  const canvas = document.getElementById("roofline"), text = document.getElementById("roofline-text");
  const height = 380, left = 80, low = 30, top = 14, shownMax = 100, lineBytes = 64;
  const facts = new Map(data.metadata);
  let chosen = -1, points = [], places = [];

  // The first of the groups of counters of which one is there: [metrics, factor].
  function find(groups) {
    for (const [names, factor] of groups) {
      const found = names.map(name => data.metrics.findIndex(m =>
        m.kind !== "gauge" && (m.name === name || m.name.endsWith("::" + name)))).filter(i => i >= 0);
      if (found.length) return [found, factor];
    }
    return null;
  }

  const flop = find([[["flop"], 1], [["PAPI_DP_OPS", "PAPI_SP_OPS"], 1], [["PAPI_FP_OPS"], 1]]);
  const bytes = find([[["bytes"], 1], [["PAPI_L3_TCM"], lineBytes]]);
  const peak = key => {
    const value = Number(facts.get(key));
    return value > 0 && Number.isFinite(value) ? value : 0;
  };
  const roof = peak("peak_flops"), slope = peak("peak_bandwidth");
  const limit = x => Math.min(roof || Infinity, slope ? slope * x : Infinity);

  // Each region once, with what it does itself.
  function collect() {
    const all = new Map();
    const sum = ([metrics, factor], i) => metrics.reduce((total, m) => total + factor * (data.figures[m].self[i] || 0), 0);
    for (let i = 0; i < nNodes; i++) {
      const one = all.get(regionOf(i)) || {region: regionOf(i), name: nameOf(i), time: 0, flop: 0, bytes: 0};
      one.time += data.figures[timeIndex].self[i] || 0;
      one.flop += sum(flop, i);
      one.bytes += sum(bytes, i);
      all.set(regionOf(i), one);
    }
    return [...all.values()].filter(p => p.time > 0 && p.flop > 0 && p.bytes > 0)
      .sort((a, b) => b.time - a.time).slice(0, shownMax)
      .map(p => ({...p, x: p.flop / p.bytes, y: p.flop / (p.time / 1e9)}));
  }

  // Whole powers of ten around the values.
  function range(values) {
    const logs = values.map(Math.log10);
    const from = Math.floor(Math.min(...logs)), to = Math.ceil(Math.max(...logs));
    return [from, Math.max(to, from + 1)];
  }

  const sentence = p => `${p.name}: ${p.x.toPrecision(3)} FLOP per byte, ${show(p.y)}FLOP/s, self ${show(p.time, "ns")}` +
    (roof || slope ? `, ${(100 * p.y / limit(p.x)).toFixed(1)} % of the roof` : "");

  function drawAxes(g, width, xs, ys, x, y) {
    g.strokeStyle = style("--line");
    g.fillStyle = style("--soft");
    g.lineWidth = 1;
    g.beginPath();
    for (let e = xs[0]; e <= xs[1]; e++) {
      g.moveTo(x(10 ** e), top);
      g.lineTo(x(10 ** e), height - low);
      g.fillText(e < -3 || e > 3 ? `1e${e}` : String(Number((10 ** e).toPrecision(1))), x(10 ** e) - 8, height - low + 10);
    }
    for (let e = ys[0]; e <= ys[1]; e++) {
      g.moveTo(left, y(10 ** e));
      g.lineTo(width - 8, y(10 ** e));
      g.fillText(show(10 ** e), 2, y(10 ** e));
    }
    g.stroke();
    g.fillText("FLOP/s", 2, height - 8);
    const label = "FLOP per byte";
    g.fillText(label, width - g.measureText(label).width - 8, height - 8);
  }

  function draw() {
    if (!points.length) return;
    const ridge = roof && slope ? [roof / slope] : [];
    const xs = range([...points.map(p => p.x), ...ridge]);
    const ys = range([...points.map(p => p.y), ...(roof ? [roof] : [])]);
    const [g, width] = prepare(canvas, height);
    const x = v => left + (Math.log10(v) - xs[0]) * (width - left - 24) / (xs[1] - xs[0]);
    const y = v => height - low - (Math.log10(v) - ys[0]) * (height - low - top) / (ys[1] - ys[0]);
    drawAxes(g, width, xs, ys, x, y);
    if (roof || slope) {
      g.save();
      g.beginPath();
      g.rect(left, top - 4, width, height - low - top + 4);
      g.clip();
      g.beginPath();
      for (const v of [10 ** xs[0], ...ridge, 10 ** xs[1]]) g.lineTo(x(v), y(limit(v)));
      g.strokeStyle = style("--ink");
      g.lineWidth = 2;
      g.stroke();
      g.restore();
    }
    const most = points[0].time;
    places = points.map(p => [x(p.x), y(p.y), 4 + 10 * Math.sqrt(p.time / most)]);
    places.forEach(([px, py, size], i) => {
      g.beginPath();
      g.arc(px, py, size, 0, 2 * Math.PI);
      g.fillStyle = colourOf(points[i].region);
      g.fill();
      g.strokeStyle = style(i === chosen ? "--mark" : "--soft");
      g.lineWidth = i === chosen ? 3 : 1;
      g.stroke();
    });
    drawNames(g, width);
    text.textContent = chosen >= 0 ? sentence(points[chosen]) : "";
  }

  // Beside their points, the longest first, where there is room.
  function drawNames(g, width) {
    const taken = [];
    g.fillStyle = style("--ink");
    places.forEach(([px, py, size], i) => {
      const name = fit(g, points[i].name, 160), w = g.measureText(name).width;
      const from = px + size + 4 + w < width ? px + size + 4 : px - size - 4 - w;
      const isOn = ([x0, x1, y]) => from < x1 && from + w > x0 && Math.abs(py - y) < 14;
      const covers = ([x, y, r], k) => k !== i && x + r > from && x - r < from + w && Math.abs(py - y) < r + 7;
      if (taken.some(isOn) || places.some(covers)) return;
      taken.push([from, from + w, py]);
      g.fillText(name, from, py);
    });
  }

  // The smallest one there, which may lie on others.
  function pointAt(event) {
    const [px, py] = pointIn(canvas, event);
    for (let i = places.length - 1; i >= 0; i--)
      if (Math.hypot(px - places[i][0], py - places[i][1]) <= places[i][2] + 1) return i;
    return -1;
  }

  function listen() {
    canvas.addEventListener("mousemove", event => {
      const i = pointAt(event);
      note(event, i >= 0 ? sentence(points[i]) : "");
    });
    canvas.addEventListener("mouseleave", event => note(event, ""));
    canvas.addEventListener("click", event => {
      chosen = pointAt(event);
      draw();
    });
    onKey(canvas, event => {
      const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
      if (!step) return;
      chosen = chosen < 0 ? 0 : (chosen + step + points.length) % points.length;
      draw();
      event.preventDefault();
    });
  }

  const hasTime = data.metrics.length > 0 && data.metrics[timeIndex].name === "time";
  if (flop && bytes && hasTime && !compare.isOn) {
    points = collect();
    document.getElementById("roofline-section").hidden = points.length === 0;
    listen();
  }
  return {draw};
})();
