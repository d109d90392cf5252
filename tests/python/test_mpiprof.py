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


def test_the_arguments_of_mpiprof_name_the_file(job, tmp_path):
    job("""
        assert comm.write_statistics("a.", ".out") == f"a.{rank}.out"
        assert comm.write_statistics(prefix="b.") == f"b.{rank}.json"
        assert comm.write_statistics(suffix=".c") == f"mpiprof.stats.{rank}.c"
        assert comm.write_statistics("{rank}.d") == f"{rank}.d"
    """)
    names = {path.name for path in tmp_path.iterdir()}
    assert {"a.0.out", "a.1.out", "b.1.json", "mpiprof.stats.0.c",
            "1.d"} <= names


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


def test_objects_are_tested_for(job):
    ranks = job("""
        for i in range(2):
            receive, send = comm.irecv(source=other), comm.isend("hi", other)
            done, got = receive.test()
            while not done:
                done, got = receive.test()
            assert got == "hi"
            while not send.test()[0]:
                pass
        requests = [comm.irecv(source=other), comm.isend("you", other)]
        assert type(requests[0]).waitall(requests)[0] == "you"
    """)
    for rank in ranks:
        operations = rank["operations"]
        assert operations["test"]["count"] >= 4
        assert operations["waitall"]["count"] == 1
        assert operations["irecv"]["completed"] == 3
        assert operations["isend"]["completed"] == 3
        assert operations["isend"]["bytes_sent"] \
            == operations["test"]["bytes_received"] \
            + operations["waitall"]["bytes_received"]


def test_every_method_is_counted(job):
    # They are asked of a class, not of a communicator; docs/python.md.
    job("""
        passed = {"Compare", "Create_keyval", "Free_keyval", "Get_parent",
                  "Join", "f2py"}
        kinds = [comm, comm.Create_cart([2]), comm.Create_graph([1, 2], [1, 0]),
                 comm.Create_dist_graph_adjacent([other], [other]),
                 comm.Split(rank).Create_intercomm(0, comm, other)]
        assert {type(each).__mro__[1] for each in kinds} \
            == {MPI.Intracomm, MPI.Cartcomm, MPI.Graphcomm, MPI.Distgraphcomm,
                MPI.Intercomm}
        kinds += [comm.Isend(ten, other), comm.Recv_init(room, other)]
        comm.Recv(room, other)
        kinds[-2].Wait()
        n_methods = 0
        for each in kinds:
            theirs = type(each).__mro__[1]
            assert theirs.__module__ == "mpi4py.MPI", theirs
            methods = {name for name in dir(theirs) if name[0] != "_"
                       and callable(getattr(theirs, name))}
            missing = methods - set(vars(type(each))) - passed
            assert not missing, (theirs, missing)
            n_methods += len(methods)
        assert n_methods > 400
        for name in passed:  # bound to their class: there is no communicator
            assert getattr(MPI.Comm, name).__self__ is MPI.Comm, name
    """)


def rows_of(folder, rank):
    """Those of the dump that are about mpi4py's methods."""
    rows = pdump.load(find_dump(folder)).detail("mpi_python")
    if not isinstance(rows, list):
        rows = rows.to_dict("records")
    return [row for row in rows if row["rank"] == rank]


def by_place(figures, place, names):
    """{place: sums}"""
    sums = {}
    for each in figures:
        entry = sums.setdefault(place(each), dict.fromkeys(names, 0))
        for name in names:
            entry[name] += each[name]
    return sums


def test_the_dump_has_the_same_figures(job, tmp_path):
    ranks = job("""
        import time
        def exchange(count):
            request = comm.Irecv(room, other)
            comm.Send([ten, count, MPI.DOUBLE], other)
            time.sleep(0.02)
            request.Wait()
        for count in 1, 10:
            exchange(count)
        requests = [comm.Isend(ten, other), comm.Irecv(room, other)]
        type(requests[0]).Waitall(requests)
        comm.bcast([rank], root=1)
        comm.Barrier()
    """)
    for rank, told in enumerate(ranks):
        rows = rows_of(tmp_path, rank)
        exact = {"calls": "count", "bytes_out": "bytes_sent",
                 "bytes_in": "bytes_received"}
        for row in rows:
            assert row["region"] in row["path"]
            row["where"] = row["region"].split(".")[-1], row["label"]
        for call in told["calls"]:
            top = call["stack"][0]
            call["where"] = (call["operation"], f"{top['file']}:{top['line']} "
                             f"({top['function']})")
        dumped = by_place(rows, lambda each: each["where"],
                          (*exact, "time", "between"))
        known = by_place(told["calls"], lambda each: each["where"],
                         (*exact.values(), "time_ns", "since_last_call_ns"))
        assert dumped.keys() == known.keys() and len(known) >= 7
        for where, each in known.items():
            assert {exact[name]: dumped[where][name] for name in exact} \
                == {name: each[name] for name in exact.values()}, where
            # It is around the other, and of another clock.
            assert dumped[where]["time"] >= 0.99 * each["time_ns"]
            if where[0] == "Wait":
                assert each["since_last_call_ns"] > 0.039e9
                assert dumped[where]["between"] > 0.036e9
        for figure, name in ("completed", "completed"), \
                ("flight", "in_flight_ns"):
            total = sum(row[figure] for row in rows)
            assert total == sum(each[name] for each in told["calls"]) > 0
        # There, of who completed it; in the account, of who began it.
        assert sum(row["completed"] for row in rows
                   if row["region"] == "MPI.Request.Waitall") == 2


