# SPDX-License-Identifier: BSD-3-Clause
"""Programs written for PyPerfDump and PyOP2."""

import pytest

# PyPerfDump's documented example, but for the import.
PYPERFDUMP = """
def interesting_work_function(): return sum(range(10000))
import pdump.pyperfdump as pyperfdump

# Call init to initialize the module
pyperfdump.init()

# Start a named region
pyperfdump.start_region('region1')

# Start counter collection
pyperfdump.start_profile()

# Execute the region of interest within a profile
interesting_work_function()

# End counter collection, appends counter values
pyperfdump.end_profile()

# End the current region, saves counter values
pyperfdump.end_region()

# Call finalize to free resources when finished
pyperfdump.finalize()
"""


def test_pyperfdump_example_in_its_own_format(run):
    done = run(PYPERFDUMP, PDUMP_EVENTS="pdump::cpu_time",
               PDUMP_OUTPUT_FORMAT="csv-pyperfdump")
    text = (done.folder / "perf_dump.csv").read_text()
    rows = [line.split(",") for line in text.splitlines()]
    assert [row[:2] for row in rows] == [["region1", "pdump::cpu_time"],
                                         ["region1", "Runtime"]]
    assert int(rows[0][2]) > 0 and float(rows[1][2]) > 0
    assert done.out == done.err == ""


def test_pyperfdump_example_in_ours(run):
    done = run(PYPERFDUMP)
    assert done.visits() == {"region1": 1}


def test_pyperfdump_needs_counters(run):
    done = run(PYPERFDUMP, code=1, PDUMP_EVENTS=None)
    assert "SourceError" in done.err and "PDUMP_EVENTS" in done.err
    done = run(PYPERFDUMP, code=1, PDUMP_EVENTS="NO_SUCH")
    assert "SourceError" in done.err and "NO_SUCH" in done.err


def test_pyperfdump_warns_of_a_counter_that_cannot_be_used(run):
    done = run(PYPERFDUMP, PDUMP_EVENTS="pdump::cpu_time,NO_SUCH")
    assert done.err.count("NO_SUCH") == 1 and done.visits() == {"region1": 1}


def test_pyperfdump_out_of_order_is_warned_about(run):
    done = run("""
        import pdump.pyperfdump as p
        p.finalize()
        p.init()
        p.start_profile()
        p.end_region()
        p.start_region(); p.start_region("no")
        p.end_profile()
        p.start_profile(); p.start_profile()
        p.end_region()
        p.end_profile()
        p.end_region()
        p.start_region()
        for _ in range(3):
            p.start_profile(); p.end_profile()
        p.end_region()
        p.finalize()
    """)
    assert done.visits() == {"region_1": 1, "region_2": 3}
    told = done.err
    assert "RuntimeWarning: pyperfdump.finalize" in told
    for call in ("start_profile", "end_region", "start_region", "end_profile"):
        assert f"pdump: {call}" in told


def test_pyperfdump_names_are_kept(run):
    done = run("""
        import pdump.pyperfdump as p
        p.init()
        for i in range(5):
            p.start_region("built %d" % i)
            p.start_profile(); p.end_profile()
            p.end_region()
        for bad in (b"x", 1, "", "a\\0b"):
            try:
                p.start_region(bad)
            except (TypeError, ValueError):
                pass
            else:
                assert False, bad
        p.finalize()
    """)
    assert done.visits() == {f"built {i}": 1 for i in range(5)}


def test_pyperfdump_leaves_the_environment_alone(run):
    done = run(PYPERFDUMP + """
import os, subprocess, sys
print(os.environ["PDUMP_EVENTS"], flush=True)
subprocess.run([sys.executable, "-c",
                "import os; print(os.environ['PDUMP_EVENTS'])"])
""", PDUMP_EVENTS="pdump::cpu_time,pdump::rss", PDUMP_DELIMITER=",")
    assert done.out == "pdump::cpu_time,pdump::rss\n" * 2


def test_pyop2_timers(run):
    done = run("""
        import time
        from pdump.timers import (timed_region, timed_function, timing,
                                  summary, tic, toc)
        with timed_region("my code"):
            with timed_region("my code"):     # nested in itself
                time.sleep(0.01)
        @timed_function("my function")
        def f(): pass
        @timed_function()
        def g(): pass
        f(); f(); g()
        tic("t"); toc("t")
        assert timing("my code") >= 0.01
        assert timing("my function", total=False) * 2 == timing("my function")
        from pdump import NotFound
        try:
            timing("unknown")
        except NotFound as exc:
            assert "unknown" in str(exc)
        else:
            assert False
        summary()
    """)
    lines = done.out.splitlines()
    assert lines[0] == "Timings" and lines[1].startswith("timer")
    rows = {line.rsplit(None, 3)[0]: line.rsplit(None, 3)[1:]
            for line in lines[3:]}
    assert rows["my code"][1] == "2" and float(rows["my code"][0]) >= 0.01
    assert rows["my function"][1] == "2"
    assert rows["__main__:g"][1] == rows["t"][1] == "1"


def test_pyop2_summary_at_exit(run):
    script = """
        import pdump
        with pdump.region("timed"): pass
        print("last")
    """
    done = run(script, PDUMP_PRINT_SUMMARY=1)
    assert done.out.startswith("last\nTimings\n") and "timed" in done.out
    assert done.err == ""
    assert run(script, PDUMP_PRINT_SUMMARY=0).out == "last\n"


def test_pyop2_summary_without_timers(run):
    done = run("import pdump", PDUMP_PRINT_SUMMARY=1)
    assert done.out == done.err == ""


@pytest.mark.parametrize("is_profiled", [False, True])
def test_pyop2_profile_passes_through(run, is_profiled):
    done = run(f"""
        import builtins
        if {is_profiled}:
            builtins.profile = lambda f: print("profiled", f.__name__) or f
        from pdump.timers import profile
        @profile
        def f(): pass
        f()
    """)
    assert done.out == ("profiled f\n" if is_profiled else "")
