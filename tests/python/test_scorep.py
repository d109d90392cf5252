# SPDX-License-Identifier: BSD-3-Clause
"""Programs and command lines written for Score-P's Python bindings."""

import os
import pathlib
import shutil
import subprocess

import pytest

from runner_kit import Dump

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


def test_user(run):
    done = run("""
        import pdump.scorep as scorep
        import pdump.scorep.user
        with scorep.user.region("block"):
            scorep.user.parameter_int("i", -1)
        @scorep.user.region()
        def foo(): pass
        @scorep.user.region("bar_name")
        def bar(): pass
        foo(); bar()
        scorep.user.region_begin("call")
        scorep.user.region_end("call")
        with scorep.user.region("p"):
            scorep.user.parameter_uint("u", 1)
        with scorep.user.region("q"):
            scorep.user.parameter_string("s", "x")
        scorep.user.disable_recording()
        with scorep.user.region("no"): pass
        scorep.user.enable_recording()
        scorep.user.enable_recording()
        for discard in (True, False):
            scorep.user.rewind_begin("rewind")
            scorep.user.rewind_end("rewind", discard)
        try:
            with scorep.user.region(): pass
        except TypeError:
            pass
        else:
            assert False
    """)
    assert done.visits() == {
        "user:block": 1, "user:block/i=-1": 1, "__main__:foo": 1,
        "user:bar_name": 1, "user:call": 1, "user:p": 1, "user:p/u=1": 1,
        "user:q": 1, "user:q/s=x": 1, "rewind": 1}
    assert done.err == ""


def test_instrumenter(run):
    done = run("""
        import pdump.scorep as scorep
        import pdump.scorep.instrumenter
        def seen(): pass
        def unseen(): pass
        unseen()
        with scorep.instrumenter.enable():
            seen()
            with scorep.instrumenter.disable():
                unseen()
            seen()
        @scorep.instrumenter.enable()
        def whole(): seen()
        whole()
        unseen()
    """)
    visits = done.visits()
    assert sum(n for path, n in visits.items()
               if path.endswith("__main__:seen")) == 3
    assert not any("unseen" in path for path in visits)


SCOREP = "pdump.scorep"
PROGRAM = """
    import pdump.scorep.user as user
    class Thing:
        def method(self):
            def inner(): pass
            inner()
        @staticmethod
        def static(): pass
        @classmethod
        def of_class(cls): pass
    @user.region()
    def decorated(): pass
    class Other:
        @user.region()
        def method(self): pass
    with user.region("block"):
        Thing().method(); Thing.static(); Thing.of_class()
        decorated(); Other().method()
    user.region_begin("pair"); user.region_end("pair")
"""
THEIRS = {"__main__.Thing:method": 1, "__main__:inner": 1,
          "__main__:static": 1, "__main__:of_class": 1,
          "__main__:decorated": 1, "__main__.Other:method": 1}


def scorep(tool, text, *options, code=0, **env):
    done = tool.python("-m", SCOREP, *options, tool.write(text), env=env)
    assert done.returncode == code, done.stderr
    return done


def _without_classes(regions):
    """Bodies of the module and of its classes are functions, too."""
    return {name: n for name, n in regions.items()
            if name.rpartition(":")[2] not in ("<module>", "Thing", "Other")}


def test_names_are_theirs(tool):
    assert scorep(tool, PROGRAM).stderr == ""
    dump = tool.dump()
    assert _without_classes(dump.regions("__main__")) == THEIRS
    assert dump.regions("user:") == {"user:block": 1, "user:pair": 1}


def test_names_are_theirs_only_if_asked_for(tool):
    scorep(tool, PROGRAM, PDUMP_NAMES="plain")
    regions = tool.dump().regions()
    assert regions["__main__:Thing.method"] == 1 and regions["block"] == 1
    assert "user:block" not in regions
    tool.run("""
        class Thing:
            def method(self): pass
        Thing().method()
    """, "-o", "asked.csv", env={"PDUMP_NAMES": "scorep"})
    assert tool.dump("asked").count("__main__.Thing:method") == 1


def test_named_blocks_of_the_instrumenter(run):
    done = run("""
        from pdump.scorep import instrumenter
        with instrumenter.enable("on"): pass
        @instrumenter.disable("off")
        def f(): pass
        f()
    """)
    assert done.visits() == {"user_instrumenter:on": 1,
                             "user_instrumenter:off": 1}


