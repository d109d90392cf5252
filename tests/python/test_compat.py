# SPDX-License-Identifier: BSD-3-Clause
"""Programs written for PyPerfDump and PyOP2."""

import os
import subprocess
import textwrap
from collections import Counter

import pytest

from runner_kit import hdf5_datasets, need_format

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


#: Four regions, one twice, with 2, 0, 1 and 1 profiles.
BLOCKS = """
    import pdump.pyperfdump as p
    p.init()
    for name, profiles in ("a/b", 2), ("none", 0), ("a/b", 1), ("x" * 3000, 1):
        p.start_region(name)
        for _ in range(profiles):
            p.start_profile(); sum(range(20000)); p.end_profile()
        p.end_region()
    p.finalize()
"""


def test_pyperfdump_blocks(run, tmp_path):
    done = run(BLOCKS, PDUMP_EVENTS="pdump::cpu_time,pdump::minor_faults",
               PDUMP_OUTPUT_FORMAT="CSV-PyPerfDump")
    text = (done.folder / "perf_dump.csv").read_text()
    rows = [line.split(",") for line in text.splitlines()]
    names = ["a/b", "none", "a/b", "x" * 3000]
    assert [row[:2] for row in rows] == [
        [name, event] for name in names
        for event in ("pdump::cpu_time", "pdump::minor_faults", "Runtime")]
    assert all(row[2].isdigit() for row in rows if row[1] != "Runtime")
    assert rows[5][2] == "0" and float(rows[2][2]) > 0
    # A second run is a file of its own, or replaces the first.
    run(BLOCKS, PDUMP_OUTPUT_FORMAT="csv-pyperfdump")
    assert (tmp_path / "perf_dump.old-1.csv").read_text() == text
    run(BLOCKS, PDUMP_OUTPUT_FORMAT="csv-pyperfdump", PDUMP_OVERWRITE=1)
    assert not (tmp_path / "perf_dump.old-2.csv").exists()


def test_pyperfdump_sessions_go_into_one_file(run, tmp_path):
    script = """
        import pdump
        import pdump.pyperfdump as p
        for name in "abc":
            p.init()
            for again in range(2):
                p.start_region(name)
                p.end_region()
                pdump.flush()
            p.finalize()
    """
    names = ["a", "a", "b", "b", "c", "c"]
    for _ in range(2):
        run(script, PDUMP_OUTPUT_FORMAT="csv-pyperfdump")
        text = (tmp_path / "perf_dump.csv").read_text()
        assert [line.split(",")[0] for line in text.splitlines()] == names
    assert len(list(tmp_path.glob("*.csv"))) == 2


def test_pyperfdump_blocks_of_an_exported_file(run):
    command = os.environ.get("PDUMP_COMMAND")
    if not command:
        pytest.skip("PDUMP_COMMAND does not name the pdump command")
    done = run(BLOCKS, PDUMP_OUTPUT_FORMAT="csv,csv-pyperfdump",
               PDUMP_EVENTS="pdump::cpu_time")
    ours, made = done.folder / "perf_dump.csv", done.folder / "theirs.csv"
    (done.folder / "perf_dump-1.csv").rename(made)
    subprocess.run([command, "export", "-f", "csv-pyperfdump", "-o",
                    "again.csv", str(ours)], cwd=done.folder, check=True,
                   timeout=300)
    assert (done.folder / "again.csv").read_text() == made.read_text()


@pytest.mark.parametrize("form", ["hdf5-pyperfdump", "HDF5-PyPerfDump"])
def test_pyperfdump_hdf5(run, form):
    need_format("hdf5")
    done = run(BLOCKS, PDUMP_EVENTS="pdump::cpu_time",
               PDUMP_OUTPUT_FORMAT=form)
    assert done.err == ""
    found = hdf5_datasets(done.folder / "perf_dump.h5")
    assert set(found) == {f"{name}/{event}"
                          for name in ("a%2Fb", "none", "x" * 3000)
                          for event in ("pdump::cpu_time", "Runtime")}
    for name, data in found.items():
        n = 2 if name.startswith("a%2Fb/") else 1
        assert data.space == f"( 1, 1, {n} ) / ( 1, 1, H5S_UNLIMITED )"
        assert len(data.values) == n
        assert data.type == ("H5T_IEEE_F64LE" if name.endswith("/Runtime")
                             else "H5T_STD_I64LE")
        assert all(value == 0 if name.startswith("none/") else value > 0
                   for value in data.values)


def test_pyperfdump_of_ranks(mpirun, tmp_path):
    mpirun("""
        from mpi4py import MPI
        import pdump.pyperfdump as p
        p.init()
        for name in ["all", "one"][:MPI.COMM_WORLD.rank + 1] + ["all"]:
            p.start_region(name)
            p.start_profile(); sum(range(20000)); p.end_profile()
            p.end_region()
        p.finalize()
    """, PDUMP_EVENTS="pdump::cpu_time",
           PDUMP_OUTPUT_FORMAT="csv-pyperfdump,hdf5-pyperfdump")
    rows = [line.split(",") for line
            in (tmp_path / "perf_dump.csv").read_text().splitlines()]
    assert [row[:2] for row in rows[::2]] == [
        ["0", "all"], ["1", "all"], ["0", "all"], ["1", "one"], ["1", "all"]]
    assert {row[2] for row in rows[1::2]} == {"Runtime"}
    need_format("hdf5")
    found = hdf5_datasets(tmp_path / "perf_dump.2.h5")
    for event in "Runtime", "pdump::cpu_time":
        both, one = found[f"all/{event}"], found[f"one/{event}"]
        assert both.space.startswith("( 2, 1, 2 ) /")
        assert all(value > 0 for value in both.values)
        assert one.space.startswith("( 2, 1, 1 ) /")
        assert one.values[0] == 0 < one.values[1]


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


