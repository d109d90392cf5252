# SPDX-License-Identifier: BSD-3-Clause
"""A page in a browser: browser.py CHROMIUM PAGE [times|compare|gone|timeline]

The page is looked at, searched, sorted, zoomed, with the mouse and with keys, in
a headless Chromium that is driven through pipes (no port, no other package).
Prints what is wrong, one line each; with "times", how long things take in ms;
with "compare", the page is a comparison of two runs, with "gone", one whose
second run lacks a region; with "timeline", one that
has events, 3 ranks x 30 regions x 4 steps of made.c.
"""

import base64
import fcntl
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading

problems = []


def expect(is_so, what):
    if not is_so:
        problems.append(what)


def high(fd):
    other = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(fd)
    return other


class Browser:
    """Chromium's DevTools protocol: JSON messages that end with a NUL."""

    def __init__(self, program, folder):
        # Out of the way of 3 and 4, which Chromium talks through.
        read_end, child_write = (high(fd) for fd in os.pipe())
        child_read, write_end = (high(fd) for fd in os.pipe())

        def connect():
            os.dup2(child_read, 3)
            os.dup2(child_write, 4)
            os.setsid()

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu",
             "--remote-debugging-pipe", "--no-first-run",
             "--disable-background-networking", "--disable-component-update",
             "--disable-sync",
             "--window-size=1200,900", "--user-data-dir=" + folder,
             "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, preexec_fn=connect, close_fds=False)
        os.close(child_read)
        os.close(child_write)
        self.writer = os.fdopen(write_end, "wb", 0)
        self.reader = os.fdopen(read_end, "rb")
        self.pending = b""
        self.n = 0
        self.session = None
        self.events = []

    def message(self):
        while b"\0" not in self.pending:
            more = self.reader.read1(65536)
            if not more:
                raise SystemExit("the browser has ended")
            self.pending += more
        text, _, self.pending = self.pending.partition(b"\0")
        return json.loads(text)

    def call(self, method, **params):
        self.n += 1
        order = {"id": self.n, "method": method, "params": params}
        if self.session:
            order["sessionId"] = self.session
        self.writer.write(json.dumps(order).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.n:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in "Runtime", "Page", "Log", "Network":
            self.call(domain + ".enable")

    def value(self, script):
        script = "byId = id => document.getElementById(id);" + script
        answer = self.call("Runtime.evaluate", expression=script,
                           returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise SystemExit(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def key(self, name):
        for kind in "rawKeyDown", "keyUp":
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name,
                      windowsVirtualKeyCode={"Enter": 13, "Escape": 27}.get(name, 0))

    def click(self, x, y):
        for kind in "mousePressed", "mouseReleased":
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                      button="left", clickCount=1)

    def picture(self):
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


COLOURS = """(id => {
  const c = document.getElementById(id), g = c.getContext("2d");
  const p = new Uint32Array(g.getImageData(0, 0, c.width, c.height).data.buffer);
  return new Set(p).size;
})"""
ROWS = "document.querySelectorAll('#table tbody tr').length"
FIRST = "document.querySelector('#table tbody tr td').textContent"
FRAME = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


# What makes switching the metric slow, counted as it depends on no machine: asking
# for styles and widths, which lays out the page, and cells drawn one by one.
SPENT = """(() => {
  const spent = {layouts: 0, cells: 0}, asks = window.getComputedStyle;
  const width = Object.getOwnPropertyDescriptor(Element.prototype, "clientWidth");
  const pen = CanvasRenderingContext2D.prototype, rect = pen.fillRect;
  window.getComputedStyle = (...a) => { spent.layouts++; return asks(...a); };
  Object.defineProperty(Element.prototype, "clientWidth",
                        {configurable: true, get() { spent.layouts++; return width.get.call(this); }});
  pen.fillRect = function (...a) {
    spent.cells += ["map", "matrix"].includes(this.canvas.id);
    rect.apply(this, a);
  };
  byId("metric").dispatchEvent(new Event("change"));
  pen.fillRect = rect;
  Object.defineProperty(Element.prototype, "clientWidth", width);
  window.getComputedStyle = asks;
  return spent;
})()"""
# A search waits for the next key; not here.  [ms of work, ms until it is painted]
TOOK = """(async () => {
  const later = window.setTimeout;
  window.setTimeout = what => what();
  const start = performance.now();
  %s;
  const end = performance.now();
  window.setTimeout = later;
  await new Promise(done => requestAnimationFrame(() => later(done)));
  return [end - start, performance.now() - start];
})()"""


# What is written in a picture, when the page is drawn anew.
WRITTEN = """(async id => {
  const pen = CanvasRenderingContext2D.prototype, fillText = pen.fillText, texts = [];
  pen.fillText = function (text, ...a) {
    if (this.canvas.id === id) texts.push(text);
    fillText.call(this, text, ...a);
  };
  window.dispatchEvent(new Event("resize"));
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  pen.fillText = fillText;
  return texts;
})"""
# The least contrast of a text and the box it is in, as WCAG defines it.
CONTRAST = """(() => {
  const pen = CanvasRenderingContext2D.prototype, {fillRect, fillText} = pen;
  const channel = v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = hex => [0.2126, 0.7152, 0.0722].reduce(
      (sum, part, i) => sum + part * channel(parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16) / 255), 0);
  let box = "#ffffff", least = 21;
  pen.fillRect = function (...a) { box = this.fillStyle; fillRect.apply(this, a); };
  pen.fillText = function (...a) {
    const [low, high] = [light(box), light(this.fillStyle)].sort((x, y) => x - y);
    if (this.canvas.id === "flame") least = Math.min(least, (high + 0.05) / (low + 0.05));
    fillText.apply(this, a);
  };
  byId("theme").click();
  Object.assign(pen, {fillRect, fillText});
  return least;
})()"""


def readable(browser):
    for _ in range(2):
        least = browser.value(CONTRAST)
        expect(4.5 <= least < 21, f"names in the tree are hard to read: {least}")


def wait_until_ready(browser, page):
    browser.call("Page.navigate", url="file://" + page)
    for _ in range(300):
        if browser.value("document.documentElement?.dataset.ready") == "yes":
            return
        browser.value("new Promise(done => setTimeout(done, 20))")
    raise SystemExit("the page does not get ready")


def look(browser):
    for name in "flame", "map", "spread", "steps", "matrix":
        expect(browser.value(f"{COLOURS}('{name}')") > 3, f"{name} is blank")
    expect(browser.value("byId('timeline-section').hidden"), "a timeline without events")
    expect(browser.value("document.title") == "./made - libpdump", "title")
    expect("one counter is missing (3 times)" in browser.value(
        "byId('warnings').innerText"), "no warning")
    expect(browser.value("document.querySelectorAll('main b, header img').length") == 0,
           "a name became part of the page")
    expect("</script><b>1</b>" in browser.value(
        "byId('table').innerText"), "a name is not as it was")
    expect(len(browser.picture()) > 20000, "the picture is empty")


def head(browser):
    """What made.c says of its run: command, date, ranks, machine, overhead."""
    expect(browser.value("byId('title').textContent") == "./made", "no command")
    facts = dict(browser.value("[...byId('facts').children].map(box => [...box.children].map(c => c.textContent))"))
    for name, wanted in {"start": "2030-01-02 03:04:05 UTC", "wall time": "2.50 s", "ranks": "6", "threads": "6",
                         "host": "node", "processor": "Abacus", "overhead": "42 ns per visit"}.items():
        expect(facts.get(name) == wanted, f"{name}: {facts.get(name)}")
    browser.value("byId('more-facts').open = true")
    expect("<img src=x onerror=alert(1)>" in browser.value("byId('more-facts').innerText"), "no metadata")


def search(browser):
    rows = browser.value(ROWS)
    browser.value("byId('find').focus()")
    browser.call("Input.insertText", text="REGION 1")
    browser.value("new Promise(done => setTimeout(done, 150))")
    expect(browser.value("byId('found').textContent") == "10 found",
           "search: " + browser.value("byId('found').textContent"))
    expect(browser.value(ROWS) < rows, "search leaves all rows")
    expect(browser.value("document.querySelectorAll('tr.hit').length") == 10, "hits")
    browser.value("byId('find').value = 'region 85'; byId('find').dispatchEvent(new Event('input'))")
    browser.value("new Promise(done => setTimeout(done, 150))")
    expect(browser.value("document.querySelectorAll('tr.hit').length") == 1,
           "not found below what is shown")
    browser.value("byId('find').value = ''; byId('find').dispatchEvent(new Event('input'))")
    browser.value("new Promise(done => setTimeout(done, 150))")
    expect(browser.value(ROWS) == rows, "search does not end")


def sort(browser):
    browser.value("document.querySelector('input[value=flat]').click()")
    expect(browser.value(FIRST).startswith("main"), "not by total")
    browser.value("document.querySelector('[data-key=name]').click()")
    expect(browser.value(FIRST).startswith("</script>"), "not by name: " + browser.value(FIRST))
    browser.value("document.querySelector('[data-key=name]').click()")
    expect(browser.value(FIRST).startswith("work"), "not from the end")
    expect(browser.value("document.querySelector('th[aria-sort=descending]').innerText")
           .startswith("region"), "aria-sort")
    browser.value("document.querySelector('input[value=tree]').click()")
    browser.value("document.querySelector('[data-key=sum]').click()")


def stays(browser, selector):
    """What has the keyboard when it is clicked still has it afterwards."""
    browser.value(f"document.querySelector('{selector}').focus(); document.activeElement.click()")
    expect(browser.value(f"document.activeElement.matches('{selector}')"), "the keyboard loses " + selector)


def keyboard(browser):
    rows = browser.value(ROWS)
    stays(browser, "#table [data-key=visits]")
    stays(browser, "#table [data-key=sum]")
    stays(browser, "#table .twist")
    expect(browser.value(ROWS) == 1, "nothing is folded")
    stays(browser, "#table .twist")
    expect(browser.value(ROWS) == rows, "nothing is unfolded")
    stays(browser, "#detail-mpi th:nth-child(4) button")
    expect(browser.value("document.activeElement.textContent") == "time \u25b4", "not said what it is sorted by")
    stays(browser, "#detail-mpi th:nth-child(4) button")


def shortcuts(browser):
    """Keys with Alt or Ctrl belong to the browser: back, zoom, print."""
    taken = browser.value("""['flame', 'map', 'steps', 'matrix', 'roofline', 'timeline'].filter(id => {
        const press = more => !byId(id).dispatchEvent(new KeyboardEvent('keydown', {cancelable: true, ...more}));
        return press({key: 'ArrowLeft', altKey: true}) || press({key: '-', ctrlKey: true})
            || press({key: 'p', ctrlKey: true}); })""")
    expect(taken == [], f"pictures take the browser's keys: {taken}")


def zoom(browser):
    box = "byId('flame').getBoundingClientRect()"
    browser.value("byId('flame').scrollIntoView({block: 'center'})")
    said = "byId('flame-text').textContent"
    x, y = browser.value(box + ".x"), browser.value(box + ".y")
    height = browser.value(box + ".height")
    right = x + browser.value(box + ".width") - 5

    def last():
        """What is at the right end of the third line."""
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=right, y=y + 50)
        return browser.value("byId('tip').hidden ? '' : byId('tip').textContent")

    expect(browser.value(said) == "", "something is chosen")
    narrow = last()
    browser.click(x + 20, y + 50)
    expect(browser.value(said).startswith("main / step / region"), "click: " + browser.value(said))
    expect(last() == browser.value(said) != narrow, f"not as wide as all: {last()}")
    browser.value("byId('flame').focus()")
    before = browser.value(said)
    browser.key("ArrowRight")
    expect(browser.value(said) != before, "no neighbour")
    browser.key("ArrowUp")
    expect(browser.value(said).startswith("main / step:"), "no parent")
    for _ in range(3):
        browser.key("Escape")
    expect(browser.value(box + ".height") == height, "not zoomed out")
    expect(last() == narrow, "not as narrow as before")