def test_register_and_unregister(tool):
    scorep(tool, """
        import pdump.scorep.instrumenter as i
        def seen(): pass
        def unseen(): pass
        assert i.has_c_instrumenter()
        assert i.get_instrumenter() is i.get_instrumenter(True, "profile")
        it = i.get_instrumenter()
        seen(); assert it.get_registered()
        i.unregister(); unseen(); assert not it.get_registered()
        i.register(); seen(); i.register(); seen()
        it.unregister(); unseen()
        with i.enable():
            assert it.get_registered()
            seen()
        assert not it.get_registered()
        it.run("seen()", globals()); unseen()
        it.region_begin("user", "r", __file__, 1); it.region_end("user", "r")
        it.user_disable_recording(); it.register(); unseen()
        it.user_enable_recording(); it.unregister()
    """)
    dump = tool.dump()
    assert dump.count("__main__:seen") == 5
    assert dump.count("__main__:unseen") == 0
    assert dump.count("user:r") == 1


def test_instrument_functions_and_modules(tool):
    tool.write("""
        from os.path import join
        VALUE = 3
        def bar(): pass
        def baz(): bar()
    """, "other.py")
    done = scorep(tool, """
        import other, pdump.scorep.user as user
        user.instrument_module(other)
        def f(): return 7
        g = user.instrument_function(f)
        h = user.instrument_function(f, lambda: user.region("h"))
        other.baz(); assert g() == h() == 7 and other.VALUE == 3
    """, "--noinstrumenter")
    assert done.stderr == ""
    assert tool.dump().regions() == {"other:baz": 1, "other:bar": 1,
                                     "__main__:f": 1, "user:h": 1}


def test_force_finalize(tool):
    done = scorep(tool, """
        import pdump.scorep.user as user
        def foo(): pass
        def bar(): pass
        foo()
        user.reregister_exit_handler()
        user.force_finalize()
        import os; assert any("perf_dump" in n for n in os.listdir("."))
        bar()
    """)
    assert done.stderr == ""
    regions = tool.dump().regions()
    assert regions["__main__:foo"] == 1 and "__main__:bar" not in regions


def test_the_module_has_a_version():
    import pdump.scorep

    assert pdump.scorep.__version__.count(".") == 2


ROOM = "SCOREP_EXPERIMENT_DIRECTORY"


def test_experiment_directory(tool):
    done = scorep(tool, PROGRAM, **{ROOM: "exp/first"})
    assert done.stderr == ""
    names = {path.name for path in (tool.folder / "exp/first").iterdir()}
    assert {"manifest.txt", "settings.txt"} < names
    assert not {"traces.otf2"} & names
    # Score-P keeps an earlier one as well.
    scorep(tool, PROGRAM, **{ROOM: "exp/first"})
    assert {path.name for path in (tool.folder / "exp").iterdir()} == {
        "first", "first.1"}


def test_a_program_that_imports_it_is_enough(tool):
    done = tool.python(tool.write(PROGRAM), env={ROOM: "exp",
                                                 "SCOREP_NO_SUCH": "1"})
    assert (tool.folder / "exp/manifest.txt").exists()
    assert done.stderr.count("SCOREP_NO_SUCH is not used") == 1


def test_variables_of_libpdump_win(tool):
    scorep(tool, PROGRAM, PDUMP_EXPERIMENT_DIR="ours", **{ROOM: "theirs"})
    assert (tool.folder / "ours").exists()
    assert not (tool.folder / "theirs").exists()


def test_neither_profiling_nor_tracing(tool):
    done = scorep(tool, "print('ran')", SCOREP_ENABLE_PROFILING="false")
    assert done.stdout == "ran\n" and done.stderr == ""
    assert {path.name for path in tool.folder.iterdir()} == {"script.py"}


def test_filtering_file(tool):
    tool.write("""
        SCOREP_REGION_NAMES_BEGIN
          EXCLUDE __main__:static user:p*
        SCOREP_REGION_NAMES_END
    """, "filter.txt")
    scorep(tool, PROGRAM, SCOREP_FILTERING_FILE="filter.txt")
    regions = tool.dump().regions()
    assert "user:block" in regions and "user:pair" not in regions
    assert "__main__:static" not in regions
    assert "__main__:of_class" in regions


