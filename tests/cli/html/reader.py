# SPDX-License-Identifier: BSD-3-Clause
"""What a reader does with a page: reader.py CHROMIUM PAGE MODE

Clicks and keys in the real browser, as browser.py.  The pages are those that
html.sh makes: "summary", "stacks" and "short" of their own, "timeline" and "compare" of made.c, "callers"
and "looks" of any; "real", "mpi" and "python" are for pages of real runs.  Prints what is wrong, one line each.
"""

import sys

from browser import COLOURS, CONTRAST, FRAME, WRITTEN, expect, use, wait_until_ready

LINES = """Object.fromEntries([...document.querySelectorAll('#summary-list dt')].map(
    term => [term.textContent, term.nextElementSibling.textContent]))"""
LATER = "new Promise(done => setTimeout(done, 600))"
TIP = "byId('tip').hidden ? '' : byId('tip').textContent"


def cells(browser, table):
    return browser.value(f"""[...document.querySelectorAll('{table} tbody tr')].map(
        row => [...row.cells].map(cell => cell.textContent.replace(/^[\u25b8\u25be]/, '')))""")


def hover(browser, x, y):
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)


def corner(browser, name):
    """Where an element is in the window, which is scrolled to it."""
    browser.value(f"byId('{name}').scrollIntoView({{block: 'center'}})")
    return browser.value(f"(b => [b.x, b.y, b.width, b.height])(byId('{name}').getBoundingClientRect())")


def follow(browser, term):
    """Clicks what a line of the card leads to."""
    browser.value(f"""[...document.querySelectorAll('#summary-list dt')].find(
        dt => dt.textContent === '{term}').nextElementSibling.querySelector('button').click()""")


def summary(browser):
    """Four ranks: main { MPI_Init, solve { sweep, MPI_Allreduce }, write, team, device }."""
    lines = browser.value(LINES)
    wanted = {
        "hot path": "main / solve / MPI_Allreduce: 140 ms, 35.0 % of the time in regions",
        "MPI": "31.8 % of the run time, without MPI_Init",
        "I/O": "4.5 % of the run time",
        "most lost": "main / solve / sweep: 30.0 ms lost: max 60.0 ms on rank 3, mean 30.0 ms of 4 ranks",
        "peak memory": "900 B: rank 2, in main / solve",
        "warnings": "3, see below",
    }
    expect(lines == wanted, f"summary: {lines}")
    kinds = browser.value("byId('kinds').getAttribute('aria-label')")
    expect(kinds == "compute 42.7 %, MPI 31.8 %, MPI_Init 9.1 %, I/O 4.5 %, OpenMP 1.8 %, kernel 0.9 %, "
           "outside of regions 9.1 %", kinds)
    legend = browser.value("byId('flame-legend').innerText").split("\n")
    expect(legend == ["compute", "MPI", "MPI_Init", "I/O", "OpenMP", "kernel"], f"kinds: {legend}")
    swatches = browser.value("[...document.querySelectorAll('#flame-legend .swatch')].map(s => s.style.background)")
    expect(len(set(swatches)) == len(swatches), f"kinds share a colour: {swatches}")
    said = "byId('flame-text').textContent"
    follow(browser, "hot path")
    expect(browser.value(said).startswith("main / solve / MPI_Allreduce:"), "hot path: " + browser.value(said))
    follow(browser, "most lost")
    expect(browser.value("byId('map-text').textContent").startswith("main / solve / sweep, rank 3: 60.0 ms"),
           "most lost: " + browser.value("byId('map-text').textContent"))
    lost(browser)
    tips(browser)
    words(browser)


