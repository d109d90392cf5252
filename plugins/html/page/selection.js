// SPDX-License-Identifier: BSD-3-Clause
// The selection in the timeline, which is a range of time in some lanes, and a table of
// the regions in it.

const selection = (function () {
  const shownMax = 12, part = document.getElementById("selection");
  const title = document.getElementById("selection-title"), body = document.getElementById("selection-table").tBodies[0];
  let now = null;

  function fill() {
    part.hidden = !now;
    if (!now) return;
    const rows = lanes.statistics(now.lanes, now.from, now.to), whole = rows.reduce((sum, one) => sum + one.self, 0);
    const where = now.lanes.length === 1 ? now.lanes[0].about : `${now.lanes.length} lanes`;
    const words = `${lanes.time(now.to - now.from)} selected in ${where}`;
    const most = rows.length ? `; most of it in ${data.regions[rows[0].region][0]}: self ${lanes.time(rows[0].self)}, ${percent(rows[0].self, whole)}` : "; nothing was recorded there";
    title.textContent = words;
    body.replaceChildren();
    for (const one of rows.slice(0, shownMax)) {
      const line = body.insertRow(), name = document.createElement("span");
      name.className = "name";
      name.textContent = data.regions[one.region][0];
      name.style.borderColor = colourOf(one.region);
      line.insertCell().append(name);
      for (const text of [String(one.visits), lanes.time(one.time), lanes.time(one.self), percent(one.self, whole)])
        line.insertCell().textContent = text;
    }
    if (rows.length > shownMax) body.insertRow().insertCell().textContent = `${rows.length - shownMax} more regions`;
    announce(words + most);
  }

  return {
    isOn: () => now !== null,
    now: () => now,
    set(from, to, some) {
      now = {from, to, lanes: some};
      fill();
    },
    clear() {
      now = null;
      fill();
    },
    draw: fill,
  };
})();
