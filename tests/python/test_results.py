# SPDX-License-Identifier: BSD-3-Clause
"""Results: files and the running program, columns, tree, query, difference."""

import csv
import json
import os
import pathlib
import subprocess

import pytest

import pdump
from runner_kit import find_dump

SCRIPT = """
import threading, time
from pdump import region
def work(n):
    for i in range(n):
        with region("solve"):
            with region("a/b"):
                time.sleep(0.001)
            with region("solve"):
                pass
with region("main"):
    work(3)
t = threading.Thread(target=work, args=(2,))
t.start(); t.join()
"""


@pytest.fixture
def done(run):
    return run(SCRIPT, PDUMP_EVENTS="pdump::cpu_time,pdump::rss")


def test_columns(done):
    numpy = pytest.importorskip("numpy")
    results = done.results()
    assert len(results) == 7
    assert isinstance(results["time"], numpy.ndarray)
    assert results["time"].dtype == numpy.int64
    assert [m.name for m in results.metrics] == [
        "time", "pdump::cpu_time", "pdump::rss"]
    assert [m.kind for m in results.metrics] == ["counter", "counter", "gauge"]
    assert [m.unit for m in results.metrics] == ["ns", "ns", "B"]
    for name in results.columns:
        assert len(results[name]) == 7, name
    assert set(results["thread"]) == {0, 1}
    assert "main/solve/a\\/b" in results["path"]
    assert (results["time.exclusive"] <= results["time"]).all()
    assert (results["time.min"] <= results["time.max"]).all()
    with pytest.raises(KeyError):
        results["nope"]
    with pytest.raises(KeyError):
        results["time.nope"]


def test_columns_without_numpy(done, run):
    again = run(f"""
        import sys
        sys.modules["numpy"] = sys.modules["pandas"] = None
        import pdump
        r = pdump.load({str(find_dump(done.folder))!r})
        assert sum(r["visits"]) == 1 + 3 * 3 + 2 * 3
        assert list(r["region"]).count("solve") == 4
        print(r.tree())
    """)
    assert "a/b" in again.out


def test_pandas(done):
    pytest.importorskip("pandas")
    frame = done.results().to_pandas()
    assert frame.index.names == ["rank", "thread", "path"]
    assert frame.loc[(0, 0, "main/solve"), "visits"] == 3
    assert frame.loc[(0, 1, "solve"), "visits"] == 2
    assert frame["time"].sum() > 0 and "time.stddev" in frame


def test_tree(done):
    tree = done.tree()
    solve = tree["main"]["solve"]
    assert solve.path == "main/solve" and solve.visits == 3
    assert solve["a/b"].path == "main/solve/a\\/b"
    assert tree.find("/main/solve/a\\/b") is solve["a/b"]
    with pytest.raises(KeyError):
        tree.find("main/nope")
    assert [n.name for n in solve] == ["a/b", "solve"]
    assert 0.003 <= solve.time <= tree["main"].time
    assert solve.stats["time"].min * 3 <= solve.stats["time"].sum
    assert done.results().tree(thread=1)["solve"].visits == 2
    assert "main" not in done.results().tree(thread=1).children


def test_tree_as_text(done):
    lines = str(done.tree()).splitlines()
    assert lines[0].split()[:6] == ["region", "%", "time", "self", "visits",
                                    "time/visit"]
    assert len(lines) == 2 + 7
    assert any(line.startswith("└─ solve") for line in lines)
    assert any(line.startswith("   ├─ a/b") for line in lines)
    assert "<td" in done.tree()._repr_html_()
    assert repr(done.tree()) == "<Tree of 7 regions>"


