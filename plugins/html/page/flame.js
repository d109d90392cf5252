// SPDX-License-Identifier: BSD-3-Clause
// The call tree as bars: what calls stands above what is called.

const flame = (function () {
  const canvas = document.getElementById("flame");
  const text = document.getElementById("flame-text");
  const rowHeight = 20, least = 0.4, levelsMax = 60;
  let metric = 0, zoomed = -1, chosen = -1, bars = [], rows = [];

  // Levels have no shares: then as wide as the time.
  const value = i => Math.max(0, data.figures[isLevel(metric) ? timeIndex : metric].sum[i] || 0);

  // Of the children of i, those with something, largest first.
  function inside(i) {
    const list = i < 0 ? roots : children[i];
    return list.filter(k => value(k) > 0).sort((a, b) => value(b) - value(a));
  }

  function layOut(width) {
    bars = [];
    rows = [];
    const above = [];
    for (let i = zoomed; i >= 0; i = parentOf(i)) above.unshift(i);
    above.forEach((i, level) => place(i, 0, width, level));
    const level = above.length;
    const whole = zoomed < 0 ? roots.reduce((sum, i) => sum + value(i), 0) : value(zoomed);
    const stack = [[zoomed, 0, level, whole > 0 ? width / whole : 0]];
    while (stack.length) {
      const [i, x0, depth, scale] = stack.pop();
      if (depth >= levelsMax) continue;
      // Children may have more than their parent, by the error of clocks.
      const list = inside(i);
      const sum = list.reduce((total, k) => total + value(k), 0);
      const fits = i < 0 ? scale : Math.min(scale, sum > 0 ? value(i) * scale / sum : 0);
      let x = x0;
      for (const k of list) {
        const w = value(k) * fits;
        if (w < least) break;
        place(k, x, w, depth);
        stack.push([k, x, depth + 1, fits]);
        x += w;
      }
    }
  }

  function place(i, x, w, level) {
    const bar = {i, x, w, level};
    bars.push(bar);
    (rows[level] = rows[level] || []).push(bar);
  }

  function draw() {
    const width = widthOf(canvas);
    layOut(width);
    const [g] = prepare(canvas, Math.max(1, rows.length) * rowHeight + 2);
    const ink = style("--ink"), mark = style("--mark"), paper = style("--paper");
    const shade = compare.isOn ? compare.colours(metric) : null;
    for (const {i, x, w, level} of bars) {
      const y = level * rowHeight;
      const isHit = search.has(i);
      g.globalAlpha = search.isOn() && !isHit ? 0.35 : 1;
      g.fillStyle = isHit ? mark : shade ? `rgb(${shade(i).join(" ")})` : colourOf(nameOf(i));
      g.fillRect(x, y, Math.max(0.5, w - 0.6), rowHeight - 1);
      const label = fit(g, nameOf(i), w - 8);
      if (label) {
        g.fillStyle = isHit ? paper : shade ? inkOn(shade(i)) : ink;
        g.fillText(label, x + 4, y + rowHeight / 2);
      }
      g.globalAlpha = 1;
      if (i === chosen) {
        g.strokeStyle = ink;
        g.lineWidth = 2;
        g.strokeRect(x + 1, y + 1, Math.max(1, w - 2), rowHeight - 3);
      }
    }
    text.textContent = chosen >= 0 ? describe(chosen, metric)
      : !bars.length ? "Nothing was recorded for this metric."
      : isLevel(metric) ? "Levels do not add up: as wide as the share of time." : "";
  }

  function barAt(event) {
    const [x, y] = pointIn(canvas, event);
    const row = rows[Math.floor(y / rowHeight)] || [];
    return row.find(bar => x >= bar.x && x < bar.x + bar.w);
  }

  function zoom(i) {
    zoomed = i;
    draw();
  }

  function choose(i) {
    if (i === undefined) return;
    chosen = i;
    draw();
  }

  // A neighbour of the chosen one.
  function beside(step) {
    const list = inside(parentOf(chosen));
    return list[(list.indexOf(chosen) + step + list.length) % list.length];
  }

  canvas.addEventListener("mousemove", event => {
    const bar = barAt(event);
    canvas.style.cursor = bar ? "pointer" : "";
    note(event, bar && describe(bar.i, metric));
  });
  canvas.addEventListener("mouseleave", event => note(event, ""));
  canvas.addEventListener("click", event => {
    const bar = barAt(event);
    if (!bar) return;
    chosen = bar.i;
    zoom(bar.i === zoomed ? parentOf(bar.i) : bar.i);
  });
  onKey(canvas, event => {
    if (chosen < 0 && event.key.startsWith("Arrow")) choose(inside(-1)[0]);
    else if (event.key === "ArrowDown") choose(inside(chosen)[0]);
    else if (event.key === "ArrowUp" && parentOf(chosen) >= 0) choose(parentOf(chosen));
    else if (event.key === "ArrowRight") choose(beside(1));
    else if (event.key === "ArrowLeft") choose(beside(-1));
    else if (event.key === "Enter" && chosen >= 0) zoom(chosen);
    else if (event.key === "Escape") zoom(zoomed >= 0 ? parentOf(zoomed) : -1);
    else return;
    event.preventDefault();
  });

  return {
    draw,
    use(index) { metric = index; draw(); },
    state: () => ({zoomed, chosen, bars: bars.length}),
  };
})();
