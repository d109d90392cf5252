# SPDX-License-Identifier: BSD-3-Clause
"""The region tree of a dump, over all ranks and threads."""

from __future__ import annotations

from . import _format
from ._fold import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Iterator

    from ._read import Metric


class Stats:
    """The figures of one metric of a region, over all its visits."""

    __slots__ = ("visits", "sum", "exclusive", "min", "max", "has_value",
                 "is_level", "_each", "_squares")

    def __init__(self, is_level: bool = False) -> None:
        #: Of a gauge: levels such as pdump::rss, which do not add up.
        self.is_level = is_level
        self.visits = 0
        self.sum = 0
        self.exclusive = 0
        self.min: int | None = None
        self.max: int | None = None
        self.has_value = False
        # Sums over all visits; `sum` has only the outermost of a recursion.
        self._each = 0
        self._squares = 0.0

    def add(self, visits: int, figures: Any, is_inner: bool = False) -> None:
        """Add the figures of another row.

        ``is_inner``: its visits are within others of the same region, whose
        sum has their time already.
        """
        self.visits += visits
        if not figures.has_value:
            return
        self.has_value = True
        self.sum += 0 if is_inner and not self.is_level else figures.sum
        self._each += figures.sum
        self.exclusive += figures.exclusive
        self._squares += visits * (figures.stddev**2 + figures.mean**2)
        # An open region has a level, but no visit yet.
        if visits or self.is_level and figures.max:
            self.min = figures.min if self.min is None else \
                min(self.min, figures.min)
            self.max = figures.max if self.max is None else \
                max(self.max, figures.max)

    def join(self, other: Stats, is_inner: bool = False) -> None:
        """Add the figures of another node; ``is_inner`` as for add()."""
        self.visits += other.visits
        self.sum += 0 if is_inner and not self.is_level else other.sum
        self.exclusive += other.exclusive
        self.has_value |= other.has_value
        self._each += other._each
        self._squares += other._squares
        for name, choose in (("min", min), ("max", max)):
            both = [value for value in (getattr(self, name),
                                        getattr(other, name))
                    if value is not None]
            setattr(self, name, choose(both) if both else None)

    @property
    def value(self) -> int | None:
        """The sum, of a level the highest; None if there is none."""
        if not self.has_value:
            return None
        return self.max if self.is_level else self.sum

    @property
    def mean(self) -> float:
        """The sum per visit."""
        return self.sum / self.visits if self.visits else 0.0

    @property
    def stddev(self) -> float:
        """Over visits."""
        if not self.visits:
            return 0.0
        mean = self._each / self.visits
        return max(self._squares / self.visits - mean**2, 0.0) ** 0.5

    def __repr__(self) -> str:
        sums = "" if self.is_level else \
            f"sum={self.sum} exclusive={self.exclusive} "
        return (f"<Stats visits={self.visits} {sums}"
                f"min={self.min} max={self.max}>")


class Node:
    """A region under its parent."""

    __slots__ = ("name", "parent", "children", "visits", "is_open", "group",
                 "file", "line", "stats")

    def __init__(self, name: str, parent: Node | None):
        self.name = name
        self.parent = parent
        self.children: dict[str, Node] = {}
        self.visits = 0
        self.is_open = False
        self.group = ""
        self.file = ""
        self.line = 0
        self.stats: dict[str, Stats] = {}

    @property
    def path(self) -> str:
        """``main/solve``; a ``/`` or ``\\`` of a name has a ``\\`` before."""
        names = []
        node: Node | None = self
        while node is not None and node.parent is not None:
            names.append(escape(node.name))
            node = node.parent
        return "/".join(reversed(names))

    @property
    def time(self) -> float:
        """Seconds, including the regions inside."""
        stats = self.stats.get("time")
        return stats.sum / 1e9 if stats else 0.0

    def value(self, metric: str) -> int | None:
        """The sum of a metric, of a level the highest, or None."""
        stats = self.stats.get(metric)
        return stats.value if stats else None

    def child(self, name: str) -> Node:
        """The node below, made if it is not there."""
        node = self.children.get(name)
        if node is None:
            node = self.children[name] = Node(name, self)
        return node

    def walk(self) -> Iterator[tuple[int, Node]]:
        """This node's descendants with their depths, each after its parent,
        siblings by time."""
        stack = [(0, node) for node in _by_time(self)]
        while stack:
            depth, node = stack.pop()
            yield depth, node
            stack.extend((depth + 1, child) for child in _by_time(node))

    def __getitem__(self, name: str) -> Node:
        return self.children[name]

    def __iter__(self) -> Iterator[Node]:
        return reversed(_by_time(self))

    def __len__(self) -> int:
        return len(self.children)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<Node {self.path!r} visits={self.visits}>"


