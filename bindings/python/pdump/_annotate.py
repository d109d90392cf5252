# SPDX-License-Identifier: BSD-3-Clause
"""Source with the figures of its lines beside it, for notebooks."""

from __future__ import annotations

import linecache

from . import _format

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HEAD = ["line", "hits", "time", "per hit", "%"]


class Annotated:
    """The lines of some functions, those that take most time first.

    ``rows`` are those of the table "lines" (Results.detail).
    """

    def __init__(self, rows: list[dict[str, Any]]):
        found: dict[tuple[str, str], dict[int, list[int]]] = {}
        for row in rows:
            file, _, number = row["label"].rpartition(":")
            lines = found.setdefault((row["region"], file), {})
            figures = lines.setdefault(int(number), [0, 0])
            figures[0] += row["hits"]
            figures[1] += row["time"]
        self._functions = sorted(found.items(), key=lambda item: -sum(
            time for _, time in item[1].values()))

    def _tables(self) -> list[tuple[list[str], list[list[str]]]]:
        """(head, rows) of each function."""
        made = []
        for (name, file), lines in self._functions:
            total = sum(time for _, time in lines.values()) or 1
            rows = []
            for number in range(min(lines), max(lines) + 1):
                text = linecache.getline(file, number).rstrip("\n")
                cells = [text, str(number), "", "", "", ""]
                if number in lines:
                    hits, time = lines[number]
                    cells[2:] = [str(hits), _format.number(time, "ns"),
                                 _format.number(time / (hits or 1), "ns"),
                                 f"{100 * time / total:.1f}"]
                rows.append(cells)
            made.append(([name, *_HEAD], rows))
        return made

    def __repr__(self) -> str:
        return "\n\n".join(_format.table(*one) for one in self._tables())

    def _repr_html_(self) -> str:
        return "".join(_format.html(*one) for one in self._tables())
