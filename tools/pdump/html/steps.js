// SPDX-License-Identifier: BSD-3-Clause
// Samples over time: time steps, or visits that were kept one by one.

const steps = (function () {
  const canvas = document.getElementById("steps"), choice = document.getElementById("series");
  let metric = 0;

  function draw() {
    const series = data.steps[choice.selectedIndex];
    if (!series) return;
    const points = series.values[metric], height = 220, left = 80, low = 22;
    const [g, width] = prepare(canvas, height);
    const most = points.reduce((max, p) => p ? Math.max(max, p[2]) : max, 0);
    const x = k => left + (k + 0.5) * (width - left - 8) / points.length;
    const y = v => height - low - (most > 0 ? v * (height - low - 12) / most : 0);
    const there = points.map((p, k) => [p, k]).filter(([p]) => p);
    g.fillStyle = style("--soft");
    g.fillText(showMetric(most, metric), 2, 12);
    g.fillText("0", 2, height - low);
    g.fillText("number 0", left, height - 8);
    const last = String(points.length * series.per_bin - 1);
    g.fillText(last, width - g.measureText(last).width - 4, height - 8);
    g.beginPath();
    there.forEach(([p, k]) => g.lineTo(x(k), y(p[2])));
    there.slice().reverse().forEach(([p, k]) => g.lineTo(x(k), y(p[1])));
    g.globalAlpha = 0.3;
    g.fillStyle = style("--accent");
    g.fill();
    g.globalAlpha = 1;
    g.beginPath();
    there.forEach(([p, k]) => g.lineTo(x(k), y(p[0])));
    g.strokeStyle = style("--accent");
    g.lineWidth = 1.5;
    g.stroke();
    if (there.length === 1) g.fillRect(x(there[0][1]) - 2, y(there[0][0][0]) - 2, 4, 4);
  }

  if (data.steps.length) {
    document.getElementById("steps-section").hidden = false;
    for (const series of data.steps) choice.append(new Option(pathOf(series.node)));
    choice.addEventListener("change", draw);
    canvas.addEventListener("mousemove", event => {
      const series = data.steps[choice.selectedIndex], points = series.values[metric];
      const k = Math.floor((pointIn(canvas, event)[0] - 80) * points.length / (canvas.clientWidth - 88));
      const p = points[k];
      note(event, p ? `number ${k * series.per_bin}: ${showMetric(p[0], metric)}, from ${showMetric(p[1], metric)} to ${showMetric(p[2], metric)}` : "");
    });
    canvas.addEventListener("mouseleave", event => note(event, ""));
  }

  return {draw, use(index) { metric = index; draw(); }};
})();
