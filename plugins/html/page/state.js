// SPDX-License-Identifier: BSD-3-Clause
// What is looked at, kept in the address: who opens the page with this address sees
// the same.

const state = (function () {
  const parts = [];
  const pause = 400; // ms: browsers refuse more than 100 changes in 30 s
  let waiting = 0, isLoading = false;

  const parse = () => new URLSearchParams(location.hash.slice(1));

  function write() {
    const now = new URLSearchParams();
    for (const {key, get} of parts) if (get() !== "") now.set(key, get());
    const hash = now.toString();
    if (hash !== location.hash.slice(1)) history.replaceState(null, "", "#" + hash);
  }

  return {
    // A part of the view: get() returns it as text, "" if it is as at first; set()
    // takes such a text, which may be anything: somebody may have typed it.
    keep(key, get, set) { parts.push({key, get, set}); },
    // One that others depend on: it is set before them.
    keepFirst(key, get, set) { parts.unshift({key, get, set}); },
    // What a table is sorted by: as "-self", if most comes first.  get() returns, and set()
    // takes a column and a direction; most of `first` is what is not said.
    keepOrder(key, first, columns, get, set) {
      state.keep(key, () => {
        const [by, direction] = get();
        return by === first && direction < 0 ? "" : (direction < 0 ? "-" : "") + by;
      }, text => {
        const by = text.replace("-", "") || first;
        if (columns.some(column => column.key === by)) set(by, text === "" || text.startsWith("-") ? -1 : 1);
      });
    },
    save() {
      if (isLoading) return;
      clearTimeout(waiting);
      waiting = setTimeout(write, pause);
    },
    load() {
      const given = parse();
      isLoading = true;
      for (const {key, get, set} of parts) if ((given.get(key) || "") !== get()) set(given.get(key) || "");
      isLoading = false;
    },
    listen() {
      window.addEventListener("hashchange", () => state.load());
    },
  };
})();
