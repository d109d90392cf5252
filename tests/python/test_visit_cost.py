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

SCRIPT = """
import sys, time
import pdump
from pdump import instrumenter

CALLS, ROUNDS = 5000, 40

def function(value):
    return value

def calls(n):
    for i in range(n):
        function(i)

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


def run(folder, backend):
    """What was measured and what was stated, of functions and of regions."""
    ran = subprocess.run(
        [sys.executable, "-m", "pdump", f"--instrumenter-type={backend}",
         "-o", "cost", str(folder / "script.py")], cwd=folder, timeout=300,
        check=True, text=True, stdout=subprocess.PIPE,
        env={**os.environ, "PDUMP_OVERWRITE": "1"})
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


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_stated_is_what_it_costs(tmp_path, backend):
    (tmp_path / "script.py").write_text(SCRIPT)
    end = time.monotonic() + 100
    while True:
        measured, stated = run(tmp_path, backend)
        if all(agree(min(halves), said, 0.25)
               for halves, said in zip(measured, stated)):
            return
        if time.monotonic() > end:
            break
    if not all(agree(*halves, 0.1) for halves in measured):
        pytest.skip(f"this machine is too busy to measure: {measured}")
    pytest.fail(f"measured {measured}, stated {stated}")
