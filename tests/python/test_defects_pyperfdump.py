# SPDX-License-Identifier: BSD-3-Clause
"""What PyPerfDump gets wrong, one test each."""

import csv
import pytest

import pdump
from mpi_kit import by_rank
from runner_kit import find_dump, need_format

#: PyPerfDump's calls: regions of three profiles each.
REGIONS = """
import pdump.pyperfdump as p
p.init()
for name in {names}:
    p.start_region(name)
    for _ in range(3):
        p.start_profile(); sum(range(1000)); p.end_profile()
    p.end_region()
p.finalize()
"""

BURN = """
import os, threading, time, pdump
def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end: pass
"""


def regions(*names):
    return REGIONS.format(names=names)


def test_defect_01_borrowed_name(run):
    # Names built at run time all became the last one.
    done = run("""
        import pdump.pyperfdump as p
        p.init()
        for i in range(50):
            name = "built %d" % i
            p.start_region(name)
            del name
            p.start_profile(); p.end_profile()
            p.end_region()
        p.finalize()
    """)
    assert done.visits() == {f"built {i}": 1 for i in range(50)}


def test_defect_02_no_name(run):
    # Without a name: an empty file, "(null)", or the name before.
    done = run(regions("first", None, None))
    assert done.visits() == {"first": 3, "region_1": 3, "region_2": 3}


def test_defect_03_errors_of_init(run):
    # Whatever init() did not like was a SystemError.
    done = run("""
        import pdump
        import pdump.pyperfdump as p
        try:
            p.init()
        except pdump.SourceError as exc:
            print("NO_SUCH" in str(exc))
    """, PDUMP_EVENTS="NO_SUCH")
    assert done.out == "True\n"


def test_defect_04_unusable_event(run):
    # An event that could not be added was left out without a word.
    done = run(regions("r"), PDUMP_EVENTS="NO_SUCH,pdump::cpu_time")
    assert done.err.count("NO_SUCH") == 1
    assert [m.name for m in done.results().metrics] == [
        "time", "pdump::cpu_time"]


def test_defect_05_six_events(run):
    # The seventh event and those after it were dropped silently.
    names = ["pdump::" + name for name in (
        "cpu_time", "rss", "peak_rss", "minor_faults", "major_faults",
        "ctx_voluntary", "ctx_involuntary", "io_read", "io_write")]
    papi = ["perf::" + name for name in (
        "TASK-CLOCK", "CPU-CLOCK", "PAGE-FAULTS", "MINOR-FAULTS",
        "MAJOR-FAULTS", "CONTEXT-SWITCHES", "CPU-MIGRATIONS")]
    done = run(regions("r"), PDUMP_EVENTS=",".join(names + papi))
    counted = [m.name for m in done.results().metrics]
    assert set(names) < set(counted)
    assert [name for name in papi
            if name not in counted and name not in done.err] == []


def test_defect_06_environment_cut_up(run):
    # strtok() on the variable itself: children saw the first event only.
    done = run(regions("r") + """
import subprocess
subprocess.run(["sh", "-c", "echo $PDUMP_EVENTS"])
""", PDUMP_EVENTS="pdump::cpu_time,pdump::rss")
    assert done.out == "pdump::cpu_time,pdump::rss\n"


def test_defect_07_empty_delimiter(run):
    # The search for events then went through the whole environment.
    done = run(regions("r"), PDUMP_DELIMITER="",
               PDUMP_EVENTS="pdump::cpu_time,pdump::rss")
    assert "PDUMP_DELIMITER" in done.err and done.err.count("\n") == 1
    assert [m.name for m in done.results().metrics] == [
        "time", "pdump::cpu_time", "pdump::rss"]


def test_defect_08_slash_in_a_name(run):
    # HDF5 took a/b for a group: the data were lost.
    done = run(regions("a/b", "a", "/"))
    assert list(done.results()["region"]) == ["a/b", "a", "/"]
    assert list(done.results()["visits"]) == [3, 3, 3]