def switch(browser):
    total = "document.querySelector('#table tbody tr').cells[1].textContent"
    before = browser.value(total)
    browser.value("byId('metric').selectedIndex = 1; byId('metric').dispatchEvent(new Event('change'))")
    expect(browser.value(total) != before, "the metric does not change")
    expect(browser.value(SPENT) == {"layouts": 0, "cells": 0}, "a switch costs " + str(browser.value(SPENT)))
    browser.value("byId('metric').selectedIndex = 0; byId('metric').dispatchEvent(new Event('change'))")
    dark = "getComputedStyle(document.body).backgroundColor"
    before = browser.value(dark)
    browser.value("byId('theme').click()")
    expect(browser.value(dark) != before, "light stays light")
    browser.value("byId('map').focus()")
    said = "byId('map-text').textContent"
    before = browser.value(said)
    browser.key("ArrowDown")
    expect(browser.value(said) != before, "the map does not move")


def levels(browser):
    """The sixth metric of made.c is a level, of region 0 a fifth of 45.24 M on the last rank."""
    wide = "byId('flame').clientHeight"
    height = browser.value(wide)
    browser.value("byId('metric').selectedIndex = 5; byId('metric').dispatchEvent(new Event('change'))")
    expect(browser.value("document.querySelector('#table [data-key=sum]').textContent").startswith("highest"), "a total")
    cells = "[...document.querySelectorAll('#table tbody tr')].find(r => r.cells[0].textContent.includes('%s')).cells"
    for shape in "tree", "flat":
        browser.value(f"document.querySelector('input[value={shape}]').click()")
        row = browser.value(f"[...{cells % 'region 0'}].map(c => c.textContent)")
        expect(row[1:5] == ["9.05 M", "-", "-", "-"] and row[-1] == "-", f"a level as {shape}: {row}")
    browser.value("document.querySelector('input[value=tree]').click()")
    expect(browser.value("byId('flame-text').textContent").startswith("Levels do not add up"), "levels have shares")
    expect(browser.value(wide) == height, "the tree of a level is not that of time")
    browser.value("byId('metric').selectedIndex = 0; byId('metric').dispatchEvent(new Event('change'))")


