// SPDX-License-Identifier: BSD-3-Clause
// The data of the page as a tree, and how its numbers are written.

const data = JSON.parse(document.getElementById("data").textContent);
const nNodes = data.nodes.length / 2;
const children = Array.from({length: nNodes}, () => []);
const roots = [];
for (let i = 0; i < nNodes; i++) {
  const parent = data.nodes[2 * i];
  (parent < 0 ? roots : children[parent]).push(i);
}
const timeIndex = Math.max(0, data.metrics.findIndex(m => m.name === "time"));

const parentOf = i => data.nodes[2 * i];
const regionOf = i => data.nodes[2 * i + 1];
const nameOf = i => data.regions[regionOf(i)][0] || "(no name)";
const placeOf = region => {
  const [, , file, line] = data.regions[region];
  return file ? file + (line ? ":" + line : "") : "";
};

function pathOf(i) {
  const names = [];
  for (; i >= 0; i = parentOf(i)) names.unshift(nameOf(i));
  return names.join(" / ");
}

// Levels, such as memory, do not add up: not over ranks, visits, or regions.
const isLevel = metric => data.metrics[metric].kind === "gauge";

// What a node counts with: the sum over ranks, or the highest level.
const figureOf = (i, metric) => data.figures[metric][isLevel(metric) ? "max" : "sum"][i];

function totalOf(metric) {
  if (isLevel(metric))
    return data.figures[metric].max.reduce((most, value) => Math.max(most, value || 0), 0);
  return roots.reduce((total, i) => total + (figureOf(i, metric) || 0), 0);
}

const prefixes = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];

function digits(value) {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

const whole = value => Number.isInteger(value) ? String(value) : digits(value);

// "1.25 ms", "34.0 M", "12 KiB".
function show(value, unit) {
  if (value === null || value === undefined || Number.isNaN(value)) return "-";
  const size = Math.abs(value);
  if (unit === "ns") {
    if (size >= 1e9) return digits(value / 1e9) + " s";
    if (size >= 1e6) return digits(value / 1e6) + " ms";
    if (size >= 1e3) return digits(value / 1e3) + " \u00b5s";
    return whole(value) + " ns";
  }
  if (unit === "B" || unit === "bytes") {
    for (const [power, name] of [[3, "GiB"], [2, "MiB"], [1, "KiB"]])
      if (size >= 1024 ** power) return digits(value / 1024 ** power) + " " + name;
    return whole(value) + " B";
  }
  for (const [factor, name] of prefixes)
    if (size >= factor) return digits(value / factor) + " " + name;
  return whole(value);
}

const showMetric = (value, metric) => show(value, data.metrics[metric].unit);
const percent = (part, all) => all > 0 && part !== null ? (100 * part / all).toFixed(1) + " %" : "-";

// max / mean - 1 over the ranks that were there.
function imbalanceOf(i, metric) {
  const f = data.figures[metric];
  const mean = f.ranks[i] ? f.sum[i] / f.ranks[i] : 0;
  return mean > 0 ? f.max[i] / mean - 1 : null;
}

// What a reader may want to know of a node, in one line.
function describe(i, metric) {
  const f = data.figures[metric];
  const figure = figureOf(i, metric);
  let text = `${pathOf(i)}: ${showMetric(figure, metric)}, ${percent(figure, totalOf(metric))}`;
  if (compare.isOn) text += compare.describe(i, metric);
  if (f.self[i] !== null) text += `, itself ${showMetric(f.self[i], metric)}`;
  text += `, ${show(data.visits.sum[i])} visits`;
  if (f.ranks[i] > 1) {
    const imbalance = imbalanceOf(i, metric);
    text += `, ${f.ranks[i]} ranks from ${showMetric(f.min[i], metric)} (rank ${f.rank_of_min[i]})` +
      ` to ${showMetric(f.max[i], metric)} (rank ${f.rank_of_max[i]})`;
    if (imbalance !== null) text += `, imbalance ${(100 * imbalance).toFixed(0)} %`;
  }
  const place = placeOf(regionOf(i));
  return place ? `${text}, ${place}` : text;
}

// What is looked for: nodes with the text in their name.
const search = (function () {
  let hits = new Set(), paths = new Set(), text = "";
  return {
    look(wanted) {
      text = wanted.trim().toLowerCase();
      hits = new Set();
      paths = new Set();
      if (!text) return 0;
      const isHit = data.regions.map(r => r[0].toLowerCase().includes(text));
      for (let i = 0; i < nNodes; i++) {
        if (!isHit[regionOf(i)]) continue;
        hits.add(i);
        for (let p = i; p >= 0 && !paths.has(p); p = parentOf(p)) paths.add(p);
      }
      return hits.size;
    },
    isOn: () => text !== "",
    has: i => hits.has(i),
    leadsTo: i => paths.has(i), // it, or something inside
  };
})();
