// SPDX-License-Identifier: BSD-3-Clause
// Finds the kind of code of each region, and its colour: a kind has a hue, and adjacent
// regions have different shades of it.

const kinds = (function () {
  // `full` is the saturation; `dark` the largest lightness in the dark theme at which
  // the names on it are still readable.
  const list = [
    {key: "compute", name: "compute", hue: 212, full: 62, dark: 34, about: "Regions and functions of compiled code."},
    {key: "python", name: "Python", hue: 46, full: 72, dark: 27, about: "Functions and regions of Python files."},
    {key: "mpi", name: "MPI", hue: 8, full: 72, dark: 36, about: "Calls of MPI, including the time that they wait."},
    {key: "start", name: "MPI_Init", hue: 8, full: 18, dark: 38, about: "The start of MPI, which is not communication."},
    {key: "io", name: "I/O", hue: 138, full: 42, dark: 33, about: "Calls that read and write files."},
    {key: "openmp", name: "OpenMP", hue: 272, full: 52, dark: 40, about: "Parallel regions and barriers of OpenMP."},
    {key: "kernel", name: "kernel", hue: 182, full: 48, dark: 32, about: "Kernels on a device, and generated kernels."},
    {key: "stack", name: "stacks", hue: 28, full: 26, dark: 36, about: "Functions that are not instrumented, found in stacks."},
    {key: "other", name: "other", hue: 220, full: 7, dark: 38, about: "Everything else."},
  ];
  const byKey = new Map(list.map(kind => [kind.key, kind]));
  const byGroup = {
    mpi: "mpi", io: "io", openmp: "openmp", omp: "openmp", kernel: "kernel", gpu: "kernel",
    python: "python", overflow: "other", measurement: "other", marker: "other",
  };

  // In a Python program, regions without a file are the program's own.
  const isPythonRun = data.metadata.some(([key]) => key.startsWith("overhead_ns_per_python_"));

  function keyOf([name, group, file]) {
    if (group === "mpi" && /^MPI_Init(_thread)?$/i.test(name)) return "start";
    if (byGroup[group]) return byGroup[group];
    if (file && (/\.pyw?$/.test(file) || file.startsWith("<"))) return "python";
    if (group === "user" && !file && isPythonRun) return "python";
    return group === "stack" ? "stack" : "compute";
  }
  const ofRegion = data.regions.map(keyOf);

  // Returns, for each region, the regions that can be adjacent to it in a picture: its
  // callers and callees, and its siblings in order of first use and of time.
  function neighbours() {
    const beside = data.regions.map(() => new Set());
    const join = (a, b) => { if (a !== b) { beside[a].add(b); beside[b].add(a); } };
    const time = i => data.figures[timeIndex]?.sum[i] || 0;
    const inRow = list => {
      for (let k = 1; k < list.length; k++) join(regionOf(list[k - 1]), regionOf(list[k]));
    };
    for (const list of [roots, ...children]) {
      inRow(list);
      inRow([...list].sort((a, b) => time(b) - time(a)));
    }
    for (let i = 0; i < nNodes; i++) if (parentOf(i) >= 0) join(regionOf(i), regionOf(parentOf(i)));
    return beside;
  }

  function hash(name) {
    let h = 17;
    for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193) >>> 0;
    return h % 4093 % 8;
  }

  // Colours the graph of neighbours greedily, regions with most neighbours first.  A
  // region gets the shade of its name's hash if no neighbour has it, else the next one.
  function chooseShades() {
    const beside = neighbours(), shade = new Array(data.regions.length);
    const order = data.regions.map((_, r) => r).sort((a, b) => beside[b].size - beside[a].size);
    for (const r of order) {
      const taken = new Set([...beside[r]].filter(b => ofRegion[b] === ofRegion[r]).map(b => shade[b]));
      let k = hash(data.regions[r][0]);
      for (let tries = 0; taken.has(k) && tries <= taken.size; tries++) k = tries < 7 ? (k + 1) % 8 : 8 + tries - 7;
      shade[r] = k;
    }
    return shade;
  }
  let shades = null;

  // Returns shade k of a kind as #rrggbb.
  function colour(key, k = 4) {
    const {hue, full, dark} = byKey.get(key);
    const turn = [0, 12, -12, 20, -20][Math.floor(k / 8) % 5];
    const part = (k * 5 % 8) / 7, l = isDark() ? dark - 12 + 12 * part : 70 + 15 * part, s = isDark() ? 0.7 * full : full;
    const channel = n => {
      const at = (n + (hue + turn + 360) / 30) % 12;
      const value = l / 100 - s / 100 * Math.min(l, 100 - l) / 100 * Math.max(-1, Math.min(at - 3, 9 - at, 1));
      return Math.round(255 * value).toString(16).padStart(2, "0");
    };
    return `#${channel(0)}${channel(8)}${channel(4)}`;
  }

  // Returns the self time of each kind.
  function times() {
    const sums = new Map(), self = data.figures[timeIndex].self;
    for (let i = 0; i < nNodes; i++)
      if (self[i] > 0) sums.set(ofRegion[regionOf(i)], (sums.get(ofRegion[regionOf(i)]) || 0) + self[i]);
    return list.filter(kind => sums.has(kind.key)).map(kind => ({...kind, time: sums.get(kind.key)}));
  }
  const isThere = key => ofRegion.some((kind, r) => kind === key && isUsed[r]);
  const isUsed = data.regions.map(() => false);
  for (let i = 0; i < nNodes; i++) isUsed[regionOf(i)] = true;
  const there = list.filter(kind => isThere(kind.key));

  // Fills a list with the kinds of this run and their colours.
  function legend(element) {
    element.replaceChildren(...there.map(kind => {
      const item = document.createElement("li"), swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = colour(kind.key);
      item.append(swatch, kind.name);
      item.dataset.tip = kind.about;
      return item;
    }));
  }

  return {
    keyOf: region => ofRegion[region], nameOf: region => byKey.get(ofRegion[region]).name, there, times, colour,
    colourOf(region) {
      shades = shades || chooseShades();
      return colour(ofRegion[region], shades[region]);
    },
    draw() { document.querySelectorAll(".legend").forEach(legend); },
  };
})();
