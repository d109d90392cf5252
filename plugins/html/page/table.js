// SPDX-License-Identifier: BSD-3-Clause
// The regions as a table: as a tree, or each region once.

const table = (function () {
  const element = document.getElementById("table");
  const body = element.tBodies[0];
  const more = document.getElementById("more");
  const doubt = document.getElementById("doubt");
  const shownMax = 60;
  let metric = 0, isTree = true, key = "sum", direction = -1, isAll = false;
  const closed = new Set();

  const columns = [
    {key: "name", title: "region", about: words.region},
    {key: "sum", title: "total", about: words.total},
    {key: "share", title: "%", about: words.share, show: v => percent(v, totalOf(metric))},
    {key: "self", title: "self", about: words.self},
    {key: "mean", title: "mean", about: words.mean, ranks: true},
    {key: "min", title: "min", about: words.min, ranks: true},
    {key: "max", title: "max", about: words.max, ranks: true},
    {key: "imbalance", title: "imb %", about: words.imbalance, ranks: true,
     show: v => v === null ? "-" : (100 * v).toFixed(0)},
    {key: "lost", title: "lost", about: words.lost, ranks: true},
    {key: "visits", title: "visits", about: words.visits, show: v => show(v)},
    {key: "each", title: "time/visit", about: words.each},
  ];
  function titleOf(column) {
    const isTime = data.metrics[metric].name === "time";
    if (column.key === "each") return isTime ? "time/visit" : "per visit";
    if (column.key !== "sum") return column.title;
    return isLevel(metric) ? "highest" : isTime ? "time" : column.title;
  }
  const hasRanks = data.ranks > 1;
  const shown = columns.filter(c => hasRanks || !c.ranks);

  function rowOf(i) {
    const f = data.figures[metric], sum = figureOf(i, metric);
    const visits = isOfStack(i) ? null : data.visits.sum[i];
    return {
      id: i, region: regionOf(i), name: nameOf(i), visits, sum, share: isLevel(metric) ? null : sum, self: f.self[i],
      each: visits > 0 && sum !== null && !isLevel(metric) ? sum / visits : null,
      mean: isLevel(metric) ? null : meanOf(i, metric), min: f.min[i], max: f.max[i],
      imbalance: imbalanceOf(i, metric), lost: lostOf(i, metric), nodes: [i],
    };
  }

  // Is a node inside another one of its region?
  function isRepeated(i) {
    for (let p = parentOf(i); p >= 0; p = parentOf(p))
      if (regionOf(p) === regionOf(i)) return true;
    return false;
  }

  function flatRows() {
    const rows = new Map();
    for (let i = 0; i < nNodes; i++) {
      if (!isSeen(i)) continue;
      const one = rowOf(i);
      const row = rows.get(one.region);
      if (!row) {
        rows.set(one.region, one);
        continue;
      }
      row.nodes.push(i);
      row.visits += one.visits;
      row.mean = row.min = row.max = row.imbalance = row.lost = null; // ranks cannot be added up here
      if (isLevel(metric)) {
        row.sum = one.sum === null ? row.sum : Math.max(row.sum ?? one.sum, one.sum);
        continue;
      }
      if (!isRepeated(i) && one.sum !== null) row.sum = (row.sum || 0) + one.sum;
      if (one.self !== null) row.self = (row.self || 0) + one.self;
      row.share = row.sum;
      row.each = row.visits > 0 && row.sum !== null ? row.sum / row.visits : null;
    }
    const isFound = row => !search.isOn() || row.nodes.some(i => search.has(i));
    return [...rows.values()].filter(isFound).sort(order);
  }

  function order(a, b) {
    const x = a[key], y = b[key];
    if (key === "name") return direction * (x < y ? -1 : x > y ? 1 : 0);
    if (x === y) return a.id - b.id;
    if (x === null) return 1;
    if (y === null) return -1;
    return direction * (x - y);
  }

  // Functions found in stacks have no visits and no time.  They are shown with the metrics
  // that they have.
  const isSeen = i => !isOfStack(i) || figureOf(i, metric) !== null;
  const isWanted = i => isSeen(i) && (!search.isOn() || search.leadsTo(i));

  function treeRows() {
    const rows = [];
    const visit = (list, depth) => {
      for (const row of list.filter(isWanted).map(rowOf).sort(order)) {
        row.depth = depth;
        rows.push(row);
        if (!isAll && rows.length > shownMax) return;
        if (!closed.has(row.id)) visit(children[row.id], depth + 1);
      }
    };
    visit(roots, 0);
    return rows;
  }

  // Opens or closes what is inside a row.
  function twistOf(row) {
    const twist = document.createElement("button");
    twist.className = "twist";
    twist.textContent = closed.has(row.id) ? "\u25b8" : "\u25be";
    twist.dataset.node = row.id;
    twist.setAttribute("aria-expanded", String(!closed.has(row.id)));
    twist.setAttribute("aria-label", "what is inside " + row.name);
    twist.addEventListener("click", () => {
      if (!closed.delete(row.id)) closed.add(row.id);
      draw();
      body.querySelector(`[data-node="${row.id}"]`).focus();
    });
    return twist;
  }

  function nameCell(row) {
    const cell = document.createElement("td"), name = document.createElement("span");
    if (isTree) {
      cell.className = "tree";
      cell.style.setProperty("--depth", Math.min(row.depth, 20));
      if (children[row.id].length) cell.append(twistOf(row));
    }
    name.className = "name";
    name.textContent = row.name;
    name.title = kinds.nameOf(row.region);
    name.style.borderColor = colourOf(row.region);
    cell.append(name);
    const place = placeOf(row.region);
    if (place) {
      const span = document.createElement("span");
      span.className = "place";
      span.textContent = shortPlace(place);
      span.title = place;
      cell.append(" ", span);
    }
    return cell;
  }

  // The bars stand in a column of their own, so that they can be compared.
  function shareCell(cell, share, total) {
    const bar = document.createElement("span"), text = document.createElement("span");
    bar.className = "bar";
    if (total > 0 && share > 0) bar.style.setProperty("--share", Math.min(1, share / total));
    text.textContent = cell.textContent;
    cell.className = "share";
    cell.replaceChildren(bar, text);
  }

  function draw() {
    shown.forEach((column, i) => markHeading(headings[i], titleOf(column), column.key === key ? direction : 0));
    let rows = isTree ? treeRows() : flatRows();
    more.hidden = isAll || rows.length <= shownMax;
    if (!isAll) rows = rows.slice(0, shownMax);
    const total = totalOf(metric);
    const lines = document.createDocumentFragment();
    const isUnknown = row => isDoubtful(row.sum, row.visits, metric);
    doubt.hidden = !rows.some(isUnknown);
    for (const row of rows) {
      const line = document.createElement("tr");
      if (row.nodes.some(i => search.has(i))) line.className = "hit";
      line.append(nameCell(row));
      for (const column of shown.slice(1)) {
        const cell = document.createElement("td");
        const value = row[column.key];
        if (isUnknown(row) && column.key !== "visits") cell.textContent = "?";
        else cell.textContent = column.show ? column.show(value, row) : showMetric(value, metric);
        if (column.key === "share") shareCell(cell, isUnknown(row) ? 0 : row.share, total);
        line.append(cell);
      }
      lines.append(line);
    }
    body.replaceChildren(lines);
  }

  function sort(by) {
    [key, direction] = sortedBy(by, key, direction);
    draw();
  }

  const headRow = element.tHead.insertRow();
  const headings = shown.map(column => {
    const heading = addHeading(headRow, () => sort(column.key), column.about);
    heading.firstChild.dataset.key = column.key;
    return heading;
  });
  const radios = [...document.getElementsByName("shape")];
  function shape(name) {
    isTree = name === "tree";
    for (const radio of radios) radio.checked = radio.value === name;
    draw();
  }
  for (const radio of radios)
    radio.addEventListener("change", () => { shape(radio.value); state.save(); });
  more.addEventListener("click", () => {
    isAll = true;
    draw();
  });

  state.keep("flat", () => isTree ? "" : "1", text => shape(text === "1" ? "flat" : "tree"));
  state.keepOrder("sort", "sum", shown, () => [key, direction], (by, to) => {
    [key, direction] = [by, to];
    draw();
  });

  return {draw, sort, use(index) { metric = index; draw(); }};
})();