def lines(browser):
    """script.py, which html.sh has written; made.c has counted two of its lines."""
    part = "[...document.querySelectorAll('#lines-section details')]"
    expect(not browser.value("byId('lines-section').hidden"), "no lines")
    titles = browser.value(part + ".map(d => d.querySelector('summary').textContent)")
    expect(titles[0] == "work: 5.46 ms (script.py)", str(titles))
    expect(titles[1].startswith("rest: 6.00 \u00b5s (gone.py; its source is not there"), str(titles))
    cells = "(d => [...d.querySelectorAll('tbody tr')].map(r => [...r.cells].map(c => c.textContent)))"
    expect(browser.value(f"{cells}({part}[0])") == [
        ["def work():", "1", "", "", "", ""],
        ['    a = "<b>&"', "2", "60", "5.40 ms", "90.0 \u00b5s", "98.9"],
        ["", "3", "", "", "", ""],
        ["    return a", "4", "30", "60.0 \u00b5s", "2.00 \u00b5s", "1.1"],
    ], "lines: " + str(browser.value(f"{cells}({part}[0])")))
    expect(browser.value(f"{part}[0].open && [...{part}[0].querySelectorAll('tr.hot')].length") == 1, "hot lines")
    expect(browser.value(f"{part}[1].querySelector('table').rows.length") == 0, "filled before it is opened")
    browser.value(f"{part}[1].querySelector('summary').click()")
    browser.value(FRAME)
    expect(browser.value(f"{cells}({part}[1])") == [["", "7", "6", "6.00 \u00b5s", "1.00 \u00b5s", "100.0"]],
           "not filled when opened")


