# SPDX-License-Identifier: BSD-3-Clause
"""pdump.timers: what programs written for PyOP2's profiling rely on."""

import csv
import os
import subprocess

import pytest

import pdump
from runner_kit import find_dump


def test_a_recursion_has_as_many_calls_everywhere(run):
    command = os.environ.get("PDUMP_COMMAND")
    if not command:
        pytest.skip("PDUMP_COMMAND does not name the pdump command")
    done = run("""
        from pdump.timers import Timer, timed_function, timing, summary
        @timed_function("f")
        def f(n): return n and f(n - 1)
        f(4)
        assert Timer("f").ncalls == 5
        assert round(timing("f") / timing("f", total=False)) == 5
        summary()
    """, PDUMP_OUTPUT_FORMAT="csv")
    row = next(line.split() for line in done.out.splitlines()
               if line.startswith("f "))
    assert row[2] == "5"
    report = subprocess.run(
        [command, "report", "--by", "region", "--csv", "perf_dump.csv"],
        cwd=done.folder, capture_output=True, text=True, timeout=300)
    rows = list(csv.DictReader(report.stdout.splitlines()))
    assert [r["visits"] for r in rows if r["region"] == "f"] == ["5"]


def test_a_recursion_is_not_timed_twice(run):
    run("""
        import time
        from pdump.timers import timed_region, timing
        begin = time.perf_counter()
        with timed_region("t"):
            with timed_region("t"):
                time.sleep(0.1)
        spent = time.perf_counter() - begin
        assert 0.1 <= timing("t") <= spent
    """)


def test_summary_writes_csv(run):
    done = run("""
        from pdump.timers import summary, timed_region, timing
        for _ in range(2):
            with timed_region("a, b"): pass
        summary("timers.csv")
        print(timing("a, b"))
    """)
    with open(done.folder / "timers.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 1
    assert rows[0]["Timer"] == "a, b" and rows[0]["Calls"] == "2"
    assert float(rows[0]["Total time"]) == float(done.out)
    assert float(rows[0]["Average time"]) == float(done.out) / 2


def test_toc_returns_the_elapsed_time(run):
    run("""
        import time
        from pdump.timers import tic, timing, toc
        tic("t")
        time.sleep(0.01)
        elapsed = toc("t")
        assert 0.01 <= timing("t") and 0.01 <= elapsed
        try:
            toc("t")
        except AssertionError as exc:
            assert "'t' has not been started" in str(exc)
        else:
            assert False
    """)


def test_timers_are_objects(run):
    run("""
        from math import isclose
        from pdump.timers import Timer, get_timers, timed_function, timing
        t = Timer("t")
        assert Timer("t") is t and t.name == "t" and t.ncalls == 0
        t.start(); t.start()
        assert t.elapsed >= 0
        t.stop(); t.stop()
        # Each asks anew, and the clock's rate is known better every time.
        close = lambda a, b: isclose(a, b, rel_tol=0.01, abs_tol=1e-8)
        assert t.ncalls == 2 and close(t.average * 2, t.total)
        assert close(t.total, timing("t"))
        t.add(10.0)
        assert t.ncalls == 3 and t.total > 10 and timing("t") > 10
        @timed_function("f")
        def f(): pass
        assert set(get_timers()) == {"t", "f"}
        assert Timer().name not in ("t", "f")
    """)


def test_the_rest_of_pyop2s_names(run):
    run("""
        import time
        from pdump.timers import (Timer, get_timers, timed_function,
                                  timed_stage, timing)
        with timed_stage("stage"): pass
        assert timing("stage") > 0
        timer = Timer("t", time.process_time)
        timer.start(); timer.stop()
        @timed_function("f", time.time)
        def f(): pass
        f()
        assert set(Timer.get_timers()) == {"stage", "t", "f"}
        Timer.summary("timers.csv")
        assert "stage" in open("timers.csv").read()
        Timer.reset_all()
        assert Timer.get_timers() == get_timers() == {}
    """)


def test_timers_can_be_reset(run):
    done = run("""
        from pdump.timers import (Timer, get_timers, reset_timers, summary,
                                  timed_region, timing)
        for name in ("a", "a", "b"):
            with timed_region(name): pass
        assert timing("a", reset=True) > 0 and timing("a") == 0
        assert Timer("b").ncalls == 1
        assert set(get_timers(reset=True)) == {"a", "b"}
        assert get_timers() == {}
        summary()
        with timed_region("b"): pass
        assert Timer("b").ncalls == 1
        summary()
    """)
    rows = [line.split() for line in done.out.splitlines()]
    assert [row[0] for row in rows if row[0] in ("a", "b")] == ["b"]
    assert done.visits() == {"a": 2, "b": 2}    # the dump keeps all


@pytest.mark.parametrize("name", ["PYOP2_PRINT_SUMMARY",
                                  "PDUMP_PRINT_SUMMARY"])
def test_a_variable_prints_the_summary_at_exit(run, name):
    done = run("""
        from pdump.timers import timed_region
        with timed_region("timed"): pass
        print("last")
    """, **{name: 1})
    assert done.out.startswith("last\nTimings\n")
    assert done.out.count("timed") == 1


PROFILERS = """
    import builtins, sys, types
    kind = types.new_class("Profiler", exec_body=lambda d: d.update(
        __module__=MODULE, __call__=lambda self, f: print(f.__name__) or f))
    builtins.profile = kind()
    from pdump.timers import lineprof, memprof, profile
    @lineprof
    def line(): pass
    @memprof
    def memory(): pass
    @profile
    def both(): pass
"""


@pytest.mark.parametrize("module, decorated", [
    ("line_profiler.line_profiler", "line both"),
    ("memory_profiler", "memory both"), ("__main__", "memory both")])
def test_decorators_are_for_their_profiler(run, module, decorated):
    done = run(PROFILERS.replace("MODULE", repr(module)))
    assert done.out.split() == decorated.split()


@pytest.mark.parametrize("options, recorded", [
    ((), {"line", "both"}), (("--memory",), {"line", "memory", "both"})])
def test_decorators_follow_what_lines_record(tool, options, recorded):
    tool.run("""
        from pdump.timers import lineprof, memprof, profile
        @lineprof
        def line(): return 1
        @memprof
        def memory(): return 2
        @profile
        def both(): return 3
        line(), memory(), both()
    """, "--lines", *options)
    rows = pdump.load(find_dump(tool.folder))._table.facts.details.rows(
        "lines")
    assert {row["region"].rpartition(":")[2] for row in rows} == recorded
