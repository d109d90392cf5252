// SPDX-License-Identifier: BSD-3-Clause
// A narrow picture of the whole run above the timeline, with a frame around the part that
// the timeline shows.  Dragging moves the frame.

const minimap = (function () {
  const canvas = document.getElementById("minimap"), height = 44, drawing = document.createElement("canvas");
  let drawn = "", isPressed = false;

  // Draws all levels of a lane in one row, inner regions over outer ones.
  function drawLane(g, lane, y, rowHeight, view) {
    for (let level = 0; level < lane.rows.length; level++)
      lanes.eachSeen(lane, level, view, (i, from, to) => {
        const isHit = search.has(lane.node[i]);
        g.globalAlpha = search.isOn() && !isHit ? 0.35 : 1;
        g.fillStyle = isHit ? style("--mark") : colourOf(regionOf(lane.node[i]));
        g.fillRect(from, y, to - from, rowHeight);
      });
    g.globalAlpha = 1;
  }

  // Draws the run, unless it is drawn already: it does not depend on the frame.
  function drawRun(left, width) {
    const now = [left, width, isDark(), window.devicePixelRatio].join();
    if (now === drawn && !search.isOn()) return;
    drawn = search.isOn() ? "" : now;
    widths.set(drawing, width);
    const [g] = prepare(drawing, height), n = lanes.list.length, rows = Math.min(n, height / 2);
    for (let row = 0; row < rows; row++) {
      const lane = lanes.list[Math.floor(row * n / rows)];
      drawLane(g, lane, row * height / rows, Math.max(1, height / rows - (height / rows > 3 ? 1 : 0)),
        {first: 0, last: lanes.given.last, left, width});
    }
  }

  function lookAt(event, left) {
    const [px] = pointIn(canvas, event), width = widthOf(canvas), {first, last} = timeline.shown();
    const middle = (px - left) * lanes.given.last / (width - left);
    timeline.look(middle - (last - first) / 2, middle + (last - first) / 2);
  }

  if (lanes.given) {
    canvas.addEventListener("mousedown", event => {
      isPressed = event.button === 0;
      if (isPressed) lookAt(event, timeline.left());
    });
    canvas.addEventListener("mousemove", event => { if (isPressed && event.buttons) lookAt(event, timeline.left()); });
    canvas.addEventListener("mouseup", () => {
      isPressed = false;
      document.getElementById("timeline").focus({preventScroll: true}); // for its keys
    });
    canvas.addEventListener("mouseleave", () => { isPressed = false; });
  }

  return {
    drawLane,
    draw(first, last, left) {
      const [g, width] = prepare(canvas, height), all = lanes.given.last;
      drawRun(left, width);
      g.drawImage(drawing, 0, 0, width, height);
      const x = t => left + t * (width - left) / all, from = x(first), to = Math.max(x(first) + 2, x(last));
      g.globalAlpha = 0.6;
      g.fillStyle = style("--paper");
      g.fillRect(left, 0, from - left, height);
      g.fillRect(to, 0, width - to, height);
      g.globalAlpha = 1;
      g.strokeStyle = style("--accent");
      g.lineWidth = 2;
      g.strokeRect(from + 1, 1, Math.max(1, to - from - 2), height - 2);
      g.fillStyle = style("--soft");
      g.fillText("all", 2, height / 2);
    },
  };
})();
