# SPDX-License-Identifier: BSD-3-Clause
"""IPython and Jupyter: ``%load_ext pdump``, then ``%%pdump`` on a cell."""

from __future__ import annotations

from contextlib import contextmanager

from IPython.core.magic_arguments import (argument, magic_arguments,
                                          parse_argstring)
from IPython.display import display

from . import session
from ._annotate import Annotated
from ._library import DISABLED
from .region import region
from .results import current
from .tree import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

#: What the session counts, if a cell has chosen it.
_events: str | None = None


def _start(events: str | None) -> None:
    """A session with these events: they cannot change during one."""
    global _events
    if events is None or events == _events and session.is_active():
        session.init()
        return
    if session.is_active():
        session.finalize()
    session.set("PDUMP_EVENTS", events)
    try:
        session.init()
    except BaseException:
        session.set("PDUMP_EVENTS", None)
        raise
    _events = events


def _instrumented(is_wanted: bool) -> Any:
    """Automatic instrumentation as a block, if it is wanted and there."""
    from contextlib import nullcontext

    if not is_wanted:
        return nullcontext()
    try:
        from . import instrumenter
    except ImportError:
        return nullcontext()
    return instrumenter.enable()


@contextmanager
def _with_lines(pattern: str | None) -> Iterator[None]:
    """The lines of functions as a block, if they are wanted and there."""
    from . import lines
    from .runner_filter import Filter

    try:
        if pattern is not None:
            lines.start("auto", Filter(), [pattern])
    except RuntimeError as exc:
        print(f"pdump: lines are not recorded: {exc}")
    try:
        yield
    finally:
        lines.stop()


def _cell_lines(name: str) -> Annotated | None:
    """The lines that were run in one cell."""
    results = current()
    if "lines" not in results.details:
        return None
    return Annotated([row for row in results._table.facts.details.rows("lines")
                      if name in row["path"].split("/")])


def _cell_tree(name: str) -> Tree:
    """The nodes of one cell."""
    whole = current().tree()
    tree = Tree(whole.metrics)
    for _, node in whole.walk():
        if node.name == name:
            node.parent = tree
            tree.children[name] = node
            break
    return tree


@magic_arguments()
@argument("-e", "--events", default=None,
          help="events to count, as PDUMP_EVENTS; this starts a new session")
@argument("-f", "--functions", action="store_true",
          help="record every Python function, not only regions")
@argument("-l", "--lines", nargs="?", const="__main__:*", default=None,
          metavar="PATTERN",
          help="record the lines of functions: those of the notebook, with "
          "its cells, or others, as module:function")
def pdump(line: str, cell: str) -> None:
    """Run the cell and show its region tree with counters."""
    from IPython import get_ipython

    args = parse_argstring(pdump, line)
    shell = get_ipython()
    if DISABLED:
        print("pdump: nothing is recorded, PDUMP_DISABLE=1")
        shell.run_cell(cell)
        return
    _start(args.events)
    name = f"cell {shell.execution_count}"
    with region(name), _instrumented(args.functions and args.lines is None), \
            _with_lines(args.lines):
        shell.run_cell(cell)
    display(_cell_tree(name))
    found = _cell_lines(name) if args.lines is not None else None
    if found is not None:
        display(found)


def register(shell: Any) -> None:
    """Make ``%%pdump`` known."""
    shell.register_magic_function(pdump, "cell", "pdump")