def test_arguments_may_all_be_without_names(job):
    ranks = job("""
        status = MPI.Status()
        for each in status, None:
            comm.Sendrecv(ten, other, 3, room, other, 3, each)
            comm.Sendrecv_replace(ten, other, 3, other, 3, each)
            comm.sendrecv(1, other, 3, None, other, 3, each)
            request = comm.Isend(ten, other, 3)
            comm.Recv(room, other, 3, each)
            request.Wait(each)
            request = comm.isend(1, other, 3)
            assert comm.recv(None, other, 3, each) == 1
            request.wait(each)
        assert status.Get_tag() == 3 or status.Get_tag() == MPI.ANY_TAG
    """)
    for rank in ranks:
        assert rank["operations"]["Sendrecv"]["bytes_sent"] == 160
        assert rank["operations"]["Sendrecv"]["bytes_received"] == 160


def moved(rank, name):
    figures = rank["operations"][name]
    return figures["bytes_sent"], figures["bytes_received"]


def test_buffers_are_read_as_mpi4py_reads_them(job):
    pytest.importorskip("numpy")
    ranks = job("""
        import numpy as np
        data, room = np.arange(10.0), np.zeros(10)
        holes = MPI.DOUBLE.Create_vector(2, 1, 2).Create_resized(0, 40)
        holes.Commit()
        # 24 bytes each, but for the last ones
        for each in ([data, 3], [data, (3, 2)], [data, [3, 2]],
                     [data, np.int64(3), MPI.DOUBLE], [data, 3, "d"],
                     [data, 3, 2, MPI.DOUBLE], [data, 3, None],
                     (data, (np.int32(3), 2), MPI.DOUBLE),
                     [data, holes], [data, 1, holes]):
            if rank == 0:
                comm.Send(each, 1)
            else:
                comm.Recv(room, 0)
        counts, places = np.array([2, 3]), np.array([0, 2])
        for each in ([room, counts, places, MPI.DOUBLE], [room, [2, 3]],
                     [room, (counts, places), MPI.DOUBLE],
                     [room, ([2, 3], None)]):
            comm.Allgatherv([data, 2 + rank], each)
        comm.Alltoallv([data, 3], [room, ([3, 3], [0, 3]), "d"])
        types = [MPI.DOUBLE, MPI.INT]
        mine = [types[rank]] * 2
        comm.Alltoallw([data, ([1, 2], [0, 8]), types],
                       [room, [1 + rank] * 2, [0, 16], mine])
    """)
    assert moved(ranks[0], "Send") == (8 * 24 + 32 + 16, 0)
    assert moved(ranks[1], "Recv") == (0, 8 * 24 + 32 + 16)
    for number, rank in enumerate(ranks):
        assert moved(rank, "Allgatherv") == (4 * 8 * (2 + number), 4 * 40)
        assert moved(rank, "Alltoallv") == (48, 48)
        assert moved(rank, "Alltoallw") == (8 + 8, 16)


