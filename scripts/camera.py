# SPDX-License-Identifier: BSD-3-Clause
"""Photograph parts of pages: camera.py CHROMIUM FOLDER <SHOTS, for scripts/pictures.

Each line of standard input is NAME PAGE FIRST LAST: from the top of the element
with id FIRST to the end of LAST.  Writes NAME.png and NAME-dark.png into FOLDER.
A page that ends in .ansi is what a terminal shows, in its colours.
"""

import base64
import html
import os
import re
import sys
import tempfile

from browser import FRAME, Browser

WIDTH, MARGIN = 1400, 16
SCREEN = """<!doctype html><meta charset="utf-8"><style>
:root { color-scheme: light dark; --red: #b3261e; --yellow: #8a6100; }
@media (prefers-color-scheme: dark) { :root { --red: #ff8a80; --yellow: #e8c55c; } }
html { background: light-dark(#ffffff, #14171c); }
body { margin: 16px; background: light-dark(#ffffff, #14171c);
       color: light-dark(#1c2128, #e8ecf1); }
pre { margin: 0; padding: 12px 16px; width: max-content; font: 19px/1.35 monospace; }
.c1 { font-weight: bold; } .c2 { opacity: .65; } .c31 { color: var(--red); }
.c33 { color: var(--yellow); }
</style><body><pre id="screen">%s</pre>"""
CORNERS = """(() => {
  const [a, b] = ["%s", "%s"].map(id => byId(id).getBoundingClientRect());
  return [a.top + scrollY, b.bottom + scrollY, Math.max(a.right, b.right)];
})()"""


def screen(text):
    """Colours of a terminal as HTML."""
    parts = re.split("\x1b\\[([0-9;]*)m", text)
    out = [html.escape(parts[0])]
    for codes, piece in zip(parts[1::2], parts[2::2]):
        names = " ".join("c" + code for code in codes.split(";") if code not in ("", "0"))
        out.append(f'<span class="{names}">{html.escape(piece)}</span>')
    return SCREEN % "".join(out)


def address(page):
    if page.endswith(".ansi"):
        with open(page, encoding="utf-8") as file:
            text = screen(file.read())
        page += ".html"
        with open(page, "w", encoding="utf-8") as file:
            file.write(text)
    path, _, view = page.partition("#")
    return "file://" + os.path.abspath(path) + ("#" + view if view else "")


def shoot(browser, folder, name, page, first, last):
    for theme, ending in ("light", ""), ("dark", "-dark"):
        browser.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=1000,
                     deviceScaleFactor=1, mobile=False)
        browser.call("Emulation.setEmulatedMedia", media="",
                     features=[{"name": "prefers-color-scheme", "value": theme}])
        browser.call("Page.navigate", url=address(page))
        browser.value("new Promise(done => setTimeout(done, 1500))")
        browser.value(FRAME)
        top, bottom, right = browser.value(CORNERS % (first, last))
        is_screen = page.endswith(".ansi")
        clip = {"x": 0, "y": max(0, top - MARGIN), "scale": 1,
                "width": right + MARGIN if is_screen else WIDTH,
                "height": bottom - max(0, top - MARGIN) + 4}
        shot = browser.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        with open(os.path.join(folder, name + ending + ".png"), "wb") as file:
            file.write(base64.b64decode(shot["data"]))


def main():
    program, folder = sys.argv[1:]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        try:
            browser.open()
            for line in sys.stdin:
                shoot(browser, folder, *line.split())
        finally:
            browser.close()


main()
