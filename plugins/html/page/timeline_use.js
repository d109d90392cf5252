// SPDX-License-Identifier: BSD-3-Clause
// Mouse and keys of the timeline.

(function () {
  const canvas = document.getElementById("timeline"), near = 4;
  let pressed = null;

  // Returns the lane at a height, or the nearest one.
  function laneAt(py) {
    const all = lanes.list;
    return all.find(one => py < one.y + one.height + 3) || all[all.length - 1];
  }

  // Returns the lane, marker and box at the pointer.
  function find(event) {
    const [px, py] = pointIn(canvas, event), lane = laneAt(py);
    if (py >= timeline.bottom()) return {};
    if (px < timeline.left()) return {lane, isLabel: true};
    const marker = lane.markers.find(one => Math.abs(timeline.x(one.at) - px) < near);
    const t = timeline.timeAt(px), pixel = timeline.timeAt(px + 1) - t;
    // In a folded lane, the innermost box is found.
    const levels = lane.isFolded ? lane.rows.map((_, k) => lane.rows.length - 1 - k) : [Math.floor((py - lane.y) / lane.rowHeight)];
    let box = null;
    for (const level of levels) {
      lanes.each(lane, level, t - pixel, t, i => { if (!box || box.level === level) box = {lane, i, level}; });
      if (box) break;
    }
    return {lane, marker, box};
  }

  // Returns the range of time and the lanes between the press and the pointer.
  function dragTo(event) {
    const [px, py] = pointIn(canvas, event), [from, to] = [pressed.x, px].map(one => timeline.timeAt(Math.max(timeline.left(), one))).sort((a, b) => a - b);
    const [a, b] = [laneAt(pressed.y).index, laneAt(py).index];
    return {from, to, a, b, lanes: lanes.list.slice(Math.min(a, b), Math.max(a, b) + 1)};
  }

  function press(event) {
    const [px, py] = pointIn(canvas, event);
    if (event.button !== 0) return;
    pressed = {x: px, y: py, ...timeline.shown(), isPan: event.shiftKey};
    canvas.setPointerCapture(event.pointerId); // a selection may end beside the picture
  }

  function move(event) {
    const [px] = pointIn(canvas, event);
    if (pressed && event.buttons && pressed.isPan) {
      const by = (pressed.x - px) * (pressed.last - pressed.first) / (widthOf(canvas) - timeline.left());
      return timeline.look(pressed.first + by, pressed.last + by);
    }
    if (pressed && event.buttons && Math.abs(px - pressed.x) > near && pressed.x >= timeline.left()) return timeline.drag(dragTo(event));
    const {lane, marker, box, isLabel} = find(event);
    canvas.style.cursor = isLabel ? "pointer" : "";
    note(event, marker ? `${marker.text} at ${timeline.moment(marker.at)}, ${lane.about}` : box ? timeline.sentence(box) : isLabel ? lane.about : "");
  }

  function release(event) {
    const [px] = pointIn(canvas, event), was = pressed, {box, lane, isLabel} = find(event);
    const span = was && !was.isPan && was.x >= timeline.left() && Math.abs(px - was.x) > near ? dragTo(event) : null;
    pressed = null;
    timeline.drag(null);
    if (span) {
      timeline.choose(null);
      timeline.select(span.from, span.to, span.a, span.b);
    } else if (was && !was.isPan && isLabel) {
      timeline.fold([lane], !lane.isFolded);
    } else if (was && !was.isPan) {
      selection.clear();
      timeline.choose(box || null);
      state.save();
    }
  }

  // Move by a part of the visible range; zoom around its middle.
  function along(part) {
    const {first, last} = timeline.shown();
    timeline.look(first + part * (last - first), last + part * (last - first));
  }
  function closer(factor) {
    const {first, last} = timeline.shown();
    timeline.zoom(factor, (first + last) / 2);
  }

  function fold() {
    const box = timeline.chosen();
    if (box) timeline.fold([box.lane], !box.lane.isFolded);
    else timeline.foldAll();
  }

  const keys = {
    "+": () => closer(0.5), "-": () => closer(2), ArrowLeft: () => along(-0.25), ArrowRight: () => along(0.25),
    n: () => step(1), p: () => step(-1), f: fold, Enter: timeline.into, Escape: timeline.whole,
  };
  const also = {"=": "+", w: "+", ArrowUp: "+", s: "-", ArrowDown: "-", a: "ArrowLeft", d: "ArrowRight"};

  function key(event) {
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key, use = keys[also[name] || name];
    if (!use) return;
    use();
    event.preventDefault();
  }

  // Chooses the next or previous visit, lane by lane, that is visible and at least a pixel
  // wide.
  function step(by) {
    const {first, last} = timeline.shown(), chosen = timeline.chosen();
    const least = timeline.timeAt(timeline.left() + 1) - first, seen = [];
    for (const lane of lanes.list)
      for (let i = 0; i < lane.node.length; i++)
        if (lane.end[i] - lane.start[i] >= least && lane.end[i] > first && lane.start[i] < last) seen.push({lane, i});
    if (!seen.length) return;
    const at = chosen ? seen.findIndex(box => box.lane === chosen.lane && box.i === chosen.i) : -1;
    timeline.choose(seen[at < 0 ? 0 : (at + by + seen.length) % seen.length]);
  }

  function listen() {
    canvas.addEventListener("pointerdown", press);
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("dblclick", timeline.into);
    canvas.addEventListener("pointercancel", () => {
      pressed = null;
      timeline.drag(null);
    });
    canvas.addEventListener("pointerleave", event => note(event, ""));
    canvas.addEventListener("wheel", event => {
      // Without a click on the timeline before, the wheel scrolls the page.
      if (document.activeElement !== canvas && !event.ctrlKey) return;
      timeline.zoom(event.deltaY > 0 ? 1.25 : 0.8, timeline.timeAt(Math.max(timeline.left(), pointIn(canvas, event)[0])));
      event.preventDefault();
    }, {passive: false});
    onKey(canvas, key);
    document.getElementById("fold").addEventListener("click", timeline.foldAll);
    document.getElementById("into").addEventListener("click", timeline.into);
    document.getElementById("whole").addEventListener("click", timeline.whole);
  }

  if (lanes.given) listen();
})();
