# SPDX-License-Identifier: BSD-3-Clause
"""``python -m pdump --lines`` and the decorator: hits of every line."""

import os
import subprocess
import textwrap

import pytest

import mpi_kit
import pdump
from pdump import _native
from pdump.runner_options import UsageError, parse
from pdump.runner_report import command
from runner_kit import find_dump

pytestmark = pytest.mark.skipif(_native.module is None, reason=_native.why)


class Lines:
    """What a run has recorded."""

    def __init__(self, tool, done=None):
        self.out = done and done.stdout
        self.rows = pdump.load(
            find_dump(tool.folder))._table.facts.details.rows("lines")

    def hits(self, region):
        """{line: hits} of a function, all threads and processes together."""
        found = {}
        for row in self.rows:
            if row["region"] == region:
                line = int(row["label"].rpartition(":")[2])
                found[line] = found.get(line, 0) + row["hits"]
        return found

    def time(self, region, line):
        return sum(row["time"] for row in self.rows if row["region"] == region
                   and row["label"].endswith(f":{line}"))


@pytest.fixture
def lines(tool, backend):
    """lines(script, *options) -> Lines; the first line is line 1."""

    def start(script, *options, **more):
        done = tool.run(textwrap.dedent(script).lstrip("\n"), "--lines",
                        backend, *options, **more)
        return Lines(tool, done)

    return start


def test_every_line(lines):
    found = lines("""
        import pdump
        def helper():
            return 1
        @pdump.profile
        def f(n):
            total = 0
            for i in range(n):
                if i % 2:
                    total += helper()
            return total
        assert f(10) == 5 and f(4) == 2
    """)
    # The line of the loop: once for every turn, and for its end.
    assert found.hits("__main__:f") == {6: 2, 7: 16, 8: 14, 9: 7, 10: 2}
    assert {row["region"] for row in found.rows} == {"__main__:f"}
    assert all(row["time"] > 0 for row in found.rows)


def test_lines_by_variable(tool, backend):
    tool.run("""import pdump
@pdump.profile
def f():
    return 1
f()
""", backend, env={"PDUMP_LINES": "1"})
    assert Lines(tool).hits("__main__:f") == {4: 1}


def test_functions_by_name(lines):
    found = lines("""
        def f():
            return g()
        def g():
            return 1
        f()
        g()
    """, "--functions", "__main__:g")
    assert found.hits("__main__:g") == {4: 2}
    assert found.hits("__main__:f") == {}


def test_calls_are_in_the_time_of_their_line(lines):
    found = lines("""
        import time, pdump
        from time import perf_counter_ns as now
        def wait():
            global waited
            began = now()
            time.sleep(0.05)
            waited = now() - began
        @pdump.profile
        def f():
            wait()
            return 1
        began = now()
        f()
        print(waited, now() - began - waited)
    """, env={"PDUMP_CLOCK": "monotonic"})
    waited, rest = map(int, found.out.split())
    assert found.time("__main__:f", 10) >= waited
    assert found.time("__main__:f", 11) <= rest


def test_recursion(lines):
    found = lines("""
        import pdump
        @pdump.profile
        def fac(n):
            if n < 2:
                return 1
            return n * fac(n - 1)
        fac(5)
    """)
    assert found.hits("__main__:fac") == {4: 5, 5: 1, 6: 4}


def test_exceptions(lines):
    found = lines("""
        import pdump
        @pdump.profile
        def bad():
            x = 1
            raise ValueError
        @pdump.profile
        def f():
            try:
                bad()
            except ValueError:
                return 2
        f()
        f()
    """)
    assert found.hits("__main__:bad") == {4: 2, 5: 2}
    assert found.hits("__main__:f") == {8: 2, 9: 2, 10: 2, 11: 2}


def test_generators_that_take_turns(lines):
    found = lines("""
        import pdump
        @pdump.profile
        def count(n):
            i = 0
            while True:
                yield i
                i += 1
        a, b = count(1), count(2)
        for _ in range(3):
            next(a)
            next(b)
        a.close()
    """)
    hits = found.hits("__main__:count")
    assert (hits[4], hits[6], hits[7]) == (2, 6, 4)


