# SPDX-License-Identifier: BSD-3-Clause
"""mpiprof: ``python -m mpiprof script.py``, and MPIProfiler."""

from __future__ import annotations

import os
import sys

__all__ = ["MPIProfiler", "__version__", "main"]

#: The release of mpiprof whose interface this is; not libpdump's own.
__version__ = "0.2.2"


def __getattr__(name: str) -> object:
    if name == "MPIProfiler":  # needs mpi4py, which main() does not
        from pdump.mpi import MPIProfiler

        return MPIProfiler
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def main(arguments: list[str] | None = None) -> None:
    """Run a script, and write one pstats file per rank."""
    from pdump.runner import main as run

    output = os.environ.get("MPIPROF_OUT") or "mpiprof.{rank}.pstats"
    run(["--format", "pstats", "-o", output,
         *(sys.argv[1:] if arguments is None else arguments)],
        command="mpiprof")


if __name__ == "__main__":
    main()
