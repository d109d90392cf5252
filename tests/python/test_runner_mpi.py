# SPDX-License-Identifier: BSD-3-Clause
"""Conformance 07: ``mpirun -n 2 python -m pdump`` with mpi4py."""

import functools
import glob
import os
import signal
import time

import pytest

import mpi_kit
from pdump import _native
from runner_kit import wait_for_end_of

pytestmark = pytest.mark.skipif(_native.module is None, reason=_native.why)


@pytest.fixture
def job(tool):
    """job("-m", "pdump", ...): two ranks, until they have ended."""
    return functools.partial(mpi_kit.run, tool.folder, tool.env)


MPI_SCRIPT = """
    from mpi4py import MPI
    import pdump
    def exchange(comm):
        return comm.allreduce(comm.rank)
    with pdump.region("mpi"):
        print(exchange(MPI.COMM_WORLD))
"""


def test_07_ranks_are_in_one_dump(tool, job):
    name = tool.write(MPI_SCRIPT)
    done = job("-m", "pdump", "--mpp=mpi", "--report", name)
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout) == sorted("1\n1\n")  # lines may mingle
    rows = [r for r in tool.dump().rows if r["region"] == "__main__:exchange"]
    assert sorted(r["rank"] for r in rows) == [0, 1]
    assert all(r["visits"] == 1 for r in rows)
    assert done.stderr.count("2 ranks, 2 threads") == 1  # one report


def test_07_a_file_of_each_rank(tool, job):
    """As mpiprof has it; the ranks need not even talk at the end."""
    name = tool.write(MPI_SCRIPT)
    done = job("-m", "pdump", "-o", "each.{rank}.csv", name)
    assert done.returncode == 0, done.stderr
    for number in 0, 1:
        rows = tool.dump(f"each.{number}.csv").rows
        assert {r["rank"] for r in rows} == {number}
        assert any(r["region"] == "__main__:exchange" for r in rows)


def test_07_a_job_without_mpi(tool, job):
    """No MPI_Init(): nothing is lost."""
    name = tool.write("def f(): pass\nf()")
    done = job("-m", "pdump", name)
    assert done.returncode == 0, done.stderr
    assert tool.dump("perf_dump.rank-1").count("__main__:f") == 1


def test_07_a_rank_that_raises(tool, job):
    name = tool.write("""
        from mpi4py import MPI
        def f(): pass
        f()
        if MPI.COMM_WORLD.rank == 1:
            raise ValueError("of rank 1")
        """)
    done = job("-m", "pdump", name)
    assert done.returncode != 0
    assert "ValueError: of rank 1" in done.stderr
    assert tool.dump().count("__main__:f") == 2


def test_07_a_job_that_is_terminated(tool):
    """Their launcher is stopped meanwhile: it would kill the ranks a second
    after SIGTERM, or when the first of them is dead."""
    name = tool.write("""
        from mpi4py import MPI
        import os, time
        def f(): pass
        f()
        with open(f"{MPI.COMM_WORLD.rank}.new", "w") as file:
            print(os.getpid(), os.getppid(), file=file)
        os.rename(file.name, f"{MPI.COMM_WORLD.rank}.pids")
        time.sleep(600)
        """)
    process = mpi_kit.start(tool.folder, tool.env, "-m", "pdump", name)
    until = time.monotonic() + 300
    files = [tool.folder / "0.pids", tool.folder / "1.pids"]
    while not all(file.exists() for file in files):
        assert time.monotonic() < until and process.poll() is None
        time.sleep(0.05)
    ranks, parents = zip(*(map(int, file.read_text().split())
                           for file in files))
    for parent in set(parents):
        os.kill(parent, signal.SIGSTOP)
    for rank in ranks:
        os.kill(rank, signal.SIGTERM)
    for rank in ranks:
        wait_for_end_of(rank)
    for parent in set(parents):
        os.kill(parent, signal.SIGCONT)
    mpi_kit.end(process)
    for number in 0, 1:
        dump = tool.dump(f"perf_dump.rank-{number}")
        assert dump.count("__main__:f") == 1


def test_07_mpi4py_run(tool, job):
    name = tool.write(MPI_SCRIPT)
    done = job("-m", "pdump", "-m", "mpi4py", name)
    assert done.returncode == 0, done.stderr
    rows = [r for r in tool.dump().rows if r["region"] == "__main__:exchange"]
    assert sorted(r["rank"] for r in rows) == [0, 1]


def test_07_mpi4py_futures(tool, job):
    name = tool.write("""
        from mpi4py.futures import MPIPoolExecutor
        def square(x): return x * x
        if __name__ == "__main__":
            with MPIPoolExecutor() as pool:
                print(list(pool.map(square, range(4))))
        """)
    done = job("-m", "pdump", "-m", "mpi4py.futures", name)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[0, 1, 4, 9]\n"
    assert sum(v for n, v in tool.dump().regions().items()
               if n.endswith(":square")) == 4


POOL = """
    def work(x):
        return x + 1
    if __name__ == "__main__":
        from mpi4py.futures import MPIPoolExecutor
        for _ in range(2):
            with MPIPoolExecutor(max_workers=1) as pool:
                print(sum(pool.map(work, range(3))))
"""


def test_spawned_workers_of_a_pool_are_told(tool, job):
    """They are a job of their own, and nobody waits for its end."""
    done = job("-m", "pdump", tool.write(POOL), n=1)
    assert (done.returncode, done.stdout) == (0, "6\n6\n"), done.stderr
    assert done.stderr.count("-m mpi4py.futures SCRIPT") == 1
    assert tool.dump().count("__main__:<module>") == 1


def test_who_names_a_file_gets_it_from_the_job(tool, job):
    """Without the number of ranks."""
    for name, *options in (["run.csv"], ["run.dat", "--format", "csv"],
                           ["run.h5"]):
        if name == "run.h5" and not _has_hdf5():
            continue
        done = job("-m", "pdump", "-o", name, *options,
                   tool.write(MPI_SCRIPT))
        assert done.returncode == 0, done.stderr
        assert tool.dump(name).count("mpi") == 2
        assert not list(tool.folder.glob("run.2.*"))


def _has_hdf5():
    return bool(glob.glob(os.path.join(os.environ.get("PDUMP_MODULES", "."),
                                       "pdump_hdf5.so")))
