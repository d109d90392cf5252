# SPDX-License-Identifier: BSD-3-Clause
"""The visits of regions that the events of a timeline tell of."""

from __future__ import annotations

from typing import Any

from . import _events

#: Of one picture: the longest visits; nobody sees more.
BOXES_MAX = 20000

#: Characters from one end of a lane to the other, about.
LANE_CHARACTERS = 140


class Lane:
    """A thread: boxes (level, start, length, name), markers (time, name)."""

    __slots__ = ("boxes", "markers", "_open", "_places")

    def __init__(self, places: dict[int, list[tuple[int, str]]]):
        self.boxes: list[tuple[int, int, int, str]] = []
        self.markers: list[tuple[int, str]] = []
        #: The regions that are open, outermost first: node, name, start.
        self._open: list[tuple[int, str, int]] = []
        self._places = places

    def _close(self, time: int) -> None:
        _, name, start = self._open.pop()
        self.boxes.append((len(self._open), start, time - start, name))

    def go(self, place: list[tuple[int, str]], time: int) -> None:
        """To where the thread is now, whatever is missing."""
        while self._open and (len(self._open) > len(place) or
                              self._open[-1][0] != place[len(self._open) - 1][0]):
            self._close(time)
        for node, name in place[len(self._open):]:
            self._open.append((node, name, time))

    def see(self, kind: str, time: int, node: int, name: str) -> None:
        place = self._places.get(node, [])
        if kind in ("enter", "at"):
            self.go(place, time)
        elif kind == "leave":
            self.go(place, time)
            self.go(place[:-1], time)
        elif kind == "marker":
            self.markers.append((time, name))


def _places(table: Any) -> dict[int, list[tuple[int, str]]]:
    """Of each node: what is around it, and itself."""
    places: dict[int, list[tuple[int, str]]] = {}
    rows: list[list[tuple[int, str]]] = []
    for node, parent, name in zip(table.numbers["node"],
                                  table.numbers["parent"],
                                  table.texts["region"]):
        around = rows[parent] if parent >= 0 else []
        rows.append(places.setdefault(node, [*around, (node, name)]))
    return places


def read(table: Any) -> dict[tuple[int, int, int], Lane]:
    """{(process, rank, thread): its lane}; empty if there are no events."""
    events = _events.read(table.dump)
    places = _places(table)
    lanes: dict[tuple[int, int, int], Lane] = {}
    last: dict[tuple[int, int, int], int] = {}
    for process, rank, thread, time, kind, node, name in zip(
            *(events[column] for column in (
                "process", "rank", "thread", "time", "kind", "node", "name"))):
        key = (process, rank, thread)
        if key not in lanes:
            lanes[key] = Lane(places)
        lanes[key].see(_events.KINDS[kind], time, node, name)
        last[key] = time
    for key, lane in lanes.items():
        lane.go([], last[key])
    return lanes


def _label(ax: Any, lane: Lane, top: float, whole: int, escape: Any) -> None:
    """Names in the boxes that have room for some of them."""
    for level, start, length, name in lane.boxes:
        room = LANE_CHARACTERS * length // whole if whole else 0
        if room < 4:
            continue
        name = name if len(name) <= room else name[:room - 1] + "\u2026"
        ax.text(start / 1e9 + whole / 1e9 / 400, top + level + 0.5,
                escape(name), va="center", fontsize=7, clip_on=True)


def beside(lanes: dict[tuple[int, int, int], Lane]) -> set[tuple[str, str]]:
    """Pairs of names: one after the other in a level, and around each other."""
    pairs = set()
    for lane in lanes.values():
        last: dict[int, str] = {}
        for level, _, _, name in sorted(lane.boxes, key=lambda b: (b[1], b[0])):
            if level in last:
                pairs.add((last[level], name))
            if level - 1 in last:
                pairs.add((last[level - 1], name))
            last[level] = name
    return pairs


def draw(ax: Any, lanes: dict[tuple[int, int, int], Lane], colour: Any,
         escape: Any) -> int:
    """Lanes from the top, what is called below; returns the boxes left out."""
    boxes = [box for lane in lanes.values() for box in lane.boxes]
    lengths = sorted((box[2] for box in boxes), reverse=True)
    least = lengths[BOXES_MAX - 1] if len(lengths) > BOXES_MAX else 0
    whole = (max((box[1] + box[2] for box in boxes), default=0)
             - min((box[1] for box in boxes), default=0))
    top, ticks, n_shown = 0, [], 0
    for lane in lanes.values():
        ticks.append(top + 0.5)
        bars: dict[tuple[int, str], list[tuple[float, float]]] = {}
        for level, start, length, name in lane.boxes:
            if length >= least:
                bars.setdefault((level, name), []).append(
                    (start / 1e9, length / 1e9))
                n_shown += 1
        for (level, name), spans in sorted(bars.items()):
            ax.broken_barh(spans, (top + level, 0.95), color=colour(name),
                           edgecolor="none")
        _label(ax, lane, top, whole, escape)
        height = 1 + max((level for level, _ in bars), default=0)
        for time, _ in lane.markers:
            ax.plot([time / 1e9] * 2, [top, top + height], color="black",
                    linewidth=1)
        top += height + 0.5
    ax.set_ylim(top, -0.5)
    ax.set_yticks(ticks)
    return len(lengths) - n_shown
