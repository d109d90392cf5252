# SPDX-License-Identifier: BSD-3-Clause
"""The summary of timers: a flat table, over all ranks of an MPI job."""

from __future__ import annotations

import os
import sys

from . import _env, _format
from ._library import DISABLED, encode, ffi, lib
from .session import chosen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable

    from .results import Results


#: Calls and seconds by which a timer differs from its region: less after
#: reset_timers(), more after Timer.add().
_offsets: dict[str, tuple[int, float]] = {}


def _sum(figures: tuple[int, float], name: str) -> tuple[int, float]:
    calls, seconds = _offsets.get(name, (0, 0.0))
    return figures[0] + calls, figures[1] + seconds


def add(name: str, calls: int, seconds: float) -> None:
    """Count calls that are in no region."""
    _offsets[name] = _sum((calls, seconds), name)


def forget(names: Iterable[str] | None = None) -> None:
    """Count calls of these timers, or of all, from here on."""
    from .results import current

    if not lib.pdump_is_active():
        _offsets.clear()
        return
    flat = current().tree().flat("time")
    for name in {*flat, *_offsets} if names is None else names:
        _offsets.pop(name, None)
        if name in flat:
            _offsets[name] = (-flat[name].visits, -flat[name].sum / 1e9)


def figures(name: str) -> tuple[int, float]:
    """Calls and seconds of a timer; NotFound or BadState if it was never
    used."""
    from ._read import query_running
    from .errors import BadState, NotFound

    try:
        stats = query_running(encode(name), b"time")
    except (BadState, NotFound):
        if name not in _offsets:
            raise
        return _offsets[name]
    return _sum((stats.visits, stats.sum / 1e9), name)


def _rows(results: Results) -> dict[str, tuple[int, float]]:
    """Calls and seconds of every region, the longest first."""
    flat = results.tree().flat("time").items()
    rows = {name: (stats.visits, stats.sum / 1e9) for name, stats in flat}
    return dict(sorted(rows.items(), key=lambda it: -it[1][1]))


def _own_rows() -> dict[str, tuple[int, float]]:
    """Calls and seconds of the timers of this process."""
    from .results import current

    rows = _rows(current())
    both = {name: _sum(rows.get(name, (0, 0.0)), name)
            for name in {**rows, **_offsets}}
    return {name: row for name, row in both.items() if row[0] > 0}


def _table(rows: dict[str, tuple[int, float]], title: str) -> str:
    cells = [[name, f"{seconds:.6f}", str(calls),
              f"{seconds / calls if calls else 0.0:.6f}"]
             for name, (calls, seconds) in rows.items()]
    return title + "\n" + _format.table(
        ["timer", "total [s]", "calls", "average [s]"], cells)


def summary(filename: str | os.PathLike | None = None) -> None:
    """Print a table of the timers of this process until now; with a file name,
    write them there as CSV."""
    if DISABLED:
        return
    rows = _own_rows()
    if filename is None:
        sys.stdout.write(_table(rows, "Timings") + "\n")
        return
    import csv

    with open(filename, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["Timer", "Total time", "Calls", "Average time"])
        for name, (calls, seconds) in rows.items():
            writer.writerow([name, seconds, calls, seconds / calls])


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
    mpi = sys.modules["mpi4py.MPI"]
    code = lib.pdump_flush_comm(ffi.NULL, _TOGETHER.encode())
    if mpi.COMM_WORLD.Get_rank() != 0:
        return ""
    together = _load_and_remove() if code >= 0 else None
    if together is None:
        return _table(_own_rows(), "Timings of rank 0")
    return _table(_rows(together), "Timings of all ranks")


def print_at_exit() -> None:
    """PDUMP_PRINT_SUMMARY=1: one table, of all ranks."""
    from .errors import Error

    if not lib.pdump_is_active():
        return
    try:
        text = _job_table() if _is_job() else _table(_own_rows(), "Timings")
        if text:
            print(text, flush=True)
    except (Error, OSError) as exc:
        print(f"pdump: no summary: {exc}", file=sys.stderr)