def test_metrics(tool):
    done = scorep(tool, PROGRAM, SCOREP_METRIC_PAPI="perf::PAGE-FAULTS",
                  SCOREP_METRIC_RUSAGE="ru_utime;ru_nivcsw;ru_msgsnd",
                  SCOREP_METRIC_RUSAGE_SEP=";", PDUMP_EVENTS=None)
    assert tool.dump().metrics == ["time", "perf::PAGE-FAULTS",
                                   "pdump::user_time",
                                   "pdump::ctx_involuntary"]
    assert done.stderr.count("ru_msgsnd is not counted") == 1


def test_all_of_rusage(tool):
    scorep(tool, PROGRAM, SCOREP_METRIC_RUSAGE="all", PDUMP_EVENTS=None)
    assert len(tool.dump().metrics) == 1 + 9


def test_total_memory(tool):
    for given, mib in (("4097kB", 5), ("3G", 3072), ("16000k", 16),
                       ("9000000", 9), ("1T", 32767), ("64 MB", 64)):
        done = scorep(tool, PROGRAM, SCOREP_TOTAL_MEMORY=given,
                      SCOREP_VERBOSE="true")
        assert f"PDUMP_MEMORY_MAX={mib}\n" in done.stderr
    done = scorep(tool, PROGRAM, SCOREP_TOTAL_MEMORY="much")
    assert "SCOREP_TOTAL_MEMORY=much: it must be a number" in done.stderr


def test_what_is_not_used_is_named_once(tool):
    done = scorep(tool, PROGRAM, "--io", SCOREP_VERBOSE="no",
                  SCOREP_MPI_ENABLE_GROUPS="all", SCOREP_ENABLE_TRACING="huh")
    assert done.stderr.count("\n") == 2
    assert done.stderr.count("SCOREP_MPI_ENABLE_GROUPS is not used") == 1
    assert done.stderr.count("SCOREP_ENABLE_TRACING=huh: it must be") == 1
    done = scorep(tool, PROGRAM, PDUMP_QUIET="1", SCOREP_TIMER="tsc")
    assert done.stderr == ""


class Trace:
    """What otf2-print says of the archive in an experiment directory."""

    def __init__(self, folder):
        self.text = "".join(
            subprocess.run(["otf2-print", *options, folder / "traces.otf2"],
                           text=True, check=True, capture_output=True,
                           timeout=300).stdout for options in ([], ["-G"]))

    def lines(self, *words):
        return [line for line in self.text.splitlines()
                if all(word in line for word in words)]

    def visits(self, region):
        entered = len(self.lines("ENTER ", f'Region: "{region}"'))
        assert len(self.lines("LEAVE ", f'Region: "{region}"')) == entered
        return entered


@pytest.fixture
def traced(tool):
    """traced(text, option...) -> the Trace of a run."""
    modules = pathlib.Path(os.environ.get("PDUMP_MODULES", "."))
    if not (modules / "pdump_otf2.so").exists():
        pytest.skip("built without OTF2")
    if not shutil.which("otf2-print"):
        pytest.skip("there is no otf2-print")

    def start(text, *options, **env):
        done = scorep(tool, text, *options, **{
            "SCOREP_ENABLE_TRACING": "true", "SCOREP_ENABLE_PROFILING": "false",
            "SCOREP_PROFILING_MAX_CALLPATH_DEPTH": "98",
            "SCOREP_TOTAL_MEMORY": "3G", ROOM: "exp", **env})
        assert done.stderr == ""
        return Trace(tool.folder / "exp")

    return start


def test_tracing(traced, tool):
    trace = traced(PROGRAM)
    assert trace.visits("user:block") == 1
    assert trace.visits("__main__.Thing:method") == 1
    assert not list((tool.folder / "exp").glob("perf_dump.[hc]*"))


def test_tracing_and_profiling(traced, tool):
    trace = traced(PROGRAM, SCOREP_ENABLE_PROFILING="1",
                   SCOREP_PROFILING_MAX_CALLPATH_DEPTH=None)
    assert trace.visits("user:block") == 1
    assert Dump(tool.folder / "exp").count("user:block") == 1


def test_no_warnings_of_a_dump_that_is_not_there(tool):
    if not (pathlib.Path(os.environ.get("PDUMP_MODULES", ".")) /
            "pdump_otf2.so").exists():
        pytest.skip("built without OTF2")
    done = scorep(tool, """
        import pdump.scorep.user as user
        user.region_end("never")
    """, "--noinstrumenter", SCOREP_ENABLE_TRACING="true",
                  SCOREP_ENABLE_PROFILING="false")
    assert "no region has begun; nothing was recorded" in done.stderr
    assert "say why" not in done.stderr and not tool.stores()


