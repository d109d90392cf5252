# SPDX-License-Identifier: BSD-3-Clause
"""The summary of timers: a flat table, over all ranks of an MPI job."""

from __future__ import annotations

import os
import sys

from . import _env, _format
from ._library import ffi, lib
from .session import chosen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .results import Results


def _table(results: Results, title: str) -> str:
    flat = results.tree().flat("time")
    rows = []
    for name, stats in sorted(flat.items(), key=lambda it: -it[1].sum):
        rows.append([name, f"{stats.sum / 1e9:.6f}", str(stats.visits),
                     f"{stats.mean / 1e9:.6f}"])
    return title + "\n" + _format.table(
        ["timer", "total [s]", "calls", "average [s]"], rows)


def summary(filename: str | os.PathLike | None = None) -> None:
    """Print what the timers of this process have until now, or write it."""
    from .results import current

    text = _table(current(), "Timings") + "\n"
    if filename is None:
        sys.stdout.write(text)
    else:
        with open(filename, "w", encoding="utf-8") as out:
            out.write(text)


def _is_job() -> bool:
    """Is this an MPI job of several ranks, that can still talk?"""
    mpi = sys.modules.get("mpi4py.MPI")
    return bool(mpi and mpi.Is_initialized() and not mpi.Is_finalized()
                and mpi.COMM_WORLD.Get_size() > 1)


#: The file by which libpdump brings the ranks together.
_TOGETHER = "perf_dump-summary"


def _is_profile(path: str) -> bool:
    """Of the files of a dump, the one to read."""
    parts = os.path.basename(path).split(".")
    return parts[-1] in ("csv", "h5") and not {
        "meta", "samples", "stats", "details", "events"} & {*parts}


def _load_and_remove() -> Results | None:
    """Read what libpdump wrote, if there is a format that can be read."""
    import glob

    from .results import load

    folder = _env.get("PDUMP_DUMP_DIR") or \
        chosen.get("PDUMP_DUMP_DIR") or "."
    found = glob.glob(os.path.join(glob.escape(folder), _TOGETHER + ".*"))
    try:
        for path in filter(_is_profile, found):
            return load(path)
        return None
    finally:
        for path in found:
            os.unlink(path)


def _job_table() -> str:
    """The table of all ranks on rank 0; nothing on the others."""
    from .results import current

    mpi = sys.modules["mpi4py.MPI"]
    code = lib.pdump_flush_comm(ffi.NULL, _TOGETHER.encode())
    if mpi.COMM_WORLD.Get_rank() != 0:
        return ""
    together = _load_and_remove() if code >= 0 else None
    if together is None:
        return _table(current(), "Timings of rank 0")
    return _table(together, "Timings of all ranks")


def print_at_exit() -> None:
    """PDUMP_PRINT_SUMMARY=1: one table, of all ranks."""
    from .errors import Error
    from .results import current

    if not lib.pdump_is_active():
        return
    try:
        text = _job_table() if _is_job() else _table(current(), "Timings")
        if text:
            print(text, flush=True)
    except (Error, OSError) as exc:
        print(f"pdump: no summary: {exc}", file=sys.stderr)