def test_defect_09_missing_directory(run):
    # Lost as well, with exit code 0 and no word.
    done = run(regions("r"), PDUMP_DUMP_DIR="not/there")
    found = find_dump(done.folder / "not" / "there")
    assert pdump.load(found).query("r").visits == 3


def test_defect_09_directory_that_cannot_be(run, tmp_path):
    # The same where it cannot be made: a word, and the data elsewhere.
    (tmp_path / "spare").mkdir()
    (tmp_path / "file").write_text("no folder")
    done = run(regions("r"), PDUMP_DUMP_DIR="file", TMPDIR=tmp_path / "spare")
    found = find_dump(tmp_path / "spare")
    assert str(found) in done.err
    assert pdump.load(found).query("r").visits == 3


@pytest.mark.parametrize("ending", ["h5", "csv"])
def test_defect_10_foreign_file(run, tmp_path, ending):
    # Something else at the path: lost again.  Neither may be.
    (tmp_path / f"perf_dump.{ending}").write_text("precious")
    form = {"h5": "hdf5", "csv": "csv"}[ending]
    need_format(form)
    run(regions("r"), PDUMP_OUTPUT_FORMAT=form)
    assert pdump.load(tmp_path / f"perf_dump.{ending}").query("r").visits == 3
    assert (tmp_path / f"perf_dump.old-1.{ending}").read_text() == "precious"


def test_defect_11_names_differ_between_ranks(mpirun, tmp_path):
    # Rank 1's values were stored under rank 0's name.
    mpirun("from mpi4py import MPI\nrank = MPI.COMM_WORLD.rank\n"
           + REGIONS.format(names="['of rank %d' % rank, 'both']"))
    assert by_rank(tmp_path) == {(0, "of rank 0"), (0, "both"),
                                 (1, "of rank 1"), (1, "both")}


def test_defect_12_events_differ_between_ranks(mpirun, tmp_path):
    # The job hung, and the file could not be read.
    mpirun("""
        from mpi4py import MPI
        import pdump
        names = ["pdump::cpu_time,pdump::rss", "pdump::peak_rss"]
        pdump.init(events=names[MPI.COMM_WORLD.rank])
        with pdump.region("r"): pass
    """, PDUMP_EVENTS="")
    results = pdump.load(find_dump(tmp_path))
    assert {m.name for m in results.metrics} == {
        "time", "pdump::cpu_time", "pdump::rss", "pdump::peak_rss"}
    peak = dict(zip(results["rank"], results["pdump::peak_rss"]))
    assert peak[1] > 0 and not peak[0] > 0


def test_defect_13_region_on_some_ranks(mpirun, tmp_path):
    # end_region() was collective: a deadlock.
    mpirun("from mpi4py import MPI\nrank = MPI.COMM_WORLD.rank\n"
           + REGIONS.format(names="['all'] + ['one'] * rank"))
    assert by_rank(tmp_path) == {(0, "all"), (1, "all"), (1, "one")}


def test_defect_14_spurious_last_step(run):
    # Every dataset had a 0 after its last step.
    done = run(regions("r", "s"), PDUMP_OUTPUT_FORMAT="csv")
    with open(done.folder / "perf_dump.samples.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(r["region"], r["number"]) for r in rows] == [
        (name, str(i)) for name in "rs" for i in range(3)]
    assert all(int(row["time [ns]"]) > 0 for row in rows)


def test_defect_15_rerun_appends(run, tmp_path):
    # A second run went into the same datasets, without a mark.
    run(regions("r"))
    run(regions("r", "s"))
    new = find_dump(tmp_path)
    old = new.with_name(f"perf_dump.old-1{new.suffix}")
    assert list(pdump.load(new)["visits"]) == [3, 3]
    assert list(pdump.load(old)["visits"]) == [3]


def test_defect_16_long_names(run):
    # Cut off after 255 characters: two names became one.
    names = ["x" * 255 + end for end in ("", "a", "b", "y" * 5000)]
    done = run(regions(*names))
    assert list(done.results()["region"]) == names