def test_query(done):
    results = done.results()
    assert results.query("solve").visits == 10
    assert results.query("solve", thread=1).visits == 4
    assert results.query("/main/solve").visits == 3
    assert results.query("/main/solve/a\\/b").visits == 3
    assert results.query("a/b", "pdump::cpu_time").has_value
    stats = results.query("a/b")
    assert stats.min <= stats.mean <= stats.max
    assert 0 <= stats.stddev <= stats.max - stats.min
    for path, metric in (("nope", "time"), ("/solve/nope", "time"),
                         ("solve", "nope")):
        with pytest.raises(pdump.NotFound):
            results.query(path, metric)
    with pytest.raises(pdump.NotFound):
        results.query("solve", rank=7)


def test_the_query_is_that_of_c(run):
    run(SCRIPT + """
import pdump
from pdump import _read
r = pdump.current()
for path in ("solve", "/main/solve", "a/b", "main"):
    mine, c = r.query(path), _read.query_running(path.encode(), b"time")
    assert (mine.visits, mine.sum, mine.exclusive, mine.min, mine.max) == \\
        (c.visits, c.sum, c.exclusive, c.min, c.max), path
    assert abs(mine.stddev - c.stddev) <= 1e-3 * c.max + 1
    assert pdump.timing(path) == c.sum / 1e9
    assert pdump.timing(path, total=False) == c.mean / 1e9
""", PDUMP_CLOCK="monotonic")  # the cycle counter's rate is refined meanwhile


def test_the_running_program(run):
    run("""
        import pdump
        for call in (pdump.current, lambda: pdump.timing("x")):
            try:
                call()
            except pdump.BadState:
                pass
            else:
                assert False
        with pdump.region("open"):
            with pdump.region("in"): pass
            tree = pdump.current().tree()
            assert tree["open"].is_open and not tree["open"]["in"].is_open
            assert tree["open"].time > 0 and "(open)" in str(tree)
        try:
            pdump.timing("nope")
        except pdump.NotFound as exc:
            assert "nope" in str(exc)
        else:
            assert False
    """)


TWO_RUNS = """
    import pdump
    for name, events in ("one", "none"), ("two", "pdump::cpu_time"):
        pdump.init(filename=name, events=events)
        pdump.metadata("case", name)
        pdump.metadata("only " + name, 1)
        with pdump.region("a"):
            with pdump.region(name): pass
        pdump.region_end("never")
        pdump.finalize()
"""


@pytest.fixture
def two(run):
    done = run(TWO_RUNS, PDUMP_EVENTS=None)
    return [find_dump(done.folder, "one"), str(find_dump(done.folder, "two"))]


def test_several_files_are_put_together(two):
    for results in (pdump.load(*two), pdump.load(two)):
        assert len(results) == 4
        assert results.query("a").visits == 2
        assert {n.path: n.visits for _, n in results.tree().walk()} == {
            "a": 2, "a/one": 1, "a/two": 1}
        assert sum(v == v for v in results["pdump::cpu_time"]) == 2
        assert results.tree()["a"]["one"].value("pdump::cpu_time") is None
    swapped = pdump.load(two[::-1])
    assert sum(v == v for v in swapped["pdump::cpu_time"]) == 2


def test_the_runs_of_several_files_stay_apart(two):
    results = pdump.load(two)
    assert list(results["run"]) == [0, 0, 1, 1]
    assert list(results["path"]) == ["a", "a/one", "a", "a/two"]
    node = list(results["node"])
    assert node[0] == node[2] and len(set(node)) == 3  # one for equal paths
    assert list(results["parent"]) == [-1, 0, -1, 2]
    assert len(set(results["process"])) == 2
    assert [run.path for run in results.runs] == [str(path) for path in two]
    assert results.query("a", run=1).visits == 1
    assert set(results.tree(run=0)["a"].children) == {"one"}
    with pytest.raises(pdump.NotFound):
        results.query("two", run=0)
    with pytest.raises(pdump.NotFound):
        results.query("a", run=2)


