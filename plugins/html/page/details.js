// SPDX-License-Identifier: BSD-3-Clause
// Tables beside the tree: MPI calls by call site, I/O by file, and others.

const details = (function () {
  const titles = {heap: "Heap", mpi: "MPI calls", mpi_python: "Calls of mpi4py", io: "Files", stacks: "Lines of stacks"};
  const shownMax = 25;
  // Of a table with many columns, those that are shown at first.
  const wideMax = 8, first = ["calls", "time", "bytes_out", "bytes_in", "bytes", "blocked"];

  // What a column means: one with a known name, else by its unit.
  const meanings = {
    calls: "How often it was called.", time: "Time in these calls.", blocked: "Time in which the call waited for others.",
    bytes: "Bytes that were moved.", bytes_out: "Bytes that were sent or written.", bytes_in: "Bytes that were received or read.",
    time_min: "The shortest call.", time_max: "The longest call.", allocations: "How often memory was allocated.",
    allocated: "Bytes that were allocated in all.", messages_out: "Messages that were sent.", messages_in: "Messages that were received.",
  };
  const keys = {
    site: "Where the call is in the source.", file: "The file that was read or written.",
    allocator: "The function that allocates.", peer: "The other rank.",
  };
  function aboutOf(one, i) {
    if (i === 0) return keys[one.key] || one.key;
    if (i === 1) return "The function that was called, or the region it happened in.";
    const [name, unit] = one.fields[i - 2];
    return meanings[name] || `${name.replaceAll("_", " ")}${unit && unit !== "1" ? `, in ${unit === "B" ? "bytes" : unit}` : ""}, of all ranks together.`;
  }

  // One table in a section of its own, sorted by what is clicked.
  function build(one) {
    const section = document.createElement("section");
    const title = document.createElement("h2"), hint = document.createElement("p");
    const scroll = document.createElement("div"), element = document.createElement("table");
    const more = document.createElement("button"), all = document.createElement("button");
    const head = element.createTHead().insertRow(), body = element.createTBody();
    const columns = [one.key, "function", ...one.fields.map(f => f[0].replaceAll("_", " "))];
    const isFirst = columns.map((_, i) => i < 2 || first.includes(one.fields[i - 2][0]));
    // By the time, else by the first size, else by the first figure.
    const size = one.fields.findIndex(f => f[1] === "B");
    let key = columns.indexOf("time") >= 0 ? columns.indexOf("time") : 2 + Math.max(0, size), direction = -1, isAll = false;
    let isWide = one.fields.length <= wideMax || isFirst.every(is => is);

    section.id = `detail-${one.name}`;
    title.textContent = titles[one.name] || one.name.replaceAll("_", " ");
    title.dataset.tip = one.about;
    hint.className = "hint";
    hint.textContent = one.about + (one.all > one.rows.length ? `; the ${one.rows.length} largest of ${one.all}` : "");
    scroll.className = "scroll";
    scroll.append(element);
    more.type = all.type = "button";
    all.textContent = `All ${columns.length} columns`;
    all.hidden = isWide;
    section.append(title, hint, scroll, more, all);

    function compare(a, b) {
      const x = a[key], y = b[key];
      if (typeof x === "string") return direction * x.localeCompare(y);
      return direction * ((x === null ? -Infinity : x) - (y === null ? -Infinity : y));
    }

    function draw() {
      const rows = [...one.rows].sort(compare);
      body.replaceChildren();
      for (const row of isAll ? rows : rows.slice(0, shownMax)) {
        const tr = body.insertRow();
        row.forEach((value, i) => {
          if (!isWide && !isFirst[i]) return;
          const td = tr.insertCell();
          td.textContent = i >= 2 ? show(value, one.fields[i - 2][1]) : value || "-";
          if (i < 2) td.className = "text";
        });
      }
      more.hidden = isAll || rows.length <= shownMax;
      more.textContent = `Show all ${rows.length}`;
      [...head.cells].forEach((th, i) => {
        th.hidden = !isWide && !isFirst[i];
        markHeading(th, columns[i], i === key ? direction : 0);
      });
    }

    columns.forEach((_, i) => {
      const heading = addHeading(head, () => {
        direction = key === i ? -direction : i < 2 ? 1 : -1;
        key = i;
        draw();
      }, aboutOf(one, i));
      if (i < 2) heading.className = "text";
    });
    more.addEventListener("click", () => { isAll = true; draw(); });
    all.addEventListener("click", () => { isWide = all.hidden = true; draw(); });
    draw();
    document.querySelector("main").append(section);
  }

  (data.details || []).filter(one => one.rows.length).forEach(build);
  return {draw() {}};
})();
