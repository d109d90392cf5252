# SPDX-License-Identifier: BSD-3-Clause
"""Where the events of lines come from, and whose lines they are."""

from __future__ import annotations

import sys

from . import _native
from .instrumenter import Monitoring, kind_of
from .runner_filter import Filter
from .runner_names import Namer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

_native_module: Any = _native.module


class LineNamer(Namer):
    """Names only functions whose lines are wanted."""

    def __init__(self, rules: Filter, functions: list[str],
                 marked: dict[int, CodeType]):
        super().__init__(rules)
        self._functions = Filter()
        for pattern in functions:
            self._functions.include(pattern)
        self._marked = marked
        self.has_found = False

    def of_code(self, code: CodeType) -> tuple[bytes, bytes, int] | None:
        found = super().of_code(code)
        if found is None or not (
                id(code) in self._marked
                or self._functions.asks_for(found[0].decode("utf-8"))):
            return None
        self.has_found = True
        return found

    def of_c(self, function: Any) -> bytes | None:
        return None


class Trace:
    """PyEval_SetTrace(), on all threads there are and will be."""

    name = "trace"
    #: What takes our place.
    rival = "sys.settrace()"

    def __init__(self, wants_c_calls: bool):
        import threading

        self._threading: Any = threading
        self._hook = _native_module.lines_start()
        self._earlier = getattr(threading, "_trace_hook", None)
        threading.settrace(self._hook)

    def ask_again(self) -> None:
        """Other functions are wanted."""
        _native_module.forget()

    def is_replaced(self) -> bool:
        """Has somebody else called sys.settrace() on this thread?"""
        return sys.gettrace() is not self._hook

    def stop(self) -> None:
        """Have no more events."""
        if getattr(self._threading, "_trace_hook", None) is self._hook:
            self._threading.settrace(self._earlier)
        _native_module.lines_stop(not self.is_replaced())


class LineMonitoring(Monitoring):
    """sys.monitoring, with lines."""

    def callbacks(self, events: Any, wants_c_calls: bool) -> dict[int, Any]:
        return {
            events.PY_START: _native_module.line_on_start,
            events.PY_RESUME: _native_module.line_on_resume,
            events.PY_THROW: _native_module.line_on_throw,
            events.PY_RETURN: _native_module.line_on_return,
            events.PY_YIELD: _native_module.line_on_yield,
            events.PY_UNWIND: _native_module.line_on_unwind,
            events.LINE: _native_module.line_on_line,
        }

    def ask_again(self) -> None:
        """Other functions are wanted, whose events were switched off."""
        _native_module.forget()
        self._monitoring.restart_events()


def choose(name: str) -> type[Trace] | type[LineMonitoring]:
    """By the name of an instrumenter."""
    return LineMonitoring if kind_of(name) == "monitoring" else Trace
