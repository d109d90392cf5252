# SPDX-License-Identifier: BSD-3-Clause
"""PyOP2's timers.

    from pdump.timers import timed_region, timed_function, timing, summary

    with timed_region("assembly"):
        ...

    timing("assembly")                # seconds
    timing("assembly", total=False)   # seconds per call
    summary()                         # a table; PDUMP_PRINT_SUMMARY=1: at exit

Timers are regions of libpdump: they nest, also in themselves.
"""

from __future__ import annotations

from . import results as _results
from ._summary import summary
from .lines import profile
from .region import region, region_begin, region_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["lineprof", "memprof", "profile", "summary", "tic",
           "timed_function", "timed_region", "timing", "toc"]


def timed_region(name: str) -> Any:
    """A timer as a block."""
    if not isinstance(name, str):
        raise TypeError(f"a timer's name is a str, not {type(name).__name__}")
    return region(name)


def timed_function(name: str | None = None) -> Any:
    """A timer around a function; without a name: ``module:qualname``."""
    return region(name)


def tic(name: str) -> None:
    """Start a timer."""
    region_begin(name)


def toc(name: str) -> None:
    """Stop it."""
    region_end(name)


def timing(name: str, reset: bool = False, total: bool = True) -> float:
    """Seconds of a timer until now, or per call; NotFound if there is none.

    Timers cannot be reset: a true ``reset`` is refused.
    """
    if reset:
        raise NotImplementedError("timers are regions, which keep counting: "
                                  "take the difference of two timings")
    return _results.timing(name, total=total)


lineprof = memprof = profile
