# SPDX-License-Identifier: BSD-3-Clause
"""MPIProfiler: an account of every call of a communicator."""

import json
import textwrap

import pytest

import mpi_kit
import pdump
from runner_kit import find_dump


@pytest.fixture
def job(tmp_path, env):
    """job(script, n) -> the statistics of each rank."""

    def run(script, n=2):
        path = tmp_path / "script.py"
        path.write_text(textwrap.dedent(HEAD) + textwrap.dedent(script)
                        + "\ncomm.write_statistics()\n")
        done = mpi_kit.run(tmp_path, env, str(path), n=n)
        assert done.returncode == 0, done.stderr
        assert not done.stderr
        return [json.loads((tmp_path / f"mpiprof.stats.{r}.json").read_text())
                for r in range(n)]

    return run


HEAD = """
from mpi4py import MPI
from pdump.mpi import MPIProfiler
import array
comm = MPIProfiler(MPI.COMM_WORLD)
rank, size = comm.rank, comm.size
other = 1 - rank
ten = array.array("d", [1.0] * 10)
room = array.array("d", [0.0] * 10)
"""


def test_counts_and_bytes_are_exact(job, tmp_path):
    ranks = job("""
        for i in range(3):
            if rank == 0:
                comm.Send([ten, MPI.DOUBLE], dest=1)
            else:
                comm.Recv([room, MPI.DOUBLE], 0)
        assert rank == 0 or room == ten
        comm.Bcast([ten, 4, MPI.DOUBLE], root=1)
        comm.Allreduce(ten, room)
        assert room[0] == 2
    """)
    sent, came = (r["operations"] for r in ranks)
    assert sent["Send"]["count"] == 3 and sent["Send"]["bytes_sent"] == 240
    assert came["Recv"]["count"] == 3
    assert came["Recv"]["bytes_received"] == 240
    assert "Recv" not in sent and "Send" not in came
    assert sent["Bcast"]["bytes_received"] == 32
    assert came["Bcast"]["bytes_sent"] == 32
    assert sent["Allreduce"]["bytes_sent"] == 80
    assert sent["Allreduce"]["bytes_received"] == 80
    results = pdump.load(find_dump(tmp_path))
    assert results.query("MPI.Comm.Send").visits == 3
    assert results.query("MPI.Comm.Allreduce").visits == 2


def test_objects_are_counted_by_their_pickles(job):
    ranks = job("""
        import pickle
        thing = {"x": list(range(100))}
        if rank == 0:
            comm.send(thing, dest=1, tag=7)
        else:
            assert comm.recv(source=0, tag=7) == thing
            with open("size", "w") as file:
                file.write(str(len(pickle.dumps(thing, MPI.pickle.PROTOCOL))))
        assert comm.allreduce(1) == 2
        assert comm.gather(rank) == ([0, 1] if rank == 0 else None)
        comm.barrier()
    """)
    size = ranks[0]["operations"]["send"]["bytes_sent"]
    assert ranks[0]["counts_objects"]
    assert size > 100
    assert ranks[1]["operations"]["recv"]["bytes_received"] == size
    assert ranks[1]["operations"]["allreduce"]["count"] == 1


def test_requests_complete_where_they_are_waited_for(job):
    ranks = job("""
        requests = [comm.Isend(ten, other), comm.Irecv(room, other)]
        MPI.Request.Waitall(requests)          # mpi4py's own: works
        requests = [comm.Isend(ten, other), comm.Irecv(room, other)]
        type(requests[0]).Waitall(requests)    # ours: counted
        request = comm.isend("hello", other)
        assert comm.irecv(source=other).wait() == "hello"
        request.wait()
        done = comm.Ibarrier()
        while not done.Test():
            pass
        send, receive = comm.Send_init(ten, other), comm.Recv_init(room, other)
        for i in range(2):
            receive.Start()
            send.Start()
            send.Wait()
            receive.Wait()
    """)
    for rank in ranks:
        operations = rank["operations"]
        assert operations["Isend"]["count"] == 2
        assert operations["Isend"]["completed"] == 1
        assert operations["Waitall"]["count"] == 1
        assert operations["Waitall"]["bytes_received"] == 80
        assert operations["irecv"]["completed"] == 1
        assert operations["irecv"]["in_flight_ns"] > 0
        assert operations["wait"]["count"] == 2
        assert operations["Test"]["count"] >= 1
        assert operations["Start"]["count"] == 4


def test_what_comes_of_a_communicator_is_counted_too(job):
    ranks = job("""
        copy = comm.Dup()
        assert isinstance(copy, MPI.Intracomm)
        copy.Barrier()
        half = copy.Split(color=rank)
        assert half.size == 1
        half.barrier()
        cart = comm.Create_cart([2])
        assert isinstance(cart, MPI.Cartcomm) and cart.dims == [2]
        cart.Barrier()
        message = comm.Mprobe() if rank else comm.Send(ten, 1)
        if rank:
            message.Recv(room)
            assert room == ten
        assert MPI.Comm.Compare(comm, MPI.COMM_WORLD) == MPI.IDENT
        MPI.File.Open(comm, "shared", MPI.MODE_CREATE | MPI.MODE_WRONLY).Close()
        half.Free()
        copy.Free()
    """)
    for rank in ranks:
        assert rank["operations"]["Barrier"]["count"] == 2
        assert rank["operations"]["barrier"]["count"] == 1
        assert rank["operations"]["Free"]["count"] == 2
    assert ranks[1]["operations"]["Recv"]["bytes_received"] == 80


def test_every_stack_has_its_own_figures(job):
    ranks = job("""
        def inner():
            comm.Barrier()
        def one():
            inner()
        def two():
            inner()
        for each in one, two, two:
            each()
    """)
    calls = [c for c in ranks[0]["calls"] if c["operation"] == "Barrier"]
    assert {(c["stack"][1]["function"], c["count"]) for c in calls} \
        == {("one", 1), ("two", 2)}
    assert all(c["stack"][0]["function"] == "inner" for c in calls)


def test_an_exception_passes_and_is_counted(job):
    ranks = job("""
        comm.Set_errhandler(MPI.ERRORS_RETURN)
        try:
            comm.Send(ten, dest=99)
        except MPI.Exception as error:
            assert error.Get_error_class() == MPI.ERR_RANK
        else:
            raise SystemExit("no exception")
        try:
            comm.Send()
        except TypeError:
            pass
    """, n=1)
    assert ranks[0]["operations"]["Send"]["count"] == 2
    assert ranks[0]["operations"]["Send"]["bytes_sent"] == 0


def test_only_communicators_are_taken(job):
    job("""
        assert MPIProfiler(comm) is comm
        try:
            MPIProfiler("world")
        except TypeError as error:
            assert "MPI.Comm" in str(error)
        else:
            raise SystemExit("taken")
    """, n=1)
