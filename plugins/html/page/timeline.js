// SPDX-License-Identifier: BSD-3-Clause
// What each thread did, when: a lane per thread, a box per visit of a region.

const timeline = (function () {
  const given = data.timeline;
  const canvas = document.getElementById("timeline"), text = document.getElementById("timeline-text");
  const left = 110, axis = 20, gap = 6, levelsMax = 16, near = 4, arrowsMax = 4000;
  const lanes = [], arrows = [];
  let first = 0, last = 1, rowHeight = 16, height = 0, chosen = null, pressed = null, dragged = null;

  const time = t => show(t * given.unit, "ns");
  const units = [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"], [1, "ns"]];
  // A point in time, with as many digits as the picture can show.
  function moment(t) {
    const [factor, name] = units.find(([f]) => last * given.unit >= f) || units[3];
    const pixel = (last - first) * given.unit / factor / 100;
    return (t * given.unit / factor).toFixed(Math.max(0, Math.min(9, Math.ceil(-Math.log10(pixel))))) + " " + name;
  }

  const isThreaded = given && new Set(given.lanes.map(lane => `${lane.rank} ${lane.pid}`)).size < given.lanes.length;
  const depths = [];
  for (let i = 0; i < nNodes; i++) depths[i] = parentOf(i) < 0 ? 0 : depths[parentOf(i)] + 1;

  // Deltas of ends and lengths become starts and ends; boxes stay sorted by end.
  function decode(lane) {
    const n = lane.boxes.length / 3;
    const one = {node: new Int32Array(n), start: new Float64Array(n), end: new Float64Array(n), markers: [], levels: 1};
    const process = lane.rank >= 0 && data.ranks > 0 ? `rank ${lane.rank}` : `pid ${lane.pid}`;
    one.label = lane.name || (isThreaded ? `${process}, thread ${lane.thread}` : process);
    one.about = `${process}, thread ${lane.thread}${lane.name ? ": " + lane.name : ""}`;
    for (let i = 0, end = 0; i < n; i++) {
      end += lane.boxes[3 * i + 1];
      one.node[i] = lane.boxes[3 * i];
      one.end[i] = end;
      one.start[i] = end - lane.boxes[3 * i + 2];
      one.levels = Math.max(one.levels, Math.min(levelsMax, depths[one.node[i]] + 1));
    }
    for (let i = 0; i < lane.markers.length; i += 3) {
      const [at, region, value] = lane.markers.slice(i, i + 3);
      one.markers.push({at, text: region < 0 ? `${value} events are missing here` : data.regions[region][0]});
    }
    return one;
  }

  function decodeMessages() {
    const ends = new Map(), m = given.messages;
    for (let i = 0; i < m.length; i += 5) {
      const end = {lane: m[i + 1], at: m[i + 3], bytes: m[i + 4]};
      const both = ends.get(m[i]) || {};
      both[m[i + 2] ? "from" : "to"] = end;
      ends.set(m[i], both);
      if (both.from && both.to) arrows.push(both);
    }
  }

  const x = t => left + (t - first) * (widthOf(canvas) - left) / (last - first);
  const timeAt = px => first + (px - left) * (last - first) / (widthOf(canvas) - left);

  function layOut() {
    const rows = lanes.reduce((sum, lane) => sum + lane.levels, 0);
    rowHeight = Math.max(3, Math.min(16, Math.floor(700 / rows)));
    let y = 0;
    for (const lane of lanes) {
      lane.y = y;
      y += lane.levels * rowHeight + gap;
    }
    height = y + axis;
  }

  // Of boxes that share a pixel only the first is drawn: there are few pixels.
  function drawLane(g, lane, width, inks) {
    const reached = new Float64Array(levelsMax).fill(-1);
    const scale = (width - left) / (last - first);
    for (let i = 0; i < lane.node.length; i++) {
      if (lane.end[i] < first || lane.start[i] > last) continue;
      const level = depths[lane.node[i]];
      if (level >= levelsMax) continue;
      const from = Math.max(left, left + (lane.start[i] - first) * scale);
      const to = Math.max(from + 1, Math.min(width, left + (lane.end[i] - first) * scale));
      if (to <= reached[level]) continue;
      reached[level] = Math.ceil(to);
      drawBox(g, lane, i, from, to - from, inks);
    }
    g.fillStyle = inks.soft;
    if (lane.levels * rowHeight >= 9) g.fillText(fit(g, lane.label, left - 8), 2, lane.y + Math.max(6, rowHeight / 2));
    g.strokeStyle = inks.mark;
    g.lineWidth = 1;
    for (const {at} of lane.markers) {
      if (at < first || at > last) continue;
      g.beginPath();
      g.moveTo(x(at), lane.y - 2);
      g.lineTo(x(at), lane.y + lane.levels * rowHeight + 2);
      g.stroke();
    }
  }

  function drawBox(g, lane, i, from, w, inks) {
    const node = lane.node[i], y = lane.y + depths[node] * rowHeight, isHit = search.has(node);
    g.globalAlpha = search.isOn() && !isHit ? 0.35 : 1;
    g.fillStyle = isHit ? inks.mark : colourOf(regionOf(node));
    g.fillRect(from, y, Math.max(1, w - (w > 3 ? 0.6 : 0)), rowHeight - (rowHeight > 5 ? 1 : 0));
    const label = rowHeight >= 12 ? fit(g, nameOf(node), w - 6) : "";
    if (label) {
      g.fillStyle = isHit ? inks.paper : inks.ink;
      g.fillText(label, from + 3, y + rowHeight / 2);
    }
    g.globalAlpha = 1;
    if (chosen && chosen.lane === lane && chosen.i === i) {
      g.strokeStyle = inks.ink;
      g.lineWidth = 2;
      g.strokeRect(from + 1, y + 1, Math.max(1, w - 2), rowHeight - 3);
    }
  }

  const rowOf = lane => lane.y + rowHeight / 2;

  function drawArrows(g, inks) {
    const seen = arrows.filter(({from, to}) => Math.max(from.at, to.at) >= first && Math.min(from.at, to.at) <= last);
    g.strokeStyle = g.fillStyle = inks.ink;
    g.lineWidth = 1;
    g.globalAlpha = seen.length > 200 ? 0.3 : 0.75;
    const step = Math.ceil(seen.length / arrowsMax);
    for (let i = 0; i < seen.length; i += step) {
      const {from, to} = seen[i];
      const x0 = x(from.at), y0 = rowOf(lanes[from.lane]), x1 = x(to.at), y1 = rowOf(lanes[to.lane]);
      const angle = Math.atan2(y1 - y0, x1 - x0);
      g.beginPath();
      g.moveTo(x0, y0);
      g.lineTo(x1, y1);
      g.stroke();
      g.beginPath();
      g.moveTo(x1, y1);
      for (const side of [-0.4, 0.4]) g.lineTo(x1 - 7 * Math.cos(angle + side), y1 - 7 * Math.sin(angle + side));
      g.fill();
    }
    g.globalAlpha = 1;
  }

  function drawAxis(g, width, inks) {
    g.fillStyle = inks.soft;
    const n = Math.max(2, Math.floor((width - left) / 160));
    for (let i = 0; i <= n; i++) {
      const at = left + i * (width - left) / n, label = moment(timeAt(at)), w = g.measureText(label).width;
      g.fillRect(Math.min(at, width - 1), height - axis, 1, 4);
      g.fillText(label, Math.max(left, Math.min(width - w - 2, at - w / 2)), height - 8);
    }
  }

  function draw() {
    if (!given) return;
    layOut();
    const [g, width] = prepare(canvas, height);
    const inks = {ink: style("--ink"), soft: style("--soft"), mark: style("--mark"), paper: style("--paper")};
    g.save();
    for (const lane of lanes) drawLane(g, lane, width, inks);
    g.beginPath();
    g.rect(left, 0, width - left, height);
    g.clip();
    drawArrows(g, inks);
    if (dragged) {
      g.globalAlpha = 0.2;
      g.fillStyle = inks.mark;
      g.fillRect(Math.min(...dragged), 0, Math.abs(dragged[1] - dragged[0]), height - axis);
    }
    g.restore();
    drawAxis(g, width, inks);
    text.textContent = chosen ? sentence(chosen) : `${moment(first)} to ${moment(last)}`;
  }

  function sentence({lane, i}) {
    return `${pathOf(lane.node[i])}: ${time(lane.end[i] - lane.start[i])} at ${moment(lane.start[i])}, ${lane.about}`;
  }

  // What is at the pointer: a marker before a box.
  function find(event) {
    const [px, py] = pointIn(canvas, event);
    const lane = lanes.find(one => py >= one.y - gap / 2 && py < one.y + one.levels * rowHeight + gap / 2);
    if (!lane || px < left) return {lane};
    const marker = lane.markers.find(one => Math.abs(x(one.at) - px) < near);
    const level = Math.floor((py - lane.y) / rowHeight), t = timeAt(px), pixel = timeAt(px + 1) - t;
    const i = lane.node.findIndex((node, k) => depths[node] === level && lane.start[k] <= t && lane.end[k] + pixel > t);
    return {lane, marker, box: i < 0 ? null : {lane, i}};
  }

  // Never outside of what there is, nor closer than it was measured.
  function look(from, to) {
    const width = Math.min(given.last, Math.max(to - from, 4));
    first = Math.max(0, Math.min(given.last - width, from));
    last = first + width;
    draw();
  }

  function zoom(factor, around) {
    look(around - (around - first) * factor, around + (last - around) * factor);
  }

  function move(event) {
    const [px] = pointIn(canvas, event);
    if (pressed && event.buttons && pressed.isPan) {
      const by = (pressed.x - px) * (pressed.last - pressed.first) / (canvas.clientWidth - left);
      return look(pressed.first + by, pressed.last + by);
    }
    if (pressed && event.buttons) {
      dragged = [Math.max(left, pressed.x), Math.max(left, px)];
      return draw();
    }
    const {lane, marker, box} = find(event);
    const isLabel = lane && pointIn(canvas, event)[0] < left;
    note(event, marker ? `${marker.text} at ${moment(marker.at)}, ${lane.about}` : box ? sentence(box) : isLabel ? lane.about : "");
  }

  function release(event) {
    const [px] = pointIn(canvas, event), was = pressed;
    pressed = dragged = null;
    if (!was || was.isPan) return;
    if (Math.abs(px - was.x) > near) {
      look(timeAt(Math.max(left, Math.min(px, was.x))), timeAt(Math.max(px, was.x)));
    } else {
      chosen = find(event).box || null;
      draw();
    }
  }

  // From visit to visit of what is seen and at least as wide as a pixel, lane by lane.
  function step(by) {
    const least = timeAt(left + 1) - first, seen = [];
    for (const lane of lanes)
      for (let i = 0; i < lane.node.length; i++)
        if (lane.end[i] - lane.start[i] >= least && lane.end[i] > first && lane.start[i] < last) seen.push({lane, i});
    if (!seen.length) return;
    const at = chosen ? seen.findIndex(box => box.lane === chosen.lane && box.i === chosen.i) : -1;
    chosen = seen[at < 0 ? 0 : (at + by + seen.length) % seen.length];
    draw();
  }

  function key(event) {
    const middle = (first + last) / 2, quarter = (last - first) / 4;
    if (event.key === "+" || event.key === "=" || event.key === "ArrowUp") zoom(0.5, middle);
    else if (event.key === "-" || event.key === "ArrowDown") zoom(2, middle);
    else if (event.key === "ArrowLeft") look(first - quarter, last - quarter);
    else if (event.key === "ArrowRight") look(first + quarter, last + quarter);
    else if (event.key === "n") step(1);
    else if (event.key === "p") step(-1);
    else if (event.key === "Escape") { chosen = null; look(0, given.last); }
    else return;
    event.preventDefault();
  }

  function hint() {
    const parts = [];
    if (given.shown < given.all) parts.push(`${show(given.shown)} of ${show(given.all)} visits are shown, the longest`);
    if (lanes.length < given.all_lanes) parts.push(`${lanes.length} of ${given.all_lanes} threads`);
    if (given.per_message > 1) parts.push(`every ${given.per_message}th message`);
    if (given.per_marker > 1) parts.push(`every ${given.per_marker}th marker`);
    document.getElementById("timeline-hint").textContent = parts.join("; ");
  }

  if (given) {
    given.last = Math.max(4, given.last);
    last = given.last;
    lanes.push(...given.lanes.map(decode));
    decodeMessages();
    hint();
    document.getElementById("timeline-section").hidden = false;
    canvas.addEventListener("mousedown", event => {
      if (event.button === 0) pressed = {x: pointIn(canvas, event)[0], first, last, isPan: event.shiftKey};
    });
    canvas.addEventListener("mousemove", move);
    canvas.addEventListener("mouseup", release);
    canvas.addEventListener("mouseleave", event => {
      note(event, "");
      pressed = dragged = null;
      draw();
    });
    canvas.addEventListener("wheel", event => {
      // Who scrolls by wants to get by.
      if (document.activeElement !== canvas && !event.ctrlKey) return;
      zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(Math.max(left, pointIn(canvas, event)[0])));
      event.preventDefault();
    }, {passive: false});
    onKey(canvas, key);
  }

  return {draw};
})();