def samples(browser):
    said = "byId('steps-text').textContent"
    browser.value("byId('steps').focus()")
    for _ in range(3):
        browser.key("ArrowRight")
    # 100000 + 2000 + 500 x rank in step 2.
    wanted = "number 2: 103 \u00b5s, min 102 \u00b5s, max 105 \u00b5s"
    expect(browser.value(said) == wanted, "a sample: " + browser.value(said))
    browser.key("ArrowLeft")
    expect(browser.value(said).startswith("number 1:"), "samples do not go back")


def numbers(browser):
    """Very large and very small ones; units only where they say something."""
    expect("24.0 PiB" in browser.value("byId('detail-mpi').innerText"), "4 PiB of 6 ranks")
    browser.value("byId('find').value = 'fwrite'; byId('find').dispatchEvent(new Event('input'))")
    browser.value("new Promise(done => setTimeout(done, 150))")
    row = "[...document.querySelectorAll('#table tbody tr')].find(r => r.cells[0].textContent.includes('fwrite')).cells"
    expect(browser.value(row + "[2].textContent") == "<0.1 %", "nothing for little")
    browser.value("byId('find').value = ''; byId('find').dispatchEvent(new Event('input'))")
    browser.value("new Promise(done => setTimeout(done, 150))")


def narrow(browser):
    """A narrow window, with long names: nothing is wider than it, and what is cut can be read."""
    browser.call("Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=1, mobile=False)
    browser.value("""for (const id of ['series', 'metric']) byId(id).options[0].text += ' a long name'.repeat(30);
        for (const one of document.querySelectorAll('#lines-section summary, #warnings li, h1')) one.append('x'.repeat(300))""")
    browser.value(FRAME)
    expect(browser.value("document.documentElement.scrollWidth <= innerWidth"), "wider than a narrow window")
    place = "[...document.querySelectorAll('#table .place')].find(p => p.title.startsWith('/home'))"
    expect(browser.value(f"[{place}.textContent, {place}.title]") == [
        "\u2026/source/made.c:7", "/home/somebody/projects/solver/source/made.c:7"], "a long path")
    colour = "(x => [...byId('map').getContext('2d').getImageData(x, 4, 1, 1).data])"
    expect(browser.value(f"{colour}(180)[3]") == 255, "names leave no room for the ranks")
    browser.call("Emulation.clearDeviceMetricsOverride")
    browser.value(FRAME)


def printed(browser):
    """On paper: everything but buttons, and light, even if the screen is dark."""
    browser.value("""if (document.documentElement.dataset.theme !== 'dark') byId('theme').click();
        window.onbeforeprint = () => { window.atPrint = document.documentElement.dataset.theme; }""")
    paper = base64.b64decode(browser.call("Page.printToPDF", printBackground=True)["data"])
    expect(paper.startswith(b"%PDF") and len(paper) > 20000, "nothing on paper")
    expect(browser.value("window.atPrint") == "light", "pictures are dark on paper")
    expect(browser.value("document.documentElement.dataset.theme") == "dark", "dark does not come back")
    browser.call("Emulation.setEmulatedMedia", media="print")
    expect(browser.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)",
           "the paper is not white")
    ratio = "(c => c.clientWidth / c.clientHeight / (c.width / c.height))(byId('map'))"
    expect(0.99 < browser.value(ratio) < 1.01, f"pictures are squeezed: {browser.value(ratio)}")
    gone = browser.value("""['title', 'facts', 'summary', 'flame-legend', 'warnings', 'metric', 'flame', 'flame-text', 'table', 'map', 'map-text',
        'spread', 'series', 'steps', 'roofline', 'matrix', 'detail-mpi', 'detail-io', 'lines-section'].filter(
        id => !byId(id)?.checkVisibility() || !byId(id).offsetHeight)""")
    expect(gone == [], f"not on paper: {gone}")
    heads = browser.value("""[...document.querySelectorAll('#table th')].map(
        th => getComputedStyle(th, '::after').content).slice(0, 3)""")
    expect(heads == ['"region"', '"time"', '"%"'], f"headings that are not on every sheet: {heads}")
    there = browser.value("""['theme', 'contents', 'find', 'more'].filter(id => byId(id).offsetHeight)
        .concat([...document.querySelectorAll('h2')].filter(h => !h.closest('section').hidden && !h.offsetHeight))""")
    expect(browser.value("[...byId('table-section').querySelectorAll('label')].filter(l => l.offsetHeight).length") == 1,
           "tree or flat?")
    expect(there == [], f"buttons, or no titles, on paper: {there}")
    browser.call("Emulation.setEmulatedMedia", media="")


