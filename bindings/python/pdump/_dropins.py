# SPDX-License-Identifier: BSD-3-Clause
"""Finds pdump's own versions of modules that programs may import.

``import scorep`` under ``python -m pdump`` finds pdump.scorep if no other
module of that name is installed: the folder ``dropins`` is asked last.  With
that folder on PYTHONPATH (``python -m pdump --dropins`` prints it) it is asked
first, and without ``-m pdump`` too.
"""

from __future__ import annotations

import os
import sys

from ._hidden import hidden

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dropins")

_NAMES = frozenset(("mpiprof", "pyop2", "pyperfdump", "scorep"))

#: Those that can be run, and the module with their main().
_COMMANDS = {"mpiprof": "mpiprof", "scorep": "scorep.__main__"}


class _Finder:
    """Asked for what no other finder has found."""

    def __init__(self) -> None:
        self.find_spec = hidden(_find_spec)


def _find_spec(name: str, path: Any = None, target: Any = None) -> Any:
    if name not in _NAMES:
        return None
    from importlib.machinery import PathFinder

    return PathFinder.find_spec(name, [FOLDER])


def find_last() -> None:
    """Find the drop-ins from now on in this process."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())


def run(name: str, arguments: list[str]) -> bool:
    """Does ``python -m NAME`` with these arguments, if that is a drop-in."""
    if name not in _COMMANDS:
        return False
    from importlib import import_module, util

    find_last()
    spec = util.find_spec(name)
    if spec is None or not str(spec.origin).startswith(FOLDER + os.sep):
        return False
    import_module(_COMMANDS[name]).main(arguments)
    return True
