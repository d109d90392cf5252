// SPDX-License-Identifier: BSD-3-Clause
// The data of the timeline: a lane per thread, with its visits by level of the call tree,
// and the messages between lanes.

const lanes = (function () {
  const given = data.timeline, levelsMax = 16, list = [], messages = [];
  const depths = [];
  for (let i = 0; i < nNodes; i++) depths[i] = parentOf(i) < 0 ? 0 : depths[parentOf(i)] + 1;
  const isThreaded = given && new Set(given.lanes.map(lane => `${lane.rank} ${lane.pid}`)).size < given.lanes.length;

  // The data has differences of ends, and lengths.  Visits of a level do not overlap, and
  // are sorted.
  function decode(lane, index) {
    const n = lane.boxes.length / 3;
    const one = {index, node: new Int32Array(n), start: new Float64Array(n), end: new Float64Array(n), markers: [], rows: [[]], isFolded: false};
    const process = lane.rank >= 0 && data.ranks > 0 ? `rank ${lane.rank}` : `pid ${lane.pid}`;
    one.label = lane.name || (isThreaded ? `${process}, thread ${lane.thread}` : process);
    one.about = `${process}, thread ${lane.thread}${lane.name ? ": " + lane.name : ""}`;
    for (let i = 0, end = 0; i < n; i++) {
      end += lane.boxes[3 * i + 1];
      one.node[i] = lane.boxes[3 * i];
      one.end[i] = end;
      one.start[i] = end - lane.boxes[3 * i + 2];
      const level = depths[one.node[i]];
      for (let k = one.rows.length; k <= Math.min(level, levelsMax - 1); k++) one.rows.push([]);
      if (level < levelsMax) one.rows[level].push(i);
    }
    for (let i = 0; i < lane.markers.length; i += 3) {
      const [at, region, value] = lane.markers.slice(i, i + 3);
      one.markers.push({at, text: region < 0 ? `${value} events are missing here` : data.regions[region][0]});
    }
    return one;
  }

  function decodeMessages() {
    const ends = new Map(), m = given.messages;
    for (let i = 0; i < m.length; i += 6) {
      const end = {lane: m[i + 1], at: m[i + 3], bytes: m[i + 4]};
      end.level = levelOf(list[end.lane], end.at, m[i + 5]);
      const both = ends.get(m[i]) || {};
      both[m[i + 2] ? "from" : "to"] = end;
      ends.set(m[i], both);
      if (both.from && both.to) messages.push(both);
    }
  }

  // Returns the index of the first visit of a level that ends after a time.
  function firstAfter(lane, row, time) {
    let low = 0, high = row.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lane.end[row[middle]] <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // Calls use(visit) for each visit of a level that overlaps a range of time.
  function each(lane, level, from, to, use) {
    const row = lane.rows[level] || [];
    for (let k = firstAfter(lane, row, from); k < row.length && lane.start[row[k]] < to; k++) use(row[k]);
  }

  // Returns the level of the call that sends or receives.  The event of a receive may come
  // right after the call that received the message.
  function levelOf(lane, at, node) {
    const level = node < 0 ? 0 : Math.min(depths[node], lane.rows.length - 1);
    let isInside = false;
    if (node >= 0 && kinds.keyOf(regionOf(node)) !== "mpi")
      each(lane, level + 1, at - 2, at + 2, i => { isInside = isInside || kinds.keyOf(regionOf(lane.node[i])) === "mpi"; });
    return isInside ? level + 1 : level;
  }

  // Calls use(visit, from, to) for each visit of a level that is visible in a picture, with
  // its pixels.  If several visits share a pixel, only the first is used.
  function eachSeen(lane, level, {first, last, left, width}, use) {
    const scale = (width - left) / (last - first);
    let reached = -1;
    each(lane, level, first, last, i => {
      const from = Math.max(left, left + (lane.start[i] - first) * scale);
      const to = Math.max(from + 1, Math.min(width, left + (lane.end[i] - first) * scale));
      if (to <= reached) return;
      reached = Math.ceil(to);
      use(i, from, to);
    });
  }

  // Returns visits, time and self time of each region in some lanes and a range of time.
  // Only the part of a visit that is in the range counts.
  function statistics(some, from, to) {
    const found = new Map();
    for (const lane of some)
      for (let level = 0; level < lane.rows.length; level++)
        each(lane, level, from, to, i => {
          const region = regionOf(lane.node[i]), part = Math.min(to, lane.end[i]) - Math.max(from, lane.start[i]);
          const one = found.get(region) || {region, visits: 0, time: 0, self: 0};
          one.visits++;
          one.time += part;
          one.self += part;
          found.set(region, one);
          if (level === 0) return;
          const around = lane.rows[level - 1], k = around[firstAfter(lane, around, Math.max(from, lane.start[i]))];
          const above = k === undefined || lane.start[k] > lane.start[i] ? null : found.get(regionOf(lane.node[k]));
          if (above) above.self -= part;
        });
    return [...found.values()].sort((a, b) => b.self - a.self);
  }

  if (given) {
    given.last = Math.max(4, given.last);
    list.push(...given.lanes.map(decode));
    decodeMessages();
    // If there are too many rows for a screen, all lanes are folded at first.
    if (list.reduce((sum, lane) => sum + lane.rows.length, 0) > 240) list.forEach(lane => { lane.isFolded = true; });
  }

  return {
    given, list, messages, each, eachSeen, statistics,
    time: t => show(t * given.unit, "ns"),
  };
})();
