// SPDX-License-Identifier: BSD-3-Clause
// What the columns mean, as the terminal names them, and how the page explains itself.

const words = {
  region: "The name of the region or function, and where it is defined.",
  visits: "How often the region was entered and left, on all ranks and threads together.",
  total: "All ranks and threads together, with everything that the region called.",
  highest: "The highest level of any rank. Levels do not add up.",
  share: "The total as a part of the whole run: of all outermost regions together.",
  self: "The total without the regions inside: what the region did itself.",
  each: "The total divided by the visits.",
  mean: "The total divided by the number of ranks that were in the region.",
  min: "The total of the rank that has least.",
  max: "The total of the rank that has most.",
  imbalance: "max / mean - 1: how much more than an even share the rank with most has.",
  lost: "max - mean, over ranks: what would be saved if all ranks had an even share.",
  before: "The first file, all ranks and threads together.",
  after: "The second file, all ranks and threads together.",
  difference: "after - before. Sorted by its size, whether more or less.",
  change: "after / before - 1. A region that only one of the files has is new or gone.",
  eachChange: "The change of the total divided by the visits.",
  noise: "Whether the change per visit is more than the noise of the runs, as pdump diff tests it.",
  visitsBefore: "How often the region was visited in the first file.",
  visitsAfter: "How often the region was visited in the second file.",
};

// A text that is shown at the pointer or the keyboard's focus, and read aloud.
function explain(element, text) {
  element.dataset.tip = text;
  element.setAttribute("aria-description", text);
}

// Reads a text aloud.
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