@pytest.mark.parametrize("form", ["csv", "csv-pyperfdump"])
def test_defect_17_commas_and_quotes(run, form):
    # Not escaped: the lines had too many columns.
    names = ["a,b", 'say "x"', '",', "two\nlines"]
    done = run(regions(*names), PDUMP_OUTPUT_FORMAT=form)
    with open(done.folder / "perf_dump.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert len({len(row) for row in rows}) == 1
    column = rows.pop(0).index("region") if form == "csv" else 0
    assert list(dict.fromkeys(row[column] for row in rows)) == names


def test_defect_18_threads(run):
    # Only the thread that called init() was counted.
    done = run(BURN + """
def work():
    with pdump.region("thread"): burn(0.05)
pdump.init()
began = time.thread_time()
with pdump.region("main"):
    one = threading.Thread(target=work); one.start(); one.join()
print(time.thread_time() - began)
""", PDUMP_EVENTS="pdump::cpu_time,perf::TASK-CLOCK", PDUMP_QUIET=1)
    results = done.results()
    assert len(set(results["thread"])) == 2
    for metric in results.metrics[1:]:
        used = dict(zip(results["region"], results[metric.name]))
        assert used["thread"] > 0.04e9, metric.name
        assert used["main"] < 1e9 * float(done.out) + 0.04e9, metric.name


def test_defect_19_fork(run):
    # After a fork parent and child reported the same values.
    done = run(BURN + """
with pdump.region("before"): pass
pid = os.fork()
if pid == 0:
    with pdump.region("child"): burn(0.05)
    os._exit(0)
began = time.thread_time()
with pdump.region("parent"): os.waitpid(pid, 0)
print(time.thread_time() - began)
""", PDUMP_EVENTS="pdump::cpu_time,perf::TASK-CLOCK", PDUMP_QUIET=1,
               PDUMP_FOLLOW=1)
    results = done.results()
    pids = dict(zip(results["region"], results["pid"]))
    assert pids["before"] == pids["parent"] != pids["child"]
    for metric in results.metrics[1:]:
        used = dict(zip(results["region"], results[metric.name]))
        assert used["child"] > 0.04e9, metric.name
        assert used["parent"] < 1e9 * float(done.out) + 0.04e9, metric.name


def test_defect_20_counters_that_fail_abort_the_job(mpirun, tmp_path):
    # An error of PAPI in one rank ended all of them by MPI_Abort().
    done = mpirun("""
        import resource, threading
        from mpi4py import MPI
        import pdump
        rank = MPI.COMM_WORLD.rank
        pdump.init(events="NO_SUCH," * rank + "perf::TASK-CLOCK,pdump::rss")
        def work():
            with pdump.region("no descriptors"): pass
        with pdump.region("r"):
            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            if rank == 1:
                resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
            one = threading.Thread(target=work); one.start(); one.join()
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        print("end", flush=True)
    """, PDUMP_EVENTS="")
    assert done.stdout.count("end") == 2
    assert "NO_SUCH" in str(pdump.load(find_dump(tmp_path)).warnings)
    assert by_rank(tmp_path) == {(n, name) for n in (0, 1)
                                 for name in ("r", "no descriptors")}


def test_defect_21_memory_per_region(run):
    # 2.3 kB were lost with every region.
    done = run("""
        import pdump.pyperfdump as p
        def regions(n):
            for i in range(n):
                p.start_region("r%d" % (i % 10))
                p.start_profile(); p.end_profile()
                p.end_region()
        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * 4096
        p.init()
        regions(1000)
        before = resident()
        regions(20000)
        print(resident() - before)
        p.finalize()
    """, PDUMP_EVENTS="pdump::cpu_time,pdump::minor_faults")
    assert int(done.out) < 20000 * 400


def test_defect_22_size_of_hdf5(run):
    # 134 MB for 10 000 regions with two events.
    need_format("hdf5")
    done = run("""
        import pdump
        for i in range(10000):
            with pdump.region("region number %d" % i): pass
    """, PDUMP_EVENTS="pdump::cpu_time,pdump::minor_faults",
               PDUMP_OUTPUT_FORMAT="hdf5")
    assert (done.folder / "perf_dump.h5").stat().st_size < 2e6
    assert len(done.results()) == 10000
