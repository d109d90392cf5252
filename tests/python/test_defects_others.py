# SPDX-License-Identifier: BSD-3-Clause
"""What Score-P's bindings (23-32), mpiprof (33-35) and PyOP2's timers (36, 37)
get wrong, one test each."""

import os
import signal

import pytest

import mpi_kit
import pdump
from pdump import _native
from mpi_kit import by_rank
from runner_kit import find_dump

needs_runner = pytest.mark.skipif(_native.module is None, reason=_native.why)

BURN = """
import os, threading, time, pdump
def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end: pass
"""


# Score-P's bindings

@needs_runner
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_defect_23_multiprocessing(tool, method):
    # Not supported: children crashed or left nothing.
    tool.run(f"""
        import multiprocessing
        def work(x): return x
        if __name__ == "__main__":
            with multiprocessing.get_context("{method}").Pool(2) as pool:
                assert pool.map(work, range(6)) == list(range(6))
                pool.close(); pool.join()
        """, "--include", "__main__")
    assert tool.dump().count("__main__:work") == 6


@needs_runner
def test_defect_24_interpreter_flags(tool):
    # Lost when Python was started again.
    name = tool.write("""
        import sys
        print(sys.flags, sys.warnoptions, sys._xoptions)
        assert False, "left out by -O"
        """)
    tool.same(name, flags=["-O", "-W", "error", "-X", "dev", "-s"], code=0)


@needs_runner
def test_defect_25_recursion_in_enable(tool, backend):
    # The inner end of a recursion left the instrumenter on.
    tool.run("""
        from pdump import instrumenter
        def seen(): pass
        def hidden(): pass
        @instrumenter.enable()
        def on(n):
            seen()
            if n:
                on(n - 1)
            seen()
        with instrumenter.disable():
            on(3)
            hidden()
        """, backend)
    assert tool.dump().count("__main__:seen") == 8
    assert tool.dump().count("__main__:hidden") == 0


def parameters(run):
    return run("""
        import pdump.scorep.user as user
        for name, value in ("u", 2**64 - 1), ("v", 7):
            with user.region("r"):
                user.parameter_uint(name, value)
        with user.region("r"):
            user.parameter_string("s", "7")
    """)


def test_defect_26_unsigned_parameters(run):
    # parameter_uint() was recorded as a string; 2**64 - 1 must fit, words
    # must not.
    assert f"user:r/u={2**64 - 1}" in parameters(run).visits()
    for wrong in "7", -1, 2**64:
        with pytest.raises((TypeError, OverflowError)):
            pdump.parameter_uint("u", wrong)


def test_defect_27_names_of_parameters(run):
    # All parameters were under the name of the first.
    assert parameters(run).visits() == {
        "user:r": 3, f"user:r/u={2**64 - 1}": 1, "user:r/v=7": 1,
        "user:r/s=7": 1}


def test_defect_28_decorated_generator(run):
    # The region was closed before the body ran.
    done = run(BURN + """
@pdump.region("gen")
def gen():
    with pdump.region("body"): burn(0.02)
    yield 1
assert list(gen()) == [1]
""")
    assert set(done.visits()) == {"gen", "gen/body"}
    assert done.tree()["gen"].time >= 0.02


@needs_runner
def test_defect_29_oserror_of_the_script(tool):
    # It was taken for a script that cannot be read.
    done = tool.same(tool.write("open('no/such/file')"), code=1)
    assert done.stderr.rstrip().endswith("'no/such/file'")
    assert "line 1, in <module>" in done.stderr


@needs_runner
def test_defect_30_every_rank_compiles(mpirun, tmp_path):
    # A library to preload was compiled by every rank.
    (tmp_path / "bin").mkdir()
    for name in ("cc", "gcc", "clang", "ld", "mpicc"):
        path = tmp_path / "bin" / name
        path.write_text(f"#!/bin/sh\ntouch {tmp_path}/compiled\nexit 1\n")
        path.chmod(0o755)
    mpirun("""
        from mpi4py import MPI
        import os
        assert os.environ["LD_PRELOAD"] == ""
    """, "-m", "pdump", "--mpp=mpi", LD_PRELOAD="",
           PATH=f"{tmp_path}/bin:{os.environ['PATH']}")
    assert not (tmp_path / "compiled").exists()
    assert not list(tmp_path.rglob("*.so"))


@needs_runner
def test_defect_31_without_mpi_init(mpirun, tmp_path):
    # No MPI_Init(): silently no output.
    mpirun("def f(): pass\nf()", "-m", "pdump")
    for rank in 0, 1:
        results = pdump.load(find_dump(tmp_path, f"perf_dump.rank-{rank}"))
        assert results.tree().flat()["__main__:f"].visits == 1


@needs_runner
def test_defect_32_mpi_calls_are_not_filterable(mpirun, tmp_path):
    # MPI calls could not be left out.
    mpirun("""
        from mpi4py import MPI
        def f(): MPI.COMM_WORLD.Barrier(), MPI.COMM_WORLD.allreduce(1)
        f()
    """, "-m", "pdump", "--c-calls", "--include", "__main__:f",
           "--include", "mpi4py", "--exclude", "*Barrier")
    names = {name for _, name in by_rank(tmp_path)}
    assert "mpi4py.MPI:Comm.allreduce" in names
    assert not any("Barrier" in name for name in names)


# mpiprof

@needs_runner
@pytest.mark.parametrize("end, code", [
    ("sys.exit(7)", 7), ("1 / 0", 1), ("os._exit(9)", 9)])
def test_defect_33_exit_codes(tool, end, code):
    # Whatever the program ended with, it was 0.
    tool.same(tool.write(f"import os, sys\n{end}"), code=code)


@needs_runner
@pytest.mark.parametrize("words, other", [
    (["-m", "pdump"], "pass"),
    (["-m", "pdump", "-m", "mpi4py"], "MPI.COMM_WORLD.recv(source=1)")])
def test_defect_34_a_rank_raises(mpirun, words, other):
    # The job hung.  A rank that waits for the one that raised is ended by
    # mpi4py, as without us: python -m mpi4py.
    done = mpirun(f"""
        from mpi4py import MPI
        if MPI.COMM_WORLD.rank == 1:
            raise ValueError("of rank 1")
        {other}
    """, *words, code=None)
    assert done.returncode != 0
    assert "ValueError: of rank 1" in done.stderr


@needs_runner
def test_defect_35_sigterm(tool):
    # It wrote its file and went on.
    process = tool.start("""
        import time
        def f(): pass
        f()
        print("ready", flush=True)
        time.sleep(300)
        print("went on")
        """)
    code, out, _ = mpi_kit.end(process, signal.SIGTERM)
    assert (code, out) == (-signal.SIGTERM, "")
    assert tool.dump().count("__main__:f") == 1


# PyOP2

def test_defect_36_nested_timers(run):
    # A timer inside of one with the same name failed an assertion.
    done = run("""
        import time
        from pdump.timers import timed_region, timing
        start = time.perf_counter()
        with timed_region("t"):
            with timed_region("t"):
                time.sleep(0.02)
        passed = time.perf_counter() - start
        print(0.02 <= timing("t") < 1.1 * passed)   # the time counts once
    """)
    assert done.out == "True\n" and done.err == ""
    assert done.visits() == {"t": 1, "t/t": 1}


def test_defect_37_unknown_timer(run):
    # Asking for a timer that is not there must say so.
    done = run("""
        import pdump
        from pdump.timers import timed_region, timing
        with timed_region("t"): pass
        try:
            timing("no such timer")
        except pdump.NotFound as exc:
            print("no such timer" in str(exc))
    """)
    assert done.out == "True\n"
