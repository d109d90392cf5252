# SPDX-License-Identifier: BSD-3-Clause
"""``python -m pdump``: its options, its output, its children."""

import csv
import os
import re
import subprocess
import sys
from textwrap import dedent

import pytest

import pdump
from pdump import _native
from pdump.runner_options import UsageError, parse
from pdump.runner_report import fill, rank, settings
from runner_kit import dumps_in, find_dump

pytestmark = pytest.mark.skipif(_native.module is None, reason=_native.why)

SMALL = """
    def f(): pass
    def g(): pass
    f(); g()
"""


def none(name, default=None):
    return default


def test_options_end_where_the_program_begins():
    options = parse(["-e", "A,B", "--report", "run.py", "--report", "-e"],
                    none)
    assert (options.events, options.report) == ("A,B", True)
    assert (options.kind, options.target) == ("script", "run.py")
    assert options.arguments == ["--report", "-e"]
    assert parse(["-m", "mod", "-x"], none).kind == "module"
    assert parse(["-cprint()", "-x"], none).target == "print()"
    assert parse(["-", "-x"], none).arguments == ["-x"]
    assert parse(["--", "-odd.py"], none).target == "-odd.py"


def test_score_p_options():
    words = ["--mpp=mpi", "--thread=pthread", "--user", "--io=posix",
             "--nocompiler", "--instrumenter-type=dummy", "--keep-files",
             "x.py"]
    assert parse(words, none).instrumenter == "none"
    assert parse(["--nopython", "x.py"], none).instrumenter == "none"


def test_options_as_variables():
    set_to = {"PDUMP_INSTRUMENTER": "none", "PDUMP_INCLUDE": "a,b",
              "PDUMP_REPORT": "1", "PDUMP_OUTPUT": "o.csv"}
    options = parse(["--include", "c", "x.py"], set_to.get)
    assert options.instrumenter == "none"
    assert options.include == ["a", "b", "c"]
    assert options.report and options.output == "o.csv"
    set_to = {"PDUMP_LINES": "1", "PDUMP_EXCLUDE": "d,e",
              "PDUMP_C_CALLS": "1", "PDUMP_KEEP_FILES": "1"}
    options = parse(["--exclude", "f", "x.py"], set_to.get)
    assert options.lines and options.c_calls and options.keep_files
    assert options.exclude == ["d", "e", "f"]
    options = parse(["x.py"], dict.fromkeys(set_to, "0").get)
    assert not (options.lines or options.c_calls or options.keep_files)


@pytest.mark.parametrize("words", [
    ["--nonsense", "x.py"], ["-e"], ["--instrumenter=magic", "x.py"],
    ["--functions=f", "x.py"], ["--memory=x", "x.py"],
    ["--stacks=x", "x.py"], ["--report=3", "x.py"]])
def test_bad_options(words, tool):
    with pytest.raises(UsageError):
        parse(words, none)
    done = tool.pdump(*words)
    assert done.returncode == 2
    assert done.stderr.startswith("pdump: ")


def test_help_and_version(tool):
    import pdump

    assert "Usage: " in tool.pdump("--help").stdout
    assert tool.pdump("--version").stdout == pdump.__version__ + "\n"
    assert tool.pdump().returncode == 2


def test_ranks_of_launchers():
    assert rank({"PMI_RANK": "3", "SLURM_PROCID": "9"}.get) == 3
    assert rank({"OMPI_COMM_WORLD_RANK": "2", "PMI_RANK": "3"}.get) == 2
    assert rank({"PMIX_RANK": "not"}.get) is None


def test_output_patterns(monkeypatch):
    monkeypatch.setenv("PMI_RANK", "5")
    assert fill("a.{rank}.{script}.{other}", "dir/run.py") == \
        "a.5.run.{other}"
    assert fill("{pid}", "") == str(os.getpid())
    def made(name, formats=None):
        found = settings(name, "", formats)
        return (found.get("PDUMP_DUMP_DIR"), found["PDUMP_FILENAME"],
                found["PDUMP_ENDING"], found.get("PDUMP_OUTPUT_FORMAT"))

    assert made("d/a.json") == ("d", "a", ".json", "json")
    assert made("a.csv", "json") == (None, "a", ".csv", None)
    assert made("a.b") == (None, "a", ".b", None)
    assert made("a") == (None, "a", "", None)
    assert made("a.trace.json") == (None, "a", ".trace.json", "chrome")
    assert made("a.trace.json", "csv") == (None, "a.trace", ".json", None)
    assert made("a.trace.json", "chrome,csv") == (
        None, "a", ".trace.json", None)