def details(browser):
    first = "document.querySelector('#detail-mpi tbody tr').innerText"
    expect("made.c:2" in browser.value(first), "not by time: " + browser.value(first))
    expect("MPI_Send" in browser.value(first), "no function")
    browser.value("document.querySelectorAll('#detail-mpi thead button')[4].click()")
    expect("<i>main</i>" in browser.value(first), "not by bytes: " + browser.value(first))
    shown = "[...document.querySelectorAll('#detail-mpi th')].filter(th => !th.hidden).length"
    cells = "document.querySelector('#detail-mpi tbody tr').cells.length"
    expect(browser.value(shown) == browser.value(cells) == 7, "all columns at once")
    browser.value("[...document.querySelectorAll('#detail-mpi > button')].find(b => !b.hidden).click()")
    expect(browser.value(shown) == browser.value(cells) == 13, "not all columns")
    expect(browser.value("document.documentElement.scrollWidth <= innerWidth"), "wider than the window")
    expect("/tmp/file" in browser.value("byId('detail-io').innerText"), "no file")
    heap = browser.value("[...document.querySelectorAll('#detail-heap tbody tr')].map(r => r.cells[1].textContent)")
    expect(heap == ["fwrite", "-", "MPI_Send"], f"not by size: {heap}")
    written = browser.value(WRITTEN + "('matrix')")
    expect(sorted(written) == sorted([*"001122334455", "to"]), f"numbers of the matrix: {written}")
    expect(browser.value("byId('matrix').clientHeight") <= 6 * 40 + 20, "the matrix is too large")
    said = "byId('matrix-text').textContent"
    expect(browser.value(said).startswith("rank 5 to rank 0: 480 B in 15 messages"),
           "matrix: " + browser.value(said))
    browser.value("byId('matrix').focus()")
    browser.key("ArrowRight")
    expect(browser.value(said) == "rank 5 to rank 1: nothing", "the matrix does not move")


