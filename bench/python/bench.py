# SPDX-License-Identifier: BSD-3-Clause
"""What the Python package costs, next to what else there is.

All sides of a comparison take turns in one process, and the best of many short
rounds counts: trust the ratios, not the times.

    bench/python/run.sh BUILD-FOLDER [--strict] [--json FILE]
"""

import cProfile
import json
import os
import subprocess
import sys
import tempfile
from time import perf_counter_ns

N = 20000  # per round
ROUNDS = int(os.environ.get("ROUNDS", "100"))


# The contestants: each does a thing N times and says how long that took.

def nothing():
    begin = perf_counter_ns()
    for _ in range(N):
        pass
    return perf_counter_ns() - begin


def block(manager):
    def run():
        begin = perf_counter_ns()
        for _ in range(N):
            with manager:
                pass
        return perf_counter_ns() - begin

    return run


def new_block(make):
    def run():
        begin = perf_counter_ns()
        for _ in range(N):
            with make("fresh"):
                pass
        return perf_counter_ns() - begin

    return run


def calls(function):
    def run():
        begin = perf_counter_ns()
        for _ in range(N):
            function()
        return perf_counter_ns() - begin

    return run


def inside(switch_on, run):
    """The same between two switches, whose own time does not count."""
    def switched():
        switch_off = switch_on()
        try:
            return run()
        finally:
            switch_off()

    return switched


def best(contestants):
    """{name: ns per use, without the loop}, all of them taking turns."""
    least = dict.fromkeys([*contestants, nothing], float("inf"))
    for _ in range(ROUNDS):
        least[nothing] = min(least[nothing], nothing())
        for name, run in contestants.items():
            least[name] = min(least[name], run())
    return {name: max(0.0, (least[name] - least[nothing]) / N)
            for name in contestants}


class Empty:
    """The least that a context manager in Python costs."""

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return None


def called():
    pass


def hidden():
    pass


# The comparisons

def regions():
    import pdump

    @pdump.region("decorated")
    def decorated():
        pass

    def plain():
        pass

    region = pdump.region("reused")
    result = best({
        "empty": block(Empty()), "with r": block(region),
        "with region(...)": new_block(pdump.region),
        "decorated": calls(decorated), "plain": calls(plain)})
    result["decorator"] = result.pop("decorated") - result.pop("plain")
    return result


def instrumented():
    import pdump
    from pdump.runner_filter import Filter

    rules = Filter()
    rules.exclude("hidden")

    def by_cprofile():
        profile = cProfile.Profile(builtins=False)
        profile.enable()
        return profile.disable

    def by_us():
        pdump.instrumenter.start(rules=rules)
        return pdump.instrumenter.stop

    plain = calls(called)
    result = best({
        "plain": plain, "cProfile": inside(by_cprofile, plain),
        "pdump": inside(by_us, plain),
        "plain hidden": calls(hidden),
        "pdump hidden": inside(by_us, calls(hidden))})
    return {"cProfile": result["cProfile"] - result["plain"],
            "pdump": result["pdump"] - result["plain"],
            "hidden": max(0.0, result["pdump hidden"]
                          - result["plain hidden"])}


def stepping(n):
    total = 0
    for i in range(n):
        total += i
        total -= i
        total ^= i
        total |= i
    return total