def lost(browser):
    browser.value("document.querySelector('input[name=shape][value=flat]').click()")
    browser.value("document.querySelector('#table [data-key=lost]').click()")
    heads = browser.value("[...document.querySelectorAll('#table thead button')].map(b => b.textContent)")
    expect(heads == ["region", "time", "%", "self", "mean", "min", "max", "imb %", "lost \u25be", "visits", "time/visit"],
           f"columns: {heads}")
    row = cells(browser, "#table")[0]
    expect(row[0] == "sweep" and row[4:] == ["30.0 ms", "20.0 ms", "60.0 ms", "100", "30.0 ms", "160", "750 \u00b5s"], f"lost: {row}")
    expect(browser.value("byId('said').textContent") == "sorted by lost, descending", "the order is not read aloud")
    bars = browser.value("""[...document.querySelectorAll('#table .bar')].map(bar => bar.getBoundingClientRect().left)""")
    expect(len(bars) > 3 and max(bars) - min(bars) < 1, f"share bars are not aligned: {bars}")


def tips(browser):
    """Every heading and column explains itself, at the pointer and to a reader of the screen."""
    mute = browser.value("""[...document.querySelectorAll('h2, #table thead button, main table thead button')].filter(
        one => one.checkVisibility() && (!one.dataset.tip || one.getAttribute('aria-description') !== one.dataset.tip))
        .map(one => one.textContent)""")
    expect(mute == [], f"headings without a tip: {mute}")
    x, y, width, _ = browser.value("""(() => { const th = document.querySelector('#table [data-key=lost]');
        th.scrollIntoView({block: 'center'}); const b = th.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()""")
    hover(browser, x + width / 2, y + 5)
    expect(browser.value(TIP).startswith("max - mean, over ranks"), "no tip of lost: " + browser.value(TIP))
    hover(browser, 1, 1)
    expect(browser.value(TIP) == "", "the tip stays")


def words(browser):
    """What is behind "More about this run"."""
    browser.value("byId('more-facts').open = true")
    groups = browser.value("""Object.fromEntries([...document.querySelectorAll('#more-facts h3')].map(h => [h.textContent,
        Object.fromEntries([...h.nextElementSibling.children].map(box => [...box.children].map(c => c.textContent)))]))""")
    expect(groups == {"Measurement": {"counters": "time"}, "Overhead": {"a call of MPI": "250 ns"},
                      "Settings": {"PDUMP_MPI": "coll"}, "Other metadata": {"size of grid": "100"}}, f"facts: {groups}")


def stacks(browser):
    """main { outer { inner }, helper }: functions of stacks have no time, and are seen where they have something."""
    expect(browser.value(LINES).get("in stacks") == "main / outer / inner: 45.0 ms, 50.0 % of the CPU time in stacks",
           f"summary: {browser.value(LINES)}")
    expect([row[0] for row in cells(browser, "#table")] == ["main"], f"rows without a time: {cells(browser, '#table')}")
    follow(browser, "in stacks")
    expect(browser.value("byId('metric').selectedOptions[0].text") == "pdump::stack_time [ns]", "another metric")
    rows = [(row[0].split(" ")[0], row[1], row[3], row[4]) for row in cells(browser, "#table")]
    expect(rows == [("main", "90.0 ms", "9.00 ms", "1"), ("outer", "72.0 ms", "27.0 ms", "-"),
                    ("inner", "45.0 ms", "45.0 ms", "-"), ("helper", "9.00 ms", "9.00 ms", "-")], f"rows: {rows}")
    expect(browser.value("byId('flame-legend').innerText").split("\n") == ["compute", "Python", "stacks"], "kinds of stacks")
    browser.value("document.querySelector('input[name=direction][value=callers]').click(); byId('flame').focus()")
    browser.key("ArrowRight")
    expect(browser.value("byId('flame-text').textContent") == "inner: self 45.0 ms, 50.0 %, stacks",
           browser.value("byId('flame-text').textContent"))


# The bars of the tree, when it is drawn anew: [left, top, right, colour].
BARS = """(async () => {
  const pen = CanvasRenderingContext2D.prototype, fillRect = pen.fillRect, bars = [];
  pen.fillRect = function (x, y, w, h) {
    if (this.canvas.id === "flame") bars.push([x, y, x + w, this.fillStyle]);
    fillRect.call(this, x, y, w, h);
  };
  window.dispatchEvent(new Event("resize"));
  await %s;
  pen.fillRect = fillRect;
  return bars;
})()""" % FRAME


