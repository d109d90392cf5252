// SPDX-License-Identifier: BSD-3-Clause
// The head of the page, and what concerns all of its parts.

function addFact(list, name, value) {
  if (value === undefined || value === "") return;
  const box = document.createElement("div"), term = document.createElement("dt"), text = document.createElement("dd");
  term.textContent = name;
  text.textContent = value;
  box.append(term, text);
  list.append(box);
}

function hostsText() {
  const hosts = [...new Set(data.processes.map(p => p[2]).filter(Boolean))];
  return hosts.slice(0, 8).join(", ") + (hosts.length > 8 ? ` and ${hosts.length - 8} more` : "");
}

function fillFacts() {
  const list = document.getElementById("facts"), more = document.getElementById("more-facts");
  if (compare.isOn) {
    addFact(list, "Before", `${compare.before}, ${showMetric(compare.totalBefore(timeIndex), timeIndex)} in regions`);
    addFact(list, "After", `${compare.after}, ${showMetric(totalOf(timeIndex), timeIndex)} in regions`);
    return;
  }
  const facts = new Map(data.metadata);
  const take = key => { const value = facts.get(key); facts.delete(key); return value; };
  const nanoseconds = (key, unit) => { const value = take(key); return value && show(Number(value), "ns") + unit; };
  addFact(list, "Start", take("start"));
  addFact(list, "Duration", nanoseconds("wall_time_ns", ""));
  addFact(list, "Time in regions", showMetric(totalOf(timeIndex), timeIndex));
  if (data.ranks > 0) addFact(list, "Ranks", String(data.ranks));
  addFact(list, "Threads", String(data.threads));
  addFact(list, "On", hostsText());
  addFact(list, "Processor", (data.processes[0] || [])[4]);
  addFact(list, "Overhead", nanoseconds("overhead_ns_per_visit", " per visit"));
  if (data.hidden > 0) addFact(list, "Left out", `${data.hidden} small parts of the tree`);
  for (const key of ["host", "cpu", "ranks", "command"]) facts.delete(key);
  for (const [key, value] of facts) addFact(more.lastElementChild, key, value);
  more.hidden = facts.size === 0;
}

function fillHead() {
  const title = (data.processes[0] || [])[3] || new Map(data.metadata).get("command") || "libpdump";
  document.title = title + " - libpdump";
  document.getElementById("title").textContent = title;
  fillFacts();
  const warnings = document.getElementById("warnings");
  for (const [text, count] of data.warnings) {
    const item = document.createElement("li");
    item.textContent = text + (count > 1 ? ` (${count} times)` : "");
    warnings.append(item);
  }
  warnings.hidden = data.warnings.length === 0;
}

const views = [
  flame, compare, table, ranks, steps, memory, timeline, roofline, lines, details, matrix,
];
function redraw() {
  forget();
  views.forEach(view => view.draw());
}

function fillMetrics() {
  const choice = document.getElementById("metric");
  data.metrics.slice(0, compare.metrics).forEach((m, i) => choice.append(new Option(m.unit && m.unit !== "1" ? `${m.name} [${m.unit}]` : m.name, i)));
  choice.selectedIndex = timeIndex;
  const dependent = views.filter(view => view.use);
  const use = index => dependent.forEach(view => view.use(index));
  choice.addEventListener("change", () => use(choice.selectedIndex));
  use(timeIndex);
  views.filter(view => !view.use).forEach(view => view.draw());
}

function listen() {
  const find = document.getElementById("find"), found = document.getElementById("found");
  let waiting = 0;
  find.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const n = search.look(find.value);
      found.textContent = search.isOn() ? `${n} found` : "";
      flame.draw();
      compare.draw();
      table.draw();
      timeline.draw();
    }, 60);
  });
  const system = matchMedia("(prefers-color-scheme: dark)"), follow = () => setTheme(system.matches);
  system.addEventListener("change", follow);
  document.getElementById("theme").addEventListener("click", () => {
    system.removeEventListener("change", follow);
    setTheme(!isDark());
  });
  let resizing = 0;
  const resize = () => {
    cancelAnimationFrame(resizing);
    resizing = requestAnimationFrame(redraw);
  };
  window.addEventListener("resize", resize);
  // Without the window's being resized: when the page becomes so long that it scrolls.
  const watcher = new ResizeObserver(() => {
    for (const [element, width] of widths)
      if (element.clientWidth && element.clientWidth !== width) return resize();
  });
  watcher.observe(document.querySelector("main"));
}

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  redraw();
}

if (data.metrics.length === 0) {
  document.querySelector("main").textContent = "This run recorded no metric.";
} else {
  document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  fillHead();
  fillMetrics();
  listen();
  // On paper, light.
  let before = false;
  window.addEventListener("beforeprint", () => { before = isDark(); setTheme(false); });
  window.addEventListener("afterprint", () => setTheme(before));
}
document.documentElement.dataset.ready = "yes";