def test_endings_of_all_formats(tool):
    """Ours are those of the library."""
    command = os.environ.get("PDUMP_COMMAND")
    if not command:
        pytest.skip("PDUMP_COMMAND does not name the pdump command")
    text = subprocess.run([command, "export", "--help"], env=tool.env,
                          check=True, capture_output=True, text=True,
                          timeout=300).stdout
    rows = re.findall(r"^  (\S+) .*\((\.[a-z0-9.]+)[,)]",
                      text.partition("Formats,")[2], re.MULTILINE)
    assert len(rows) > 8
    for format, ending in rows:
        if "pyperfdump" not in format:
            assert settings("a" + ending, "", None)[
                "PDUMP_OUTPUT_FORMAT"] == format


@pytest.mark.parametrize("options, files", [
    (["--format", "pstats", "-o", "jacobi.dat"], ["jacobi.dat"]),
    (["--format", "pstats", "-o", "jac.1.part"], ["jac.1.part"]),
    (["-o", "out.pstats"], ["out.pstats"]),
    (["--format", "pstats", "-o", "plain"], ["plain.pstats"]),
    (["--format", "csv", "-o", "run.dat"], ["run.dat", "run.meta.csv"]),
    (["--format", "json,csv", "-o", "run.x"],
     ["run.csv", "run.meta.csv", "run.x"]),
])
def test_who_names_a_file_gets_it(tool, options, files):
    tool.run(SMALL, *options)
    assert sorted(set(os.listdir(tool.folder)) - {"script.py"}) == files
    if "csv" in options:
        results = pdump.load(tool.folder / files[0])
        assert results.metadata


def test_nothing_to_run_writes_nothing(tool):
    precious = tool.folder / "perf_dump.csv"
    precious.write_text("precious")
    env = {"PDUMP_OUTPUT_FORMAT": "csv", "PDUMP_STORE": str(tool.folder)}
    for words in (["nofile.py"], ["-m", "no_such_module"], [str(tool.folder)],
                  ["--io", "nofile.py"]):
        plain = tool.python(*[word for word in words if word != "--io"])
        ours = tool.pdump(*words, env=env)
        assert ours.returncode == plain.returncode
        assert ours.stderr == plain.stderr
        assert os.listdir(tool.folder) == ["perf_dump.csv"]
        assert precious.read_text() == "precious"


def test_io_of_the_runner_is_not_that_of_the_script(tool):
    tool.run("pass", "--io", "--format", "csv", "--noinstrumenter")
    # Python opens the script itself.
    assert tool.dump().count("open") == 1


def test_output_and_format(tool):
    tool.run(SMALL, "-o", "out/{script}-{rank}.csv", "--format", "csv,json")
    assert tool.dump("out/script-0.csv").count("__main__:f") == 1
    assert (tool.folder / "out/script-0.json").exists()


def test_unknown_formats_are_told(tool):
    done = tool.run(SMALL, "--format", "nonsense", err=None)
    assert "nonsense" in done.stderr
    assert tool.dump().count("__main__:f") == 1


def test_events(tool):
    tool.run(SMALL, "-e", "pdump::minor_faults", env={"PDUMP_EVENTS": None})
    assert tool.dump().metrics == ["time", "pdump::minor_faults"]


def test_time_only_unless_asked(tool):
    tool.run(SMALL, env={"PDUMP_EVENTS": None})
    assert tool.dump().metrics == ["time"]


def test_events_that_cannot_be_counted(tool):
    done = tool.run(dedent(SMALL) + "print('runs')\nraise SystemExit(3)\n",
                    "-e", "NO_SUCH_EVENT", code=3, err=None)
    assert done.stdout.endswith("runs\n")
    assert done.stderr.count("event NO_SUCH_EVENT is not counted") == 1
    assert done.stderr.count("only time is recorded") == 1
    dump = tool.dump()
    assert dump.metrics == ["time"]
    assert dump.count("__main__:f") == 1


