# SPDX-License-Identifier: BSD-3-Clause
"""mpi4py, on 2 ranks: buffers and objects.  Tells what there was, as ledger.h.

Started with a library, it loads that one for everybody before mpi4py.
"""
import ctypes
import pickle
import sys

if len(sys.argv) > 1:
    ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
other = 1 - rank
ledger = {}


def did(name, out, got, completed):
    figures = ledger.setdefault(name, [0, 0, 0, 0])
    for i, value in enumerate((1, out, got, completed)):
        figures[i] += value


def upper():
    buffer = bytearray(80)
    if rank == 0:
        comm.Send(buffer, dest=1)  # a site
        did("MPI_Send", 80, 0, 0)
    else:
        comm.Recv(buffer, source=MPI.ANY_SOURCE)
        did("MPI_Recv", 0, 80, 0)
    requests = [comm.Irecv(buffer, source=other), comm.Isend(b"12345", other)]
    did("MPI_Irecv", 0, 0, 0)
    did("MPI_Isend", 5, 0, 0)
    MPI.Request.Waitall(requests)
    did("MPI_Waitall", 0, 5, 2)
    comm.Allreduce(MPI.IN_PLACE, [bytearray(8), MPI.DOUBLE])
    did("MPI_Allreduce", 8, 8, 0)
    comm.Barrier()
    did("MPI_Barrier", 0, 0, 0)


def lower():
    thing = {"a": [1, 2, 3], "b": "text"}
    size = len(pickle.dumps(thing, pickle.HIGHEST_PROTOCOL))
    if rank == 0:
        comm.send(thing, dest=1)
        did("MPI_Send", size, 0, 0)
    else:
        assert comm.recv(source=0) == thing
        did("MPI_Mprobe", 0, 0, 0)
        did("MPI_Mrecv", 0, size, 0)


upper()
for _ in range(3):
    lower()
text = "".join(f"{n} {' '.join(map(str, f))}\n" for n, f in ledger.items())
sys.stdout.write(text)
sys.stdout.flush()