def test_ranks_of_several_files_stay_apart(run):
    """A file of each rank, as mpiprof writes them."""
    done = run("""
        import os, subprocess, sys
        if len(sys.argv) > 1:
            import pdump
            with pdump.region("work"): pass
        else:
            for rank in "0", "1":
                subprocess.run([sys.executable, __file__, "child"], check=True,
                               env={**os.environ, "PDUMP_FILENAME": rank})
    """)
    both = pdump.load(find_dump(done.folder, "0"), find_dump(done.folder, "1"))
    assert len(set(both["pid"])) == 2
    assert both.query("work").visits == 2
    assert [p.pid for run in both.runs for p in run.processes] \
        == list(both["pid"])


def test_equal_paths_are_added_by_pandas(two):
    pytest.importorskip("pandas")
    frame = pdump.load(two).to_pandas()
    assert frame.index.names == ["run", "rank", "thread", "path"]
    assert frame.index.is_unique
    assert frame["visits"].groupby("path").sum().to_dict() == {
        "a": 2, "a/one": 1, "a/two": 1}


def test_facts_and_warnings_of_a_run(two):
    one, both = pdump.load(two[0]), pdump.load(two)
    assert one.metadata["case"] == "one"
    assert one.runs[0].metadata == one.metadata
    [(text, count)] = one.warnings.items()
    assert "never" in text and count == 1
    assert both.metadata["case"] == "one"  # that of the first
    assert {"only one", "only two"} <= set(both.metadata)
    assert [run.metadata["case"] for run in both.runs] == ["one", "two"]
    assert both.warnings == {text: 2}
    process = one.runs[0].processes[0]
    assert process.rank == 0 and process.pid == one["pid"][0]
    assert "script.py" in process.command and process.host


def test_facts_of_the_running_program(run):
    run("""
        import os, pdump
        with pdump.region("a"): pass
        pdump.metadata("case", "now")
        now = pdump.current()
        assert now.metadata["case"] == "now" and now.warnings == {}
        assert now.runs[0].path is None
        assert now.runs[0].processes[0].pid == os.getpid()
    """)


def test_formats_lose_nothing(run, tmp_path):
    """What HDF5 gives back is what CSV gives back."""
    if not (pathlib.Path(os.environ["PDUMP_MODULES"]) / "pdump_hdf5.so"
            ).exists():
        pytest.skip("HDF5 is not built")
    run(SCRIPT + """
import pdump
with pdump.region("a,b\\n\\"c\\" \\u00e4"):
    pdump.parameter_string("p", "x/y")
    pdump.counter_add("cells", 2**62)
pdump.metadata("key", "va,l\\nue")
pdump.thread_name("first")
pdump.region_end("never")
pdump.region_begin("open")
""", PDUMP_EVENTS="pdump::cpu_time,pdump::rss", PDUMP_OUTPUT_FORMAT="hdf5,csv")
    h5, csv = (pdump.load(tmp_path / f"perf_dump.{ending}")
               for ending in ("h5", "csv"))
    assert h5.columns == csv.columns and len(h5) == len(csv) > 8
    for name in h5.columns:
        assert [v for v in h5[name] if v == v] == \
            [v for v in csv[name] if v == v], name
        assert [v != v for v in h5[name]] == [v != v for v in csv[name]], name
    assert h5.metadata == csv.metadata and h5.metadata["key"] == "va,l\nue"
    assert h5.warnings == csv.warnings and h5.warnings
    assert str(h5.tree()) == str(csv.tree())


def test_a_store_is_read(run):
    done = run("""
        import os, pdump
        with pdump.region("killed"): pass
        os.kill(os.getpid(), 9)
    """, code=-9)
    stores = [p for p in done.folder.iterdir() if p.name != "script.py"]
    assert len(stores) == 1
    assert pdump.load(stores[0]).query("killed").visits == 1


