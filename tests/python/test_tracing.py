# SPDX-License-Identifier: BSD-3-Clause
"""The program's own tracing sees the program, and nothing of pdump."""

import importlib.util
import os
import sys

import pytest

from runner_kit import HAS_MONITORING

pytestmark = pytest.mark.skipif(
    sys.version_info < (3, 11),
    reason="before 3.11, Python cannot suspend tracing")

# Every process appends to "seen" what it sees: "ours" lines of the pdump
# package, and the names of its own functions.
WATCHER = """
    import atexit, os, sys, threading

    HERE = os.path.dirname(os.path.abspath(__file__))
    SEEN = os.path.join(HERE, "seen")
    OURS = os.sep + "pdump" + os.sep


    def note(code, event):
        if OURS in code.co_filename:
            text = f"ours {code.co_filename} {code.co_name} {event}"
        elif code.co_filename == __file__ and event == "call":
            text = code.co_name
        else:
            return
        with open(SEEN, "a") as file:
            file.write(text + "\\n")


    def tracer(frame, event, arg):
        note(frame.f_code, event)
        return tracer


    def watch(how):
        if how == "settrace":
            threading.settrace(tracer)
            sys.settrace(tracer)
        elif how == "setprofile":
            threading.setprofile(tracer)
            sys.setprofile(tracer)
        else:
            watch_by_monitoring()


    def watch_by_monitoring():
        tool, events = sys.monitoring, sys.monitoring.events
        tool.use_tool_id(1, "coverage")
        kinds = {events.PY_START: "call", events.PY_RESUME: "call",
                 events.PY_RETURN: "return", events.PY_YIELD: "yield",
                 events.LINE: "line", events.CALL: "of a function",
                 events.PY_UNWIND: "unwind", events.RAISE: "raise"}
        for kind, text in kinds.items():
            tool.register_callback(
                1, kind, lambda code, *_, text=text: note(code, text))
        tool.set_events(1, sum(kinds))


    watch(sys.argv[1])
"""

CHILDREN = """
    import multiprocessing, subprocess
    from concurrent.futures import ProcessPoolExecutor

    def work(n=0):
        import colorsys
        return n

    def at_exit():
        return 1

    if __name__ == "__main__":
        atexit.register(at_exit)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        for method in ("fork", "spawn", "forkserver"):
            context = multiprocessing.get_context(method)
            child = context.Process(target=work)
            child.start()
            child.join()
            assert child.exitcode == 0
        with ProcessPoolExecutor(1) as pool:
            assert list(pool.map(work, [1])) == [1]
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        pid = os.fork()
        if pid == 0:
            work()
            os._exit(0)
        os.waitpid(pid, 0)
"""

FAILING = """
    def at_exit():
        return 1

    def excepthook(kind, value, trace):
        print(kind.__name__, trace.tb_frame.f_code.co_name)

    atexit.register(at_exit)
    sys.excepthook = excepthook
    1 / 0
"""

TOOLS = ["settrace", "setprofile"] + (["monitoring"] if HAS_MONITORING else [])


@pytest.fixture(params=TOOLS)
def watcher(request):
    return request.param


@pytest.fixture(params=[("--instrumenter=profile",),
                        ("--lines", "--functions", "work"),
                        ("--exclude", "json", "--include", "__main__")],
                ids=lambda options: options[0])
def options(request):
    return request.param


def seen(tool, text, watcher, *options, code=0):
    name = tool.write(WATCHER + text)
    done = tool.pdump(*options, name, watcher, timeout=300)
    assert done.returncode == code, done.stderr
    with open(tool.folder / "seen", encoding="utf-8") as file:
        return done, file.read().splitlines()


def ours(lines):
    return [line for line in lines if line.startswith("ours ")]


def test_nothing_of_ours_is_seen(tool, watcher, options):
    _, lines = seen(tool, CHILDREN, watcher, *options)
    assert ours(lines) == []
    # Here, in a thread, in four children of multiprocessing, in a fork; a
    # profile or trace function is not inherited by all of them.
    assert lines.count("work") >= 4
    assert lines.count("at_exit") == 1


def test_nothing_of_ours_is_seen_after_an_exception(tool, watcher):
    done, lines = seen(tool, FAILING, watcher, code=1)
    assert ours(lines) == []
    assert done.stdout == "ZeroDivisionError <module>\n"
    assert lines.count("excepthook") == 1
    assert lines.count("at_exit") == 1


def test_nothing_of_ours_is_seen_after_sys_exit(tool, watcher):
    _, lines = seen(tool, """
    def at_exit():
        return 1

    atexit.register(at_exit)
    sys.exit(3)
    """, watcher, code=3)
    assert ours(lines) == []
    assert lines.count("at_exit") == 1


def test_trace_module_counts_the_program_only(tool):
    script = tool.write("""
        import multiprocessing, os

        def work():
            return 1

        if __name__ == "__main__":
            child = multiprocessing.get_context("spawn").Process(
                target=os.getpid)
            child.start()
            child.join()
            work()
    """)
    done = tool.pdump("-m", "trace", "--count", "--coverdir=cover", script)
    assert done.returncode == 0, done.stderr
    made = os.listdir(tool.folder / "cover")
    assert "script.cover" in made
    assert [name for name in made if name.startswith("pdump")] == []


def test_tracing_of_commands_after_the_program(tool):
    """python -i: settrace() works there."""
    tool.write("print('script')\n")
    done = tool.pdump("script.py", flags=["-i"], input=(
        "import sys\n"
        "def f(): pass\n\n"
        "sys.settrace(lambda *event: print('traced'))\n"
        "f()\n"))
    assert "script" in done.stdout and "traced" in done.stdout


@pytest.mark.skipif(
    sys.version_info < (3, 12)
    or importlib.util.find_spec("_testcapi") is None,
    reason="no _testcapi with watchers of functions")
def test_watchers_of_functions_see_none_of_ours(tool):
    done = tool.run("""
        import _testcapi

        seen = []


        def watch(event, function, value):
            seen.append(getattr(function, "__module__", None))


        number = _testcapi.add_func_watcher(watch)
        import json, multiprocessing.util
        json.dumps({})
        _testcapi.clear_func_watcher(number)
        print([name for name in seen if str(name).startswith("pdump")])
    """, "--exclude", "nothing_such", "--exclude", "nor_this")
    assert done.stdout == "[]\n"