def _by_time(node: Node) -> list[Node]:
    """Children, the longest last: the order of a stack."""
    return sorted(node.children.values(), key=lambda n: n.time)


def escape(name: str) -> str:
    """A name as a part of a path."""
    return name.replace("\\", "\\\\").replace("/", "\\/")


def split(path: str) -> list[str]:
    """The names of a path."""
    names, name, it = [], [], iter(path)
    for char in it:
        if char == "\\":
            name.append(next(it, char))
        elif char == "/":
            names.append("".join(name))
            name = []
        else:
            name.append(char)
    return names + ["".join(name)]


class Tree(_format.Shown, Node):
    """The regions of a run; ``print(tree)`` shows it."""

    __slots__ = ("metrics",)

    def __init__(self, metrics: Iterable[Metric]):
        super().__init__("", None)
        self.metrics = list(metrics)

    def find(self, path: str) -> Node:
        """The node of ``main/solve``; KeyError if there is none."""
        node: Node = self
        for name in split(path.lstrip("/")):
            try:
                node = node.children[name]
            except KeyError:
                raise KeyError(path) from None
        return node

    def flat(self, metric: str = "time") -> dict[str, Stats]:
        """The figures per region, wherever it is.

        All visits of a recursion are counted, its sum is that of the
        outermost ones.
        """
        total: dict[str, Stats] = {}
        above: list[str] = []
        n_above: dict[str, int] = {}
        for depth, node in self.walk():
            while len(above) > depth:
                n_above[above.pop()] -= 1
            stats = node.stats.get(metric)
            if stats is not None:
                total.setdefault(node.name, Stats(stats.is_level)).join(
                    stats, is_inner=bool(n_above.get(node.name)))
            above.append(node.name)
            n_above[node.name] = n_above.get(node.name, 0) + 1
        return total

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        """The table: head and rows."""
        others = [m for m in self.metrics if m.name != "time"]
        head = ["region", "%", "time", "self", "visits", "time/visit"]
        head += [m.name.split("::")[-1] for m in others]
        total = sum(node.time for node in self.children.values()) or 1.0
        rows = []
        lasts: list[bool] = []
        walked, n_left_out = brief(self)
        has_next = _has_next(walked)
        for (depth, node), is_followed in zip(walked, has_next):
            del lasts[depth:]
            lasts.append(not is_followed)
            rows.append(_row(node, depth, lasts, total, others))
        if n_left_out:
            rows.append([f"… {n_left_out} more (walk() has all)",
                         *[""] * (len(head) - 1)])
        return head, rows


def _has_next(walked: list[tuple[int, Node]]) -> list[bool]:
    """For each node: is there another one of the same parent after it?"""
    result: list[bool] = []
    open_depths: set[int] = set()
    for depth, _ in reversed(walked):
        result.append(depth in open_depths)
        open_depths = {d for d in open_depths if d < depth} | {depth}
    result.reverse()
    return result


def _row(node: Node, depth: int, lasts: list[bool], total: float,
         others: list[Metric]) -> list[str]:
    stem = "".join("   " if last else "│  " for last in lasts[1:depth])
    twig = "" if depth == 0 else "└─ " if lasts[depth] else "├─ "
    time = node.stats.get("time")
    cells = [stem + twig + node.name + (" (open)" if node.is_open else ""),
             f"{100 * node.time / total:.1f}",
             _format.number(time.sum if time else None, "ns"),
             _format.number(time.exclusive if time else None, "ns"),
             str(node.visits),
             _format.number(round(time.mean) if time and node.visits else None,
                            "ns")]
    return cells + [_format.number(node.value(metric.name), metric.unit)
                    for metric in others]
