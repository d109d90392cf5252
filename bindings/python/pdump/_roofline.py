# SPDX-License-Identifier: BSD-3-Clause
"""The points and roofs of a roofline."""

from __future__ import annotations

from .errors import BadValue, NotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .results import Results

#: What a miss of the last cache brings.
LINE_BYTES = 64

#: Counters that give FLOP or bytes, the first that are there; all of a group
#: are added.
FLOP = ((("flop",), 1), (("PAPI_DP_OPS", "PAPI_SP_OPS"), 1),
        (("PAPI_FP_OPS",), 1))
BYTES = ((("bytes",), 1), (("PAPI_L3_TCM",), LINE_BYTES))


class Point:
    """A region: what it does itself."""

    __slots__ = ("name", "time", "flop", "bytes")

    def __init__(self, name: str):
        self.name = name
        self.time = 0.0
        self.flop = 0.0
        self.bytes = 0.0

    @property
    def intensity(self) -> float:
        """FLOP per byte."""
        return self.flop / self.bytes

    @property
    def speed(self) -> float:
        """FLOP per second of one thread."""
        return self.flop / (self.time / 1e9)


def _short(name: str) -> str:
    return name.split("::")[-1]


def _counters(results: Results, chosen: str | None, groups: Any,
              what: str) -> list[tuple[str, float]]:
    """Names of metrics and what one of each counts for."""
    there = {}
    for metric in results.metrics:
        if not metric.is_level:
            there.setdefault(_short(metric.name), metric.name)
            there[metric.name] = metric.name
    if chosen is not None:
        groups = (((chosen,), 1),)
    for names, factor in groups:
        found = [(there[name], factor) for name in names if name in there]
        if found:
            return found
    wanted = ", ".join(name for names, _ in groups for name in names)
    raise NotFound(f"no counter of {what}; a roofline needs one of {wanted}")


def points(results: Results, flop: str | None = None,
           moved: str | None = None) -> list[Point]:
    """The regions with FLOP, bytes and time of their own, longest first."""
    columns = {
        "time": [("time", 1.0)],
        "flop": _counters(results, flop, FLOP, "FLOP"),
        "bytes": _counters(results, moved, BYTES, "bytes"),
    }
    found: dict[str, Point] = {}
    regions = results["region"]
    for field, metrics in columns.items():
        for metric, factor in metrics:
            for name, value in zip(regions, results[metric + ".exclusive"]):
                if value == value:  # no NaN
                    point = found.setdefault(name, Point(name))
                    setattr(point, field,
                            getattr(point, field) + factor * value)
    usable = [point for point in found.values()
              if point.time > 0 and point.flop > 0 and point.bytes > 0]
    if not usable:
        raise NotFound("no region has FLOP, bytes and time of its own")
    return sorted(usable, key=lambda point: -point.time)


def peak(facts: dict[str, str], key: str, given: float | None) -> float | None:
    """What was asked for, else what the metadata say."""
    value: Any = facts.get(key) if given is None else given
    if value is None:
        return None
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise BadValue(f"{key} is no speed: {value!r}")
    return number


def draw_roofs(ax: Any, shown: list[Point], roof: float | None,
               slope: float | None) -> None:
    """The roofs over the points, as far as they are known."""
    least = min(point.intensity for point in shown) / 4
    most = max(point.intensity for point in shown) * 4
    if roof and slope:
        ridge = roof / slope
        least, most = min(least, ridge / 4), max(most, ridge * 4)
        xs = [least, ridge, most]
        label = f"{roof:.3g} FLOP/s, {slope:.3g} B/s"
    elif roof or slope:
        xs = [least, most]
        label = f"{roof:.3g} FLOP/s" if roof else f"{slope:.3g} B/s"
    else:
        return
    inf = float("inf")
    ys = [min(roof or inf, slope * x if slope else inf) for x in xs]
    ax.plot(xs, ys, color="black", label=label)
    ax.legend(loc="lower right", fontsize=8)
