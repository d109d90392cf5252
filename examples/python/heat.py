# SPDX-License-Identifier: BSD-3-Clause
"""Decorators, a region object in a loop, a counter, and the tree at the end."""

import pdump


@pdump.region()
def start(n):
    """A rod, hot at one end."""
    return [100.0] + [0.0] * (n - 1)


@pdump.region("smooth")
def smooth(rod):
    pdump.counter_add("cells", len(rod) - 2)
    inner = [rod[i] + 0.25 * (rod[i - 1] - 2 * rod[i] + rod[i + 1])
             for i in range(1, len(rod) - 1)]
    return [rod[0], *inner, rod[-1]]


def main():
    rod = start(1000)
    check = pdump.region("check")  # kept: no look-up by name in the loop
    with pdump.region("solve"):
        for _ in range(200):
            rod = smooth(rod)
            with check:
                assert max(rod) <= 100.0
    pdump.metadata("cells", len(rod))
    print(pdump.current().tree())
    print(f"{pdump.timing('smooth', total=False) * 1e6:.0f} µs per step")


main()
