// SPDX-License-Identifier: BSD-3-Clause
// Keeps the state of the view in the address: the page shows the same view again when it
// is opened with that address.

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
    // Adds a part of the state.  get() returns it as text, "" for the initial state; set()
    // takes a text, which may be wrong, because an address can be typed.
    keep(key, get, set) { parts.push({key, get, set}); },
    // The same for a part that is set before all others, which depend on it.
    keepFirst(key, get, set) { parts.unshift({key, get, set}); },
    // The same for the order of a table: "-self" sorts by self, largest first.  get()
    // returns [column, direction]; the initial order is by `first`, largest first.
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
