// SPDX-License-Identifier: BSD-3-Clause
// The call tree in both directions, for the flame graph: from callers to callees, and
// from each region to its callers.

const callees = {
  roots: () => roots,
  children: i => children[i],
  parent: parentOf,
  region: regionOf,
  has: i => search.has(i),
  // Levels have no shares, so their bars are as wide as the time.
  value: (i, metric) => Math.max(0, data.figures[isLevel(metric) ? timeIndex : metric].sum[i] || 0),
  before: (i, metric) => data.figures[compare.metrics + metric].sum[i] || 0,
  describe,
};

// Makes a tree whose roots are the regions, with their self values.  Below a region are
// its callers, each with its part of that value.
function callersOf(metric) {
  const by = isLevel(metric) ? timeIndex : metric, deepest = 60;
  const self = data.figures[by].self, before = compare.isOn ? data.figures[compare.metrics + by].self : [];
  const nodes = [], tops = [], found = [new Map()];

  function step(at, region) {
    const inside = found[at + 1];
    if (!inside.has(region)) {
      inside.set(region, nodes.length);
      (at < 0 ? tops : nodes[at].children).push(nodes.length);
      nodes.push({region, parent: at, value: 0, before: 0, children: []});
      found.push(new Map());
    }
    return inside.get(region);
  }
  for (let i = 0; i < nNodes; i++) {
    if (!(self[i] > 0) && !(before[i] > 0)) continue;
    for (let p = i, at = -1, depth = 0; p >= 0 && depth < deepest; p = parentOf(p), depth++) {
      at = step(at, regionOf(p));
      nodes[at].value += Math.max(0, self[i] || 0);
      nodes[at].before += Math.max(0, before[i] || 0);
    }
  }
  const total = tops.reduce((sum, i) => sum + nodes[i].value, 0);
  const name = i => data.regions[nodes[i].region][0] || "(no name)";

  function say(i) {
    const names = [];
    for (let at = i; at >= 0; at = nodes[at].parent) names.unshift(name(at));
    const how = names.length > 1 ? `${names[0]}, called by ${names.slice(1).join(", by ")}` : names[0];
    return `${how}: self ${showMetric(nodes[i].value, by)}, ${percent(nodes[i].value, total)}, ${kinds.nameOf(nodes[i].region)}`;
  }
  return {
    roots: () => tops,
    children: i => nodes[i].children,
    parent: i => nodes[i].parent,
    region: i => nodes[i].region,
    has: i => search.hasRegion(nodes[i].region),
    value: i => nodes[i].value,
    before: i => nodes[i].before,
    describe: say,
    n: nodes.length,
  };
}
