// SPDX-License-Identifier: BSD-3-Clause
// Samples over time: time steps, or visits that were kept one by one.

const steps = (function () {
  const canvas = document.getElementById("steps"), choice = document.getElementById("series");
  const text = document.getElementById("steps-text"), left = 80, right = 8;
  let metric = 0, chosen = -1;

  const series = () => data.steps[choice.selectedIndex];
  const pointsOf = () => series().values[metric];

  function sentence(k) {
    const p = pointsOf()[k], per = series().per_bin;
    const name = per > 1 ? `numbers ${k * per}-${(k + 1) * per - 1}` : `number ${k}`;
    return `${name}: ` + (p ? `${showMetric(p[0], metric)}, min ${showMetric(p[1], metric)}, max ${showMetric(p[2], metric)}` : "-");
  }

  function draw() {
    if (!data.steps.length) return;
    const points = pointsOf(), height = 220, low = 22;
    const [g, width] = prepare(canvas, height);
    const most = points.reduce((max, p) => p ? Math.max(max, p[2]) : max, 0);
    const x = k => left + (k + 0.5) * (width - left - right) / points.length;
    const y = v => height - low - (most > 0 ? v * (height - low - 12) / most : 0);
    const there = points.map((p, k) => [p, k]).filter(([p]) => p);
    drawScale(g, width - right, left, most, data.metrics[metric].unit, y);
    g.fillStyle = style("--soft");
    const per = series().per_bin, by = Math.max(1, ticks.step(points.length * per, (width - left) / 80));
    for (const number of ticks.between(0, points.length * per - 1, by))
      g.fillText(String(number), x(number / per) - g.measureText(String(number)).width / 2, height - 8);
    g.fillText("number", 2, height - 8);
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
    const dots = there.length === 1 ? there : there.filter(([, k]) => k === chosen);
    g.fillStyle = style("--mark");
    dots.forEach(([p, k]) => g.fillRect(x(k) - 3, y(p[0]) - 3, 6, 6));
    text.textContent = chosen >= 0 ? sentence(chosen) : there.length ? "" : "Nothing was recorded for this metric.";
  }

  function choose(k) {
    chosen = Math.max(0, Math.min(pointsOf().length - 1, k));
    draw();
  }

  // The sample at the pointer, or -1.
  function sampleAt(event) {
    const n = pointsOf().length;
    const k = Math.floor((pointIn(canvas, event)[0] - left) * n / (canvas.clientWidth - left - right));
    return k >= 0 && k < n ? k : -1;
  }

  if (data.steps.length) {
    document.getElementById("steps-section").hidden = false;
    for (const one of data.steps) choice.append(new Option(pathOf(one.node)));
    // One sample is no picture: the first that has most of them.
    const length = one => one.values[0].length * one.per_bin;
    choice.selectedIndex = data.steps.reduce((best, one, i) => length(one) > length(data.steps[best]) ? i : best, 0);
    const first = choice.selectedIndex;
    const use = index => {
      choice.selectedIndex = index;
      chosen = -1;
      draw();
    };
    choice.addEventListener("change", () => { use(choice.selectedIndex); state.save(); });
    state.keep("series", () => choice.selectedIndex === first ? "" : String(choice.selectedIndex), text => {
      const index = text === "" ? first : Number(text);
      if (data.steps[index]) use(index);
    });
    canvas.addEventListener("mousemove", event => {
      const k = sampleAt(event);
      note(event, k >= 0 && pointsOf()[k] ? sentence(k) : "");
    });
    canvas.addEventListener("mouseleave", event => note(event, ""));
    canvas.addEventListener("click", event => {
      const k = sampleAt(event);
      if (k >= 0) choose(k);
    });
    onKey(canvas, event => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (!step) return;
      choose(chosen + step);
      event.preventDefault();
    });
  }

  return {draw, use(index) { metric = index; draw(); }};
})();