def test_memory(tool):
    tool.run("""
        import time, pdump

        def hold():
            block = bytearray(b"x") * (48 << 20)
            until = time.monotonic() + 300
            while time.monotonic() < until and not is_seen(len(block)):
                time.sleep(0.01)
            return len(block)

        def is_seen(size):
            taken = pdump.current()._table.facts.details.rows("memory")
            return any("hold" in row["label"] and row["rss"] > size
                       for row in taken)

        hold()
        """, "--memory=5", "--format", "csv")
    with open(tool.folder / "perf_dump.details.csv") as file:
        rows = [row for row in csv.DictReader(file)
                if row["table"] == "memory" and row["field"] == "rss"]
    inside = [int(row["value"]) for row in rows if "hold" in row["label"]]
    assert max(inside) > 48 << 20
    assert max(inside) > int(min(rows, key=lambda row: row["label"])["value"])


def test_memory_is_looked_at_every_10_ms():
    assert parse(["--memory", "x.py"], none).memory == "10"
    assert parse(["x.py"], none).memory is None


def test_stacks_instead_of_functions():
    options = parse(["--stacks", "x.py"], none)
    assert (options.stacks, options.instrumenter) == ("100", "none")
    options = parse(["--stacks=50", "--instrumenter=auto", "x.py"], none)
    assert (options.stacks, options.instrumenter) == ("50", "auto")
    assert parse(["x.py"], none).stacks is None


def test_stacks_of_every_thread(tool):
    done = tool.run("""
        import sys, threading, time

        def burn():
            assert sys.getprofile() is None
            while time.thread_time() < 0.5:
                pass

        threads = [threading.Thread(target=burn) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        """, "--stacks", "--format", "csv")
    if "no stacks are taken" in done.stderr:
        pytest.skip("stacks cannot be taken here")
    used = {}
    with open(tool.folder / "perf_dump.csv") as file:
        for row in csv.DictReader(file):
            if row["depth"] == "0":
                used[row["thread"]] = used.get(row["thread"], 0) + int(
                    row["pdump::stack_time.sum [ns]"])
    assert len([ns for ns in used.values() if ns > 250_000_000]) == 3


def test_include_and_exclude(tool, backend):
    tool.run(SMALL, backend, "--include", "__main__", "--exclude", "g",
             "--exclude", "<module>")
    assert tool.dump().regions() == {"__main__:f": 1}


def test_exclude_by_variable(tool, backend):
    tool.run(SMALL, backend, env={"PDUMP_EXCLUDE": "g,<module>"})
    assert tool.dump().regions("__main__") == {"__main__:f": 1}


def test_c_calls_by_variable(tool, backend):
    script = "def f(): return len('abc')\nf()\n"
    tool.run(script, backend, env={"PDUMP_C_CALLS": "0"})
    assert tool.dump().regions("builtins") == {}
    os.remove(find_dump(tool.folder))
    tool.run(script, backend, env={"PDUMP_C_CALLS": "1"})
    assert tool.dump().parents("builtins:len") == {"__main__:f"}


def test_keep_files_by_variable_is_accepted(tool):
    """And no warning of a variable that nobody knows."""
    tool.run(SMALL, env={"PDUMP_KEEP_FILES": "1"})
    assert tool.dump().count("__main__:f") == 1


def test_filter_file(tool, backend):
    tool.write("""
        SCOREP_REGION_NAMES_BEGIN
          EXCLUDE *
          INCLUDE f
        SCOREP_REGION_NAMES_END
        """, "filter")
    tool.run(SMALL, backend, "--filter", "filter")
    assert tool.dump().regions() == {"__main__:f": 1}
    done = tool.pdump("--filter", "nowhere", "script.py")
    assert done.returncode == 2 and "nowhere" in done.stderr


def test_filter_file_by_variable(tool, backend):
    """The same rules for functions and regions, one warning if it is bad."""
    tool.write("""
        SCOREP_REGION_NAMES_BEGIN
          EXCLUDE tiny* __main__:h <module>
        SCOREP_REGION_NAMES_END
        SCOREP_FILE_NAMES_BEGIN
          EXCLUDE */other.py
        SCOREP_FILE_NAMES_END
        """, "filter")
    tool.write("def elsewhere(): pass\n", "other.py")
    script = """
        import pdump, other
        def f():
            with pdump.region("tiny 1"), pdump.region("large"):
                h(g)
        def g(): other.elsewhere()
        def h(call): call()
        f()
        """
    tool.run(script, backend, env={"PDUMP_FILTER": "filter"})
    found = tool.dump()
    assert found.regions("__main__:") == {"__main__:f": 1, "__main__:g": 1}
    assert found.regions("other:") == found.regions("tiny") == {}
    assert found.count("large") == 1
    assert found.parents("__main__:g") == {"large"}
    tool.write("SCOREP_REGION_NAMES_BEGIN EXCLUDE *", "filter")
    done = tool.run(script, backend, env={"PDUMP_FILTER": "filter"}, err=None)
    assert done.stderr.count("filter:1:1: ") == 1
    assert tool.dump().regions()["tiny 1"] == 1