def neighbours(browser):
    """Regions beside each other, or in each other, never share a colour."""
    for _ in range(2):
        bars, n = browser.value(BARS), 0
        for left, top, right, colour in bars:
            for other_left, other_top, _, other in bars:
                is_beside = other_top == top and right < other_left < right + 1
                is_below = other_top == top + 20 and left <= other_left < right - 1
                n += is_beside or is_below
                expect(not (is_beside or is_below) or colour != other, f"two bars have the colour {colour}")
        expect(n > 100, f"only {n} neighbours")
        browser.value("byId('theme').click()")


def callers(browser):
    """Upside down, the widest bar is what takes most itself; the address keeps it."""
    whole = browser.value("byId('flame').clientHeight")
    browser.value("document.querySelector('input[name=direction][value=callers]').click()")
    expect(browser.value(f"{COLOURS}('flame')") > 3, "callers are blank")
    browser.value("byId('flame').focus()")
    said = "byId('flame-text').textContent"
    browser.key("ArrowRight")
    first = browser.value(said)
    expect(": self " in first and "called by" not in first, first)
    browser.key("ArrowDown")
    expect(", called by " in browser.value(said), browser.value(said))
    browser.key("Enter")
    browser.value(LATER)
    expect("callers=1" in browser.value("location.hash") and "zoom=" in browser.value("location.hash"),
           "not in the address: " + browser.value("location.hash"))
    chosen, height = browser.value(said), browser.value("byId('flame').clientHeight")
    again = browser.value("location.href").removeprefix("file://")
    browser.call("Page.navigate", url="about:blank")
    wait_until_ready(browser, again)
    expect(browser.value(said) == chosen, f"not the same after a reload: {browser.value(said)}")
    expect(browser.value("byId('flame').clientHeight") == height, "another picture after a reload")
    browser.value("document.querySelector('input[name=direction][value=callees]').click()")
    expect(browser.value("byId('flame').clientHeight") == whole, "not as before")


def address(browser):
    """Metric, search, shape and order."""
    browser.value("location.hash = ''")
    browser.value(LATER)
    browser.value("byId('metric').selectedIndex = 1; byId('metric').dispatchEvent(new Event('change'))")
    browser.value("document.querySelector('input[value=flat]').click(); document.querySelector('#table [data-key=self]').click()")
    browser.value("byId('find').value = 'region 1'; byId('find').dispatchEvent(new Event('input'))")
    browser.value(LATER)
    browser.value("window.scrollTo(0, 0)")
    browser.value(LATER)
    hash, rows = browser.value("location.hash"), cells(browser, "#table")
    expect(hash == "#metric=COUNTER_1&flat=1&sort=-self&find=region+1", "address: " + hash)
    browser.value("location.hash = ''")
    browser.value(LATER)
    expect(browser.value("byId('find').value") == "" and browser.value("byId('metric').selectedIndex") == 0 and
           browser.value("document.querySelector('input[value=tree]').checked"), "an empty address is not the start")
    browser.value(f"location.hash = '{hash}'")
    browser.value(LATER)
    expect(cells(browser, "#table") == rows, "the address does not bring it back")
    browser.value("location.hash = '#rank=4,3&series=1&at=map-section'")
    browser.value(LATER)
    expect(browser.value("byId('map-text').textContent").split(": ")[0].endswith("rank 3"), "another rank")
    expect(abs(browser.value("byId('map-section').getBoundingClientRect().top")) < 200, "another place")
    browser.value("location.hash = '#metric=nope&sort=-nope&zoom=1e9&find=%3Cb%3E&time=x&selected=9,9,9,9&folded=-1&callers=7&rank=-1,x&series=99&at=x'")
    browser.value(LATER)
    expect(browser.value("byId('metric').selectedIndex") == 0, "a metric that is not there")
    expect(browser.value("document.querySelectorAll('main b').length") == 0, "the address became part of the page")
    browser.value("location.hash = ''")
    browser.value(LATER)


