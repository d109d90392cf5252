// SPDX-License-Identifier: BSD-3-Clause
// The head of the page: the command and the main facts of the run, all other metadata in
// words and groups, and the warnings.

const facts = (function () {
  const nanoseconds = value => show(Number(value), "ns");
  const asIs = value => value;

  // Group, key, words, and how the value is written.
  const known = [
    ["Program", "command", "command", asIs],
    ["Program", "merged_files", "merged from", asIs],
    ["Program", "signal", "ended by signal", asIs],
    ["Machine", "host", "host", asIs],
    ["Machine", "cpu", "processor", asIs],
    ["Machine", "cores", "cores that it may run on", asIs],
    ["Machine", "peak_flops", "peak", value => show(Number(value)) + "FLOP/s"],
    ["Machine", "peak_bandwidth", "peak bandwidth", value => show(Number(value), "B") + "/s"],
    ["Measurement", "pdump_version", "libpdump", asIs],
    ["Measurement", "clock", "clock", asIs],
    ["Measurement", "details", "details", asIs],
    ["Measurement", "events_chosen", "counters", asIs],
    ["Measurement", "counters_every", "counters are read every", asIs],
    ["Measurement", "filter_rules", "rules of the filter", asIs],
    ["Measurement", "filter", "filter", asIs],
    ["Measurement", "store", "recovered from", asIs],
    ["Measurement", "cpu_time_cut_rows", "regions whose CPU time was cut to their time", asIs],
    ["Measurement", "cpu_time_cut_ns", "CPU time that was cut", nanoseconds],
    ["Overhead", "overhead_ns_per_visit", "a visit of a region", nanoseconds],
    ["Overhead", "overhead_ns_per_call", "a visit that only reads the clock", nanoseconds],
    ["Overhead", "overhead_ns_per_python_function", "a function of Python", nanoseconds],
    ["Overhead", "overhead_ns_per_python_region", "a region of Python", nanoseconds],
    ["Overhead", "overhead_ns_per_function", "a function of compiled code", nanoseconds],
    ["Overhead", "overhead_ns_per_mpi_call", "a call of MPI", nanoseconds],
    ["Overhead", "overhead_ns_per_io_call", "a call of I/O", nanoseconds],
    ["Overhead", "counters_overhead_per_visit", "counted in a visit by libpdump itself", asIs],
    ["Overhead", "overhead", "overhead in the figures", asIs],
    ["Timeline", "events", "events", asIs],
    ["Timeline", "events_mode", "kept by", asIs],
    ["Timeline", "events_lost", "events lost", asIs],
    ["Timeline", "events_dropped", "events before the first one kept", asIs],
    ["Stacks", "stacks_unfinished", "of these, not walked to the end", asIs],
    ["Stacks", "stacks_lost", "without room", asIs],
    ["Stacks", "stacks_cpu_time_ns", "CPU time meanwhile", nanoseconds],
    ["Stacks", "stacks_clock", "clock", asIs],
    ["Stacks", "stacks", "stacks taken", asIs],
  ];
  const settings = "Settings", others = "Other metadata";

  function groupOf(key) {
    const row = known.find(([, name]) => name === key);
    if (row) return [row[0], row[2], row[3]];
    const clock = key.match(/^clock\.(\d+)$/), setting = key.match(/^setting\.(.*)$/);
    if (clock) return ["Clocks of ranks", "rank " + clock[1], asIs];
    return setting ? [settings, setting[1], asIs] : [others, key.replaceAll("_", " "), asIs];
  }

  function add(list, name, value) {
    if (value === undefined || value === "") return;
    const box = document.createElement("div"), term = document.createElement("dt"), text = document.createElement("dd");
    term.textContent = name;
    text.textContent = value;
    box.append(term, text);
    list.append(box);
  }

  function hosts() {
    const all = [...new Set(data.processes.map(p => p[2]).filter(Boolean))];
    return all.slice(0, 8).join(", ") + (all.length > 8 ? ` and ${all.length - 8} more` : "");
  }

  // Writes the time zone out: "2030-01-02T03:04:05Z" is UTC.
  const date = text => text && text.replace(/^(\d+-\d+-\d+)T(\d+:\d+:\d+)(\.\d+)?Z$/, "$1 $2 UTC");

  function fillList() {
    const list = document.getElementById("facts"), all = new Map(data.metadata);
    if (compare.isOn) {
      add(list, "before", `${compare.before}, ${showMetric(compare.totalBefore(timeIndex), timeIndex)} in regions`);
      add(list, "after", `${compare.after}, ${showMetric(totalOf(timeIndex), timeIndex)} in regions`);
      add(list, "noise", "one run each: indicative only");
      return;
    }
    const overhead = all.get("overhead_ns_per_visit"), wall = all.get("wall_time_ns");
    add(list, "start", date(all.get("start")));
    add(list, "wall time", wall && nanoseconds(wall));
    add(list, "time in regions", showMetric(totalOf(timeIndex), timeIndex));
    if (data.ranks > 0) add(list, "ranks", String(data.ranks));
    add(list, "threads", String(data.threads));
    add(list, "host", hosts());
    add(list, "processor", (data.processes[0] || [])[4]);
    add(list, "overhead", overhead && nanoseconds(overhead) + " per visit");
    if (data.hidden > 0) add(list, "left out", `${data.hidden} small parts of the tree`);
  }

  function fillMore() {
    const more = document.getElementById("more-facts"), groups = new Map();
    const shown = ["start", "wall_time_ns", "ranks", "host", "cpu"];
    for (const [key, value] of data.metadata) {
      if (shown.includes(key) || key.startsWith("compare_")) continue;
      const [group, words, write] = groupOf(key);
      groups.set(group, [...(groups.get(group) || []), [words, write(value)]]);
    }
    const order = [...new Set(known.map(([group]) => group)), "Clocks of ranks", settings, others];
    for (const name of order.filter(one => groups.has(one))) {
      const title = document.createElement("h3"), list = document.createElement("dl");
      title.textContent = name;
      groups.get(name).forEach(([words, value]) => add(list, words, value));
      more.append(title, list);
    }
    more.hidden = groups.size === 0;
  }

  function fillWarnings() {
    const warnings = document.getElementById("warnings");
    for (const [text, count] of data.warnings) {
      const item = document.createElement("li");
      item.textContent = text + (count > 1 ? ` (${count} times)` : "");
      warnings.append(item);
    }
    warnings.hidden = data.warnings.length === 0;
  }

  return {
    fill() {
      const title = compare.isOn ? `${compare.before} \u2192 ${compare.after}`
        : (data.processes[0] || [])[3] || new Map(data.metadata).get("command") || "libpdump";
      document.title = title + " - libpdump";
      document.getElementById("title").textContent = title;
      fillList();
      fillMore();
      fillWarnings();
    },
  };
})();
