# SPDX-License-Identifier: BSD-3-Clause
"""Trace events in a browser: load.py CHROMIUM FILE...

Chromium itself opens and parses the file, and goes through it as a viewer does:
ends close what is open in their thread, arrows have two ends.  Prints a line per
file with the number of events of each kind, or what is wrong.
"""
import os
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                os.pardir, "html"))
from browser import Browser

LOOK = """(() => {
  const trace = JSON.parse(document.body.textContent);
  const open = new Map(), flows = new Map(), count = {};
  let wrong = "";
  for (const e of trace.traceEvents) {
    const place = e.pid + "/" + e.tid, stack = open.get(place) ?? [];
    open.set(place, stack);
    count[e.ph] = (count[e.ph] ?? 0) + 1;
    if (e.ph === "B")
      stack.push(e);
    else if (e.ph === "E" && !(stack.pop()?.ts <= e.ts))
      wrong = "an end without its begin";
    else if (e.ph === "s" || e.ph === "f")
      flows.set(e.id, (flows.get(e.id) ?? "") + e.ph);
  }
  if ([...open.values()].some(stack => stack.length))
    wrong = "begins without an end";
  if ([...flows.values()].some(ends => ends !== "sf" && ends !== "fs"))
    wrong = "arrows with one end";
  return wrong || Object.keys(count).sort().map(k => k + count[k]).join(" ");
})()"""


def load(browser, path):
    browser.call("Page.navigate", url="file://" + os.path.abspath(path))
    for _ in range(300):
        if browser.value("location.protocol === 'file:' && "
                         "document.readyState") == "complete":
            return browser.value(LOOK)
        browser.value("new Promise(done => setTimeout(done, 20))")
    return "is not loaded"


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(sys.argv[1], folder)
        guard = threading.Timer(60, browser.close)
        guard.start()
        try:
            browser.open()
            for path in sys.argv[2:]:
                print(path, load(browser, path))
        finally:
            guard.cancel()
            browser.close()


main()
