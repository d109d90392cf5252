// SPDX-License-Identifier: BSD-3-Clause
// Lines of Python functions beside their source: the longer, the redder.

const lines = (function () {
  const {fields, functions, all} = data.lines;
  const section = document.getElementById("lines-section");
  const heads = ["source", "line", "hits", "time", "per hit", "%", ...fields.map(f => f[0])];
  const about = [
    "The source as it was when the page was written.", "The number of the line in its file.", "How often the line was run.",
    "Time in the line, with what it called.", "Time divided by hits.", "Time as a part of that of the function.",
  ];

  function cell(row, text, tag = "td") {
    const made = document.createElement(tag);
    made.textContent = text;
    row.append(made);
    return made;
  }

  function fill(table, one) {
    const head = table.createTHead().insertRow(), body = table.createTBody();
    heads.forEach((text, i) => explain(cell(head, text, "th"), about[i] || `${text}, counted in the line, with what it called.`));
    for (const [number, text, hits, time, ...others] of one.rows) {
      const row = body.insertRow(), share = time / (one.time || 1);
      cell(row, text);
      cell(row, number);
      if (hits === undefined) {
        heads.slice(2).forEach(() => cell(row, ""));
        continue;
      }
      cell(row, whole(hits));
      cell(row, show(time, "ns"));
      cell(row, show(hits ? time / hits : null, "ns"));
      cell(row, (100 * share).toFixed(1)).className = share >= 0.1 ? "high" : "";
      others.forEach((value, i) => cell(row, show(value, fields[i][1])));
      row.className = share >= 0.1 ? "hot" : "";
    }
  }

  // Filled when it is opened: there may be many.
  function build(one, index) {
    const part = document.createElement("details"), title = document.createElement("summary");
    const scroll = document.createElement("div"), table = document.createElement("table");
    title.textContent = `${one.name}: ${show(one.time, "ns")} (${one.file}${one.trouble ? `; ${one.trouble}` : ""})`;
    scroll.className = "scroll";
    table.className = "source";
    scroll.append(table);
    part.append(title, scroll);
    part.addEventListener("toggle", () => { if (!table.tHead) fill(table, one); });
    part.open = index === 0;
    if (part.open) fill(table, one);
    section.append(part);
  }

  if (functions.length) {
    section.hidden = false;
    if (all > functions.length) document.getElementById("lines-text").textContent += ` The ${functions.length} of ${all} functions with most time.`;
    functions.forEach(build);
  }
  return {draw() {}};
})();