def test_what_is_no_dump_is_refused(tmp_path):
    with pytest.raises(pdump.FileError) as caught:
        pdump.load(tmp_path / "absent.csv")
    assert isinstance(caught.value, OSError)
    assert "absent.csv" in str(caught.value)
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(pdump.FormatError):
        pdump.load(tmp_path / "other.csv")
    with pytest.raises(pdump.FileError):
        pdump.load(pathlib.Path(tmp_path))
    with pytest.raises(ValueError):
        pdump.load("a\0b")
    with pytest.raises(TypeError):
        pdump.load()
    with pytest.raises(TypeError):
        pdump.load(1.5)


def with_times(path, times):
    """The dump at that path, with these milliseconds in its regions."""
    with open(path, newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    for row in rows:
        for name in ("time.sum [ns]", "time.exclusive [ns]", "time.min [ns]",
                     "time.max [ns]"):
            row[names.index(name)] = times[row[names.index("region")]] * 10**6
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([names, *rows])
    return path


def test_difference(run, tmp_path):
    run("""
        import pdump
        for name in ("before", "after"):
            pdump.init(filename=name, output_format="csv")
            with pdump.region("same"): pass
            with pdump.region("slower"): pass
            with pdump.region("only " + name): pass
            pdump.finalize()
    """)
    before, after = (pdump.load(with_times(tmp_path / f"{name}.csv", {
        "same": 5, "slower": slower, "only " + name: 1}))
        for name, slower in (("before", 1), ("after", 20)))
    diff = before.diff(after)
    assert len(diff) == 4
    assert next(iter(diff)).path == "slower"
    assert diff["slower"].ratio() == 20
    assert diff["slower"].delta() == 19 * 10**6
    assert diff["same"].ratio() == 1 and diff["same"].delta() == 0
    assert diff["only before"].after is None
    assert diff["only after"].ratio() is None
    assert diff["only before"].delta() < 0
    assert "slower" in str(diff).splitlines()[2]
    pytest.importorskip("pandas")
    frame = diff.to_pandas()
    assert frame.loc["slower", ("time", "delta")] == 19 * 10**6


def test_a_difference_and_noise(run, tmp_path):
    """As `pdump diff` judges it: 100 visits, means of 100 and 100, 300."""
    run("""
        import pdump
        for name in ("before", "after"):
            pdump.init(filename=name, output_format="csv")
            for i in range(100):
                with pdump.region("same"): pass
                with pdump.region("slower"): pass
            with pdump.region("once"): pass
            pdump.finalize()
    """)

    def made(name, slower):
        path = tmp_path / f"{name}.csv"
        with open(path, newline="", encoding="utf-8") as file:
            names, *rows = csv.reader(file)
        for row in rows:
            region = row[names.index("region")]
            each = slower if region == "slower" else 100
            n = int(row[names.index("visits")])
            for column, value in (
                    ("time.sum [ns]", n * each), ("time.min [ns]", each - 20),
                    ("time.max [ns]", each + 20),
                    ("time.sumsq [ns^2]", n * (each**2 + 10**2))):
                row[names.index(column)] = value
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([names, *rows])
        return pdump.load(path)

    diff = made("before", 100).diff(made("after", 300))
    assert diff["slower"].verdict() == "more"
    assert diff["same"].verdict() == "not significant"
    assert diff["once"].verdict() == "inconclusive"
    assert str(diff).endswith("one run each: indicative only")
    command = os.environ.get("PDUMP_COMMAND")
    if command:
        done = subprocess.run(
            [command, "diff", "--all", "--json", "--min-percent", "0",
             "before.csv", "after.csv"], cwd=tmp_path, check=True,
            capture_output=True, timeout=300)
        assert {line["path"]: line["verdict"].lower()
                for line in json.loads(done.stdout)["lines"]} == {
                    change.path: change.verdict() for change in diff}


def test_a_deep_tree(run):
    done = run("""
        import pdump
        for i in range(3000): pdump.region_begin("f")
        for i in range(3000): pdump.region_end("f")
    """)
    results = done.results()
    assert results.query("f").visits == 3000
    assert results.tree().flat()["f"].visits == 3000
    assert len(results["path"][-1]) == 3000 * 2 - 1
