# SPDX-License-Identifier: BSD-3-Clause
"""Functions of pdump that Python calls inside the program: at imports, forks
and exits.

The program's tracing does not see them: see plugins/python/hidden.h.  They also
create no functions or classes, which watchers would see.  If pdump_python.so
cannot be loaded, they are called directly, and are seen.
"""

from __future__ import annotations

from . import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable


def hidden(function: Callable[..., Any]) -> Callable[..., Any]:
    """Calls it, unseen."""
    return function


def then(function: Callable[..., Any],
         hook: Callable[..., Any]) -> Callable[..., Any]:
    """Calls the function, seen, then hook(result, args), unseen."""

    def both(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        hook(result, args)
        return result

    return both


def first(hook: Callable[..., Any],
          function: Callable[..., Any]) -> Callable[..., Any]:
    """Calls the hook, unseen, then the function with what it returned, seen."""

    def both(*args: Any) -> Any:
        return function(*hook(*args))

    return both


def execute(function: Callable[..., Any], *args: Any) -> Any:
    """Calls it, seen; nothing is seen after that, until come_back()."""
    return function(*args)


def come_back() -> None:
    """After execute(): seen again."""


if _native.module is not None:
    hidden = _native.module.hidden
    then = _native.module.then
    first = _native.module.first
    execute = _native.module.execute
    come_back = _native.module.come_back
