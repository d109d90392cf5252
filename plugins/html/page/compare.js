// SPDX-License-Identifier: BSD-3-Clause
// Two runs: the figures of the page are those of the second one, and each metric
// has another one, behind all of them, with those of the first, and one with the
// verdict of `pdump diff`: is the change per visit more than noise?

const compare = (function () {
  const facts = new Map(data.metadata), n = Number(facts.get("compare_metrics")) || 0;
  const isOn = n > 0 && data.metrics.length === 3 * n + 1;
  const element = document.getElementById("compare"), more = document.getElementById("compare-more");
  const shownMax = 25;
  let headings, metric = 0, key = "difference", direction = -1, isAll = false;

  // One run each can only indicate.
  const verdicts = ["not significant", "less", "more", "inconclusive", "gone", "new"];
  const columns = [
    {key: "name", title: "region", about: words.region},
    {key: "before", title: "before", about: words.before},
    {key: "after", title: "after", about: words.after},
    {key: "difference", title: "difference", about: words.difference},
    {key: "change", title: "change", about: words.change, show: (v, one) => one.before === null ? "new" : one.after === null ? "gone"
      : signed(v, x => (100 * x).toFixed(1) + " %")},
    {key: "each", title: "per visit", about: words.eachChange, show: v => signed(v, x => (100 * x).toFixed(1) + " %")},
    {key: "verdict", title: "noise", about: words.noise, show: v => verdicts[v]},
    {key: "visitsBefore", title: "visits before", about: words.visitsBefore, show: v => show(v)},
    {key: "visits", title: "visits after", about: words.visitsAfter, show: v => show(v)},
  ];

  const signed = (value, text) => value === null ? "-" : (value > 0 ? "+" : "") + text(value);
  const ratio = (before, after) => before > 0 && after !== null ? after / before - 1 : null;

  function lineOf(i, metric) {
    const before = data.figures[n + metric].sum[i], after = data.figures[metric].sum[i];
    const visitsBefore = data.figures[2 * n].sum[i], visits = data.visits.sum[i];
    return {
      id: i, name: pathOf(i), before, after, difference: (after || 0) - (before || 0),
      change: ratio(before, after), visitsBefore, visits,
      verdict: data.figures[2 * n + 1 + metric].sum[i],
      each: visitsBefore > 0 && visits > 0 ? ratio(before / visitsBefore, after / visits) : null,
    };
  }

  function order(a, b) {
    const x = a[key], y = b[key];
    if (key === "name") return direction * (x < y ? -1 : x > y ? 1 : 0);
    if (x === null || y === null) return (x === null) - (y === null);
    const size = key === "difference" ? Math.abs : v => v; // the impact, either way
    return direction * (size(x) - size(y)) || a.id - b.id;
  }

  function cell(line, text, name) {
    const td = line.insertCell();
    td.textContent = text;
    if (name) td.className = name;
  }

  function sort(by) {
    [key, direction] = sortedBy(by, key, direction);
    draw();
  }

  function draw() {
    if (!isOn) return;
    columns.forEach((column, i) => markHeading(headings[i], column.title, column.key === key ? direction : 0));
    let lines = [];
    for (let i = 0; i < nNodes; i++)
      if (!search.isOn() || search.has(i)) lines.push(lineOf(i, metric));
    lines.sort(order);
    more.hidden = isAll || lines.length <= shownMax;
    if (!isAll) lines = lines.slice(0, shownMax);
    element.tBodies[0].replaceChildren();
    for (const one of lines) {
      const line = element.tBodies[0].insertRow();
      for (const column of columns) {
        const value = one[column.key];
        if (column.key === "name") cell(line, value);
        else if (column.key === "difference")
          cell(line, signed(value, v => showMetric(v, metric)), value > 0 ? "high" : value < 0 ? "low" : "");
        else cell(line, column.show ? column.show(value, one) : showMetric(value, metric));
      }
    }
  }

  // Red, green and blue of a change: as much as it was is the middle, half as much
  // more or less the ends.
  function colours() {
    const mix = mixer();
    return (before, after) => mix(before > 0 ? after / before : 2);
  }

  function describe(i, index) {
    const before = data.figures[n + index].sum[i], after = data.figures[index].sum[i];
    if (before === null) return ", new";
    return `, before ${showMetric(before, index)}` +
      (before > 0 && after !== null ? ` (${signed(after / before - 1, x => (100 * x).toFixed(1) + " %")})` : "");
  }

  if (isOn) {
    document.getElementById("compare-section").hidden = false;
    document.getElementById("flame-hint").hidden = false;
    document.getElementById("flame-legend").hidden = true; // colours say how much has changed
    const row = element.tHead.insertRow();
    headings = columns.map(column => {
      const heading = addHeading(row, () => sort(column.key), column.about);
      heading.firstChild.dataset.key = column.key;
      return heading;
    });
    more.addEventListener("click", () => {
      isAll = true;
      draw();
    });
    state.keepOrder("changes", "difference", columns, () => [key, direction], (by, to) => {
      [key, direction] = [by, to];
      draw();
    });
  }

  return {
    isOn, draw, colours, describe,
    metrics: isOn ? n : data.metrics.length, // of those to choose from
    before: facts.get("compare_before"), after: facts.get("compare_after"),
    lines: index => Array.from({length: nNodes}, (_, i) => lineOf(i, index)),
    totalBefore: index => totalOf(n + index),
    use(index) { metric = index; draw(); },
  };
})();