def roofs(browser):
    expect(browser.value(f"{COLOURS}('roofline')") > 10, "roofline is blank")
    expect(any("region" in name for name in browser.value(WRITTEN + "('roofline')")), "points without names")
    said = "byId('roofline-text').textContent"
    expect(browser.value(said) == "", "a point is chosen")
    browser.value("byId('roofline').focus()")
    browser.key("ArrowRight")
    first = browser.value(said)
    expect("FLOP per byte" in first and "FLOP/s" in first and "% of the roof" in first, first)
    browser.key("ArrowRight")
    expect(browser.value(said) != first, "the roofline does not move")
    browser.key("ArrowLeft")
    expect(browser.value(said) == first, "the roofline does not move back")
    found = browser.value("""Array.from({length: 95}, () => {
        byId('roofline').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}));
        return byId('roofline-text').textContent; })""")
    mine = [line for line in found if line.startswith("region 7:")]
    flop, lines, time = (sum(figure) for figure in zip(*(region_7(rank) for rank in range(6))))
    wanted = (f"region 7: {flop / lines / 64:.3g} FLOP per byte, {flop / time:.2f} GFLOP/s, "
              f"self {time / 1e6:.2f} ms, {100 * flop / time / (100 * flop / lines / 64):.1f} % of the roof")
    expect(mine and mine[0] == wanted, f"{mine[:1]} is not {wanted}")


