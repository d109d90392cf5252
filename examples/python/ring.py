# SPDX-License-Identifier: BSD-3-Clause
"""Ranks that have more to do the higher they are, and pass it on: who waits?

    mpirun -n 4 python ring.py
"""

import sys

import pdump

try:
    from mpi4py import MPI
except ImportError:
    print("this example needs mpi4py")
    sys.exit(77)

STEPS, CELLS = 20, 2000
comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()


@pdump.region("compute")
def compute(cells):
    for _ in range(rank + 1):
        for i in range(1, len(cells)):
            cells[i] = (cells[i] + cells[i - 1] + 1) ** 0.5


@pdump.region("exchange")
def exchange(cells):
    cells[0] = comm.sendrecv(cells[-1], (rank + 1) % size,
                             source=(rank - 1) % size)


with pdump.region("ring"):
    cells = [0.0] * CELLS
    for _ in range(STEPS):
        compute(cells)
        exchange(cells)
        with pdump.region("reduce"):
            total = comm.allreduce(cells[0])
if rank == 0:
    print(f"{size} ranks, sum {total:.6f}")
