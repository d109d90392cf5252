// SPDX-License-Identifier: BSD-3-Clause
// What each thread did, when: a lane per thread, a box per visit of a region.

const timeline = (function () {
  const given = lanes.given;
  const canvas = document.getElementById("timeline"), text = document.getElementById("timeline-text");
  const axis = 20;
  let first = 0, last = given ? given.last : 1, left = 110, height = 0, chosen = null, dragged = null;

  // A point in time, with as many digits as the picture can show.
  function moment(t) {
    const [factor, name] = times.find(([f]) => last * given.unit >= f) || times[3];
    const pixel = (last - first) * given.unit / factor / 100;
    return (t * given.unit / factor).toFixed(Math.max(0, Math.min(9, Math.ceil(-Math.log10(pixel))))) + " " + name;
  }

  const x = t => left + (t - first) * (widthOf(canvas) - left) / (last - first);
  const timeAt = px => first + (px - left) * (last - first) / (widthOf(canvas) - left);

  function layOut() {
    const rows = lanes.list.reduce((sum, lane) => sum + (lane.isFolded ? 1 : lane.rows.length), 0);
    const rowHeight = Math.max(3, Math.min(16, Math.floor(700 / rows))), gap = lanes.list.length > 64 ? 2 : 6;
    left = Math.min(110, Math.round(0.25 * widthOf(canvas)));
    let y = 0;
    for (const lane of lanes.list) {
      lane.y = y;
      lane.rowHeight = rowHeight;
      lane.height = (lane.isFolded ? 1 : lane.rows.length) * rowHeight;
      y += lane.height + gap;
    }
    height = y + axis;
  }

  function drawLane(g, lane, width, inks) {
    const view = {first, last, left, width};
    if (lane.isFolded) minimap.drawLane(g, lane, lane.y, lane.rowHeight - (lane.rowHeight > 5 ? 1 : 0), view);
    for (let level = 0; !lane.isFolded && level < lane.rows.length; level++)
      lanes.eachSeen(lane, level, view, (i, from, to) => drawBox(g, lane, i, level, from, to - from, inks));
    g.fillStyle = inks.soft;
    const sign = lane.rows.length > 1 ? (lane.isFolded ? "\u25b8 " : "\u25be ") : "";
    if (lane.height >= 9) g.fillText(fit(g, sign + lane.label, left - 8), 2, lane.y + Math.max(6, lane.rowHeight / 2));
    g.strokeStyle = inks.mark;
    g.lineWidth = 1;
    for (const {at} of lane.markers) {
      if (at < first || at > last) continue;
      g.beginPath();
      g.moveTo(x(at), lane.y - 2);
      g.lineTo(x(at), lane.y + lane.height + 2);
      g.stroke();
    }
  }

  function drawBox(g, lane, i, level, from, w, inks) {
    const node = lane.node[i], tall = lane.rowHeight, y = lane.y + level * tall, isHit = search.has(node);
    g.globalAlpha = search.isOn() && !isHit ? 0.35 : 1;
    g.fillStyle = isHit ? inks.mark : colourOf(regionOf(node));
    g.fillRect(from, y, Math.max(1, w - (w > 3 ? 0.6 : 0)), tall - (tall > 5 ? 1 : 0));
    const label = tall >= 12 ? fit(g, nameOf(node), w - 6) : "";
    if (label) {
      g.fillStyle = isHit ? inks.paper : inks.ink;
      g.fillText(label, from + 3, y + tall / 2);
    }
    g.globalAlpha = 1;
    if (chosen && chosen.lane === lane && chosen.i === i) {
      g.strokeStyle = inks.ink;
      g.lineWidth = 2;
      g.strokeRect(from + 1, y + 1, Math.max(1, w - 2), tall - 3);
    }
  }

  function drawAxis(g, width, inks) {
    const unit = given.unit, by = ticks.step((last - first) * unit, (width - left) / 110, "ns");
    for (const ns of ticks.between(first * unit, last * unit, by)) {
      const at = x(ns / unit), label = ticks.text(ns, by, "ns", last * unit), w = g.measureText(label).width;
      g.fillStyle = inks.soft;
      g.fillRect(Math.min(at, width - 1), height - axis, 1, 4);
      g.fillText(label, Math.max(left, Math.min(width - w - 2, at - w / 2)), height - 8);
    }
  }

  // Marks the selection, also while it is being made.
  function drawSelection(g, inks) {
    const now = dragged || selection.now();
    if (!now) return;
    const top = now.lanes[0].y, end = now.lanes[now.lanes.length - 1];
    g.globalAlpha = 0.2;
    g.fillStyle = inks.mark;
    g.fillRect(x(now.from), top, x(now.to) - x(now.from), end.y + end.height - top);
    g.globalAlpha = 1;
    g.strokeStyle = inks.mark;
    g.lineWidth = 1;
    g.strokeRect(x(now.from), top, x(now.to) - x(now.from), end.y + end.height - top);
  }

  function draw() {
    if (!given) return;
    layOut();
    const [g, width] = prepare(canvas, height);
    const inks = {ink: style("--ink"), soft: style("--soft"), mark: style("--mark"), paper: style("--paper")};
    g.save();
    for (const lane of lanes.list) drawLane(g, lane, width, inks);
    g.beginPath();
    g.rect(left, 0, width - left, height);
    g.clip();
    arrows.draw(g, first, last, x, inks.ink);
    drawSelection(g, inks);
    g.restore();
    drawAxis(g, width, inks);
    minimap.draw(first, last, left);
    text.textContent = chosen ? sentence(chosen) : `${moment(first)} to ${moment(last)}`;
    document.getElementById("into").hidden = !selection.isOn();
  }

  function sentence({lane, i}) {
    return `${pathOf(lane.node[i])}: ${lanes.time(lane.end[i] - lane.start[i])} at ${moment(lane.start[i])}, ${lane.about}`;
  }

  // Shows a range of time, within the run and not below the resolution of the clock.
  function look(from, to) {
    const width = Math.min(given.last, Math.max(to - from, 4));
    first = Math.max(0, Math.min(given.last - width, from));
    last = first + width;
    draw();
    state.save();
  }

  function zoom(factor, around) {
    look(around - (around - first) * factor, around + (last - around) * factor);
  }

  function choose(box) {
    chosen = box;
    draw();
  }

  function fold(some, isFolded) {
    some.forEach(lane => { lane.isFolded = isFolded; });
    announce(`${some.length === 1 ? some[0].about : "all lanes"} ${isFolded ? "folded" : "unfolded"}`);
    document.getElementById("fold").textContent = lanes.list.every(lane => lane.isFolded) ? "Unfold all lanes" : "Fold all lanes";
    draw();
    state.save();
  }
  const foldAll = () => fold(lanes.list, !lanes.list.every(lane => lane.isFolded));

  // Zooms into the selection, or the chosen visit.
  function into() {
    const now = selection.now() || chosen && {from: chosen.lane.start[chosen.i], to: chosen.lane.end[chosen.i]};
    if (now) look(now.from, now.to);
  }

  function whole() {
    chosen = null;
    selection.clear();
    look(0, given.last);
  }

  function select(from, to, a, b) {
    selection.set(Math.round(from), Math.round(to), lanes.list.slice(Math.min(a, b), Math.max(a, b) + 1));
    draw();
    state.save();
  }

  function hint() {
    const parts = [];
    if (given.shown < given.all) parts.push(`${show(given.shown)} of ${show(given.all)} visits are shown, the longest`);
    if (lanes.list.length < given.all_lanes) parts.push(`${lanes.list.length} of ${given.all_lanes} threads`);
    if (given.per_message > 1) parts.push(`every ${given.per_message}th message`);
    if (given.per_marker > 1) parts.push(`every ${given.per_marker}th marker`);
    document.getElementById("timeline-hint").textContent = parts.join("; ");
  }

  // Returns the n numbers of a text, or null if it has not that many.
  function numbers(words, n) {
    const all = words.split(",").map(Number);
    return words !== "" && all.length === n && all.every(value => Number.isFinite(value) && value >= 0) ? all : null;
  }

  function keepState() {
    const span = (...all) => all.map(Math.round).join(",");
    state.keep("time", () => first === 0 && last === given.last ? "" : span(first, last), words => {
      const [from, to] = numbers(words, 2) || [0, given.last];
      look(from, to);
    });
    const opposite = lanes.list.map(lane => lane.isFolded);
    state.keep("folded", () => lanes.list.filter((lane, i) => lane.isFolded !== opposite[i]).map(lane => lane.index).join(","), words => {
      const some = new Set(words === "" ? [] : words.split(",").map(Number));
      lanes.list.forEach((lane, i) => { lane.isFolded = some.has(i) !== opposite[i]; });
      draw();
    });
    state.keep("selected", () => {
      const now = selection.now();
      return now ? span(now.from, now.to, now.lanes[0].index, now.lanes[now.lanes.length - 1].index) : "";
    }, words => {
      const now = numbers(words, 4);
      if (now && now[3] < lanes.list.length && now[2] <= now[3]) select(...now);
      else selection.clear();
    });
  }

  if (given) {
    hint();
    document.getElementById("timeline-section").hidden = false;
    keepState();
  }

  return {
    draw, look, zoom, choose, fold, foldAll, into, whole, select, moment, sentence, x, timeAt,
    left: () => left, bottom: () => height - axis, shown: () => ({first, last}), chosen: () => chosen,
    // Sets the selection that is being made, or null.
    drag(now) {
      dragged = now;
      draw();
    },
  };
})();