def test_coroutines(lines):
    found = lines("""
        import asyncio, pdump
        @pdump.profile
        async def work(n):
            for i in range(n):
                await asyncio.sleep(0)
            return n
        async def main():
            await asyncio.gather(work(3), work(4))
        asyncio.run(main())
    """)
    hits = found.hits("__main__:work")
    assert (hits[5], hits[6]) == (7, 2)


def test_threads(lines):
    found = lines("""
        import threading, pdump
        @pdump.profile
        def f(n):
            for i in range(n):
                pass
        threads = [threading.Thread(target=f, args=(50,)) for _ in range(4)]
        for t in threads: t.start()
        for t in threads: t.join()
        f(50)
    """)
    assert found.hits("__main__:f") == {4: 5 * 51, 5: 250}
    assert len({row["thread"] for row in found.rows}) == 5


def test_regions_inside_of_a_function(lines):
    found = lines("""
        import pdump
        @pdump.profile
        def f():
            with pdump.region("inner"):
                x = 1
            return x
        f()
    """)
    assert found.hits("__main__:f")[5] == 1
    assert {row["path"] for row in found.rows} == {"__main__:f"}


def test_methods_and_classes(lines):
    found = lines("""
        import pdump
        @pdump.profile
        class A:
            def f(self):
                return 1
            @staticmethod
            def g():
                return 2
            @property
            def h(self):
                return 3
        class B:
            @pdump.profile
            @classmethod
            def f(cls):
                return 4
            def g(self):
                return 5
        A().f(), A.g(), A().h, B.f(), B().g()
    """)
    assert {row["region"]: row["hits"] for row in found.rows} == {
        "__main__:A.f": 1, "__main__:A.g": 1, "__main__:A.h": 1,
        "__main__:B.f": 1}


def test_decorated_after_its_first_call(lines):
    found = lines("""
        import pdump
        def f():
            return 1
        f()
        pdump.profile(f)
        f()
    """)
    assert found.hits("__main__:f") == {3: 1}


def test_a_script_for_kernprof(lines):
    found = lines("""
        @profile
        def f():
            return 1
        f()
    """)
    assert found.hits("__main__:f") == {3: 1}


def test_excluded_functions(lines):
    found = lines("""
        import pdump
        @pdump.profile
        def f(): return 1
        @pdump.profile
        def g(): return 1
        f(), g()
    """, "--exclude", "g")
    assert {row["region"] for row in found.rows} == {"__main__:f"}


def test_disabled(lines):
    found = lines("""
        import pdump
        @pdump.profile
        def f():
            return 1
        f()
        with pdump.instrumenter.disable():
            f()
        pdump.disable_recording()
        f()
        pdump.enable_recording()
        f()
    """)
    assert found.hits("__main__:f") == {4: 2}


def test_a_session_that_ends_in_a_function(lines):
    found = lines("""
        import pdump
        @pdump.profile
        def f():
            x = 1
            pdump.finalize()
            pdump.init()
            g()
            return x
        @pdump.profile
        def g():
            return 1
        f()
        f()
        g()
    """)
    # The last session begins inside of the second call.
    assert found.hits("__main__:f") == {}
    assert found.hits("__main__:g") == {11: 2}


def test_a_program_that_traces_itself(tool):
    done = tool.run("""
        import sys, pdump
        @pdump.profile
        def f():
            return 1
        f()
        sys.settrace(lambda *event: None)
        f()
    """, "--lines", "--instrumenter=profile", err=None)
    assert "sys.settrace()" in done.stderr
    assert Lines(tool).hits("__main__:f") == {5: 1}


def test_children_are_recorded(lines):
    found = lines("""
        import multiprocessing, pdump
        @pdump.profile
        def f(n):
            return n
        if __name__ == "__main__":
            for way in "fork", "spawn":
                with multiprocessing.get_context(way).Pool(1) as pool:
                    pool.map(f, range(3), 1)
                    pool.close()
                    pool.join()
    """)
    assert found.hits("__main__:f") == {4: 6}


