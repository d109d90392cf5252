# SPDX-License-Identifier: BSD-3-Clause
"""Lines of functions: how often each is run, and how long it takes.

    @pdump.profile
    def assemble(): ...

does nothing, but under ``python -m pdump --lines script.py``.  Who asks for
functions by their names (``--functions``) need not decorate them.  The events
are handled in C: by sys.monitoring from Python 3.12 on, by PyEval_SetTrace()
before.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

    from .runner_filter import Filter

#: What start() has made; None: lines are not recorded.
_backend: Any = None
_namer: Any = None
#: Is the memory recorded with them?
_has_memory = False
#: Code of the decorated functions, by id().
_marked: dict[int, CodeType] = {}


def profile(function: Any) -> Any:
    """Have the lines of a function or of a class recorded, if lines are.

    Else the decorator that a line or memory profiler has put into builtins, if
    one runs this program; else nothing.
    """
    if _backend is not None:
        _mark(function)
        _backend.ask_again()
        return function
    import builtins

    given = getattr(builtins, "profile", None)
    if callable(given) and given is not profile:
        return given(function)
    return function


def _is_line_profiler() -> bool:
    """Whether the ``profile`` in builtins is line_profiler's."""
    import builtins

    given = getattr(builtins, "profile", None)
    return type(given).__module__.partition(".")[0] == "line_profiler"


def line_profile(function: Any) -> Any:
    """profile(), if lines are timed; nothing under a memory profiler."""
    if _backend is not None or _is_line_profiler():
        return profile(function)
    return function


def memory_profile(function: Any) -> Any:
    """profile(), if the memory of lines is recorded (``--lines --memory``), or
    under a memory profiler; else nothing."""
    if _has_memory if _backend is not None else not _is_line_profiler():
        return profile(function)
    return function


def _mark(function: Any) -> None:
    from .region import code_of

    if isinstance(function, property):
        for part in (function.fget, function.fset, function.fdel):
            if part is not None:
                _mark(part)
        return
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    if isinstance(function, type):
        for part in list(vars(function).values()):
            if isinstance(part, property) or code_of(part) is not None:
                _mark(part)
        return
    code = code_of(function)
    if code is not None:
        _marked[id(code)] = code


def start(backend: str, rules: Filter, functions: list[str],
          has_memory: bool = False) -> None:
    """Record lines from now on, on all threads, until instrumenter.stop().

    Those of decorated functions, and of functions whose names fit a pattern.
    """
    global _backend, _namer, _has_memory
    import builtins

    from . import instrumenter
    from .lines_backend import LineNamer, choose

    kind = choose(backend)
    _namer = LineNamer(rules, functions, _marked)
    _backend = instrumenter.use(_namer, kind)
    _has_memory = has_memory
    # As kernprof has it: scripts need not import it.
    if not hasattr(builtins, "profile"):
        setattr(builtins, "profile", profile)


def stop() -> None:
    """Record no more lines."""
    global _backend, _namer
    import builtins

    from . import instrumenter

    if _backend is None:
        return
    instrumenter.stop()
    _backend = _namer = None
    if getattr(builtins, "profile", None) is profile:
        delattr(builtins, "profile")


def is_idle() -> bool:
    """Were lines to be recorded, but of no function in this process?"""
    return _namer is not None and not _namer.has_found and not _marked
