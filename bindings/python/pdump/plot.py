# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of results with matplotlib: ``results.plot.flame()`` and others.

Every function takes the axes to draw on (``ax=``), or makes a figure, and
returns the axes; ``.figure`` of them has ``savefig()``.  Nothing is shown: a
notebook does that, or ``matplotlib.pyplot.show()``.
"""

from __future__ import annotations

from . import _colours, _format, _lanes, _roofline
from .errors import BadValue, NotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .results import Results
    from .tree import Node

#: Lines of one picture; more of them become a mean and a band.
LINES_MAX = 12

#: Characters of a name that stands beside a picture.
NAME_MAX = 40


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError as exc:
        raise ImportError(
            "plots need matplotlib: install python3-matplotlib, or "
            "pip install pdump[plots]") from exc
    return pyplot


def _axes(ax: Any, width: float = 10, height: float = 5) -> Any:
    pyplot = _pyplot()
    if ax is None:
        _, ax = pyplot.subplots(figsize=(width, height),
                                layout="constrained")
    return ax


def _text(name: str) -> str:
    """A name as it is: a pair of dollars would be set as mathematics."""
    return name.replace("$", r"\$")


def _short(name: str) -> str:
    """A long name would leave no room for the picture."""
    if len(name) <= NAME_MAX:
        return name
    return name[:NAME_MAX // 2] + "\u2026" + name[-NAME_MAX // 2:]


def _round_step(least: float, is_size: bool = False) -> float:
    """The next 1, 2 or 5 times a power of ten; of bytes a power of two."""
    from math import ceil, floor, log2, log10

    if least <= 0:
        return 1
    if is_size:
        return 2.0 ** ceil(log2(least) - 1e-9)
    ten = 10.0 ** floor(log10(least) + 1e-9)
    return next(times * ten for times in (1, 2, 5, 10)
                if times * ten >= least * (1 - 1e-9))


def _ticks(axis: Any, unit: str, most: float, n: int = 8) -> None:
    """At most n parts, which end at round values, with their unit."""
    from matplotlib.ticker import MultipleLocator

    if most > 0:
        axis.set_major_locator(
            MultipleLocator(_round_step(most / n, unit == "B")))
    axis.set_major_formatter(lambda value, _: _tick(float(value), unit))


def _tick(value: float, unit: str) -> str:
    """ "1.5 s": without the zeros that a table has."""
    number, *rest = _format.number(value, unit).split(" ")
    if "." in number:
        number = number.rstrip("0").rstrip(".")
    return " ".join([number, *rest]) if value else "0"


def _round_axis(axis: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(8, steps=[1, 2, 5, 10]))


class Plot:
    """What ``results.plot`` is."""

    __slots__ = ("_results",)

    def __init__(self, results: Results):
        self._results = results

    def _unit(self, metric: str) -> str:
        self._results._check_metric(metric)
        return {m.name: m.unit for m in self._results.metrics}[metric]

    def _scale(self, metric: str) -> tuple[float, str]:
        """What a value is divided by, and the label of its axis."""
        unit = self._unit(metric)
        if unit == "ns":
            return 1e9, f"{metric} [s]"
        if unit == "B":
            return 2**20, f"{metric} [MiB]"
        return 1, metric if unit in ("", "1") else f"{metric} [{unit}]"

    def flame(self, metric: str = "time", *, rank: int | None = None,
              thread: int | None = None, run: int | None = None,
              min_share: float = 0.001, ax: Any = None) -> Any:
        """The region tree, each region as wide as its share of a metric;
        what was called stands above.  Shares below min_share are left out."""
        unit = self._unit(metric)
        if self._results._is_level(metric):
            raise BadValue(f"{metric} is a level: levels do not add up, and "
                           "have no shares")
        tree = self._results.tree(rank=rank, thread=thread, run=run)
        bars = _flame_bars(tree, metric, min_share)
        depth = 1 + max((bar[0] for bar in bars), default=0)
        ax = _axes(ax, 12, min(1.2 + 0.35 * depth, 30))
        total = sum(bar[2] for bar in bars if bar[0] == 0)
        palette = self._palette(_beside(bars))
        for level, left, width, name, _ in bars:
            ax.barh(level, width, 0.95, left, color=palette.of(name),
                    edgecolor="white", linewidth=0.5)
            if width > 0.03 * total:
                label = ax.text(left + 0.004 * total, level, _text(name),
                                va="center", fontsize=8, clip_on=True)
                label.set_clip_path(ax.patches[-1])
        ax.set_xlim(0, total or 1)
        ax.set_ylim(-0.5, depth - 0.5)
        ax.set_yticks([])
        _ticks(ax.xaxis, unit, total)
        ax.set_xlabel(_text(metric))
        ax.set_title("Where it is spent")
        palette.legend(ax)
        return ax

    def ranks(self, metric: str = "time", *, top: int = 20,
              ax: Any = None) -> Any:
        """The regions that have most of a metric themselves, rank by rank:
        how much each rank has more or less than the mean of the region.  Of
        one rank, what it has.  Of a level the highest."""
        import numpy

        self._results._check_metric(metric)
        ranks, values = self._by_rank(metric)
        names = sorted(values, key=lambda name: -values[name].sum())[:top]
        if not names:
            raise NotFound(f"no region has a value of {metric}")
        ax = _axes(ax, 10, 1.5 + 0.3 * len(names))
        table = numpy.array([values[name] for name in names], dtype=float)
        palette = None
        if len(ranks) == 1:
            palette = self._bars(ax, names, table[:, 0], metric)
        else:
            self._map(ax, ranks, table, metric)
        ax.set_yticks(range(len(names)),
                      [_text(_short(name)) for name in names])
        ax.set_title(_text(f"the highest {metric} in the regions"
                           if self._results._is_level(metric)
                           else f"{metric} of the regions themselves"))
        if palette:
            palette.legend(ax)
        return ax

    def _bars(self, ax: Any, names: list[str], values: Any,
              metric: str) -> _colours.Palette:
        palette = self._palette(zip(names, names[1:]), names)
        unit = self._unit(metric)
        bars = ax.barh(range(len(names)), values,
                       color=[palette.of(name) for name in names])
        # The short ones can be read at least.
        ax.bar_label(bars, [_format.number(float(value), unit)
                            for value in values], padding=3, fontsize=8)
        ax.margins(x=0.12)
        ax.set_ylim(len(names) - 0.5, -0.5)
        _ticks(ax.xaxis, unit, float(values.max()))
        ax.set_xlabel(_text(metric))
        return palette

    def _map(self, ax: Any, ranks: list[int], table: Any,
             metric: str) -> None:
        """In the unit of the metric: of short regions even a large part is
        little, and does not take the colours from long ones."""
        unit = self._unit(metric)
        change = table - table.mean(axis=1, keepdims=True)
        most = float(abs(change).max()) or 1.0
        image = ax.imshow(change, aspect="auto", cmap="coolwarm", vmin=-most,
                          vmax=most, interpolation="nearest")
        step = int(_round_step(max(1, len(ranks) / 24)))
        ax.set_xticks(range(0, len(ranks), step),
                      [str(rank) for rank in ranks[::step]])
        ax.set_xlabel("rank")
        bar = ax.figure.colorbar(image, ax=ax,
                                 label="more than the mean of the region")
        _ticks(bar.ax.yaxis, unit, 2 * most)

    def _palette(self, beside: Any, names: Any = ()) -> _colours.Palette:
        return _colours.Palette(_colours.kinds_of(self._results), beside,
                                names)

    def _by_rank(self, metric: str) -> tuple[list[int], dict[str, Any]]:
        """{region: what it has itself, or its level, on each of the ranks}."""
        import numpy

        results = self._results
        is_level = results._is_level(metric)
        ranks, column = numpy.unique(results["rank"], return_inverse=True)
        own = numpy.nan_to_num(results[
            metric + (".max" if is_level else ".exclusive")].astype(float))
        values: dict[str, Any] = {}
        for name, at, value in zip(results["region"], column, own):
            line = values.setdefault(name, numpy.zeros(len(ranks)))
            line[at] = max(line[at], value) if is_level else line[at] + value
        return [int(rank) for rank in ranks], values

    def timeline(self, path: str | None = None, metric: str = "time", *,
                 ax: Any = None) -> Any:
        """Events (PDUMP_RECORD=events), if there are any and no ``path`` is
        given: a lane per rank and thread with the visits of regions, what is
        called below, and markers.

        Else samples (steps, profiles, PDUMP_RECORD=samples) over the time at
        which they began: a line per rank and thread, of many their mean and
        a band from the least to the most.  ``path``: of the region tree; by
        default what has most samples."""
        lanes = {} if path is not None else _lanes.read(self._results._table)
        if lanes:
            return self._lanes(lanes, ax)
        factor, label = self._scale(metric)
        samples = self._results.samples(metric)
        if not samples:
            raise NotFound("there are no samples: use steps or profiles, or "
                           "run with PDUMP_RECORD=profile,samples")
        paths = {sample.path for sample in samples}
        if path is None:
            found = [sample.path for sample in samples]
            path = max(sorted(paths), key=found.count)
        path = path.lstrip("/")
        if path not in paths:
            raise NotFound(f"no samples of {path!r}; there are some of "
                           + ", ".join(sorted(paths)))
        lines: dict[Any, list[Any]] = {}
        for s in samples:
            if s.path == path and s.value is not None:
                lines.setdefault((s.process, s.rank, s.thread), []).append(
                    (s.number, s.start / 1e9, s.value / factor))
        ax = _axes(ax)
        _draw_lines(ax, lines)
        _round_axis(ax.xaxis)
        ax.set_xlabel("start [s]")
        ax.set_ylabel(_text(label))
        ax.set_title(_text(path))
        return ax

    def _lanes(self, lanes: dict[Any, Any], ax: Any) -> Any:
        rows = sum(1 + max((box[0] for box in lane.boxes), default=0)
                   for lane in lanes.values())
        ax = _axes(ax, 12, min(1.5 + 0.25 * rows, 30))
        palette = self._palette(_lanes.beside(lanes),
                                {box[3] for lane in lanes.values()
                                 for box in lane.boxes})
        n_hidden = _lanes.draw(ax, lanes, palette.of, _text)
        ax.set_yticklabels([f"rank {rank}, thread {thread}" if rank >= 0
                            else f"process {process}, thread {thread}"
                            for process, rank, thread in lanes])
        ax.set_xlabel("time [s]")
        _round_axis(ax.xaxis)
        ax.set_title("Timeline" + (f" (without the {n_hidden} shortest visits)"
                                   if n_hidden else ""))
        palette.legend(ax)
        return ax

    def memory(self, *, ax: Any = None) -> Any:
        """The memory of each process over time, from the table "memory"."""
        results = self._results
        if "memory" not in results.details:
            raise NotFound("the memory over time was not recorded: there is "
                           "no table \"memory\" in these results")
        rows = results._table.facts.details.rows("memory")
        lines: dict[Any, list[Any]] = {}
        for row in rows:
            seconds = _seconds(row["label"])
            if seconds is None or row.get("rss") is None:
                continue
            key = (row["process"], row["rank"], row["thread"])
            lines.setdefault(key, []).append(
                (len(lines.get(key, ())), seconds, row["rss"] / 2**20))
        if not lines:
            raise NotFound("the table \"memory\" has no times or no field "
                           "\"rss\"")
        ax = _axes(ax)
        for key in lines:
            lines[key].sort(key=lambda point: point[1])
        _draw_lines(ax, lines)
        ax.set_ylim(bottom=0)
        _round_axis(ax.xaxis)
        _round_axis(ax.yaxis)
        ax.set_xlabel("time [s]")
        ax.set_ylabel("memory [MiB]")
        ax.set_title("Memory")
        return ax

    def roofline(self, *, flop: str | None = None, bytes: str | None = None,
                 peak_flops: float | None = None,
                 peak_bandwidth: float | None = None, top: int = 20,
                 ax: Any = None) -> Any:
        """What regions compute per byte, and how fast, both logarithmic.

        FLOP are the counter ``flop``, by default a counter of that name, or
        PAPI_DP_OPS and PAPI_SP_OPS, or PAPI_FP_OPS; bytes are ``bytes``, or
        64 for each PAPI_L3_TCM.  Both and the time are of the region itself,
        added over threads and ranks: speeds are those of one thread, and so
        have to be the roofs, ``peak_flops`` per second and
        ``peak_bandwidth`` in bytes per second, by default what the run's
        metadata say under these names; without them there is no roof.
        """
        points = _roofline.points(self._results, flop, bytes)[:top]
        facts = self._results.metadata
        roof = _roofline.peak(facts, "peak_flops", peak_flops)
        slope = _roofline.peak(facts, "peak_bandwidth", peak_bandwidth)
        ax = _axes(ax, 8, 6)
        most = max(point.time for point in points)
        names = [point.name for point in points]
        palette = self._palette(
            ((a, b) for a in names for b in names if a < b), names)
        for point in points:
            ax.scatter(point.intensity, point.speed,
                       color=palette.of(point.name),
                       s=20 + 180 * point.time / most, edgecolor="black",
                       linewidth=0.5)
            ax.annotate(_text(_short(point.name)),
                        (point.intensity, point.speed), xytext=(5, 5),
                        textcoords="offset points", fontsize=8)
        ax.set_xscale("log")
        ax.set_yscale("log")
        _roofline.draw_roofs(ax, points, roof, slope)
        ax.set_xlabel("FLOP per byte")
        ax.set_ylabel("FLOP per second, one thread")
        ax.set_title("Roofline")
        palette.legend(ax)
        return ax


def _flame_bars(tree: Node, metric: str,
                min_share: float) -> list[tuple[int, float, float, str, str]]:
    """Level, left edge, width, name and caller of all that can be seen."""
    def value(node: Node) -> float:
        return max(node.value(metric) or 0, 0)

    total = sum(value(node) for node in tree)
    bars: list[tuple[int, float, float, str, str]] = []
    stack: list[tuple[Node, int, float, float]] = [(tree, 0, 0.0, total)]
    while stack:
        above, level, left, room = stack.pop()
        inside = sorted((n for n in above if value(n) > 0),
                        key=value, reverse=True)
        # By the error of clocks they may have more than what they are in.
        whole = sum(value(node) for node in inside)
        scale = min(1.0, room / whole) if whole else 1.0
        for node in inside:
            width = value(node) * scale
            if width < min_share * total:
                break
            bars.append((level, left, width, node.name,
                         above.name if level else node.name))
            stack.append((node, level + 1, left, width))
            left += width
    return bars


def _beside(bars: list[tuple[int, float, float, str, str]]) -> Any:
    """Pairs of names: caller and called, and neighbours of a level."""
    yield from ((name, caller) for _, _, _, name, caller in bars)
    row = sorted(bars)
    yield from ((a[3], b[3]) for a, b in zip(row, row[1:]) if a[0] == b[0])


def _seconds(label: str) -> float | None:
    """Of "000123.450 main/solve", which are milliseconds, or None."""
    try:
        return float(label.split(" ", 1)[0].replace(",", ".")) / 1e3
    except ValueError:
        return None


def _line_name(key: tuple[Any, Any, Any]) -> str:
    process, rank, thread = key
    if process is None:
        return "all ranks"
    return f"process {process}, rank {rank}, thread {thread}"


def _draw_lines(ax: Any, lines: dict[Any, list[Any]]) -> None:
    """Points (number, x, y) of each thread."""
    if len(lines) <= LINES_MAX:
        for (key, points), colour in zip(lines.items(),
                                         _colours.distinct(len(lines))):
            ax.plot([x for _, x, _ in points], [y for _, _, y in points],
                    color=colour, marker="." if len(points) < 50 else None,
                    label=_line_name(key))
        if len(lines) > 1:
            ax.legend(fontsize=8)
        return
    together: dict[int, list[Any]] = {}
    for points in lines.values():
        for number, x, y in points:
            together.setdefault(number, []).append((x, y))
    numbers = sorted(together)
    x = [sum(p[0] for p in together[n]) / len(together[n]) for n in numbers]
    y = [sum(p[1] for p in together[n]) / len(together[n]) for n in numbers]
    ax.fill_between(x, [min(p[1] for p in together[n]) for n in numbers],
                    [max(p[1] for p in together[n]) for n in numbers],
                    alpha=0.3, label="min to max")
    ax.plot(x, y, label=f"mean of {len(lines)} threads")
    ax.legend(fontsize=8)