def test_report(tool, backend):
    done = tool.run(SMALL + "    print('out')\n", backend, "--report",
                    err=None)
    assert done.stdout == "out\n"
    assert "__main__:<module>" in done.stderr
    done = tool.run("import os; os.chdir('/')\ndef moved(): pass\nmoved()",
                    backend, err=None, env={"PDUMP_REPORT": "1"})
    assert "__main__:<module>" in done.stderr


def test_disabled(tool):
    tool.run(SMALL, "--report", env={"PDUMP_DISABLE": "1"})
    assert os.listdir(tool.folder) == ["script.py"]


def test_a_deleted_output_directory(tool):
    (tool.folder / "out").mkdir()
    done = tool.run("""
        import os
        def f(): pass
        f()
        os.rmdir("out")
        """, "-o", "out/x.csv", err=None)
    assert tool.dump("out/x.csv").count("__main__:f") == 1, done.stderr


def test_without_the_module_regions_are_recorded(tool):
    done = tool.run("""
        import pdump
        def f(): pass
        f()
        with pdump.region("r"): pass
        """, err=None, env={"PDUMP_MODULES": str(tool.folder)})
    assert "pdump_python.so is not there" in done.stderr
    assert tool.dump().regions() == {"r": 1}


def test_runpy_inside(tool, backend):
    tool.write("def inner(): pass\ninner()", "inner.py")
    tool.run("""
        import runpy
        runpy.run_path("inner.py", run_name="__main__")
        runpy.run_module("inner")
        """, backend)
    assert tool.dump().count("__main__:inner") == 1
    assert tool.dump().count("inner:inner") == 1


# Children

POOL = """
    import multiprocessing, os, sys
    def work(x):
        return leaf(x)
    def leaf(x):
        return x * x, os.getpid()
    if __name__ == "__main__":
        multiprocessing.set_start_method(sys.argv[1])
        with multiprocessing.Pool(2) as pool:
            done = pool.map(work, range(20), chunksize=1)
            pool.close(); pool.join()
        print([value for value, _ in done])
"""


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing_pool(tool, backend, method):
    name = tool.write(POOL)
    done = tool.pdump(backend, name, method)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout == f"{[x * x for x in range(20)]}\n"
    dump = tool.dump()
    assert dump.count("__main__:leaf") == 20
    assert dump.parents("__main__:leaf") == {"__main__:work"}
    mine = dump.pids("multiprocessing.pool:Pool.map")
    assert len(mine) == 1 and not mine & dump.pids("__main__:leaf")
    assert len(dumps_in(tool.folder)) == 1
    assert tool.stores() == []


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing_process_with_regions(tool, method):
    tool.run(f"""
        import multiprocessing, pdump
        def child():
            with pdump.region("in the child"):
                pass
        if __name__ == "__main__":
            context = multiprocessing.get_context("{method}")
            with pdump.region("start"):
                p = context.Process(target=child)
                p.start()
            p.join()
            assert p.exitcode == 0
        """, "--noinstrumenter")
    dump = tool.dump()
    assert dump.paths() == {"start": 1, "in the child": 1}
    assert dump.pids("start") != dump.pids("in the child")


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_concurrent_futures(tool, backend, method):
    tool.run(f"""
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
        def work(x): return x + 1
        if __name__ == "__main__":
            context = multiprocessing.get_context("{method}")
            with ProcessPoolExecutor(2, mp_context=context) as pool:
                assert list(pool.map(work, range(10))) == list(range(1, 11))
            with ThreadPoolExecutor(2) as pool:
                assert list(pool.map(work, range(10))) == list(range(1, 11))
        """, backend)
    assert tool.dump().count("__main__:work") == 20


def test_terminated_children(tool, backend):
    tool.run("""
        import multiprocessing, time
        def work(): pass
        def child(connection):
            work()
            connection.send(1)
            time.sleep(300)
        if __name__ == "__main__":
            here, there = multiprocessing.Pipe()
            p = multiprocessing.Process(target=child, args=(there,))
            p.start()
            here.recv()
            p.terminate()
            p.join(300)
            assert p.exitcode == -15, p.exitcode
        """, backend)
    assert tool.dump().count("__main__:work") == 1


