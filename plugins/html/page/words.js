// SPDX-License-Identifier: BSD-3-Clause
// Explanations of the columns, and how they are shown and read aloud.

const words = {
  region: "The name of the region or function, and where it is defined.",
  doubt: "not known, because the visits are too short: reading the counter adds more to it than the region does",
  visits: "How often the region was entered and left, on all ranks and threads together.",
  total: "All ranks and threads together, with everything that the region called.",
  highest: "The highest level of any rank. Levels do not add up.",
  share: "The total as a part of the whole run: of all outermost regions together.",
  self: "The total without the regions inside.",
  each: "The total divided by the visits.",
  mean: "The total divided by the number of ranks that were in the region.",
  min: "The smallest total of a rank.",
  max: "The largest total of a rank.",
  imbalance: "max / mean - 1: how much the rank with the largest total is above an even share.",
  lost: "max - mean, over ranks: the time that an even distribution would save.",
  before: "The first file, all ranks and threads together.",
  after: "The second file, all ranks and threads together.",
  difference: "after - before. Sorted by its size, whether more or less.",
  change: "after / before - 1. A region that only one of the files has is new or gone.",
  eachChange: "The change of the total divided by the visits.",
  noise: "Whether the change per visit is more than the noise of the runs, as pdump diff tests it.",
  visitsBefore: "How often the region was visited in the first file.",
  visitsAfter: "How often the region was visited in the second file.",
};

// Adds a text that is shown when the pointer or the keyboard's focus is on the element,
// and that screen readers read.
function explain(element, text) {
  element.dataset.tip = text;
  element.setAttribute("aria-description", text);
}

// Makes screen readers read a text.
function announce(text) {
  document.getElementById("said").textContent = text;
}

function listenForTips() {
  const find = event => event.target.closest?.("[data-tip]");
  const place = element => {
    const box = element.getBoundingClientRect();
    return {clientX: box.left, clientY: box.bottom};
  };
  document.querySelectorAll("[data-tip]").forEach(element => explain(element, element.dataset.tip));
  document.addEventListener("mouseover", event => {
    const element = find(event);
    if (element) note(event, element.dataset.tip);
  });
  document.addEventListener("mouseout", event => { if (find(event)) note(event, ""); });
  document.addEventListener("focusin", event => {
    const element = find(event);
    if (element && element.matches(":focus-visible")) note(place(element), element.dataset.tip);
  });
  document.addEventListener("focusout", event => { if (find(event)) note(event, ""); });
  document.addEventListener("keydown", event => { if (event.key === "Escape" && find(event)) note(event, ""); });
}
