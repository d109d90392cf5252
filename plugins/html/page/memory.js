// SPDX-License-Identifier: BSD-3-Clause
// Memory over time: a line per rank or process.

const memory = (function () {
  const lines = data.memory, canvas = document.getElementById("memory"), text = document.getElementById("memory-text");
  const height = 240, left = 80, low = 22;
  const isJob = data.ranks > 0;
  const last = Math.max(1, ...lines.map(line => line.points[line.points.length - 1][0]));
  const most = Math.max(1, ...lines.map(line => line.points.reduce((max, p) => Math.max(max, p[1]), 0)));
  let chosen = lines.reduce((best, line, i) => peak(line)[1] > peak(lines[best])[1] ? i : best, 0);

  function peak(line) {
    return line.points.reduce((best, p) => p[1] > best[1] ? p : best);
  }

  const name = line => !line.pid ? "all ranks" : isJob ? `rank ${line.rank}` : `process ${line.pid}`;
  const time = ms => show(ms * 1e6, "ns");

  function sentence(line, p) {
    return `${name(line)} at ${time(p[0])}: ${show(p[1], "B")}`
      + (p[2] >= 0 ? `, PSS ${show(p[2], "B")}` : "")
      + (p[3] > 0 ? `, its children ${show(p[3], "B")}` : "")
      + (p[4] ? `, in ${p[4]}` : "");
  }

  function draw() {
    if (!lines.length) return;
    const [g, width] = prepare(canvas, height);
    const x = ms => left + ms * (width - left - 8) / last;
    const y = bytes => height - low - bytes * (height - low - 12) / most;
    drawScale(g, width - 8, left, most, "B", y);
    const by = ticks.step(last * 1e6, (width - left) / 110, "ns");
    g.fillStyle = style("--soft");
    for (const ns of ticks.between(0, last * 1e6, by)) {
      const label = ticks.text(ns, by, "ns", last * 1e6), w = g.measureText(label).width;
      g.fillText(label, Math.max(left, Math.min(width - w - 2, x(ns / 1e6) - w / 2)), height - 8);
    }
    lines.forEach((line, i) => {
      g.beginPath();
      line.points.forEach(p => g.lineTo(x(p[0]), y(p[1])));
      g.globalAlpha = i === chosen ? 1 : 0.4;
      g.lineWidth = i === chosen ? 2 : 1;
      g.strokeStyle = style("--accent");
      g.stroke();
    });
    g.globalAlpha = 1;
    const top = peak(lines[chosen]);
    g.fillStyle = style("--mark");
    g.fillRect(x(top[0]) - 2, y(top[1]) - 2, 4, 4);
    text.textContent = `Peak: ${sentence(lines[chosen], top)}`;
  }

  // The point of the chosen line that is nearest in time.
  function pointAt(event) {
    const ms = (pointIn(canvas, event)[0] - left) * last / (canvas.clientWidth - left - 8);
    return lines[chosen].points.reduce((a, b) => Math.abs(b[0] - ms) < Math.abs(a[0] - ms) ? b : a);
  }

  function choose(index) {
    chosen = (index + lines.length) % lines.length;
    draw();
  }

  if (lines.length) {
    document.getElementById("memory-section").hidden = false;
    canvas.addEventListener("mousemove", event => note(event, sentence(lines[chosen], pointAt(event))));
    canvas.addEventListener("mouseleave", event => note(event, ""));
    canvas.addEventListener("click", () => choose(chosen + 1));
    onKey(canvas, event => {
      const steps = {ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1};
      if (!steps[event.key]) return;
      choose(chosen + steps[event.key]);
      event.preventDefault();
    });
  }

  return {draw, nameOf: name};
})();
