# SPDX-License-Identifier: BSD-3-Clause
"""%load_ext pdump and %%pdump."""

import pytest

pytest.importorskip("IPython")

START = """
import os
os.environ["IPYTHONDIR"] = os.getcwd() + "/ipython"
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "pdump")
def cell(line, code):
    result = shell.run_cell("%%pdump " + line + "\\n" + code)
    assert result.success, result.error_in_exec
"""


def test_a_cell_shows_its_tree(run):
    done = run(START + """
cell("", '''
import pdump
x = 5
for i in range(3):
    with pdump.region("in the cell"):
        pass
print("x is", x)
''')
assert shell.user_ns["x"] == 5
""")
    assert "x is 5" in done.out
    lines = [line for line in done.out.splitlines() if "in the cell" in line]
    assert len(lines) == 1 and " 3 " in lines[0]
    assert "cell 1" in done.out


def test_a_cell_chooses_events(run):
    done = run(START + """
for events in ("pdump::cpu_time", "pdump::cpu_time", "pdump::rss"):
    cell("-e " + events, '''
import pdump
with pdump.region("r"): pass
''')
""")
    heads = [line.split()[6:] for line in done.out.splitlines()
             if line.startswith("region")]
    assert heads == [["cpu_time"], ["cpu_time"], ["rss"]]


def test_a_cell_with_its_functions(run):
    done = run(START + """
cell("-f", '''
def inner(): pass
def outer(): inner(); inner()
outer()
''')
""")
    rows = [line.split() for line in done.out.splitlines()]
    assert any("outer" in " ".join(row) for row in rows)
    assert any("inner" in " ".join(row) and "2" in row for row in rows)
    assert "IPython.core" not in done.out  # it runs the cell, and is not in it
    assert " more (walk() has all)" in done.out


def test_events_that_cannot_be_had_are_told(run):
    done = run(START + """
shell.run_cell("%%pdump -e NO_SUCH\\n1")
cell("", "print('goes on')")
""")
    assert "SourceError" in done.out + done.err
    assert "goes on" in done.out


def test_a_cell_with_its_lines(run):
    pytest.importorskip("pdump.instrumenter")
    done = run(START + """
def cell(line, code):
    assert shell.run_cell("%%pdump " + line + "\\n" + code,
                          store_history=True).success
cell("--lines", '''
def f(n):
    total = 0
    for i in range(n):
        total += i  # adds
    return total
f(10)
''')
cell("", "f(5)")
cell("-l *:g", '''
def g():
    return f(3)  # calls
g()
g()
''')
""")
    rows = [line.split() for line in done.out.splitlines()]
    adds = [row for row in rows if "adds" in row]
    # In the cell that defines it, and in the function; nowhere else.
    assert [row[5:7] for row in adds] == [["4"], ["4", "10"]]
    assert any("f(10)" in row and "1" in row for row in rows)
    calls = [row for row in rows if "calls" in row]
    assert len(calls) == 1 and calls[0][4:6] == ["2", "2"]