def lines():
    """(ours, line_profiler's) ns that a line costs more; None without it."""
    try:
        from line_profiler import LineProfiler
    except ImportError:
        return None
    from pdump import instrumenter
    from pdump import lines as ours
    from pdump.runner_filter import Filter

    theirs = LineProfiler(stepping)

    def run():
        begin = perf_counter_ns()
        stepping(N // 5)  # of 5 lines
        return perf_counter_ns() - begin

    def pdump_on():
        ours.start("auto", Filter(), ["__main__:stepping", "bench:stepping"])
        return instrumenter.stop

    def theirs_on():
        theirs.enable()
        return theirs.disable

    result = best({"plain": run, "pdump": inside(pdump_on, run),
                   "theirs": inside(theirs_on, run)})
    return [result[name] - result["plain"] for name in ("pdump", "theirs")]


def accounted():
    """ns that a call of a communicator costs more; None without mpi4py."""
    try:
        from mpi4py import MPI
        from pdump.mpi import MPIProfiler
    except (ImportError, RuntimeError):
        return None
    comm = MPIProfiler(MPI.COMM_SELF)
    result = best({"plain": calls(MPI.COMM_SELF.Get_rank),
                   "ours": calls(comm.Get_rank)})
    return result["ours"] - result["plain"]


def disabled():
    """In a process of its own: PDUMP_DISABLE is read when we are imported."""
    code = ("import sys; sys.path.insert(0, sys.argv[1])\n"
            "import bench, pdump\n"
            "print(*bench.best({\n"
            "    'block': bench.block(pdump.region('x')),\n"
            "    'call': bench.calls(pdump.region)}).values())")
    return map(float, subprocess.check_output(
        [sys.executable, "-c", code, os.path.dirname(__file__)],
        env={**os.environ, "PDUMP_DISABLE": "1"}).split())


def importing():
    """ms that `import pdump` adds to the start of Python."""
    def start(code):
        begin = perf_counter_ns()
        subprocess.check_call([sys.executable, "-c", code])
        return (perf_counter_ns() - begin) / 1e6

    least = {"pass": float("inf"), "import pdump": float("inf")}
    for _ in range(max(3, ROUNDS // 2)):
        for code in least:
            least[code] = min(least[code], start(code))
    return least["import pdump"] - least["pass"]


def table():
    """Rows of (what, value, unit, against, their value, must, goal)."""
    r, i = regions(), instrumented()
    off_block, off_call = disabled()
    rows = [
        ("with r:", r["with r"], "ns", "empty context manager", r["empty"],
         1.2, 0.8),
        ("with region(name):", r["with region(...)"], "ns",
         "empty context manager", r["empty"], None, None),
        ("@region, added per call", r["decorator"], "ns",
         "empty context manager", r["empty"], None, None),
        ("function, added per call", i["pdump"], "ns", "cProfile",
         i["cProfile"], 1.25, 0.9),
        ("with r:, PDUMP_DISABLE=1", off_block, "ns", "a limit", 60, 1, None),
        ("region(), PDUMP_DISABLE=1", off_call, "ns", "a limit", 60, 1, None),
        ("import pdump", importing(), "ms", "a limit", 40, 1, 15 / 40),
    ]
    line = lines()
    if line is not None:
        rows.append(("line, added per hit", line[0], "ns", "line_profiler",
                     line[1], 1.2, 1.0))
    account = accounted()
    if account is not None:
        rows.append(("MPIProfiler, added per call", account, "ns", "a limit",
                     1500, 1, None))
    if hasattr(sys, "monitoring"):
        rows.insert(4, ("excluded function, per call", i["hidden"], "ns",
                        "a limit", 10, 1, 0.2))
    else:
        rows.insert(4, ("excluded function, per call", i["hidden"], "ns",
                        "cProfile", i["cProfile"], None, None))
    return rows


def main(arguments):
    rows = table()
    print(f"Python {sys.version.split()[0]}, best of {ROUNDS} rounds\n")
    print(f"{'work':30}{'pdump':>11}   {'against':22}{'':>10}"
          f"{'ratio':>7}{'must':>7}{'goal':>7}")
    n_missed = 0
    for what, value, unit, against, theirs, must, goal in rows:
        ratio = value / theirs if theirs else 0.0
        is_missed = must is not None and ratio > must
        n_missed += is_missed
        print(f"{what:30}{value:8.1f} {unit}   {against:22}"
              f"{theirs:7.1f} {unit}{ratio:7.2f}"
              f"{'' if must is None else format(must, '.2f'):>7}"
              f"{'' if goal is None else format(goal, '.2f'):>7}"
              f"{'  MISSED' if is_missed else ''}")
    if "--json" in arguments:
        keys = ("work", "value", "unit", "against", "theirs", "must", "goal")
        with open(arguments[arguments.index("--json") + 1], "w") as file:
            json.dump([dict(zip(keys, row)) for row in rows], file, indent=1)
    return 1 if n_missed and "--strict" in arguments else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PDUMP_DUMP_DIR"] = folder
        os.environ["PDUMP_EVENTS"] = "none"
        sys.exit(main(sys.argv[1:]))