def test_ranks_are_added_up(tool):
    name = tool.write("""
        from mpi4py import MPI
        import pdump
        @pdump.profile
        def f(n):
            for i in range(n):
                pass
        f(MPI.COMM_WORLD.rank + 1)
    """)
    done = mpi_kit.run(tool.folder, tool.env, "-m", "pdump", "--lines",
                       "--report", name)
    assert done.returncode == 0, done.stderr
    found = Lines(tool)
    assert found.hits("__main__:f") == {6: 5, 7: 3}
    assert {row["rank"] for row in found.rows} == {0, 1}
    assert done.stderr.count("for i in range(n):") == 1  # one report


def test_visits_that_are_left_out(lines):
    found = lines("""
        import pdump
        @pdump.profile
        def g():
            return 1
        @pdump.profile
        def f():
            for _ in range(50):
                g()
        f()
    """, env={"PDUMP_THROTTLE": "10:3600000000000"}, err=None)
    assert found.hits("__main__:g") == {4: 11}
    assert found.hits("__main__:f") == {7: 51, 8: 50}


def test_nothing_to_record_is_told(tool):
    done = tool.run("pass\n", "--lines", err=None)
    assert "no lines were recorded" in done.stderr


def test_without_being_asked_it_does_nothing(run):
    assert run("""
        import builtins, pdump, pdump.timers
        def f(): pass
        assert pdump.profile(f) is f
        assert pdump.timers.lineprof(f) is f
        builtins.profile = lambda function: "theirs"
        assert pdump.profile(f) == "theirs"
        print(pdump.is_active())
    """).out == "False\n"


def test_kernprof_still_works(tool):
    pytest.importorskip("kernprof")
    tool.write("""
        import pdump
        @pdump.profile
        def f():
            return 1
        f()
    """)
    done = tool.python("-m", "kernprof", "-l", "-v", "script.py")
    assert done.returncode == 0, done.stderr
    assert any(line.split()[:2] == ["5", "1"]
               for line in done.stdout.splitlines())


def test_memory_of_lines(lines):
    found = lines("""
        import mmap, pdump
        @pdump.profile
        def f(size):
            m = mmap.mmap(-1, size)
            m.write(b"x" * 4096)
            m.write(b"x" * (size - 4096))
            m.close()
        f(64 << 20)
    """, "--memory=1000")
    by_line = {int(row["label"].rpartition(":")[2]): row for row in found.rows}
    growth = {line: row["pdump::rss.growth"] / 2**20
              for line, row in by_line.items()}
    assert abs(growth[4]) < 2 and abs(growth[5]) < 2
    assert 62 < growth[6] < 140  # and what it writes
    assert growth[7] < -62
    assert by_line[6]["pdump::rss"] - by_line[5]["pdump::rss"] > 62 * 2**20


