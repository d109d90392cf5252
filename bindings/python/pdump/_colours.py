# SPDX-License-Identifier: BSD-3-Clause
"""Colours of regions, as the page has them: each kind of code has a hue, and
regions beside each other have different shades of it."""

from __future__ import annotations

from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .results import Results

#: Words, hue in degrees and saturation in percent.
KINDS = {
    "compute": ("compute", 212, 62),
    "python": ("Python", 46, 72),
    "mpi": ("MPI", 8, 72),
    "start": ("MPI_Init", 8, 18),
    "io": ("I/O", 138, 42),
    "openmp": ("OpenMP", 272, 52),
    "kernel": ("kernel", 182, 48),
    "stack": ("stacks", 28, 26),
    "other": ("other", 220, 7),
}

_BY_GROUP = {
    "mpi": "mpi", "io": "io", "openmp": "openmp", "omp": "openmp",
    "kernel": "kernel", "gpu": "kernel", "python": "python",
    "overflow": "other", "measurement": "other", "marker": "other",
}

#: Shades of one hue; further ones are of a hue beside it.
_SHADES = 8
_TURNS = (0, 12, -12, 20, -20)


def kind_of(name: str, group: str, file: str, is_python: bool) -> str:
    """``is_python``: a run of Python, whose regions have no file."""
    if group == "mpi" and name.lower() in ("mpi_init", "mpi_init_thread"):
        return "start"
    if group in _BY_GROUP:
        return _BY_GROUP[group]
    if file.endswith((".py", ".pyw")) or file.startswith("<"):
        return "python"
    if group == "user" and not file and is_python:
        return "python"
    return "stack" if group == "stack" else "compute"


def colour(kind: str, shade: int = 4) -> tuple[float, float, float]:
    """Red, green and blue of a shade: 0, 1, 2, ..."""
    from colorsys import hls_to_rgb

    _, hue, saturation = KINDS[kind]
    hue += _TURNS[shade // _SHADES % len(_TURNS)]
    saturation -= min(saturation, 9 * (shade // (_SHADES * len(_TURNS))))
    light = 70 + 15 * (shade * 5 % _SHADES) / (_SHADES - 1)
    return hls_to_rgb(hue % 360 / 360, light / 100, saturation / 100)


def distinct(n: int) -> list[tuple[float, float, float]]:
    """Colours for n lines; two in a row differ much."""
    from colorsys import hsv_to_rgb

    return [hsv_to_rgb((0.6 + 0.618034 * i) % 1, 0.8, 0.75) for i in range(n)]


def kinds_of(results: Results) -> dict[str, str]:
    """The kind of each region, by its name."""
    texts = results._table.texts
    is_python = any(key.startswith("overhead_ns_per_python_")
                    for key in results.metadata)
    kinds: dict[str, str] = {}
    for name, group, file in zip(texts["region"], texts["group"],
                                 texts["file"]):
        if name not in kinds:
            kinds[name] = kind_of(name, group, file, is_python)
    return kinds


class Palette:
    """The colours of one picture.  ``beside``: pairs of adjacent regions."""

    def __init__(self, kinds: dict[str, str],
                 beside: Iterable[tuple[str, str]],
                 names: Iterable[str] = ()):
        around: dict[str, set[str]] = {name: set() for name in names}
        for one, other in beside:
            around.setdefault(one, set()).add(other)
            around.setdefault(other, set()).add(one)
        self._kinds = {name: kinds.get(name, "other") for name in around}
        self._shade: dict[str, int] = {}
        # Those with most neighbours choose first.
        for name in sorted(around, key=lambda name: -len(around[name])):
            taken = {self._shade.get(other) for other in around[name]
                     if other != name
                     and self._kinds[other] == self._kinds[name]}
            self._shade[name] = self._free(name, taken)

    @staticmethod
    def _free(name: str, taken: set[int | None]) -> int:
        """The shade that belongs to the name, or the next one that is free."""
        first = crc32(name.encode()) % _SHADES
        for i in range(_SHADES):
            if (first + i) % _SHADES not in taken:
                return (first + i) % _SHADES
        shade = _SHADES
        while shade in taken:
            shade += 1
        return shade

    def of(self, name: str) -> tuple[float, float, float]:
        """The colour of a region."""
        return colour(self._kinds.get(name, "other"),
                      self._shade.get(name, 0))

    def legend(self, ax: Any) -> None:
        """The kinds between the title and the picture, if there are several."""
        from matplotlib.patches import Patch

        there = [kind for kind in KINDS if kind in self._kinds.values()]
        if len(there) < 2:
            return
        if ax.get_legend():
            ax.add_artist(ax.get_legend())
        ax.legend(handles=[Patch(color=colour(kind), label=KINDS[kind][0])
                           for kind in there],
                  loc="lower right", bbox_to_anchor=(1, 1), frameon=False,
                  ncols=len(there), fontsize=8, handlelength=1)
        ax.set_title(ax.get_title(), pad=22)
