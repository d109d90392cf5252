# SPDX-License-Identifier: BSD-3-Clause
"""The least: name a part of the program, run it, read perf_dump.h5."""

import pdump

with pdump.region("count"):
    primes = [n for n in range(2, 5000) if all(n % d for d in range(2, n))]

print(len(primes), "primes; now: pdump report perf_dump.h5")