def region_7(rank):
    """What made.c says that it has on a rank: FLOP, lines of the cache, ns."""
    flop, lines, time = (1000 * (1000 + 37 * 9 + 11 * metric + rank % 3) for metric in (3, 4, 0))
    times = 2 if rank == 5 else 1
    return times * flop + 1000 * (flop // 1000 * 9 // 10), times * lines, times * time


def compared(browser):
    expect(browser.value("byId('roofline-section').hidden"), "a roofline without counters")
    expect(browser.value(f"{COLOURS}('flame')") > 3, "flame is blank")
    facts = browser.value("byId('facts').innerText")
    expect("before.csv" in facts and "after.csv" in facts, "facts: " + facts)
    expect(browser.value("byId('metric').length") == 2, "other metrics to choose from")
    lines = "[...byId('compare').tBodies[0].rows]"
    first = browser.value(lines + "[0].innerText")
    expect(first.split("\t")[0] == "main / step / region 0", "not by impact: " + first)
    before, after, difference, change = first.split("\t")[1:5]
    expect(change == "+200.0 %" and difference.startswith("+") and before != after, first)
    expect(browser.value(lines + "[0].cells[3].className") == "high", "more is not marked")
    expect(browser.value(lines + "[1].cells[4].textContent") == "0.0 %", "all has changed")
    browser.value("byId('find').value = 'region 7'; byId('find').dispatchEvent(new Event('input'))")
    browser.value("new Promise(done => setTimeout(done, 150))")
    expect(browser.value(lines + ".map(r => r.cells[0].textContent)") == ["main / step / region 0 / region 7"],
           "the comparison is not searched")
    browser.value("byId('find').value = ''; byId('find').dispatchEvent(new Event('input'))")
    browser.value("new Promise(done => setTimeout(done, 150))")
    readable(browser)
    stays(browser, "#compare [data-key=name]")
    expect(browser.value("document.querySelector('#compare [aria-sort=ascending]').textContent") == "region \u25b4",
           "not said what it is sorted by")
    stays(browser, "#compare [data-key=before]")
    expect(browser.value(lines + "[0].cells[0].textContent") == "main", "not by what was before")
    box = "byId('flame').getBoundingClientRect()"
    browser.click(browser.value(box + ".x") + 20, browser.value(box + ".y") + 50)
    said = browser.value("byId('flame-text').textContent")
    expect(said.startswith("main / step / region 0:") and "(+200.0 %)" in said, said)
    colour = """(x => [...byId('flame').getContext('2d').getImageData(x, 50 * devicePixelRatio, 1, 1).data])"""
    red, _, blue, _ = browser.value(colour + "(4)")
    expect(red > blue + 50, "more is not red")
    browser.value("byId('metric').selectedIndex = 1; byId('metric').dispatchEvent(new Event('change'))")
    expect("s" not in browser.value(lines + "[0].cells[1].textContent"), "the metric does not change")


def highest(browser):
    """html.sh's run: of two ranks, and of a region in two places, the highest."""
    browser.value("byId('metric').selectedIndex = 1; byId('metric').dispatchEvent(new Event('change'))")
    cells = "[...byId('table').tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent))"
    expect(browser.value("document.querySelector('[data-key=sum]').textContent").startswith("highest"),
           "levels are called a total")
    tree = {row[0].lstrip("\u25b8\u25be"): row[1:] for row in browser.value(cells)}
    expect(tree["main"] == ["300 B", "-", "-", "2", "-"], f"main: {tree['main']}")
    browser.value("document.querySelector('input[value=flat]').click()")
    flat = {row[0]: row[1:] for row in browser.value(cells)}
    expect(flat["solve"][:3] == ["700 B", "-", "-"] and flat["solve"][-2:] == ["40", "-"], f"solve: {flat['solve']}")


def gone(browser):
    cells = "[...byId('compare').tBodies[0].rows].find(r => r.cells[0].textContent === 'main / step / region 0').cells"
    expect(browser.value(cells + "[4].textContent") == "gone", "a region that is gone: " + browser.value(cells + "[4].textContent"))


def timeline(browser):
    said, tip = "byId('timeline-text').textContent", "byId('tip').textContent"
    browser.value("byId('timeline').scrollIntoView({block: 'center'})")
    box = browser.value("(b => [b.x, b.y, b.width])(byId('timeline').getBoundingClientRect())")

    def place(time, row):
        return {"x": box[0] + 110 + (box[2] - 110) * time / 405000, "y": box[1] + 16 * row + 8}

    def mouse(kind, time, row, **more):
        browser.call("Input.dispatchMouseEvent", type=kind, **place(time, row), **more)

    expect(browser.value(f"{COLOURS}('timeline')") > 15, "timeline is blank")
    everything = browser.value(said)
    expect(everything == "0 \u00b5s to 405 \u00b5s", "time: " + everything)
    expect(browser.value("byId('timeline-hint').textContent") == "", "something is left out")
    mouse("mouseMoved", 20000, 1)
    expect(browser.value(tip) == "main / step: 87.1 \u00b5s at 1 \u00b5s, rank 0, thread 0", browser.value(tip))
    # The marker: after the step in the middle, and what it sends.
    mouse("mouseMoved", 201000 + 30 * 2903 + 5200, 0)
    expect(browser.value(tip) == "half <b> at 293 \u00b5s, rank 0, thread 0", browser.value(tip))
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0] + 20, y=box[1] + 8)
    expect(browser.value(tip) == "rank 0, thread 0", "the name of a lane: " + browser.value(tip))
    browser.click(**place(20000, 2))
    expect(browser.value(said).startswith("main / step / region 0: 29.0 \u00b5s at 1 \u00b5s"), browser.value(said))
    # An arrow crosses where there is no box: between two ranks, when one sends.
    pixels = """((x, y) => new Set(new Uint32Array(byId('timeline').getContext('2d').getImageData(
        x * devicePixelRatio, y * devicePixelRatio, 40, 5).data.buffer)).size)"""
    at = (box[2] - 110) * 85000 / 405000 + 110
    expect(browser.value(f"{pixels}({at}, 65)") > 1, "no arrow")
    browser.value("byId('timeline').focus()")
    browser.key("Escape")
    expect(browser.value(said) == everything, "nothing is chosen any more")
    for key, wanted in ("n", "main / step / region 0 / </script><b>1</b>: "), ("n", "main / step / region 0 / region 2: "), \
            ("p", "main / step / region 0 / </script><b>1</b>: "):
        browser.key(key)
        expect(browser.value(said).startswith(wanted), f"{key}: {browser.value(said)}")
    browser.key("Escape")
    browser.call("Input.dispatchMouseEvent", type="mouseWheel", deltaX=0, deltaY=-100, **place(101250, 1))
    browser.value(FRAME)
    expect(browser.value(said) == "20 \u00b5s to 344 \u00b5s", "wheel: " + browser.value(said))
    browser.key("Escape")
    for key, wanted in ("ArrowUp", "101 \u00b5s to 304 \u00b5s"), ("ArrowRight", "152 \u00b5s to 354 \u00b5s"):
        browser.key(key)
        expect(browser.value(said) == wanted, f"{key}: {browser.value(said)}")
    browser.key("Escape")
    mouse("mousePressed", 100000, 1, button="left", clickCount=1)
    mouse("mouseMoved", 200000, 1, button="left", buttons=1)
    mouse("mouseReleased", 200000, 1, button="left", clickCount=1)
    expect(browser.value(said) == everything, "drag: " + browser.value(said))
    browser.key("Enter")
    expect(browser.value(said) == "100 \u00b5s to 200 \u00b5s", "into the selection: " + browser.value(said))
    browser.value("byId('find').value = 'region 7'; byId('find').dispatchEvent(new Event('input'))")
    browser.value("new Promise(done => setTimeout(done, 150))")
    expect(browser.value("document.querySelectorAll('main b').length") == 0, "a name became part of the page")