def drag(browser, box, start, end):
    """From one (time, y) to another, in the timeline of made.c."""
    def at(point):
        return {"x": box[0] + 110 + (box[2] - 110) * point[0] / 405000, "y": box[1] + point[1]}
    browser.call("Input.dispatchMouseEvent", type="mousePressed", button="left", clickCount=1, **at(start))
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", button="left", buttons=1, **at(end))
    browser.call("Input.dispatchMouseEvent", type="mouseReleased", button="left", clickCount=1, **at(end))


def timeline(browser):
    """Three ranks, four rows each; a step takes 87.1 us of 100."""
    said = "byId('timeline-text').textContent"
    box = corner(browser, "timeline")
    browser.value("byId('timeline').focus()")
    everything = browser.value(said)
    for key, wanted in ("w", "101 \u00b5s to 304 \u00b5s"), ("d", "152 \u00b5s to 354 \u00b5s"), \
            ("a", "101 \u00b5s to 304 \u00b5s"), ("s", everything):
        browser.key(key)
        expect(browser.value(said) == wanted, f"{key}: {browser.value(said)}")
    written = browser.value(WRITTEN + "('timeline')")
    ticks = [text for text in written if text.endswith("\u00b5s") or text == "0"]
    expect(ticks == ["0", *(f"{50 * i} \u00b5s" for i in range(1, 9))], f"ticks: {ticks}")
    select(browser, box)
    fold(browser, said)
    messages(browser)
    small(browser, said, everything)
    keep(browser, said)


def select(browser, box):
    """The first step of the first two ranks: of "region 0" its nine regions are not its own."""
    drag(browser, box, (0, 20), (95000, 90))
    title, said = (browser.value(f"byId('{name}').textContent") for name in ("selection-title", "said"))
    expect(title.endswith(" \u00b5s selected in 2 lanes") and 93 < float(title.split()[0]) < 97, title)
    expect(said == title + "; most of it in MPI_Send: self 10.2 \u00b5s, 5.4 %", "not read aloud: " + said)
    found = {row[0]: row[1:4] for row in cells(browser, "#selection-table")}
    expect(found["region 0"] == ["2", "58.1 \u00b5s", "5.85 \u00b5s"], f"region 0: {found['region 0']}")
    expect(found["region 7"] == ["2", "5.81 \u00b5s", "5.81 \u00b5s"], f"region 7: {found['region 7']}")
    browser.key("Escape")
    expect(browser.value("byId('selection').hidden"), "the selection stays")


def fold(browser, said):
    height = browser.value("byId('timeline').clientHeight")
    box = corner(browser, "timeline")
    browser.click(box[0] + 20, box[1] + 8)
    expect(browser.value("byId('timeline').clientHeight") == height - 3 * 16, "a lane does not fold")
    expect(browser.value("byId('said').textContent") == "rank 0, thread 0 folded", "not read aloud")
    hover(browser, box[0] + 110 + (box[2] - 110) * 20000 / 405000, box[1] + 8)
    expect("main / step / region 0 / region" in browser.value(TIP), "a folded lane has not its innermost: " + browser.value(TIP))
    browser.value("byId('timeline').focus()")
    browser.key("f")
    expect(browser.value("byId('timeline').clientHeight") < height / 2, "lanes do not fold")
    browser.value("byId('fold').click()")
    expect(browser.value("byId('timeline').clientHeight") == height, "lanes do not unfold")


