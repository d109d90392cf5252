// SPDX-License-Identifier: BSD-3-Clause
// Round numbers for axes: 1, 2 or 5 times a power of ten; for sizes a power of two.

const ticks = (function () {
  // Returns the smallest round step that divides a range into at most n parts.
  function step(range, n, unit) {
    const least = range / Math.max(1, n);
    if (!(least > 0)) return 1;
    if (unit === "B" || unit === "bytes") return 2 ** Math.ceil(Math.log2(least) - 1e-9);
    const ten = 10 ** Math.floor(Math.log10(least) + 1e-9);
    return ten * [1, 2, 5, 10].find(times => times * ten >= least * (1 - 1e-9));
  }

  // Returns the multiples of a step between two values.
  function between(from, to, by) {
    const all = [];
    for (let i = Math.ceil(from / by - 1e-9); i * by <= to + by * 1e-9; i++) all.push(i * by);
    return all;
  }

  // Returns a label such as "250 ms", with the digits of the step, in the unit that fits
  // the largest value.
  function text(value, by, unit, most) {
    const scale = unit === "ns" ? times : unit === "B" || unit === "bytes" ? sizes : prefixes;
    const [factor, name] = scale.find(([size]) => Math.abs(most) >= size) || [1, unit === "ns" ? "ns" : unit === "B" ? "B" : ""];
    const decimals = Math.max(0, Math.min(9, Math.ceil(-Math.log10(by / factor) - 1e-9)));
    return value === 0 ? "0" : (value / factor).toFixed(decimals) + (name ? " " + name : "");
  }

  return {step, between, text};
})();

// Draws horizontal lines at round values from 0 to the largest one, with labels.
function drawScale(g, width, left, most, unit, y) {
  const by = ticks.step(most, 4, unit);
  g.lineWidth = 1;
  for (const value of ticks.between(0, most, by)) {
    g.strokeStyle = style("--line");
    g.beginPath();
    g.moveTo(left, Math.round(y(value)) + 0.5);
    g.lineTo(width, Math.round(y(value)) + 0.5);
    g.stroke();
    g.fillStyle = style("--soft");
    const label = ticks.text(value, by, unit, most);
    g.fillText(label, left - 8 - g.measureText(label).width, Math.max(7, y(value)));
  }
}
