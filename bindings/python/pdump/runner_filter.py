# SPDX-License-Identifier: BSD-3-Clause
"""Which functions are recorded: patterns, and filter files as Score-P's."""

from __future__ import annotations

import re
from fnmatch import translate


class FilterError(ValueError):
    """A filter file that cannot be understood."""


class _Rules:
    """Patterns in order; the last one that matches decides."""

    def __init__(self) -> None:
        self._rules: list[tuple[bool, re.Pattern[str]]] = []

    def add(self, is_shown: bool, pattern: str) -> None:
        self._rules.append((is_shown, re.compile(translate(pattern))))

    def shows(self, *names: str) -> bool:
        for is_shown, pattern in reversed(self._rules):
            if any(map(pattern.match, names)):
                return is_shown
        return True


class Filter:
    """Rules for names (``module:function``) and for files.

    A pattern is for the whole of ``module:function``; without a colon it is for
    the module, with those in it, or for the function, wherever it is.
    """

    def __init__(self) -> None:
        self._names = _Rules()
        self._files = _Rules()
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
        return any(p.match(name) for p in self._include)

    def shows(self, name: str, file: str) -> bool:
        """Is the function recorded?"""
        if any(p.match(name) for p in self._exclude):
            return False
        if self._include and not self.asks_for(name):
            return False
        return self._names.shows(name, name.partition(":")[2]) and \
            self._files.shows(file)

    def read(self, path: str) -> None:
        """Add the rules of a filter file."""
        with open(path, encoding="utf-8") as file:
            self.parse(file.read(), path)

    def parse(self, text: str, source: str = "filter") -> None:
        """Add rules: blocks of names and files, INCLUDE and EXCLUDE in them."""
        rules, is_shown = None, None
        for number, line in enumerate(text.splitlines(), 1):
            for word in line.partition("#")[0].split():
                if word in _BLOCKS:
                    rules, is_shown = getattr(self, _BLOCKS[word]), None
                elif word in _BLOCK_ENDS:
                    rules = None
                elif rules is None:
                    raise FilterError(f"{source}:{number}: {word} is outside "
                                      "of a block of names or files")
                elif word in ("INCLUDE", "EXCLUDE"):
                    is_shown = word == "INCLUDE"
                elif word == "MANGLED":
                    continue  # Python's names are never mangled
                elif is_shown is None:
                    raise FilterError(f"{source}:{number}: {word} needs "
                                      "INCLUDE or EXCLUDE before it")
                else:
                    rules.add(is_shown, word)


_BLOCKS = {f"{who}_{what}_NAMES_BEGIN": attribute
           for who in ("SCOREP", "PDUMP")
           for what, attribute in (("REGION", "_names"), ("FILE", "_files"))}
_BLOCK_ENDS = {word.replace("_BEGIN", "_END") for word in _BLOCKS}


def _patterns(pattern: str) -> list[re.Pattern[str]]:
    if ":" in pattern:
        return [re.compile(translate(pattern))]
    return [re.compile(translate(each))
            for each in (f"{pattern}:*", f"{pattern}.*:*", f"*:{pattern}")]