def messages(browser):
    """Arrows begin and end at MPI_Send, in the second row of a lane, and can be switched off."""
    lines = """(async () => {
      const pen = CanvasRenderingContext2D.prototype, {moveTo, lineTo} = pen, all = [];
      let at = null;
      pen.moveTo = function (x, y) { at = [x, y]; moveTo.call(this, x, y); };
      pen.lineTo = function (x, y) { if (this.canvas.id === 'timeline') all.push([...at, x, y]); lineTo.call(this, x, y); };
      window.dispatchEvent(new Event('resize'));
      await %s;
      Object.assign(pen, {moveTo, lineTo});
      return all.filter(([, y0, , y1]) => Math.abs(y1 - y0) > 69);
    })()""" % FRAME
    found = browser.value(lines)
    rows = {24, 24 + 70, 24 + 140}
    expect(len(found) == 12 and all({y0, y1} <= rows for _, y0, _, y1 in found), f"arrows: {found}")
    browser.value("byId('messages').click()")
    expect(browser.value(lines) == [], "arrows stay")
    browser.value("byId('messages').click()")


def small(browser, said, everything):
    """The minimap shows all, and moves what is shown."""
    expect(browser.value(f"{COLOURS}('minimap')") > 3, "the minimap is blank")
    browser.value("byId('timeline').focus()")
    browser.key("w")
    browser.key("w")
    x, y, width, _ = corner(browser, "minimap")
    browser.click(x + 110 + (width - 110) * 0.75, y + 20)
    expect(browser.value(said) == "253 \u00b5s to 354 \u00b5s", "minimap: " + browser.value(said))
    browser.key("Escape")
    expect(browser.value(said) == everything, "not all of it: " + browser.value(said))


def keep(browser, said):
    box = corner(browser, "timeline")
    drag(browser, box, (100000, 90), (200000, 100))
    browser.value("byId('into').click(); byId('messages').click()")
    browser.value(LATER)
    hash = browser.value("location.hash")
    now = browser.value(said), browser.value("byId('selection-title').textContent")
    expect("time=" in hash and "selected=" in hash and "messages=0" in hash, "address: " + hash)
    browser.value("location.hash = ''")
    browser.value(LATER)
    expect(browser.value(said) == "0 \u00b5s to 405 \u00b5s" and browser.value("byId('messages').checked"), "not as at first")
    browser.value(f"location.hash = '{hash}'")
    browser.value(LATER)
    expect((browser.value(said), browser.value("byId('selection-title').textContent")) == now, "the address does not bring it back")
    expect(not browser.value("byId('messages').checked"), "messages come back")


def compare(browser):
    """Region 0 takes three times as much."""
    expect(browser.value("document.title") == "before.csv \u2192 after.csv - libpdump", "title: " + browser.value("document.title"))
    lines = browser.value(LINES)
    expect(lines["most more"].startswith("main / step / region 0: ") and "most less" not in lines, f"summary: {lines}")
    follow(browser, "most more")
    expect(browser.value("byId('flame-text').textContent").startswith("main / step / region 0:"), "not shown")
    browser.value("document.querySelector('input[name=direction][value=callers]').click()")
    expect(browser.value(f"{COLOURS}('flame')") > 3, "callers are blank")


def real(browser):
    """A page of a run that was not made for this: everything in it can be used."""
    lines = browser.value(LINES)
    expect("hot path" in lines, f"no hot path: {lines}")
    follow(browser, "hot path")
    expect(browser.value("byId('flame-text').textContent") != "", "the hot path leads nowhere")
    for i in range(browser.value("byId('contents').children.length")):
        browser.value(f"byId('contents').children[{i}].click()")
        browser.value(LATER)
    shown = browser.value("[...document.querySelectorAll('main section')].filter(s => !s.hidden).map(s => s.id)")
    expect(browser.value("byId('contents').children.length") == len(shown), f"links to {shown}")
    for i in range(browser.value("byId('metric').length")):
        browser.value(f"byId('metric').selectedIndex = {i}; byId('metric').dispatchEvent(new Event('change'))")
    browser.value("byId('find').focus()")
    browser.call("Input.insertText", text=browser.value("document.querySelector('#table .name').textContent"))
    browser.value(LATER)
    expect(not browser.value("byId('found').textContent").startswith("0 "), "a region is not found")
    if "timeline-section" in shown:
        expect(browser.value(f"{COLOURS}('timeline')") > 3, "the timeline is blank")
        browser.value("byId('timeline').focus()")
        for key in "wwdnpafs":
            browser.key(key)
        browser.key("Enter")
        browser.key("Escape")
        box = corner(browser, "timeline")
        drag(browser, box, (50000, 20), (300000, 40))
        expect(browser.value("byId('selection-table').tBodies[0].rows.length") > 0, "nothing is selected")
    blank = browser.value(f"""['flame', 'map', 'steps', 'memory', 'matrix'].filter(id => shown(id) && {COLOURS}(id) < 2)
        .concat();""".replace("shown(id)", "!byId(id).closest('section').hidden"))
    expect(blank == [], f"blank pictures: {blank}")


