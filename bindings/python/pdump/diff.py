# SPDX-License-Identifier: BSD-3-Clause
"""Two runs compared, region by region."""

from __future__ import annotations

import math

from . import _format
from .tree import Node, Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator

    import pandas


#: A smaller probability is not chance, and the spread of fewer visits is not
#: reliable: as in tools/pdump/diff/compare.c.
BY_CHANCE = 0.05
VISITS_MIN = 10


def _mean(node: Node, metric: str) -> tuple[float, float] | None:
    """The mean of the visits and its standard error, if both are known."""
    stats = node.stats.get(metric)
    if stats is None or stats.is_level or node.is_open \
            or stats.visits < VISITS_MIN:
        return None
    n = stats.visits
    variance = stats.stddev**2 * n / (n - 1)
    return stats.mean, math.sqrt(variance / n)


class Change:
    """A region in both runs; what one of them has not is None."""

    __slots__ = ("path", "before", "after")

    def __init__(self, path: str, before: Node | None,
                 after: Node | None):
        self.path = path
        self.before = before
        self.after = after

    def value(self, metric: str = "time") -> tuple[int | None, int | None]:
        """The sums of a metric before and after, of a level the highest."""
        return (self.before.value(metric) if self.before else None,
                self.after.value(metric) if self.after else None)

    def delta(self, metric: str = "time") -> int:
        """After minus before; a region that is not there counts 0."""
        before, after = self.value(metric)
        return (after or 0) - (before or 0)

    def ratio(self, metric: str = "time") -> float | None:
        """After divided by before, or None."""
        before, after = self.value(metric)
        return after / before if before and after is not None else None

    def verdict(self, metric: str = "time") -> str:
        """As ``pdump diff`` says it of one run on each side: ``"more"`` or
        ``"less"`` per visit, ``"not significant"``, ``"inconclusive"``,
        ``"new"`` or ``"gone"``.

        The spread of the visits within each run is the noise.  It does not
        know what differs from run to run: it is indicative only.
        """
        if self.before is None or self.after is None:
            return "new" if self.before is None else "gone"
        means = [_mean(node, metric) for node in (self.before, self.after)]
        if means[0] is None or means[1] is None:
            return "inconclusive"
        (a, error_a), (b, error_b) = means
        error = math.hypot(error_a, error_b)
        chance = math.erfc(abs(b - a) / error / math.sqrt(2)) if error > 0 \
            else float(a == b)
        if chance >= BY_CHANCE or a == b:
            return "not significant"
        return "more" if b > a else "less"

    def __repr__(self) -> str:
        return f"<Change {self.path!r} {self.value()}>"


class Diff(_format.Shown):
    """The changes between two runs, the largest in time first."""

    def __init__(self, before: Tree, after: Tree):
        old = {node.path: node for _, node in before.walk()}
        new = {node.path: node for _, node in after.walk()}
        self.metrics = list(before.metrics) + [
            m for m in after.metrics
            if m.name not in {o.name for o in before.metrics}]
        self.changes = [Change(path, old.get(path), new.get(path))
                        for path in {**old, **new}]
        self.changes.sort(key=lambda c: -abs(c.delta()))

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

    def __len__(self) -> int:
        return len(self.changes)

    def __getitem__(self, path: str) -> Change:
        for change in self.changes:
            if change.path == path:
                return change
        raise KeyError(path)

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame with the index path: before, after, delta, ratio."""
        import pandas

        columns: dict[tuple[str, str], list[Any]] = {}
        for metric in (m.name for m in self.metrics):
            pairs = [c.value(metric) for c in self.changes]
            columns[metric, "before"] = [pair[0] for pair in pairs]
            columns[metric, "after"] = [pair[1] for pair in pairs]
            columns[metric, "delta"] = [c.delta(metric) for c in self.changes]
            columns[metric, "ratio"] = [c.ratio(metric) for c in self.changes]
        index = pandas.Index([c.path for c in self.changes], name="path")
        return pandas.DataFrame(columns, index=index)

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        rows = []
        for change in self.changes:
            before, after = change.value()
            delta, ratio = change.delta(), change.ratio()
            rows.append([
                change.path, _format.number(before, "ns"),
                _format.number(after, "ns"),
                ("+" if delta > 0 else "") + _format.number(delta, "ns"),
                "" if ratio is None else f"{ratio:.2f}", change.verdict(),
                _visits(change.before), _visits(change.after)])
        return ["region", "before", "after", "change", "ratio", "per visit",
                "visits before", "after"], rows

    def __str__(self) -> str:
        return f"{super().__str__()}\none run each: indicative only"


def _visits(node: Node | None) -> str:
    return str(node.visits) if node else ""
