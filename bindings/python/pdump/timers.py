# SPDX-License-Identifier: BSD-3-Clause
"""PyOP2's timers.

    from pdump.timers import timed_region, timed_function, timing, summary

    with timed_region("assembly"):
        ...

    timing("assembly")                # seconds
    timing("assembly", total=False)   # seconds per call
    summary()                         # a table; PYOP2_PRINT_SUMMARY=1: at exit
    summary("timers.csv")             # a file

Timers are regions of libpdump: they nest, also in themselves.
"""

from __future__ import annotations

import atexit as _atexit
from time import perf_counter as _now

from . import _env, _summary
from ._library import DISABLED as _DISABLED
from .errors import BadState, NotFound
from .lines import memory_profile as memprof
from .lines import line_profile as lineprof
from .lines import profile
from .region import region, region_begin, region_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Timer", "get_timers", "lineprof", "memprof", "profile",
           "reset_timers", "summary", "tic", "timed_function",
           "timed_region", "timed_stage", "timing", "toc"]

summary = _summary.summary

_timers: dict[str, Timer] = {}


class Timer:
    """A timer by its name: two objects of one name are the same timer."""

    name: str
    _started: list[float]

    def __new__(cls, name: str | None = None, timer: object = None) -> Timer:
        """``timer`` is not used: the clock is the session's."""
        if name is None:
            name = f"timer{len(_timers)}"
        if not isinstance(name, str):
            raise TypeError(
                f"a timer's name is a str, not {type(name).__name__}")
        if name not in _timers:
            self = _timers[name] = super().__new__(cls)
            self.name = name
            self._started = []
        return _timers[name]

    def __repr__(self) -> str:
        return f"<Timer {self.name!r}>"

    def start(self) -> None:
        """Start the timer; it may run already."""
        _timers.setdefault(self.name, self)
        region_begin(self.name)
        self._started.append(_now())

    def stop(self) -> float:
        """Stop what was started last, and return its seconds."""
        if not self._started:
            raise AssertionError(
                f"timer {self.name!r} has not been started")
        region_end(self.name)
        return _now() - self._started.pop()

    def add(self, seconds: float) -> None:
        """Count a call that was timed otherwise.  It is not in the dump."""
        _timers.setdefault(self.name, self)
        _summary.add(self.name, 1, seconds)

    def reset(self) -> None:
        """Count from here on.  The dump keeps all."""
        _summary.forget([self.name])

    @staticmethod
    def get_timers() -> dict[str, Timer]:
        """All timers, as get_timers() of the module."""
        return get_timers()

    @staticmethod
    def summary(filename: str | None = None) -> None:
        """As summary() of the module."""
        summary(filename)

    @staticmethod
    def reset_all() -> None:
        """As reset_timers() of the module."""
        reset_timers()

    @property
    def elapsed(self) -> float:
        """Seconds since it was started, while it runs."""
        if not self._started:
            raise AssertionError(
                f"timer {self.name!r} has not been started")
        return _now() - self._started[-1]

    def _figures(self) -> tuple[int, float]:
        try:
            return _summary.figures(self.name)
        except (BadState, NotFound):
            return 0, 0.0  # not used yet

    @property
    def ncalls(self) -> int:
        """How many calls there were."""
        return self._figures()[0]

    @property
    def total(self) -> float:
        """Seconds of all calls."""
        return self._figures()[1]

    @property
    def average(self) -> float:
        """Seconds per call."""
        calls, seconds = self._figures()
        return seconds / calls if calls else 0.0


def timed_region(name: str) -> Any:
    """A timer as a block."""
    return region(Timer(name).name)


timed_stage = timed_region


def timed_function(name: str | None = None, timer: object = None) -> Any:
    """A timer around a function; without a name: ``module:qualname``."""
    return region(name if name is None else Timer(name).name)


def tic(name: str) -> None:
    """Start a timer."""
    Timer(name).start()


def toc(name: str) -> float:
    """Stop it, and return the seconds since tic()."""
    return Timer(name).stop()


def timing(name: str, reset: bool = False, total: bool = True) -> float:
    """Seconds of a timer until now, or per call; NotFound if there is none."""
    calls, seconds = _summary.figures(name)
    if reset:
        _summary.forget([name])
    if total:
        return seconds
    return seconds / calls if calls else 0.0


def get_timers(reset: bool = False) -> dict[str, Timer]:
    """The timers by their names."""
    found = dict(_timers)
    if reset:
        reset_timers()
    return found


def reset_timers() -> None:
    """Forget all timers: each counts from here on.  The dump keeps all."""
    _timers.clear()
    _summary.forget()


if not _DISABLED and _env.get("PYOP2_PRINT_SUMMARY") == "1" \
        and _env.get("PDUMP_PRINT_SUMMARY") != "1":
    from ._hidden import hidden as _hidden

    _atexit.register(_hidden(_summary.print_at_exit))
