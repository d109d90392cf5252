# SPDX-License-Identifier: BSD-3-Clause
"""Stacks of a dump, by function."""

from __future__ import annotations

from ._library import decode, ffi, lib
from .errors import NotFound, check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Regions of this group are frames; these metrics count them.
GROUP = "stack"
COUNT = "pdump::stacks"
TIME = "pdump::stack_time"
METRICS = (COUNT, TIME)
COLUMNS = ("function", "file", "line", "self", "total", "self_stacks",
           "stacks")


def _new(kind: str) -> Any:
    made = ffi.new(kind + " *")
    made.size = ffi.sizeof(kind)
    return made


def _metric(dump: Any, name: str) -> int:
    info = _new("struct pdump_metric_info")
    for i in range(lib.pdump_dump_n_metrics(dump)):
        check(lib.pdump_dump_metric(dump, i, info))
        if decode(info.name) == name:
            return i
    return -1


class _Function:
    """The sums of a function."""

    __slots__ = COLUMNS

    def __init__(self, name: str, row: Any):
        self.function = name
        self.file = decode(row.file)
        self.line: int = row.line
        self.self = self.total = self.self_stacks = self.stacks = 0


class _Sums:
    """Adds the frames of a dump to their functions."""

    def __init__(self, dump: Any, rank: int | None, thread: int | None):
        self.functions: dict[str, _Function] = {}
        self._dump = dump
        self._wanted = (rank, thread)
        self._metrics = (_metric(dump, TIME), _metric(dump, COUNT))
        #: By row: the name of a frame, or None; and the row around it.
        self._names: list[str | None] = []
        self._parents: list[int] = []

    def read(self) -> None:
        row = _new("struct pdump_row")
        for i in range(lib.pdump_dump_n_rows(self._dump)):
            check(lib.pdump_dump_row(self._dump, i, row))
            is_frame = decode(row.group) == GROUP
            self._names.append(decode(row.region) if is_frame else None)
            self._parents.append(row.parent)
            if is_frame and self._is_wanted(row):
                self._add(i, row)

    def _is_wanted(self, row: Any) -> bool:
        return all(wanted is None or wanted == is_ for wanted, is_ in
                   zip(self._wanted, (row.rank, row.thread)))

    def _is_recursion(self, i: int) -> bool:
        name = self._names[i]
        i = self._parents[i]
        while i >= 0 and self._names[i] is not None:
            if self._names[i] == name:
                return True
            i = self._parents[i]
        return False

    def _figures(self, i: int, metric: int) -> tuple[int, int]:
        """With and without the frames inside."""
        stats = _new("struct pdump_stats")
        check(lib.pdump_dump_stats(self._dump, i, metric, stats))
        return (stats.sum, stats.exclusive) if stats.has_value else (0, 0)

    def _add(self, i: int, row: Any) -> None:
        name = self._names[i] or ""
        function = self.functions.get(name)
        if function is None:
            function = self.functions[name] = _Function(name, row)
        total, self_time = self._figures(i, self._metrics[0])
        stacks, self_stacks = self._figures(i, self._metrics[1])
        function.self += self_time
        function.self_stacks += self_stacks
        if not self._is_recursion(i):
            function.total += total
            function.stacks += stacks


def are_in(dump: Any) -> bool:
    """Whether stacks were taken."""
    return _metric(dump, COUNT) >= 0 and _metric(dump, TIME) >= 0


def table(dump: Any, rank: int | None, thread: int | None) -> Any:
    """The functions, those that cost most first."""
    if dump is None or not are_in(dump):
        raise NotFound("no stacks were taken: run the program with "
                       "`pdump run --stacks`")
    sums = _Sums(dump, rank, thread)
    sums.read()
    found = sorted(sums.functions.values(),
                   key=lambda f: (-f.self, -f.total))
    rows = [{name: getattr(f, name) for name in COLUMNS} for f in found]
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows, columns=list(COLUMNS))
