# SPDX-License-Identifier: BSD-3-Clause
"""Results: what a run has recorded, from files or from this program."""

from __future__ import annotations

import os
from array import array

from . import _events, _read, _stacks
from ._library import encode
from .errors import NotFound
from .tree import Node, Stats, Tree, escape, split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Union

    import pandas

    from .diff import Diff
    from .plot import Plot

    Path = Union[str, bytes, os.PathLike]


#: Of the table that notebooks show.
HTML_ROWS = 12


class _Figures:
    """The figures of one row and metric."""

    __slots__ = ("has_value", "sum", "exclusive", "min", "max", "mean",
                 "stddev")

    def __init__(self, columns: dict[str, Any], row: int):
        for name in self.__slots__:
            setattr(self, name, columns[name][row])


class Run:
    """One of the files that results came from."""

    __slots__ = ("path", "metadata", "warnings", "processes", "_details")

    def __init__(self, path: str | None, facts: _read.Facts):
        #: None for the running program.
        self.path = path
        #: Settings, versions, and what pdump.metadata() said.
        self.metadata = facts.metadata
        #: What was warned about, and how often.
        self.warnings = facts.warnings
        self.processes = facts.processes
        self._details = facts.details

    @property
    def details(self) -> tuple[str, ...]:
        """The names of the tables that detail() takes: "mpi", "io" ..."""
        return self._details.names

    def detail(self, name: str) -> Any:
        """As Results.detail(), of this file."""
        return self._details.table(name)

    def __repr__(self) -> str:
        return f"<Run {self.path} of {len(self.processes)} processes>"


