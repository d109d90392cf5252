// SPDX-License-Identifier: BSD-3-Clause
// The call tree as bars, in one of two directions: callers above their callees, or
// regions above their callers.

const flame = (function () {
  const canvas = document.getElementById("flame");
  const text = document.getElementById("flame-text");
  const rowHeight = 20, least = 0.4, levelsMax = 60;
  let metric = 0, zoomed = -1, chosen = -1, bars = [], rows = [], tree = callees;

  const value = i => tree.value(i, metric);
  const name = i => data.regions[tree.region(i)][0] || "(no name)";

  // Returns the nodes below i that have a value, largest first.
  function inside(i) {
    const list = i < 0 ? tree.roots() : tree.children(i);
    return list.filter(k => value(k) > 0).sort((a, b) => value(b) - value(a));
  }

  function layOut(width) {
    bars = [];
    rows = [];
    const above = [];
    for (let i = zoomed; i >= 0; i = tree.parent(i)) above.unshift(i);
    above.forEach((i, level) => place(i, 0, width, level));
    const level = above.length;
    const whole = zoomed < 0 ? tree.roots().reduce((sum, i) => sum + value(i), 0) : value(zoomed);
    const stack = [[zoomed, 0, level, whole > 0 ? width / whole : 0]];
    while (stack.length) {
      const [i, x0, depth, scale] = stack.pop();
      if (depth >= levelsMax) continue;
      // Clocks are not exact, so children may have more than their parent.
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

  // In a comparison, the colour is the change.
  function shader() {
    if (!compare.isOn) return null;
    const shade = compare.colours();
    return i => shade(tree.before(i, metric), value(i));
  }

  function drawBar({i, x, w, level}, g, inks, shade) {
    const y = level * rowHeight, isHit = tree.has(i);
    g.globalAlpha = search.isOn() && !isHit ? 0.35 : 1;
    g.fillStyle = isHit ? inks.mark : shade ? `rgb(${shade(i).join(" ")})` : colourOf(tree.region(i));
    g.fillRect(x, y, Math.max(0.5, w - 0.6), rowHeight - 1);
    const label = fit(g, name(i), w - 8);
    if (label) {
      g.fillStyle = isHit ? inks.paper : shade ? inkOn(shade(i)) : inks.ink;
      g.fillText(label, x + 4, y + rowHeight / 2);
    }
    g.globalAlpha = 1;
    if (i !== chosen) return;
    g.strokeStyle = inks.ink;
    g.lineWidth = 2;
    g.strokeRect(x + 1, y + 1, Math.max(1, w - 2), rowHeight - 3);
  }

  function draw() {
    const width = widthOf(canvas);
    layOut(width);
    const [g] = prepare(canvas, Math.max(1, rows.length) * rowHeight + 2);
    const inks = {ink: style("--ink"), mark: style("--mark"), paper: style("--paper")}, shade = shader();
    bars.forEach(bar => drawBar(bar, g, inks, shade));
    text.textContent = chosen >= 0 ? tree.describe(chosen, metric)
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
    state.save();
  }

  function choose(i) {
    if (i === undefined) return;
    chosen = i;
    draw();
  }

  // Returns a sibling of the chosen node.
  function beside(step) {
    const list = inside(tree.parent(chosen));
    return list[(list.indexOf(chosen) + step + list.length) % list.length];
  }

  const radios = [...document.getElementsByName("direction")];
  const isInverted = () => tree !== callees;
  function turn(toCallers) {
    tree = toCallers ? callersOf(metric) : callees;
    zoomed = chosen = -1;
    for (const radio of radios) radio.checked = (radio.value === "callers") === toCallers;
    canvas.setAttribute("aria-label", toCallers ? "Regions as wide as their own share, and their callers" : "Call tree, as wide as its share");
    draw();
  }

  for (const radio of radios)
    radio.addEventListener("change", () => { turn(radio.value === "callers"); state.save(); });
  canvas.addEventListener("mousemove", event => {
    const bar = barAt(event);
    canvas.style.cursor = bar ? "pointer" : "";
    note(event, bar && tree.describe(bar.i, metric));
  });
  canvas.addEventListener("mouseleave", event => note(event, ""));
  canvas.addEventListener("click", event => {
    const bar = barAt(event);
    if (!bar) return;
    chosen = bar.i;
    zoom(bar.i === zoomed ? tree.parent(bar.i) : bar.i);
  });
  onKey(canvas, event => {
    if (chosen < 0 && event.key.startsWith("Arrow")) choose(inside(-1)[0]);
    else if (event.key === "ArrowDown") choose(inside(chosen)[0]);
    else if (event.key === "ArrowUp" && tree.parent(chosen) >= 0) choose(tree.parent(chosen));
    else if (event.key === "ArrowRight") choose(beside(1));
    else if (event.key === "ArrowLeft") choose(beside(-1));
    else if (event.key === "Enter" && chosen >= 0) zoom(chosen);
    else if (event.key === "Escape") zoom(zoomed >= 0 ? tree.parent(zoomed) : -1);
    else return;
    event.preventDefault();
  });

  const count = () => isInverted() ? tree.n : nNodes;
  state.keep("callers", () => isInverted() ? "1" : "", text => turn(text === "1"));
  state.keep("zoom", () => zoomed < 0 ? "" : String(zoomed), text => {
    const i = text === "" ? -1 : Number(text);
    zoomed = chosen = Number.isInteger(i) && i >= 0 && i < count() ? i : -1;
    draw();
  });

  return {
    draw,
    // Zooms into a node of the call tree.
    show(i) {
      if (isInverted()) turn(false);
      chosen = i;
      zoom(i);
    },
    use(index) {
      metric = index;
      if (isInverted()) turn(true);
      else draw();
    },
  };
})();