def test_collectives_count_what_means_something(job):
    ranks = job("""
        half = array.array("d", [1.0] * 5)
        comm.Allreduce(MPI.IN_PLACE, ten)
        comm.Allgather(MPI.IN_PLACE, ten)
        comm.Alltoall(MPI.IN_PLACE, ten)
        comm.Allgatherv(MPI.IN_PLACE, [ten, [4, 6], MPI.DOUBLE])
        comm.Reduce_scatter_block(MPI.IN_PLACE, ten)
        comm.Reduce_scatter(MPI.IN_PLACE, ten, [4, 6])
        comm.Reduce(MPI.IN_PLACE if rank == 0 else ten, room)  # no root's
        comm.Gather(half if rank else MPI.IN_PLACE, room)
        comm.Scatter(room, half if rank else MPI.IN_PLACE)
        assert comm.bcast("x" * 100, root=1) == "x" * 100
        inter = comm.Split(rank).Create_intercomm(0, comm, other)
        inter.Bcast(ten, root=MPI.ROOT if rank == 0 else 0)
    """)
    for number, rank in enumerate(ranks):
        is_0 = number == 0
        assert moved(rank, "Allreduce") == (80, 80)
        assert moved(rank, "Allgather") == (40, 80)
        assert moved(rank, "Alltoall") == (80, 80)
        assert moved(rank, "Allgatherv") == (32 if is_0 else 48, 80)
        assert moved(rank, "Reduce_scatter_block") == (80, 40)
        assert moved(rank, "Reduce_scatter") == (80, 32 if is_0 else 48)
        assert moved(rank, "Reduce") == (80, 80 if is_0 else 0)
        assert moved(rank, "Gather") == (40, 80 if is_0 else 0)
        assert moved(rank, "Scatter") == (80 if is_0 else 0, 40)
        assert moved(rank, "Bcast") == ((80, 0) if is_0 else (0, 80))
    size = moved(ranks[1], "bcast")[0]
    assert size > 100
    assert moved(ranks[0], "bcast") == (0, size)
    assert moved(ranks[1], "bcast") == (size, 0)


def test_nobody_gets_nothing(job):
    ranks = job("""
        nobody = MPI.PROC_NULL
        comm.Send(ten, nobody)
        comm.Recv(room, nobody)
        comm.Sendrecv(ten, nobody, 0, room, nobody)
        comm.Isend(ten, dest=nobody).Wait()
        comm.Irecv(room, nobody).Wait()
        request = comm.Irecv(room, other, 77)
        request.Cancel()
        request.Wait()
    """)
    for rank in ranks:
        for name in "Send", "Recv", "Sendrecv", "Isend", "Irecv", "Wait":
            assert moved(rank, name) == (0, 0), name
        assert rank["operations"]["Irecv"]["completed"] == 2


@pytest.mark.parametrize("name", ["Waitany", "Testany", "Waitsome", "Testsome",
                                  "Waitall", "Testall"])
def test_requests_of_a_list_are_counted_when_they_are_over(job, name):
    ranks = job(f"""
        name = "{name}"
    """ + """
        def finish(requests):
            left = len(requests)
            while left:
                done = getattr(type(requests[0]), name)(requests)
                done = done[0] if isinstance(done, tuple) else done
                if name in ("Waitall", "Testall"):
                    left = 0 if done else left
                elif name in ("Waitsome", "Testsome"):
                    left -= len(done or ())
                else:
                    left -= done >= 0
        finish([comm.Irecv(room, other), comm.Isend(ten, other)])
        requests = [comm.Recv_init(room, other, 1), comm.Send_init(ten, other, 1)]
        for i in range(3):
            type(requests[0]).Startall(requests)
            finish(requests)
        for each in requests:
            each.Start()
        for each in requests:
            each.Wait()
            each.Wait()  # it is over
            each.Free()
    """)
    for rank in ranks:
        assert moved(rank, name) == (0, 320)
        assert moved(rank, "Isend") == (80, 0)
        assert moved(rank, "Startall") == (240, 0)
        assert moved(rank, "Start") == (80, 0)
        assert moved(rank, "Wait") == (0, 80)
        assert moved(rank, "Send_init") == (0, 0)
        for each in "Isend", "Irecv":
            assert rank["operations"][each]["completed"] == 1
        for each in "Send_init", "Recv_init":
            assert rank["operations"][each]["completed"] == 4
        # Where the program did it, and not inside of ours.
        assert {call["stack"][0]["function"] for call in rank["calls"]} \
            == {"finish", "<module>"}


def test_attributes_are_not_counted(job):
    ranks = job("""
        comm.Bcast(ten)
        comm.Gather(ten, array.array("d", [0.0] * 10 * size))
        assert comm.rank == rank and comm.size == size and not comm.is_inter
        cart = comm.Create_cart([size])
        assert cart.dims == [size] and cart.coords == [rank]
        cart.name = "mine"
        assert cart.name == "mine"
        cart.Free()
        comm.Set_errhandler(MPI.ERRORS_RETURN)
        try:
            cart.size
        except MPI.Exception:
            pass
        else:
            raise SystemExit("it is there no more")
    """)
    for rank in ranks:
        assert set(rank["operations"]) \
            == {"Bcast", "Gather", "Create_cart", "Free", "Set_errhandler"}