def listen(browser):
    for event in browser.events:
        name, params = event.get("method"), event.get("params", {})
        if name == "Runtime.exceptionThrown":
            problems.append("exception: " + str(params["exceptionDetails"].get("exception")))
        elif name == "Runtime.consoleAPICalled":
            problems.append("console: " + str(params["args"]))
        elif name == "Log.entryAdded" and "willReadFrequently" not in params["entry"]["text"]:  # these tests do
            problems.append("log: " + params["entry"]["text"])
        elif name == "Network.requestWillBeSent":
            url = params["request"]["url"]
            expect(url.startswith("file://"), "the page asks for " + url)
        elif name == "Page.javascriptDialogOpening":
            problems.append("a name of the dump was run")


def measure(browser):
    paint = browser.value("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1")
    # Without a window there may be none; the page draws before it is complete.
    drawn = browser.value("performance.getEntriesByType('navigation')[0].domComplete")
    print(f"first paint {paint:.0f}, drawn {drawn:.0f}")
    find = "byId('find').value = '%s'; byId('find').dispatchEvent(new Event('input'))"
    switch = "byId('metric').selectedIndex = %d; byId('metric').dispatchEvent(new Event('change'))"
    last = browser.value("byId('metric').length - 1")
    for name, scripts in (
            ("search", [find % text for text in ("region 12", "region 7", "")]),
            ("sort", [f"document.querySelector('[data-key={key}]').click()" for key in ("self", "each", "sum")]),
            ("metric", [switch % min(1, last), switch % last, switch % 0])):
        took = [browser.value(TOOK % script) for script in 3 * scripts]
        work, seen = ([one[i] for one in took] for i in (0, 1))
        print(f"{name} {statistics.median(work):.1f}, at most {max(work):.1f}, seen after {statistics.median(seen):.0f}")


def use(plans, usual=None):
    """What main() does: the steps of the mode, in a browser that shows the page."""
    program, page, mode = sys.argv[1], os.path.abspath(sys.argv[2]), (sys.argv[3:] or [usual])[0]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(program, folder)
        guard = threading.Timer(240, browser.close)
        guard.start()
        try:
            browser.open()
            wait_until_ready(browser, page)
            for step in plans[mode]:
                step(browser)
            listen(browser)
        finally:
            guard.cancel()
            browser.close()
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def main():
    return use({"times": [measure], "compare": [compared], "gone": [gone], "highest": [highest],
                "timeline": [shortcuts, timeline],
                "page": [look, head, search, sort, readable, keyboard, shortcuts, levels, zoom, switch, lines,
                         details, roofs, samples, numbers, narrow, printed]}, "page")


if __name__ == "__main__":
    sys.exit(main())
