# SPDX-License-Identifier: BSD-3-Clause
"""PyPerfDump's calls: what is between start and end of a profile counts."""

import os

import pdump.pyperfdump as pyperfdump

os.environ.setdefault("PDUMP_EVENTS", "pdump::cpu_time,pdump::minor_faults")

pyperfdump.init()
pyperfdump.start_region("region1")
for n in (10_000, 20_000, 30_000):
    data = list(range(n))  # not counted
    pyperfdump.start_profile()
    data.sort(key=lambda x: -x)
    pyperfdump.end_profile()
pyperfdump.end_region()
pyperfdump.finalize()

print("three profiles of region1 are in the samples of perf_dump.h5")
