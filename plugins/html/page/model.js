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
const stackIndex = data.metrics.findIndex(m => m.name === "pdump::stack_time"); // -1: there are no stacks

const parentOf = i => data.nodes[2 * i];
const regionOf = i => data.nodes[2 * i + 1];
const nameOf = i => data.regions[regionOf(i)][0] || "(no name)";
const placeOf = region => {
  const [, , file, line] = data.regions[region];
  return file ? file + (line ? ":" + line : "") : "";
};

// Of a long path the end, which says most.
const shortPlace = place => place.length <= 24 ? place : place.replace(/^.+\/(?=[^/]+\/[^/]+$)/, "\u2026/");

function pathOf(i) {
  const names = [];
  for (; i >= 0; i = parentOf(i)) names.unshift(nameOf(i));
  return names.join(" / ");
}

// Levels (memory in use) do not add up: of each rank, or of all, there is the highest.
const isLevel = metric => data.metrics[metric].kind === "gauge";
const figureOf = (i, metric) => data.figures[metric][isLevel(metric) ? "max" : "sum"][i];

// Reading a counter adds to it, which is subtracted.  If more was subtracted than is left,
// the figure is not known.
function isDoubtful(sum, visits, metric) {
  const cost = visits * data.metrics[metric].readingCost;
  return sum !== null && cost > 0 && cost > sum;
}

function totalOf(metric) {
  const sum = data.figures[metric].sum;
  return roots.reduce((total, i) => total + (sum[i] || 0), 0);
}

const times = [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"], [1, "ns"]];
// A function that was only seen in stacks: it has no visits, and no other metrics.
const isOfStack = i => data.regions[regionOf(i)][1] === "stack";

// What the page shows at first: the time, or that of stacks if no region has any.
const firstMetric = () => stackIndex >= 0 && !(totalOf(timeIndex) > 0) ? stackIndex : timeIndex;

const prefixes = [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
const sizes = [[2 ** 60, "EiB"], [2 ** 50, "PiB"], [2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]];

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
    for (const [factor, name] of sizes)
      if (size >= factor) return digits(value / factor) + " " + name;
    return whole(value) + " B";
  }
  for (const [factor, name] of prefixes)
    if (size >= factor) return digits(value / factor) + " " + name;
  return whole(value);
}

const showMetric = (value, metric) => show(value, data.metrics[metric].unit);
function percent(part, all) {
  if (part === null || !(all > 0)) return "-";
  const value = 100 * part / all;
  return value > 0 && value < 0.05 ? "<0.1 %" : value.toFixed(1) + " %";
}

// Over the ranks that were there: the mean, max / mean - 1, and max - mean.
function meanOf(i, metric) {
  const f = data.figures[metric];
  return f.ranks[i] ? f.sum[i] / f.ranks[i] : null;
}
function imbalanceOf(i, metric) {
  const mean = meanOf(i, metric);
  return mean > 0 ? data.figures[metric].max[i] / mean - 1 : null;
}
function lostOf(i, metric) {
  const mean = meanOf(i, metric);
  return mean === null || isLevel(metric) ? null : data.figures[metric].max[i] - mean;
}

// What a reader may want to know of a node, in one line.
function describe(i, metric) {
  const f = data.figures[metric];
  if (isDoubtful(f.sum[i], data.visits.sum[i], metric)) return `${pathOf(i)}: ?, ${words.doubt}`;
  let text = `${pathOf(i)}: ${showMetric(figureOf(i, metric), metric)}, ` +
    (isLevel(metric) ? "the highest level" : percent(f.sum[i], totalOf(metric)));
  if (compare.isOn) text += compare.describe(i, metric);
  if (f.self[i] !== null) text += `, self ${showMetric(f.self[i], metric)}`;
  if (!isOfStack(i)) text += `, ${show(data.visits.sum[i])} visits`;
  if (f.ranks[i] > 1) {
    const imbalance = imbalanceOf(i, metric);
    text += `, ${f.ranks[i]} ranks: min ${showMetric(f.min[i], metric)} (rank ${f.rank_of_min[i]})` +
      `, max ${showMetric(f.max[i], metric)} (rank ${f.rank_of_max[i]})`;
    if (imbalance !== null) text += `, imb ${(100 * imbalance).toFixed(0)} %`;
  }
  const place = placeOf(regionOf(i));
  text += `, ${kinds.nameOf(regionOf(i))}`;
  return place ? `${text}, ${place}` : text;
}

// What is looked for: nodes with the text in their name.
const search = (function () {
  let hits = new Set(), paths = new Set(), regions = [], text = "";
  return {
    look(wanted) {
      text = wanted.trim().toLowerCase();
      hits = new Set();
      paths = new Set();
      const isHit = regions = data.regions.map(r => text !== "" && r[0].toLowerCase().includes(text));
      if (!text) return 0;
      for (let i = 0; i < nNodes; i++) {
        if (!isHit[regionOf(i)]) continue;
        hits.add(i);
        for (let p = i; p >= 0 && !paths.has(p); p = parentOf(p)) paths.add(p);
      }
      return hits.size;
    },
    isOn: () => text !== "",
    has: i => hits.has(i),
    hasRegion: region => regions[region] === true,
    leadsTo: i => paths.has(i), // it, or something inside
  };
})();
