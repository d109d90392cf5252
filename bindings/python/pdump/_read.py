# SPDX-License-Identifier: BSD-3-Clause
"""Rows, metrics and facts of a dump, out of libpdump and into columns."""

from __future__ import annotations

from array import array

from . import _stacks
from ._details import Details
from ._library import decode, ffi, lib
from .errors import check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: What is known of a row besides its metrics: name and how it is kept.
ROW_NUMBERS = ("rank", "thread", "pid", "process", "line", "node", "parent",
               "depth", "is_open", "visits")
ROW_TEXTS = ("thread_name", "region", "group", "file")
#: What is known of a metric in a row.
WHOLE_FIGURES = ("sum", "exclusive", "min", "max")
FIGURES = WHOLE_FIGURES + ("mean", "stddev")


def _new(kind: str) -> Any:
    made = ffi.new(kind + " *")
    made.size = ffi.sizeof(kind)
    return made


class Metric:
    """A column of figures: its name, unit, source and kind."""

    __slots__ = ("name", "unit", "source", "about", "kind")

    KINDS = ("counter", "gauge", "user")

    def __init__(self, name: str, unit: str = "1", source: str = "",
                 about: str = "", kind: str = "counter"):
        self.name = name
        self.unit = unit
        self.source = source
        self.about = about
        self.kind = kind

    @property
    def is_level(self) -> bool:
        """Levels, such as memory, do not add up: the highest counts."""
        return self.kind == "gauge"

    def __repr__(self) -> str:
        return f"<Metric {self.name} [{self.unit}]>"


class Process:
    """A process of a run: where it ran, and what."""

    __slots__ = ("rank", "pid", "parent", "host", "command", "cpu", "cores")

    def __init__(self, info: Any):
        self.rank: int = info.rank
        self.pid: int = info.pid
        self.parent: int = info.parent
        self.host = decode(info.host)
        self.command = decode(info.command)
        self.cpu = decode(info.cpu)
        self.cores = decode(info.cores)

    def __repr__(self) -> str:
        return f"<Process {self.pid} rank={self.rank} {self.command!r}>"


class Facts:
    """What a dump says about itself: settings and metadata, warnings with how
    often they came, processes, details of calls."""

    __slots__ = ("metadata", "warnings", "processes", "details")

    def __init__(self, dump: Any):
        self.metadata: dict[str, str] = {}
        for i in range(lib.pdump_dump_n_metadata(dump)):
            key = lib.pdump_dump_metadata_key(dump, i)
            self.metadata[decode(key)] = decode(
                lib.pdump_dump_metadata(dump, key))
        self.warnings: dict[str, int] = {}
        count = ffi.new("int64_t *")
        for i in range(lib.pdump_dump_n_warnings(dump)):
            text = decode(lib.pdump_dump_warning(dump, i, count))
            self.warnings[text] = count[0]
        self.processes: list[Process] = []
        info = _new("struct pdump_process_info")
        for i in range(lib.pdump_dump_n_processes(dump)):
            check(lib.pdump_dump_process(dump, i, info))
            self.processes.append(Process(info))
        self.details = Details(dump)


def metrics(dump: Any) -> list[Metric]:
    """What a dump has counted."""
    info = _new("struct pdump_metric_info")
    found = []
    for i in range(lib.pdump_dump_n_metrics(dump)):
        check(lib.pdump_dump_metric(dump, i, info))
        found.append(Metric(decode(info.name), decode(info.unit),
                            decode(info.source), decode(info.about),
                            Metric.KINDS[info.kind]))
    return found


