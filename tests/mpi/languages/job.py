# SPDX-License-Identifier: BSD-3-Clause
"""A job in Python, without a package: job.py LIBRARY ORDER.

It records what work() of job/kit.h does.
"""
import ctypes
import sys

if sys.argv[2] == "pdump first":
    lib = ctypes.CDLL(sys.argv[1])
    lib.pdump_init()
from mpi4py import MPI

if sys.argv[2] == "mpi first":
    lib = ctypes.CDLL(sys.argv[1])

for i in range(MPI.COMM_WORLD.rank + 1):
    lib.pdump_region_begin(b"solve")
    for k in range(2):
        lib.pdump_region_begin(b"inner")
        lib.pdump_region_end(b"inner")
    lib.pdump_region_end(b"solve")
print("done", flush=True)
