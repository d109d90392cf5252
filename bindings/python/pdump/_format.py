# SPDX-License-Identifier: BSD-3-Clause
"""Numbers and tables for people."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TIMES = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"))
_SIZES = ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))
_COUNTS = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def number(value: float | None, unit: str = "1") -> str:
    """Three digits and a prefix; nothing for a missing value."""
    if value is None:
        return ""
    scale = {"ns": _TIMES, "B": _SIZES}.get(unit, _COUNTS)
    size = abs(value)
    for factor, suffix in scale:
        if size >= factor:
            return f"{_three(value / factor)} {suffix}"
    rest = {"ns": " ns", "B": " B"}.get(unit, "")
    return (_three(value) if isinstance(value, float) else str(value)) + rest


def _three(value: float) -> str:
    size = abs(value)
    digits = 0 if size >= 99.95 else 1 if size >= 9.995 else 2
    return f"{value:.{digits}f}"


def table(head: list[str], rows: list[list[str]]) -> str:
    """Columns side by side; the first is text, the others are numbers."""
    widths = [max(len(row[i]) for row in [head, *rows])
              for i in range(len(head))]

    def line(cells: list[str]) -> str:
        first, *others = cells
        return "  ".join([first.ljust(widths[0])] + [
            cell.rjust(width) for cell, width in zip(others, widths[1:])
        ]).rstrip()

    rule = "─" * (sum(widths) + 2 * (len(widths) - 1))
    return "\n".join([line(head), rule, *map(line, rows)])


def html(head: list[str], rows: list[list[str]]) -> str:
    """The same for a notebook."""
    from html import escape

    def cells(tag: str, row: list[str]) -> str:
        # Names may be long; figures stay in one piece.
        styles = ["text-align:left;white-space:pre-wrap;overflow-wrap:anywhere"]
        styles += ["text-align:right;white-space:nowrap"] * (len(row) - 1)
        return "".join(f'<{tag} style="{style}">{escape(cell)}</{tag}>'
                       for style, cell in zip(styles, row))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return (f"<table><thead><tr>{cells('th', head)}</tr></thead>"
            f"<tbody>{body}</tbody></table>")


class Shown:
    """What is a table for people, wherever they look at it."""

    __slots__ = ()

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        """The table: head and rows."""
        raise NotImplementedError

    def __str__(self) -> str:
        return table(*self._cells())

    # Here, as IPython takes a __repr__ of a class before what its bases have.
    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self._cells()[1])} regions>"

    def _repr_html_(self) -> str:
        return html(*self._cells())

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))  # IPython in a terminal