class Table:
    """The columns of a dump, as arrays of the standard library; without its
    stacks."""

    def __init__(self, dump: Any):
        self.metrics = [metric for metric in metrics(dump)
                        if metric.name not in _stacks.METRICS]
        self.numbers = {name: array("q") for name in ROW_NUMBERS}
        self.texts: dict[str, list[str]] = {name: [] for name in ROW_TEXTS}
        #: figures[metric][figure]; has_value says which of them are there.
        self.figures: dict[str, dict[str, array]] = {}
        self.facts = Facts(dump)
        #: Kept for samples and events, which are read when they are asked for.
        self.dump = (dump if lib.pdump_dump_n_samples(dump)
                     or lib.pdump_dump_n_events(dump)
                     or _stacks.are_in(dump) else None)
        for metric in self.metrics:
            self.figures[metric.name] = {
                name: array("q" if name in WHOLE_FIGURES else "d")
                for name in FIGURES}
            self.figures[metric.name]["has_value"] = array("b")
        self._read_rows(dump)

    def __len__(self) -> int:
        return len(self.numbers["rank"])

    def _read_rows(self, dump: Any) -> None:
        row, stats = _new("struct pdump_row"), _new("struct pdump_stats")
        columns = {i: [(name, column.append) for name, column
                       in self.figures[metric.name].items()]
                   for i, metric in enumerate(metrics(dump))
                   if metric.name in self.figures}
        known: dict[Any, str] = {}
        #: By row of the dump: that of the table.
        places: list[int] = []
        for i in range(lib.pdump_dump_n_rows(dump)):
            check(lib.pdump_dump_row(dump, i, row))
            places.append(len(self))
            if decode(row.group) == _stacks.GROUP:
                continue
            row.parent = places[row.parent] if row.parent >= 0 else -1
            for name in ROW_NUMBERS:
                self.numbers[name].append(getattr(row, name))
            for name in ROW_TEXTS:
                pointer = getattr(row, name)
                text = known.get(pointer)
                if text is None:
                    text = known[pointer] = decode(pointer)
                self.texts[name].append(text)
            for m, figures in columns.items():
                check(lib.pdump_dump_stats(dump, i, m, stats))
                for name, append in figures:
                    append(getattr(stats, name))


class Sample:
    """A visit that was kept on its own."""

    __slots__ = ("process", "rank", "thread", "path", "number", "start",
                 "value")

    def __init__(self, info: Any, path: str, value: int | None):
        self.process: int = info.process
        self.rank: int = info.rank
        self.thread: int = info.thread
        self.path = path
        #: Of the step, or of the visit in its node, from 0.
        self.number: int = info.number
        #: Nanoseconds since the session's start.
        self.start: int = info.start
        #: Of the metric that was asked for, or None.
        self.value = value

    def __repr__(self) -> str:
        return f"<Sample {self.number} of {self.path!r}: {self.value}>"


def samples(dump: Any, metric: int, paths: dict[int, str]) -> list[Sample]:
    """The samples of a dump with what they have of a metric."""
    info, value = _new("struct pdump_sample_info"), ffi.new("int64_t *")
    found = []
    for i in range(lib.pdump_dump_n_samples(dump)):
        check(lib.pdump_dump_sample(dump, i, info))
        has_value = lib.pdump_dump_sample_value(dump, i, metric, value) >= 0
        path = paths.get(info.node) or decode(info.region)
        found.append(Sample(info, path, value[0] if has_value else None))
    return found


def _taken(call: Any, *args: Any) -> Any:
    """A dump that a function of libpdump gives; freed when nobody has it."""
    out = ffi.new("struct pdump_dump **")
    check(call(*args, out))
    return ffi.gc(out[0], lib.pdump_dump_free)


def load(path: bytes) -> Any:
    """The dump in a file."""
    return _taken(lib.pdump_load, path)


def snapshot() -> Any:
    """The dump of the running program."""
    return _taken(lib.pdump_snapshot)


def merge(dumps: list[Any]) -> Any:
    """Several dumps as one; their processes are in the same order."""
    return _taken(lib.pdump_dump_merge,
                  ffi.new("struct pdump_dump *[]", dumps), len(dumps))


def query_running(path: bytes, metric: bytes) -> Any:
    """The figures of a region of the running program, as a C structure."""
    stats = _new("struct pdump_stats")
    check(lib.pdump_query(path, metric, stats))
    return stats
