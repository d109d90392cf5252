# SPDX-License-Identifier: BSD-3-Clause
"""Conformance 07: ``mpirun -n 2 python -m pdump`` with mpi4py."""

import functools
import signal

import pytest

import mpi_kit
from pdump import _native

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
    assert done.stderr.count("__main__:exchange") == 1  # one report


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
    """mpirun kills a second after SIGTERM, or when the first rank is dead."""
    name = tool.write("""
        from mpi4py import MPI
        import time
        def f(): pass
        f()
        print("ready", flush=True)
        time.sleep(30)
        """)
    process = mpi_kit.start(tool.folder, tool.env, "-m", "pdump", name)
    assert process.stdout.readline() + process.stdout.readline()
    mpi_kit.end(process, signal.SIGTERM)
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
