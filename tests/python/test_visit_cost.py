# SPDX-License-Identifier: BSD-3-Clause
"""The overhead that a dump states is what recording costs.

The same loop runs with and without it, alternating, in the process whose dump
is asked.  Other programs make both longer, so the least of many rounds counts,
and the two halves of them must agree; else the machine is too busy to tell.
"""

import os
import subprocess
import sys
import time

import pytest

import pdump
from runner_kit import BACKENDS

HEAD = """
import sys, time
import pdump

CALLS, ROUNDS = 5000, 40

def function(value):
    return value

block = pdump.region("block")

def blocks(n):
    for i in range(n):
        with block:
            pass

def nothing(n):
    for i in range(n):
        pass

def took(loop):
    began = time.thread_time_ns()
    loop(CALLS)
    return (time.thread_time_ns() - began) / CALLS

def costs(with_it, without):
    "Of both halves of the rounds."
    return [min(with_it[i::2]) - min(without[i::2]) for i in (0, 1)]
"""

#: Under the tool.
SCRIPT = HEAD + """
from pdump import instrumenter

def calls(n):
    for i in range(n):
        function(i)

rounds = {"calls": [], "bare": [], "blocks": [], "nothing": []}
for loop in calls, blocks, nothing:
    loop(CALLS)
for _ in range(ROUNDS):
    rounds["calls"].append(took(calls))
    rounds["blocks"].append(took(blocks))
    rounds["nothing"].append(took(nothing))
    instrumenter.stop()
    rounds["bare"].append(took(calls))
    instrumenter.start_again()
print(*costs(rounds["calls"], rounds["bare"]))
print(*costs(rounds["blocks"], rounds["nothing"]))
"""


#: Without it: functions are in regions if they are decorated.
PLAIN = HEAD + """
in_region = pdump.region("function")(function)

def calls(n):
    for i in range(n):
        in_region(i)

def bare(n):
    for i in range(n):
        function(i)

rounds = {each: [] for each in (calls, bare, blocks, nothing)}
for loop in rounds:
    loop(CALLS)
for _ in range(ROUNDS):
    for loop in rounds:
        rounds[loop].append(took(loop))
print(*costs(rounds[calls], rounds[bare]))
print(*costs(rounds[blocks], rounds[nothing]))
"""


def cost(folder, *tool):
    """What was measured and what was stated, of functions and of regions."""
    ran = subprocess.run(
        [sys.executable, *tool, str(folder / "script.py")], cwd=folder,
        timeout=300, check=True, text=True, stdout=subprocess.PIPE,
        env={**os.environ, "PDUMP_OVERWRITE": "1", "PDUMP_EVENTS": "none",
             "PDUMP_FILENAME": "cost"})
    measured = [[float(word) for word in line.split()]
                for line in ran.stdout.splitlines()[-2:]]
    found = [path for path in folder.iterdir()
             if path.name.startswith("cost") and
             path.name.endswith((".h5", ".csv")) and
             ".meta" not in path.name]
    metadata = pdump.load(found[0]).metadata
    stated = [float(metadata[f"overhead_ns_per_python_{kind}"])
              for kind in ("function", "region")]
    return measured, stated


def agree(a, b, by):
    return abs(a - b) <= by * max(a, b)


def judge(tmp_path, script, *tool):
    (tmp_path / "script.py").write_text(script)
    end = time.monotonic() + 100
    while True:
        measured, stated = cost(tmp_path, *tool)
        if all(agree(min(halves), said, 0.25)
               for halves, said in zip(measured, stated)):
            return
        if time.monotonic() > end:
            break
    if not all(agree(*halves, 0.1) for halves in measured):
        pytest.skip(f"this machine is too busy to measure: {measured}")
    pytest.fail(f"measured {measured}, stated {stated}")


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_stated_is_what_it_costs(tmp_path, backend):
    judge(tmp_path, SCRIPT, "-m", "pdump", f"--instrumenter-type={backend}")


@pytest.mark.parametrize("tool", [[], ["-m", "pdump", "--noinstrumenter"]])
def test_regions_alone_cost_what_is_stated(tmp_path, tool):
    judge(tmp_path, PLAIN, *tool)


def test_what_was_measured_is_not_in_the_dump(run):
    done = run("""
        import pdump
        with pdump.region("block"): pass
    """)
    assert done.visits() == {"block": 1}
    assert "overhead_ns_per_python_region" in done.results().metadata


def test_a_first_block_at_the_very_end_is_a_block(run):
    """Nothing can be imported then."""
    done = run("""
        import builtins, pdump
        class Last:
            def __init__(self):
                self.block = pdump.region("last")
            def __del__(self):
                with self.block:
                    print("ended")
        builtins.last = Last()
    """)
    assert (done.out, done.err) == ("ended\n", "")
    assert done.visits() == {"last": 1}