def test_fork_in_a_thread_and_os_exit(tool, backend):
    tool.run("""
        import os, threading
        def work(): pass
        def fork():
            pid = os.fork()
            work()
            if pid == 0:
                os._exit(0)
            os.waitpid(pid, 0)
        t = threading.Thread(target=fork)
        t.start(); t.join()
        """, backend, flags=["-W", "ignore"])
    assert tool.dump().count("__main__:work") == 2
    assert len(tool.dump().pids("__main__:work")) == 2


def test_a_forked_child_that_exits_normally(tool, backend):
    done = tool.run("""
        import os, sys
        def work(): pass
        def main():
            pid = os.fork()
            work()
            if pid == 0:
                sys.exit(4)
            print(os.WEXITSTATUS(os.waitpid(pid, 0)[1]))
        main()
        """, backend)
    assert done.stdout == "4\n"
    dump = tool.dump()
    assert dump.count("__main__:work") == 2
    assert dump.count("__main__:main") == 1  # the child's began before it


def test_children_are_left_alone_if_so_wished(tool):
    tool.run("""
        import os
        def work(): pass
        if os.fork() == 0:
            work()
            os._exit(0)
        os.wait()
        """, env={"PDUMP_FOLLOW": "0"})
    assert tool.dump().count("__main__:work") == 0


def test_the_file_is_named_at_the_end(tool):
    script = tool.write("def work():\n    pass\nwork()\n")
    del tool.env["PDUMP_TELL"]
    done = tool.pdump("-o", "perf_dump.csv", script)
    path = tool.folder / "perf_dump.csv"
    assert done.stdout == ""
    assert done.stderr == f"pdump: {path} (pdump report {path})\n"
    tool.env["PDUMP_QUIET"] = "1"
    assert tool.pdump("-o", "perf_dump.csv", script).stderr == ""
    del tool.env["PDUMP_QUIET"]
    tool.env["PDUMP_TELL"] = "never"
    assert tool.pdump("-o", "perf_dump.csv", script).stderr == ""


def test_a_terminal_gets_a_summary(tool):
    import pty

    script = tool.write("def work():\n    pass\nwork()\n")
    for name in ("PDUMP_TELL", "PDUMP_QUIET"):
        tool.env.pop(name, None)
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb", 0) as screen:
        process = subprocess.Popen(
            [sys.executable, "-m", "pdump", "-o", "perf_dump.csv", str(script)],
            cwd=tool.folder, env=tool.env, stdout=subprocess.PIPE,
            stderr=theirs)
        os.close(theirs)
        shown = b""
        try:
            while True:
                more = screen.read(4096)
                if not more:
                    break
                shown += more
        except OSError:  # the last one has closed it
            pass
        out, _ = process.communicate(timeout=300)
    assert process.returncode == 0 and out == b""
    lines = shown.decode().replace("\r", "").splitlines()
    assert any(line.split()[0].startswith("self") for line in lines if line)
    assert any("__main__:work" in line for line in lines), lines
    path = tool.folder / "perf_dump.csv"
    assert lines[-2:] == [f"pdump: {path}", f"  next: pdump report {path}"]


def test_the_report_of_a_small_script_fits_in_the_head(tool):
    """What json does while it is imported is a line, not 300."""
    from pdump.runner_report import command

    script = tool.write("""import json


def load(text):
    return json.loads(text)


def total(n):
    result = 0
    for i in range(n):
        result += sum(load("[1, 2, %d]" % i))
    return result


def main():
    print(total(10))


main()
""")
    if command() is None:
        pytest.skip("there is no pdump command")
    tool.pdump(script)
    found = [subprocess.run(
        [command(), "report", "--width", "80", *options,
         find_dump(tool.folder, "perf_dump")], env=tool.env, text=True,
        capture_output=True, timeout=300, check=True).stdout.splitlines()
        for options in ([], ["--all"])]
    brief, everything = found
    assert len(brief) <= 40 < len(everything)
    assert max(map(len, brief)) <= 80
    assert any("json:<module>" in line for line in brief)
    assert not any("json.decoder:<module>" in line for line in brief)
    assert any(line.endswith(" more (--all)") for line in brief)
