# SPDX-License-Identifier: BSD-3-Clause
"""Which functions are recorded: patterns, and what PDUMP_FILTER says."""

from __future__ import annotations

import re
from fnmatch import translate

from ._library import ffi, lib


class Filter:
    """Patterns for names (``module:function``).

    A pattern is for the whole of ``module:function``; without a colon it is for
    the module, with those in it, or for the function, wherever it is.
    """

    def __init__(self) -> None:
        self._include: list[re.Pattern[str]] = []
        self._exclude: list[re.Pattern[str]] = []

    def include(self, pattern: str) -> None:
        """Only what is included is shown."""
        self._include += _patterns(pattern)

    def exclude(self, pattern: str) -> None:
        """What is excluded is not shown, even if it is included."""
        self._exclude += _patterns(pattern)

    def asks_for(self, name: str) -> bool:
        """Is that included by a pattern of its own?"""
        return _matches(self._include, name)

    def shows(self, name: str, file: str) -> bool:
        """Is the function recorded?"""
        if _matches(self._exclude, name):
            return False
        if self._include and not self.asks_for(name):
            return False
        return not is_excluded(name, file)


def _matches(patterns: list[re.Pattern[str]], name: str) -> bool:
    # No generator expression: that makes a function, which watchers see.
    for pattern in patterns:
        if pattern.match(name):
            return True
    return False


def is_excluded(name: str, file: str = "") -> bool:
    """Does the filter of the session exclude it?  Then libpdump does not record
    it in any case; a function need not be entered at all."""
    return bool(lib.pdump_is_active()) and lib.pdump_is_excluded(
        clean(name), clean(file) if file else ffi.NULL) > 0


def clean(text: str) -> bytes:
    """As libpdump takes it: no NUL, at most 65535 bytes."""
    data = text.encode("utf-8", "backslashreplace").replace(b"\0", b"\\0")
    return data[:65535]


def _patterns(pattern: str) -> list[re.Pattern[str]]:
    if ":" in pattern:
        return [re.compile(translate(pattern))]
    return [re.compile(translate(each))
            for each in (f"{pattern}:*", f"{pattern}.*:*", f"*:{pattern}")]