def test_parameters_are_events(traced):
    trace = traced("""
        import pdump.scorep.user as user
        with user.region("r"):
            user.parameter_int("i", -3)
            user.parameter_uint("u", 2**64 - 1)
            user.parameter_string("s", "x=y")
        with user.region("r"):
            user.parameter_int("i", 4)
    """, "--noinstrumenter")
    assert trace.visits("user:r") == 2
    assert not trace.lines("ENTER", "i=")
    assert len(trace.lines("PARAMETER_INT64 ", 'Parameter: "i"')) == 2
    assert trace.lines("PARAMETER_INT64 ", 'Parameter: "i"', "Value: -3")
    assert trace.lines("PARAMETER_UINT64 ", 'Parameter: "u"',
                       f"Value: {2**64 - 1}")
    assert trace.lines("PARAMETER_STRING ", 'Parameter: "s"', 'Value: "x=y"')


def test_what_was_rewound_is_marked(traced):
    trace = traced("""
        import pdump.scorep.user as user
        with user.region("a"):
            for discard in True, False:
                user.rewind_begin("again")
                with user.region("inside"): pass
                user.rewind_end("again", discard)
    """, "--noinstrumenter")
    assert trace.visits("user:inside") == trace.visits("again") == 1
    lines = [line.split()[0] + line.rpartition("Mode:")[2]
             for line in trace.lines(" 0 ")
             if line.startswith(("ENTER", "LEAVE", "MEASUREMENT"))]
    assert lines[1:3] == ["MEASUREMENT_ON_OFF OFF", "MEASUREMENT_ON_OFF ON"]
    assert len(lines) == 2 * 3 + 2


MPI = """
    from mpi4py import MPI
    import pdump.scorep.user as user
    comm = MPI.COMM_WORLD
    half = comm.Split(comm.rank % 2)
    half.Barrier()
    comm.Barrier()
    comm.Barrier()
"""


def test_collectives_and_their_communicators(traced, tool):
    import mpi_kit

    mpi_kit.launcher()
    tool.write(MPI)
    done = mpi_kit.run(tool.folder, {
        **tool.env, "SCOREP_ENABLE_TRACING": "true", ROOM: "exp"}, "-m",
        SCOREP, "--mpp=mpi", "--noinstrumenter", "script.py", n=3)
    assert done.returncode == 0, done.stderr
    trace = Trace(tool.folder / "exp")
    barriers = trace.lines("MPI_COLLECTIVE_END", "BARRIER")
    assert len(barriers) == 3 * 3
    assert len(trace.lines("MPI_COLLECTIVE_BEGIN")) == \
        len(trace.lines("MPI_COLLECTIVE_END"))
    world = [line for line in barriers if '"MPI_COMM_WORLD"' in line]
    assert len(world) == 2 * 3
    assert len(trace.lines("GROUP", "COMM_GROUP")) >= 2


def test_calls_on_files_are_io_records(traced, tool):
    trace = traced("""
        import os
        import pdump.scorep.instrumenter as instrumenter
        with instrumenter.enable("expect io"):
            with open("test.txt", "w") as f:
                f.write("four")
            with open("test.txt", "r") as f:
                assert f.read() == "four"
            os.remove("test.txt")
    """, "--noinstrumenter", SCOREP_IO_POSIX="true")
    path = f'"[POSIX I/O]file://{tool.folder}/test.txt"'
    assert len(trace.lines("IO_CREATE_HANDLE", path)) == 2
    assert len(trace.lines("IO_DESTROY_HANDLE", path)) == 2
    assert trace.lines("IO_SEEK", path)
    assert trace.lines("IO_OPERATION_BEGIN", path, "Mode: WRITE")
    assert trace.lines("IO_OPERATION_COMPLETE", path, "Result: 4")
    text = trace.text.partition('"user_instrumenter:expect io"')[2]
    assert text.count("IO_CREATE_HANDLE") == 2  # and no imports of pdump's
    begun = trace.lines("IO_OPERATION_BEGIN", path)
    assert len(begun) == len(trace.lines("IO_OPERATION_COMPLETE", path)) > 2
    lines = [line.split()[0] for line in trace.lines(" 0 ")]
    for at, line in enumerate(lines):
        if line == "IO_OPERATION_COMPLETE":
            assert lines[at - 1] == "IO_OPERATION_BEGIN"
            assert (lines[at - 2], lines[at + 1]) == ("ENTER", "LEAVE")