def mpi(browser):
    """Of examples/heat: the share of MPI, and who sends to whom."""
    lines = browser.value(LINES)
    expect("% of the run time" in lines.get("MPI", "") and "most lost" in lines, f"summary: {lines}")
    expect("MPI" in browser.value("byId('flame-legend').innerText").split("\n"), "MPI has no colour")
    expect(not browser.value("byId('matrix-section').hidden"), "nobody sends")


def python(browser):
    """Of examples/python/heat: its functions have the colour of Python."""
    expect("Python" in browser.value("byId('flame-legend').innerText").split("\n"), "Python has no colour")


def short(browser):
    """The counter of "short" is not known, and the page says why; its time is."""
    def texts():
        return {row[0]: row[1:] for row in cells(browser, "#table")}
    rows = texts()
    expect(rows["short"][0] == "500 ns" and browser.value("byId('doubt').hidden"), f"time: {rows}")
    browser.value("byId('metric').selectedIndex = 1; byId('metric').dispatchEvent(new Event('change'))")
    rows = texts()
    expect(rows["short"][:3] == ["?", "?", "?"] and "1.00 k" in rows["short"], f"short: {rows}")
    expect(rows["long"][0] == "400 k" and "?" not in rows["long"], f"long: {rows}")
    expect("too short" in browser.value("byId('doubt').innerText"), "the page does not explain the mark")
    browser.value("byId('metric').selectedIndex = 2; byId('metric').dispatchEvent(new Event('change'))")
    expect(texts()["short"][0] == "-4.10 k", f"a metric that decreases: {texts()}")


def looks(browser):
    """Wide and narrow, light and dark, nothing is wider than the window, and names can be read."""
    for width in 1400, 800, 400:
        browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        for theme in "light", "dark":
            browser.call("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": theme}])
            browser.value(FRAME)
            expect(browser.value("document.documentElement.dataset.theme") == theme, f"not {theme}")
            expect(browser.value("document.documentElement.scrollWidth <= innerWidth"), f"wider than {width}")
            expect(len(browser.picture()) > 10000, f"blank at {width}, {theme}")
    for _ in range(2):
        least = browser.value(CONTRAST)
        expect(4.5 <= least < 21, f"names in the tree are hard to read: {least}")
    if browser.value("!byId('matrix-section').hidden"):
        for _ in range(2):
            browser.value("byId('theme').click()")
            dark = browser.value("""['--plate', '--full'].map(name => getComputedStyle(document.documentElement).getPropertyValue(name)
                .trim().slice(1).match(/../g).reduce((sum, two) => sum + parseInt(two, 16), 0))""")
            expect(dark[0] > 2 * dark[1], f"darker is not more: {dark}")


def main():
    return use({"summary": [summary, looks], "callers": [neighbours, callers, address], "timeline": [timeline, looks],
                "compare": [compare, looks], "stacks": [stacks, looks], "short": [short], "looks": [looks],
                "real": [real, looks], "mpi": [mpi, real, looks], "python": [python, real, looks]})


if __name__ == "__main__":
    sys.exit(main())
