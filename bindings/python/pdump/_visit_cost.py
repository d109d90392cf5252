# SPDX-License-Identifier: BSD-3-Clause
"""What visits of Python's functions and regions cost, measured here and now.

The same loop runs with and without them.  libpdump puts the figures into the
dump, and throws away what was recorded meanwhile.
"""

from __future__ import annotations

from time import perf_counter_ns

from . import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

_CALLS = 64
_ROUNDS = 15

_module: Any = _native.module


def _function(value: int) -> int:
    return value


#: The only code of this package that is recorded; see runner_names.py.
CODE = _function.__code__


def _call(n: int) -> None:
    for i in range(n):
        _function(i)


def _call_decorated(n: int, function: Any) -> None:
    for i in range(n):
        function(i)


def _enter(n: int, block: Any) -> None:
    for _ in range(n):
        with block:
            pass


def _pass(n: int) -> None:
    for _ in range(n):
        pass


def _least(loop: Callable[..., None], *args: Any) -> int:
    """What one turn takes in ps in the best of some short rounds: the others
    were disturbed."""
    loop(_CALLS, *args)
    took = []
    for _ in range(_ROUNDS):
        began = perf_counter_ns()
        loop(_CALLS, *args)
        took.append(perf_counter_ns() - began)
    return min(took) * 1000 // _CALLS


def _keep(is_function: bool, visit: int, bare: int, shortest: int) -> None:
    if shortest > 0 and visit > bare:
        _module.cost_keep(is_function, visit - bare, max(0, shortest - bare))


def _is_known(is_function: bool) -> bool:
    return _module is None or bool(_module.cost_is_known(is_function))


#: Not only decorated ones.
_knows_functions = False


def bare_function() -> int:
    """Before functions are recorded: what a call takes without that; 0 if it
    is not needed."""
    if _module is None or _knows_functions and _is_known(True):
        return 0
    return _least(_call)


def measure_functions(bare: int) -> None:
    """Functions are recorded now.  Does nothing if there is no session yet."""
    global _knows_functions
    if not bare or not _module.cost_begin():
        return
    _knows_functions = True
    visit = shortest = 0
    _module.push_mode(True)
    try:
        visit = _least(_call)
    finally:
        _module.pop_mode()
        shortest = _module.cost_end()
    _keep(True, visit, bare, shortest)


def _thrown_away(loop: Callable[..., None], *args: Any) -> tuple[int, int]:
    """What a turn takes while it is recorded, and the shortest visit."""
    if not _module.cost_begin():
        return 0, 0
    shortest = 0
    try:
        visit = _least(loop, *args)
    finally:
        shortest = _module.cost_end()
    return visit, shortest


def measure_regions(block: Any, again: bool = False) -> None:
    """The block is a region."""
    if again or not _is_known(False):
        bare = _least(_pass)
        visit, shortest = _thrown_away(_enter, block)
        _keep(False, visit, bare, shortest)


def decorated(region: Any) -> Any:
    """A function for measure_decorated()."""
    return region(_function)


def measure_decorated(function: Any) -> None:
    """The function is in a region, and other functions are not recorded."""
    if not _is_known(True):
        bare = _least(_call)
        visit, shortest = _thrown_away(_call_decorated, function)
        _keep(True, visit, bare, shortest)