class Results:
    """Rows (one per process, thread and node of the region tree) and metrics.

    ``results["rank"]``, ``["thread"]``, ``["path"]``, ``["visits"]`` ... are
    columns, and so are, for a metric, ``["time"]`` (its sum),
    ``["time.exclusive"]``, ``["time.min"]``, ``.max``, ``.mean`` and
    ``.stddev``: numpy arrays if there is numpy, else sequences.  Times are in
    nanoseconds.  Values that are not there are NaN.  Of a level (a gauge, such
    as ``pdump::rss``) take ``.max``: its sum means nothing.  Stacks are in
    ``stacks()``, not in the rows.

    ``["run"]`` is the number of the file in ``runs`` that a row comes from.
    """

    def __init__(self, table: _read.Table, runs: list[Run]):
        self._table = table
        self.runs = tuple(runs)
        self._paths: list[str] | None = None
        of_process = [i for i, run in enumerate(runs) for _ in run.processes]
        table.numbers["run"] = array(
            "q", [of_process[i] for i in table.numbers["process"]])

    @property
    def metadata(self) -> dict[str, str]:
        """Facts of the run; of several, what the first that has them says."""
        return self._table.facts.metadata

    @property
    def warnings(self) -> dict[str, int]:
        """What was warned about, and how often."""
        return self._table.facts.warnings

    @property
    def metrics(self) -> tuple[_read.Metric, ...]:
        """What was counted, ``time`` first."""
        return tuple(self._table.metrics)

    @property
    def details(self) -> tuple[str, ...]:
        """The names of the tables that detail() takes: "mpi", "io" ..."""
        return self._table.facts.details.names

    def detail(self, name: str) -> Any:
        """What is known of calls beside the tree: a row per thread, region
        and label (call site, file, peer), as a pandas DataFrame, or without
        pandas as a list of dicts.

        rank, thread and process are None where ranks were united, path and
        region are empty where a row is of a thread as a whole.  Histograms
        are lists.
        """
        return self._table.facts.details.table(name)

    def samples(self, metric: str = "time") -> list[_read.Sample]:
        """Visits that were kept on their own (steps, profiles,
        PDUMP_RECORD=samples): ``.path``, ``.number``, ``.start`` in ns since
        the session's start, ``.value`` of the metric, or None, and who:
        ``.process``, ``.rank``, ``.thread``."""
        table = self._table
        self._check_metric(metric)
        if table.dump is None:
            return []
        paths = dict(zip(table.numbers["node"], self._path_column()))
        names = [one.name for one in _read.metrics(table.dump)]
        return _read.samples(table.dump, names.index(metric), paths)

    def events(self) -> Any:
        """The timeline (PDUMP_RECORD=events), thread by thread in the order in
        which it happened: ``process``, ``rank``, ``thread``, ``time`` in ns
        since the session's start, ``kind`` ("enter", "leave", "at", "marker",
        "counter", "send", "receive", "collective", "lost", "io"), ``node``,
        ``name``, and by the kind ``what``, ``value`` and ``tag``.

        A pandas DataFrame; without pandas a dict of columns.
        """
        return _events.frame(self._table.dump)

    def stacks(self, rank: int | None = None,
               thread: int | None = None) -> Any:
        """CPU time by function, from stacks (``pdump run --stacks``), those
        that cost most first: ``function``, ``file`` and ``line`` where it is
        defined, ``self`` (ns of the stacks that end in it), ``total`` (of
        those that have it; a recursion counts once), ``self_stacks`` and
        ``stacks``.  Of all ranks and threads, or of some.

        A pandas DataFrame; without pandas a list of dicts.
        """
        return _stacks.table(self._table.dump, rank, thread)

    @property
    def plot(self) -> Plot:
        """Pictures, with matplotlib: ``.plot.flame()``, ``.ranks()``,
        ``.timeline()``, ``.memory()``, ``.roofline()``."""
        from .plot import Plot

        return Plot(self)

    @property
    def columns(self) -> list[str]:
        """The names that ``results[name]`` takes."""
        figures = [metric.name + suffix for metric in self.metrics
                   for suffix in ("", ".exclusive", ".min", ".max", ".mean",
                                  ".stddev")]
        return ["path", *self._table.texts, *self._table.numbers, *figures]

    def __len__(self) -> int:
        return len(self._table)

    def __repr__(self) -> str:
        names = ", ".join(metric.name for metric in self.metrics)
        return f"<pdump.Results: {len(self)} rows; {names}>"

    def _repr_html_(self) -> str:
        """For notebooks: the regions that take most of the time."""
        from . import _format

        regions = self.tree().flat()
        longest = sorted(regions, key=lambda name: -regions[name].exclusive)
        rows = [[name, _format.number(regions[name].exclusive, "ns"),
                 _format.number(regions[name].sum, "ns"),
                 str(regions[name].visits)] for name in longest[:HTML_ROWS]]
        n_ranks = len(set(self._table.numbers["rank"]))
        return (f"<p>pdump.Results: {len(self)} row{'s'[:len(self) != 1]}, "
                f"{n_ranks} "
                f"rank{'s'[:n_ranks != 1]}, {len(regions)} "
                f"region{'s'[:len(regions) != 1]}</p>"
                + _format.html(["region", "self", "time", "visits"], rows))

    def __getitem__(self, name: str) -> Any:
        table = self._table
        if name == "path":
            return _texts(self._path_column())
        if name in table.texts:
            return _texts(table.texts[name])
        if name in table.numbers:
            return _numbers(table.numbers[name])
        metric, figure = self._figure(name)
        columns = table.figures[metric]
        return _numbers(columns[figure], columns["has_value"])

    def _figure(self, name: str) -> tuple[str, str]:
        """``time.min`` -> ``time``, ``min``; metrics may have dots, too."""
        if name in self._table.figures:
            return name, "sum"
        metric, _, figure = name.rpartition(".")
        if metric in self._table.figures and figure in _read.FIGURES:
            return metric, figure
        raise KeyError(name)

    def _path_column(self) -> list[str]:
        if self._paths is None:
            paths: list[str] = []
            regions = self._table.texts["region"]
            for i, parent in enumerate(self._table.numbers["parent"]):
                name = escape(regions[i])
                paths.append(name if parent < 0 else f"{paths[parent]}/{name}")
            self._paths = paths
        return self._paths

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame with the index rank, thread, path; of several files run,
        rank, thread, path.  ``.groupby("path").sum()`` adds equal paths;
        of a level take ``["pdump::rss.max"].groupby("path").max()``."""
        import pandas

        levels = ["rank", "thread", "path"]
        if len(self.runs) > 1:
            levels.insert(0, "run")
        names = [name for name in self.columns
                 if name not in (*levels, "node", "parent")]
        index = pandas.MultiIndex.from_arrays(
            [self[name] for name in levels], names=levels)
        return pandas.DataFrame({name: self[name] for name in names},
                                index=index)

    def _rows(self, **wanted: int | None) -> list[int]:
        """The rows with these numbers; None stands for all."""
        rows: Any = range(len(self))
        for name, number in wanted.items():
            if number is not None:
                column = self._table.numbers[name]
                rows = [i for i in rows if column[i] == number]
        return list(rows)

    def tree(self, rank: int | None = None, thread: int | None = None,
             run: int | None = None) -> Tree:
        """The region tree, over all ranks, threads, runs, or of some."""
        table = self._table
        tree = Tree(self.metrics)
        nodes: list[Any] = []
        wanted = set(self._rows(rank=rank, thread=thread, run=run))
        for i, parent in enumerate(table.numbers["parent"]):
            if i not in wanted:
                nodes.append(None)
                continue
            above = tree if parent < 0 else nodes[parent]
            node = above.child(table.texts["region"][i])
            nodes.append(node)
            self._add_row(node, i)
        return tree

    def _add_row(self, node: Node, i: int) -> None:
        table = self._table
        visits = table.numbers["visits"][i]
        node.visits += visits
        node.is_open |= bool(table.numbers["is_open"][i])
        node.group = table.texts["group"][i]
        node.file = node.file or table.texts["file"][i]
        node.line = node.line or table.numbers["line"][i]
        for metric in table.metrics:
            stats = node.stats.setdefault(metric.name, Stats(metric.is_level))
            stats.add(visits, _Figures(table.figures[metric.name], i))

    def _check_metric(self, metric: str) -> None:
        figures = self._table.figures
        if metric not in figures:
            raise NotFound(f"metric {metric!r} is not recorded; there are "
                           + ", ".join(figures))

    def _is_level(self, metric: str) -> bool:
        self._check_metric(metric)
        return any(m.name == metric and m.is_level for m in self.metrics)

    def query(self, path: str, metric: str = "time", rank: int | None = None,
              thread: int | None = None, run: int | None = None) -> Stats:
        """The figures of a region, over all ranks, threads, runs, or of some.

        ``"/main/solve"`` is that node of the tree, ``"solve"`` the region
        wherever it is: all visits of a recursion are counted, its sum is that
        of the outermost ones.  ``.value`` is the sum, of a level the highest.
        """
        table = self._table
        total = Stats(self._is_level(metric))
        is_meant, is_inner = self._meant(path)
        rows = [i for i in self._rows(rank=rank, thread=thread, run=run)
                if is_meant[i]]
        if not rows:
            raise NotFound(f"no region {path!r}")
        for i in rows:
            total.add(table.numbers["visits"][i],
                      _Figures(table.figures[metric], i), is_inner[i])
        return total

    def _meant(self, path: str) -> tuple[list[bool], list[bool]]:
        """Which rows a path or a name stands for, and which of them are within
        others of these."""
        regions = self._table.texts["region"]
        parents = self._table.numbers["parent"]
        if path.startswith("/"):
            wanted = "/".join(escape(name) for name in split(path[1:]))
            is_meant = [p == wanted for p in self._path_column()]
            return is_meant, [False] * len(is_meant)
        is_inner: list[bool] = []
        for parent in parents:
            is_inner.append(parent >= 0 and (is_inner[parent]
                                             or regions[parent] == path))
        return [name == path for name in regions], is_inner

    def diff(self, other: Results) -> Diff:
        """What is different in a later run: ``before.diff(after)``."""
        from .diff import Diff

        return Diff(self.tree(), other.tree())


def _numbers(column: Any, has_value: Any = None) -> Any:
    is_whole = has_value is None or all(has_value)
    try:
        import numpy
    except ImportError:
        return column if is_whole else [
            value if there else float("nan")
            for value, there in zip(column, has_value)]
    values = numpy.array(column)
    if is_whole:
        return values
    return numpy.where(numpy.array(has_value, dtype=bool), values, numpy.nan)


def _texts(column: list[str]) -> Any:
    try:
        import numpy
    except ImportError:
        return column
    values = numpy.empty(len(column), dtype=object)
    values[:] = column
    return values


def load(*paths: Path | list[Path]) -> Results:
    """Read files that libpdump wrote: HDF5, CSV, or the store of a run.

    Several files are put together, ``load("a.h5", "b.h5")`` or a list: their
    rows stay apart (``results["run"]``), trees and queries add equal paths.
    """
    if len(paths) == 1 and isinstance(paths[0], (list, tuple)):
        paths = tuple(paths[0])
    if not paths:
        raise TypeError("load() needs the path of a file")
    dumps, runs = [], []
    for path in paths:
        data = os.fsencode(path)  # type: ignore[arg-type]
        if b"\0" in data:
            raise ValueError(f"a path cannot contain a NUL: {path!r}")
        dumps.append(_read.load(data))
        runs.append(Run(os.fsdecode(data), _read.Facts(dumps[-1])))
    whole = dumps[0] if len(dumps) == 1 else _read.merge(dumps)
    return Results(_read.Table(whole), runs)


def current() -> Results:
    """What this program has recorded until now."""
    table = _read.Table(_read.snapshot())
    return Results(table, [Run(None, table.facts)])


def timing(name: str, metric: str = "time", total: bool = True) -> float:
    """Seconds spent in a region of this program until now, or per visit.

    For other metrics than time: their value, of a level the highest.  ``name``
    as in Results.query().
    """
    stats = _read.query_running(encode(name), encode(metric, "a metric"))
    if metric != "time" and any(m.name == metric and m.is_level
                                for m in _read.metrics(_read.snapshot())):
        return current().query(name, metric).value or 0
    value = stats.sum if total else stats.mean
    return value / 1e9 if metric == "time" else value
