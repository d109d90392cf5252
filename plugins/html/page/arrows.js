// SPDX-License-Identifier: BSD-3-Clause
// Draws messages as arrows, from the call that sends to the call that receives.

const arrows = (function () {
  const shownMax = 4000, box = document.getElementById("messages");

  // Returns the height of an end of a message: the row of its call.
  function rowOf(end) {
    const lane = lanes.list[end.lane];
    return lane.y + ((lane.isFolded ? 0 : end.level) + 0.5) * lane.rowHeight;
  }

  function drawOne(g, x0, y0, x1, y1, hasHead) {
    const angle = Math.atan2(y1 - y0, x1 - x0);
    g.beginPath();
    g.moveTo(x0, y0);
    g.lineTo(x1, y1);
    g.stroke();
    if (!hasHead) return;
    g.beginPath();
    g.moveTo(x1, y1);
    for (const side of [-0.4, 0.4]) g.lineTo(x1 - 7 * Math.cos(angle + side), y1 - 7 * Math.sin(angle + side));
    g.fill();
  }

  if (lanes.messages.length) {
    document.getElementById("messages-switch").hidden = false;
    box.addEventListener("change", () => { timeline.draw(); state.save(); });
    state.keep("messages", () => box.checked ? "" : "0", text => {
      box.checked = text !== "0";
      timeline.draw();
    });
  }

  return {
    draw(g, first, last, x, ink) {
      if (!box.checked) return;
      const seen = lanes.messages.filter(({from, to}) => Math.max(from.at, to.at) >= first && Math.min(from.at, to.at) <= last);
      g.strokeStyle = g.fillStyle = ink;
      g.lineWidth = 1;
      // Many arrows are faint, so that they do not hide the boxes.
      g.globalAlpha = Math.max(0.02, Math.min(0.75, 60 / seen.length));
      const step = Math.ceil(seen.length / shownMax);
      for (let i = 0; i < seen.length; i += step)
        drawOne(g, x(seen[i].from.at), rowOf(seen[i].from), x(seen[i].to.at), rowOf(seen[i].to), seen.length < 500);
      g.globalAlpha = 1;
    },
  };
})();
