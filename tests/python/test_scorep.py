# SPDX-License-Identifier: BSD-3-Clause
"""Programs and command lines written for Score-P's Python bindings."""

import pytest

from runner_kit import HAS_MONITORING

FUNCTIONS = """
    import pdump
    def seen(): pass
    with pdump.region("own"):
        seen()
"""


def test_an_end_that_was_never_begun(run):
    done = run("""
        import pdump
        pdump.region_begin("a")
        for name in ("never", "nor", "never"):
            pdump.region_end(name)
        pdump.region_end("a")
    """)
    assert done.visits() == {"a": 1}
    for name in ("never", "nor"):
        assert f"region '{name}' was never begun here; 'a' is open" in done.err
    assert {text.split("'")[1]: n
            for text, n in done.results().warnings.items()
            if "never begun" in text} == {"never": 2, "nor": 1}


@pytest.mark.parametrize("options", [
    ["--noinstrumenter", "--instrumenter-type=profile"],
    ["--instrumenter-type=profile", "--noinstrumenter"],
    ["--nopython", "--instrumenter-type=cProfile"],
    ["--instrumenter-type=trace", "--nopython"]])
def test_no_instrumenter_wins_in_any_order(tool, options):
    tool.run(FUNCTIONS, *options)
    assert tool.dump().regions() == {"own": 1}


def test_an_instrumenter_does_not_come_back_by_its_order(tool):
    tool.run(FUNCTIONS, "--instrumenter-type=dummy",
             "--instrumenter-type=profile")
    assert tool.dump().count("__main__:seen") == 1


def test_options_of_score_p_are_accepted(tool):
    tool.run(FUNCTIONS, "--mutex=pthread", "--kokkos", "--thread=pthread",
             "--nocompiler", "--keep-files", "--noinstrumenter")
    assert tool.dump().regions() == {"own": 1}


def test_verbose_names_the_settings(tool):
    for option in ("-v", "--verbose"):
        done = tool.run(FUNCTIONS, option, "-o", "out.csv", err=None)
        assert "pdump: PDUMP_FILENAME=out\n" in done.stderr


def test_instrumenter_file(tool):
    tool.write("def bar(): print('bar')", "other.py")
    tool.write("""
        import other, pdump
        assert __name__ != "__main__"
        other.bar = pdump.region("chosen")(other.bar)
    """, "chooser.py")
    done = tool.run("import other; other.bar()", "--noinstrumenter",
                    "--instrumenter-file=chooser.py")
    assert done.stdout == "bar\n"
    assert tool.dump().regions() == {"chosen": 1}


def test_an_instrumenter_file_that_is_not_there(tool):
    done = tool.run("print(1)", "--instrumenter-file", "none.py", code=2,
                    err=None)
    assert "none.py: No such file" in done.stderr and done.stdout == ""


HEIRS = """
    import threading
    import pdump.scorep.instrumenter
    def before(): pass
    def inside(): pass
    def outside(): pass
    go = threading.Event()
    def early():
        go.wait()
        outside()
    def worker(function):
        function()
    def late(): pass
    def outlives(started):
        started.set()
        go.wait()
        late()
    first = threading.Thread(target=early)
    first.start()
    started = threading.Event()
    with pdump.scorep.instrumenter.enable():
        t = threading.Thread(target=worker, args=(inside,))
        t.start(); t.join()
        last = threading.Thread(target=outlives, args=(started,))
        last.start()
    outside()
    t = threading.Thread(target=worker, args=(outside,))
    t.start(); t.join()
    started.wait(); go.set()
    first.join(); last.join()
"""


def _functions(dump):
    return {name.partition(":")[2]: n
            for name, n in dump.regions("__main__:").items()}


@pytest.mark.parametrize("options", [["--noinstrumenter"], []])
def test_threads_started_inside_enable(tool, options):
    if options:
        tool.run(HEIRS, *options)
    else:
        assert tool.python(tool.write(HEIRS)).stderr == ""
    assert _functions(tool.dump()) == {"inside": 1, "worker": 1,
                                       "outlives": 1, "late": 1}


def test_recording_is_off_for_the_process(run):
    done = run("""
        import threading
        import pdump
        import pdump.scorep.user as user
        def visit(name):
            with pdump.region(name): pass
        def on_a_thread(name):
            t = threading.Thread(target=visit, args=(name,))
            t.start(); t.join()
        user.enable_recording()
        on_a_thread("on")
        user.disable_recording()
        user.disable_recording()
        visit("off"); on_a_thread("off")
        assert user.enable_recording() is None
        visit("on"); on_a_thread("on")
        # Ours are for a thread, and nest.
        pdump.disable_recording(); pdump.disable_recording()
        pdump.enable_recording()
        visit("off"); on_a_thread("on")
        pdump.enable_recording()
        visit("on")
    """)
    assert done.visits() == {"on": 5} and done.err == ""
