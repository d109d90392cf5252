// SPDX-License-Identifier: BSD-3-Clause
// What concerns all parts of the page: the metric, the search, light and dark, print.

const views = [
  flame, compare, table, ranks, steps, memory, timeline, roofline, lines, details, matrix, kinds, summary,
];
function redraw() {
  forget();
  views.forEach(view => view.draw());
}

function chooseMetric(index) {
  const choice = document.getElementById("metric");
  choice.selectedIndex = index;
  choice.dispatchEvent(new Event("change"));
}

function fillMetrics() {
  const choice = document.getElementById("metric");
  data.metrics.slice(0, compare.metrics).forEach((m, i) => choice.append(new Option(m.unit && m.unit !== "1" ? `${m.name} [${m.unit}]` : m.name, i)));
  choice.selectedIndex = firstMetric();
  const dependent = views.filter(view => view.use);
  const use = index => dependent.forEach(view => view.use(index));
  choice.addEventListener("change", () => {
    use(choice.selectedIndex);
    announce(`metric ${data.metrics[choice.selectedIndex].name}`);
    state.save();
  });
  use(firstMetric());
  state.keepFirst("metric", () => choice.selectedIndex === firstMetric() ? "" : data.metrics[choice.selectedIndex].name, name => {
    const index = name === "" ? firstMetric() : data.metrics.findIndex((m, i) => i < compare.metrics && m.name === name);
    if (index < 0) return;
    choice.selectedIndex = index;
    use(index);
  });
  views.filter(view => !view.use).forEach(view => view.draw());
}

function listen() {
  const find = document.getElementById("find"), found = document.getElementById("found");
  let waiting = 0;
  const look = () => {
    const n = search.look(find.value);
    found.textContent = search.isOn() ? `${n} found` : "";
    flame.draw();
    compare.draw();
    table.draw();
    timeline.draw();
    state.save();
  };
  find.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, 60);
  });
  state.keep("find", () => find.value, text => { find.value = text; look(); });
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

// Keeps the section at the top of the window in the address.
function keepPlace() {
  const sections = [...document.querySelectorAll("main section")].filter(section => !section.hidden);
  const top = section => section.getBoundingClientRect().top;
  const now = () => window.scrollY === 0 ? undefined : sections.findLast(section => top(section) <= window.innerHeight / 4);
  state.keep("at", () => now()?.id || "", id => {
    const section = sections.find(one => one.id === id);
    if (section) section.scrollIntoView({block: "start"});
    else if (id === "") window.scrollTo(0, 0);
  });
  window.addEventListener("scroll", () => state.save(), {passive: true});
}

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  redraw();
}

if (data.metrics.length === 0) {
  document.querySelector("main").textContent = "This run recorded no metric.";
} else {
  document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  facts.fill();
  summary.fill();
  fillMetrics();
  listen();
  listenForTips();
  keepPlace();
  state.load();
  state.listen();
  // On paper, light.
  let before = false;
  window.addEventListener("beforeprint", () => { before = isDark(); setTheme(false); });
  window.addEventListener("afterprint", () => setTheme(before));
}
document.documentElement.dataset.ready = "yes";