def test_counters_of_lines(lines, tool):
    found = lines("""
        import os, pdump
        @pdump.profile
        def f():
            with open("data", "wb", buffering=0) as file:
                for _ in range(10):
                    file.write(b"x" * 1000)
            return 1
        f()
    """, "-e", "pdump::io_write,pdump::cpu_time")
    by_line = {int(row["label"].rpartition(":")[2]): row for row in found.rows}
    assert by_line[6]["pdump::io_write"] == 10000
    assert by_line[5]["pdump::io_write"] == by_line[7]["pdump::io_write"] == 0
    assert all(row["pdump::cpu_time"] >= 0 for row in found.rows)
    done = subprocess.run(
        [command(), "report", "--lines", str(find_dump(tool.folder))],
        text=True, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "pdump::io_write" in done.stdout and "10.0 kB" in done.stdout


CALLER = """
    import time, pdump
    @pdump.profile
    def g():
        time.sleep(0.02)
    @pdump.profile
    def f():
        time.sleep(0.01)
        for _ in range(2):
            g()
    began = time.perf_counter_ns()
    f()
    print(time.perf_counter_ns() - began, 2 * 20_000_000)
"""


def test_time_in_functions_that_have_lines_too(lines):
    found = lines(CALLER)
    called = {(row["region"], int(row["label"].rpartition(":")[2])):
              row["called"] for row in found.rows}
    assert found.time("__main__:f", 9) >= called["__main__:f", 9] >= 40e6
    assert {place for place, time in called.items() if time} == {
        ("__main__:f", 9)}


def test_callgrind_has_lines(lines, tool):
    found = lines(CALLER, env={"PDUMP_CLOCK": "monotonic"})
    dump = find_dump(tool.folder)
    subprocess.run([command(), "export", "-f", "callgrind", "-o", "x", str(dump)],
                   cwd=tool.folder, check=True, timeout=300, capture_output=True)
    text = next(tool.folder.glob("*.callgrind")).read_text()
    body = text[text.index("__main__:f\n"):].partition("\ncfn=")[0]
    costs = {int(row.split()[0]): int(row.split()[1])
             for row in body.splitlines() if row[:1].isdigit()}
    assert set(costs) == {5, 7, 8, 9}
    assert costs[7] >= 10e6
    whole, called = map(int, found.out.split())
    assert costs[7] + costs[8] + costs[9] <= whole - called


def test_the_page_has_the_source(lines, tool):
    lines(CALLER)
    subprocess.run([command(), "html", str(find_dump(tool.folder))],
                   cwd=tool.folder, check=True, timeout=300, capture_output=True)
    text = next(tool.folder.glob("*.html")).read_text()
    assert '[9,"        g()",2,' in text


def test_options():
    def none(name, default=None):
        return default

    options = parse(["--lines", "--functions", "a:*", "x.py"], none)
    assert options.lines and options.functions == ["a:*"]
    for bad in (["--functions=f", "x.py"],
                ["--lines", "--noinstrumenter", "x.py"]):
        with pytest.raises(UsageError):
            parse(bad, none)


def report(tool, *words):
    return subprocess.run(
        [command(), "report", "--lines", "--width=0", *words,
         str(find_dump(tool.folder))], cwd=tool.folder, env=tool.env,
        capture_output=True, text=True, timeout=300)


SOURCE = """\
import pdump
@pdump.profile
def f(n):
\tif n > 5:
\t\treturn n

\treturn -n
def g():
    return 1
f(1)
"""


@pytest.mark.skipif(command() is None, reason="no pdump command")
def test_report(tool):
    tool.run(SOURCE, "--lines")
    out = report(tool).stdout.splitlines()
    assert out[1] == f"__main__:f ({tool.folder / 'script.py'})"
    at = {int(line.split()[0]): line for line in out[3:]}
    assert list(at) == [2, 3, 4, 5, 6, 7]
    assert at[2].endswith("@pdump.profile")
    assert at[4].split()[1] == "1" and at[4].endswith("  if n > 5:")
    assert at[5].split() == ["5", "return", "n"]
    assert at[7].split()[-2:] == ["return", "-n"]


@pytest.mark.skipif(command() is None, reason="no pdump command")
def test_table_as_line_profiler_has_it(tool):
    tool.run(SOURCE, "--lines")
    subprocess.run([command(), "export", "-f", "lines",
                    str(find_dump(tool.folder))], cwd=tool.folder,
                   env=tool.env, check=True, capture_output=True, timeout=300)
    out = (tool.folder / "perf_dump.lines.txt").read_text().splitlines()
    assert out[0] == "Timer unit: 1e-09 s"
    assert out[2].startswith("Total time: ")
    assert out[3:5] == [f"File: {tool.folder / 'script.py'}",
                        "Function: __main__:f at line 2"]
    assert out[6].split() == ("Line # Hits Time Per Hit % Time "
                              "Line Contents").split()
    at = out[8:]
    assert [int(line.split()[0]) for line in at] == [2, 3, 4, 5, 6, 7]
    column = out[6].index("Line Contents")
    assert at[2][:16] == "     4         1" and at[2][column:] == \
        "        if n > 5:"
    assert at[3][6:].split() == ["return", "n"]


@pytest.mark.skipif(command() is None, reason="no pdump command")
def test_source_that_is_not_what_it_was(tool):
    tool.run(SOURCE, "--lines")
    script = tool.folder / "script.py"
    os.utime(script, (4e9, 4e9))
    assert "has changed since the run" in report(tool).stdout
    os.remove(script)
    out = report(tool).stdout
    assert "is not there" in out
    assert [line.split()[:2] for line in out.splitlines()[4:]] == [
        ["4", "1"], ["7", "1"]]


@pytest.mark.skipif(command() is None, reason="no pdump command")
def test_report_without_lines(tool):
    tool.run("pass\n")
    done = report(tool)
    assert done.returncode != 0 and "no lines" in done.stderr