def mistakes(done):
    """The calls that a script was warned about, in order."""
    lines = done.err.splitlines()
    assert all(line.startswith("pdump: ") for line in lines), done.err
    return [line.split(":")[1].strip() for line in lines]


#: One region after the other, as a program does it; PROFILE and REGION are
#: replaced by the ends that it does not forget.
FORGETFUL = """
    import pdump.pyperfdump as p
    p.init()
    for name in "abc":
        p.start_region(name)
        p.start_profile()
        sum(range(1000))
        {profile}
        {region}
    p.finalize()
"""


@pytest.mark.parametrize("profile, region, told", [
    ("", "p.end_region()", ["end_region"] * 3),
    ("p.end_profile()", "", ["start_region"] * 2 + ["finalize"]),
    ("", "", ["start_region"] * 2 + ["finalize"]),
])
def test_pyperfdump_forgotten_ends(run, profile, region, told):
    done = run(FORGETFUL.format(profile=profile, region=region))
    assert mistakes(done) == told
    assert done.visits() == {"a": 1, "b": 1, "c": 1}
    assert all(time > 0 for time in done.results()["time"])


def test_pyperfdump_forgotten_ends_with_a_region_inside(run):
    done = run("""
        import pdump
        import pdump.pyperfdump as p
        p.init()
        p.start_region("a")
        p.start_profile()
        pdump.region("inside").__enter__()
        p.end_profile()
        p.end_region()
        p.start_region("b")
        p.start_profile()
        p.end_profile()
        p.end_region()
        p.finalize()
    """)
    assert mistakes(done) == ["end_profile", "end_region"]
    assert done.visits() == {"a": 1, "a/inside": 1, "b": 1}


def test_pyperfdump_before_init(run):
    done = run("""
        import pdump
        import pdump.pyperfdump as p
        for _ in range(2):
            p.start_region("early")
            p.start_profile()
            p.end_profile()
            p.end_region()
            p.finalize()
        assert not pdump.is_active()
        p.init()
        p.start_region("a")
        p.init()
        p.start_profile()
        p.end_profile()
        p.end_region()
        p.finalize()
        p.start_region("late")
        p.finalize()
    """)
    early = ["start_region", "start_profile", "end_profile", "end_region",
             "finalize"]
    assert mistakes(done) == early * 2 + ["init", "start_region", "finalize"]
    assert done.visits() == {"a": 1}


def test_pyperfdump_out_of_order(run):
    done = run("""
        import pdump.pyperfdump as p
        p.init()
        for _ in range(2):
            p.start_profile()       # no region
            p.end_profile()         # no profile
            p.end_region()          # no region
            p.start_region()
            p.end_profile()         # no profile
            p.start_profile()
            p.start_profile()       # goes on with the first
            p.end_profile()
            p.end_profile()         # no profile
            p.end_region()
        p.start_region()
        for _ in range(3):
            p.start_profile(); p.end_profile()
        p.end_region()
        p.finalize()
    """)
    assert mistakes(done) == [
        "start_profile", "end_profile", "end_region", "end_profile",
        "start_profile", "end_profile"] * 2
    assert done.visits() == {"region_1": 1, "region_2": 1, "region_3": 3}
    noted = Counter()
    for text, count in done.results().warnings.items():
        noted[text.split(":")[0]] += count
    assert noted == {"start_profile": 4, "end_profile": 6, "end_region": 2}


@pytest.mark.parametrize("setting", ["PDUMP_SILENCE_WARNINGS", "PDUMP_QUIET"])
def test_pyperfdump_silent(run, setting):
    done = run("import pdump.pyperfdump as p\np.finalize()\n"
               + textwrap.dedent(FORGETFUL.format(profile="", region="")),
               **{setting: 1})
    assert done.err == "" and done.visits() == {"a": 1, "b": 1, "c": 1}
    assert len(done.results().warnings) == 2


def test_pyperfdump_silence_is_for_the_order_only(run):
    done = run(PYPERFDUMP, PDUMP_EVENTS="pdump::cpu_time,NO_SUCH",
               PDUMP_SILENCE_WARNINGS=1)
    assert done.err.count("NO_SUCH") == 1


def test_pyperfdump_error(run):
    done = run("""
        import pdump.pyperfdump as p
        for _ in range(2):
            try:
                p.init()
            except p.error as exc:
                print(exc)
    """, PDUMP_EVENTS=None)
    assert done.out.count("PDUMP_EVENTS") >= 2 and done.err == ""


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
        assert abs(timing("my function", total=False) * 2 -
                   timing("my function")) < 1e-6
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
