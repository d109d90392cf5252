// SPDX-License-Identifier: BSD-3-Clause
// The card at the top: the most important findings, with links to the details.

const summary = (function () {
  const list = document.getElementById("summary-list"), bar = document.getElementById("kinds");
  const all = new Map(data.metadata);
  const isTime = data.metrics.length > 0 && data.metrics[timeIndex].name === "time";
  const figures = data.figures[timeIndex];
  const text = value => showMetric(value, timeIndex);

  // Adds a line to the card.  If go() is given, the text is a button that calls it.
  function line(name, words, go) {
    const term = document.createElement("dt"), value = document.createElement("dd");
    term.textContent = name;
    if (go) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = words;
      button.addEventListener("click", go);
      value.append(button);
    } else {
      value.textContent = words;
    }
    list.append(term, value);
  }

  // Follows the largest child from the largest root, while it has at least half of its
  // parent.  Returns the last node.
  function hotPath(metric) {
    const of = i => data.figures[metric].sum[i] || 0;
    const largest = among => among.reduce((best, i) => best < 0 || of(i) > of(best) ? i : best, -1);
    let at = largest(roots);
    for (let next = at; next >= 0; next = largest(children[at])) {
      if (next !== at && of(next) < of(at) / 2) break;
      at = next;
      if (!children[at].length) break;
    }
    return at;
  }

  // Returns the run time of all ranks.  It is longer than the time in regions if no region
  // surrounds the program.
  function runTime() {
    const wall = Number(all.get("wall_time_ns")) || 0;
    return Math.max(totalOf(timeIndex), wall * Math.max(1, data.ranks));
  }

  // Returns the time in the outermost nodes of a kind, or null if there are none.
  function timeIn(kind) {
    const is = i => kinds.keyOf(regionOf(i)) === kind;
    let sum = 0, n = 0;
    for (let i = 0; i < nNodes; i++) {
      let p = parentOf(i);
      if (!is(i) || !(figures.sum[i] > 0)) continue;
      while (p >= 0 && !is(p)) p = parentOf(p);
      if (p >= 0) continue;
      sum += figures.sum[i];
      n++;
    }
    return n ? sum : null;
  }

  // Returns the node with the largest lost time, or -1.  Calls of MPI, and regions that
  // lose their time in one, are skipped: they wait for a late rank.  If a region inside
  // loses nearly as much, it is returned instead.
  function mostLost() {
    const of = i => lostOf(i, timeIndex) || 0, waits = [];
    const same = i => children[i].find(k => of(k) >= 0.8 * of(i));
    for (let i = nNodes - 1; i >= 0; i--) {
      const inner = same(i);
      waits[i] = ["mpi", "start"].includes(kinds.keyOf(regionOf(i))) || inner !== undefined && waits[inner];
    }
    let best = -1;
    for (let i = 0; i < nNodes; i++)
      if (!waits[i] && of(i) > 0 && (best < 0 || of(i) > of(best))) best = i;
    while (best >= 0 && same(best) !== undefined) best = same(best);
    return best;
  }

  // Returns the peak of memory over time and of levels of resident memory.
  function peakMemory() {
    let best = null;
    const take = (bytes, where) => { if (bytes > (best ? best.bytes : 0)) best = {bytes, where}; };
    for (const one of data.memory)
      for (const p of one.points)
        take(p[1], `${memory.nameOf(one)}${p[4] ? `, in ${p[4]}` : ""}`);
    const rss = data.metrics.findIndex(m => m.kind === "gauge" && /rss/.test(m.name));
    for (let i = 0; rss >= 0 && i < nNodes; i++)
      take(data.figures[rss].max[i], data.ranks > 1 ? `rank ${data.figures[rss].rank_of_max[i]}, in ${pathOf(i)}` : `in ${pathOf(i)}`);
    return best;
  }

  // The hot path of the stacks, if it goes on below the regions.
  function lineOfStacks(hot) {
    if (hot < 0 || !isOfStack(hot)) return;
    const value = data.figures[stackIndex].sum[hot];
    line("in stacks", `${pathOf(hot)}: ${showMetric(value, stackIndex)}, ${percent(value, totalOf(stackIndex))} of the CPU time in stacks`,
      () => { chooseMetric(stackIndex); go("flame-section"); flame.show(hot); });
  }

  function fillOne() {
    const run = runTime(), hot = hotPath(timeIndex), mpi = timeIn("mpi"), io = timeIn("io"), lost = data.ranks > 1 ? mostLost() : -1, peak = peakMemory();
    if (hot >= 0 && figures.sum[hot] > 0) line("hot path", `${pathOf(hot)}: ${text(figures.sum[hot])}, ${percent(figures.sum[hot], totalOf(timeIndex))} of the time in regions`,
      () => { go("flame-section"); flame.show(hot); });
    if (stackIndex >= 0) lineOfStacks(hotPath(stackIndex));
    if (mpi !== null) line("MPI", `${percent(mpi, run)} of the run time${kinds.there.some(kind => kind.key === "start") ? ", without MPI_Init" : ""}`,
      document.getElementById("detail-mpi") ? () => go("detail-mpi") : null);
    if (io !== null) line("I/O", `${percent(io, run)} of the run time`, document.getElementById("detail-io") ? () => go("detail-io") : null);
    if (lost >= 0) line("most lost", `${pathOf(lost)}: ${text(lostOf(lost, timeIndex))} lost: max ${text(figures.max[lost])} on rank ${figures.rank_of_max[lost]}, mean ${text(meanOf(lost, timeIndex))} of ${figures.ranks[lost]} ranks`,
      () => { go("map-section"); ranks.show(lost, figures.rank_of_max[lost]); });
    if (peak) line("peak memory", `${show(peak.bytes, "B")}: ${peak.where}`, data.memory.length ? () => go("memory-section") : null);
  }

  function fillComparison() {
    const before = compare.totalBefore(timeIndex), after = totalOf(timeIndex);
    const lines = compare.lines(timeIndex);
    const change = one => `${one.name}: ${text(one.before)} \u2192 ${text(one.after)}`;
    const more = lines.filter(one => one.difference > 0), less = lines.filter(one => one.difference < 0);
    // If a region inside differs by nearly as much, it is chosen instead.
    const pick = (some, sign) => {
      let best = some.sort((a, b) => sign * (b.difference - a.difference))[0];
      for (let next = best; next;) {
        best = next;
        next = some.find(one => parentOf(one.id) === best.id && sign * one.difference >= 0.8 * sign * best.difference);
      }
      return best;
    };
    line("in all", `${text(before)} \u2192 ${text(after)}${before > 0 ? ` (${after >= before ? "+" : ""}${(100 * (after / before - 1)).toFixed(1)} %)` : ""}`);
    for (const [name, one] of [["most more", pick(more, 1)], ["most less", pick(less, -1)]])
      if (one) line(name, change(one), () => { go("flame-section"); flame.show(one.id); });
    const fresh = lines.filter(one => one.before === null).length, gone = lines.filter(one => one.after === null).length;
    if (fresh || gone) line("new, gone", `${fresh} new, ${gone} gone`, () => go("compare-section"));
  }

  // Draws the share of each kind as a part of one bar.
  function drawKinds() {
    const parts = isTime ? kinds.times() : [], inside = parts.reduce((total, one) => total + one.time, 0), sum = Math.max(inside, isTime ? runTime() : 0);
    if (sum > 1.001 * inside)
      parts.push({name: "outside of regions", time: sum - inside, about: "The wall time of all ranks that is in no region."});
    const colourOf = one => one.key ? kinds.colour(one.key) : style("--line");
    const lines = document.getElementById("kinds-legend");
    bar.replaceChildren(...parts.map(one => {
      const part = document.createElement("span");
      part.style.flexGrow = one.time / sum;
      part.style.background = colourOf(one);
      part.dataset.tip = `${one.name}: ${text(one.time)}, ${percent(one.time, sum)}. ${one.about}`;
      return part;
    }));
    lines.replaceChildren(...parts.map(one => {
      const item = document.createElement("li"), swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = colourOf(one);
      item.append(swatch, `${one.name} ${percent(one.time, sum)}`);
      item.dataset.tip = one.about;
      return item;
    }));
    bar.setAttribute("aria-label", parts.map(one => `${one.name} ${percent(one.time, sum)}`).join(", "));
    document.getElementById("kinds-part").hidden = parts.length === 0 || compare.isOn;
  }

  // Scrolls to a section and gives it the keyboard's focus.
  function go(id) {
    const section = document.getElementById(id);
    section.scrollIntoView({block: "start"});
    (section.querySelector("canvas, summary, button, input") || section).focus({preventScroll: true});
  }

  function fillLinks() {
    const links = document.getElementById("contents");
    for (const section of document.querySelectorAll("main section")) {
      if (section.hidden) continue;
      const link = document.createElement("a");
      link.href = "#" + section.id;
      link.textContent = section.querySelector("h2").textContent;
      // A real link would replace the state in the address.
      link.addEventListener("click", event => { event.preventDefault(); go(section.id); });
      links.append(link);
    }
  }

  return {
    fill() {
      if (isTime && compare.isOn) fillComparison();
      else if (isTime) fillOne();
      const n = data.warnings.reduce((sum, [, count]) => sum + count, 0);
      if (n) line("warnings", `${n}, see below`, () => go("warnings"));
      fillLinks();
    },
    draw: drawKinds,
  };
})();
