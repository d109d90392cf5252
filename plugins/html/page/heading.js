// SPDX-License-Identifier: BSD-3-Clause
// Headings of tables that are sorted by a click.  They stay the same elements when
// a table is drawn anew: who uses keys keeps the place.

function addHeading(row, click, about) {
  const th = document.createElement("th"), button = document.createElement("button");
  th.scope = "col";
  button.type = "button";
  button.addEventListener("click", () => {
    click();
    if (th.ariaSort !== "none") announce(`sorted by ${th.dataset.title}, ${th.ariaSort}`);
    state.save();
  });
  if (about) explain(button, about);
  th.append(button);
  row.append(th);
  return th;
}

// direction: 1 if the table is sorted by it, least first, -1 if most first, else 0.
function markHeading(th, title, direction) {
  th.dataset.title = title;
  th.firstChild.textContent = title + (direction < 0 ? " \u25be" : direction > 0 ? " \u25b4" : "");
  th.setAttribute("aria-sort", direction < 0 ? "descending" : direction > 0 ? "ascending" : "none");
}

// What a table is sorted by after a click on a heading, and in which direction.
function sortedBy(clicked, key, direction) {
  return [clicked, clicked === key ? -direction : clicked === "name" ? 1 : -1];
}
