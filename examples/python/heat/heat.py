# SPDX-License-Identifier: BSD-3-Clause
"""Heat leaves a triangular plate through its cold edges, with numpy and MPI.

The same as examples/heat; docs/heat-python.md walks through it.

    make && mpirun -n 2 python3 heat.py --kernel c
"""

import argparse
import ctypes
import pathlib
import sys

import numpy as np
from mpi4py import MPI

import pdump

R = 0.2  # time step by the square of a cell's side
comm = MPI.COMM_WORLD


def first_row(n, rank, ranks, split):
    """Where the rows of a rank begin; row y has the cells 1 to y - 1."""
    if split == "rows":
        return 1 + (n - 1) * rank // ranks
    before = np.cumsum(np.arange(n)) - np.arange(n)  # cells before row 1, 2, ...
    row = 1 + int(np.searchsorted(before, before[n - 1] * rank / ranks))
    return max(1 + rank, min(row, n - (ranks - rank)))


def mode(n, rows):
    """A temperature that keeps its shape: 0 on the edges, above inside."""
    x = np.pi * np.arange(n + 1) / n
    y = np.pi * np.asarray(rows)[:, None] / n
    shape = np.sin(2 * x) * np.sin(y) - np.sin(x) * np.sin(2 * y)
    return np.where(x < y, shape, 0)


class Plate:
    """The rows of this rank, and one of each neighbour above and below."""

    def __init__(self, n, split):
        rank, ranks = comm.rank, comm.size
        self.n = n
        self.first = first_row(n, rank, ranks, split)
        self.rows = first_row(n, rank + 1, ranks, split) - self.first
        self.old = np.zeros((self.rows + 2, n + 1))
        self.now = np.zeros_like(self.old)
        self.old[1:-1] = self.exact(0)
        self.above = rank - 1 if rank > 0 else MPI.PROC_NULL
        self.below = rank + 1 if rank < ranks - 1 else MPI.PROC_NULL

    def exact(self, step):
        """Each step multiplies the first temperature by the same factor."""
        half = np.pi / (2 * self.n)
        factor = 1 - 4 * R * (np.sin(half) ** 2 + np.sin(2 * half) ** 2)
        rows = np.arange(self.first, self.first + self.rows)
        return factor ** step * mode(self.n, rows)

    @pdump.region("exchange")
    def exchange(self):
        old = self.old
        comm.Sendrecv(old[1], self.above, 0, old[-1], self.below, 0)
        comm.Sendrecv(old[-2], self.below, 1, old[0], self.above, 1)

    @pdump.region("monitor")
    def monitor(self):
        return comm.allreduce(self.old[1:-1].sum())


class NumpyKernel:
    """Whole rows; what is outside of the triangle is computed in vain."""

    def __init__(self, plate):
        y = np.arange(plate.first, plate.first + plate.rows)[:, None]
        self.inside = np.arange(1, plate.n) < y

    def __call__(self, plate):
        old = plate.old
        here = old[1:-1, 1:-1]
        around = old[1:-1, :-2] + old[1:-1, 2:] + old[:-2, 1:-1] + old[2:, 1:-1]
        plate.now[1:-1, 1:-1] = self.inside * (here + R * (around - 4 * here))
        pdump.counter_add("cells", here.size)


class CKernel:
    """kernel.c, which has a region of its own."""

    def __init__(self, plate):
        path = pathlib.Path(__file__).resolve().parent / "libkernel.so"
        self.sweep = ctypes.CDLL(str(path)).heat_sweep
        array = np.ctypeslib.ndpointer(np.float64, 2, flags="C_CONTIGUOUS")
        self.sweep.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_int,
                               ctypes.c_double, array, array)
        self.sweep.restype = None

    def __call__(self, plate):
        self.sweep(plate.n, plate.first, plate.rows, R, plate.old, plate.now)


@pdump.region("march")
def march(plate, kernel, steps, every):
    """The heat that is left, as a part of what there was."""
    first = left = plate.monitor()
    sweep = pdump.region("sweep")  # kept: no look-up by name in the loop
    for step in range(1, steps + 1):
        plate.exchange()
        with sweep:
            kernel(plate)
        plate.old, plate.now = plate.now, plate.old
        if step % every == 0:
            left = plate.monitor()
    return left / first


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=1000, help="cells on a side")
    parser.add_argument("-s", "--steps", type=int, default=200)
    parser.add_argument("-m", "--every", type=int, default=10,
                        help="sum up the heat every so many steps")
    parser.add_argument("--kernel", choices=("numpy", "c"), default="numpy")
    parser.add_argument("--split", choices=("rows", "cells"), default="rows",
                        help="as many rows or as many cells per rank")
    found = parser.parse_args()
    if found.n <= comm.size or found.steps < 1 or found.every < 1:
        parser.error("too small")
    return found


def main():
    given = options()
    pdump.metadata("split", given.split)
    with pdump.region("solve"):
        with pdump.region("start"):
            plate = Plate(given.n, given.split)
            make = {"numpy": NumpyKernel, "c": CKernel}[given.kernel]
            kernel = make(plate)
        left = march(plate, kernel, given.steps, given.every)
        with pdump.region("check"):
            wrong = abs(plate.old[1:-1] - plate.exact(given.steps)).max()
            error = comm.allreduce(wrong, MPI.MAX)
    if comm.rank == 0:
        print(f"{comm.size} ranks, n {given.n}, {given.steps} steps: "
              f"{left:.4f} of the heat is left, error {error:.1e}")
    return int(error > 1e-15 * (1000 + given.steps))


sys.exit(main())
