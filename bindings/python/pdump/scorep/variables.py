# SPDX-License-Identifier: BSD-3-Clause
"""What Score-P's environment variables mean here.

They are read by ``python -m pdump.scorep``, and when a program imports
``pdump.scorep`` before its session has begun.  A PDUMP_ variable that says the
same wins.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache

from .. import _env
from .._library import DISABLED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..runner_options import Options

#: Names of getrusage().  Linux does not count its other fields: they are 0.
_RUSAGE = {
    "ru_utime": "pdump::user_time", "ru_stime": "pdump::system_time",
    "ru_maxrss": "pdump::peak_rss", "ru_minflt": "pdump::minor_faults",
    "ru_majflt": "pdump::major_faults", "ru_nvcsw": "pdump::ctx_voluntary",
    "ru_nivcsw": "pdump::ctx_involuntary", "ru_inblock": "pdump::blocks_read",
    "ru_oublock": "pdump::blocks_written"}

_UNITS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_MIB = 2**20
_MEMORY_MAX = 32767


class Variables:
    """The SCOREP_ variables of an environment."""

    def __init__(self, environment: dict[str, str]):
        self._left = {name: value for name, value in environment.items()
                      if name.startswith("SCOREP_")}
        #: Messages about variables that cannot be used.
        self.problems: list[str] = []
        self.settings: dict[str, str] = {}
        self.verbose = self._flag("SCOREP_VERBOSE", False)
        self.io = self._flag("SCOREP_IO_POSIX", False)
        self._formats()
        self._metrics()
        self._set("PDUMP_EXPERIMENT_DIR",
                  self._take("SCOREP_EXPERIMENT_DIRECTORY"))
        self._set("PDUMP_FILTER", self._take("SCOREP_FILTERING_FILE"))
        self._set("PDUMP_MEMORY_MAX", self._memory())
        for name in sorted(self._left):
            self.problems.append(f"{name} is not used; what is used is in "
                                 "docs/coming-from-scorep.md")
        for name in environment:
            self.settings.pop(name, None)

    def _take(self, name: str) -> str:
        return self._left.pop(name, "").strip()

    def _set(self, name: str, value: str) -> None:
        if value:
            self.settings[name] = value

    def _flag(self, name: str, default: bool) -> bool:
        word = self._take(name).lower()
        if word in ("true", "yes", "on", "1"):
            return True
        if word in ("false", "no", "off", "0"):
            return False
        if word:
            self.problems.append(f"{name}={word}: it must be true or false")
        return default

    def _formats(self) -> None:
        profiles = self._flag("SCOREP_ENABLE_PROFILING", True)
        traces = self._flag("SCOREP_ENABLE_TRACING", False)
        if traces:
            self.settings["PDUMP_RECORD"] = "profile,events"
            self.settings["PDUMP_OUTPUT_FORMAT"] = \
                "auto,otf2" if profiles else "otf2"
        elif not profiles:
            self.settings["PDUMP_DISABLE"] = "1"
        for is_on, prefix in ((profiles, "SCOREP_PROFILING_"),
                              (traces, "SCOREP_TRACING_")):
            if not is_on:  # not used there either
                for name in [name for name in self._left
                             if name.startswith(prefix)]:
                    del self._left[name]

    def _metrics(self) -> None:
        events = self._list("SCOREP_METRIC_PAPI")
        names = self._list("SCOREP_METRIC_RUSAGE")
        for name in _RUSAGE if "all" in names else names:
            if name in _RUSAGE:
                events.append(_RUSAGE[name])
            else:
                self.problems.append(f"SCOREP_METRIC_RUSAGE: {name} is not "
                                     "counted here")
        delimiter = _env.get("PDUMP_DELIMITER") or ","
        self._set("PDUMP_EVENTS", delimiter.join(events))

    def _list(self, name: str) -> list[str]:
        separator = self._take(name + "_SEP") or ","
        words = self._take(name).split(separator)
        return [word.strip() for word in words if word.strip()]

    def _memory(self) -> str:
        """Of a process, in MiB; as much as there can be, at most."""
        text = self._take("SCOREP_TOTAL_MEMORY").lower()
        digits = text.rstrip("kmgtbytes ")
        unit = text[len(digits):].strip()
        unit = "" if unit in ("b", "bytes") else unit.removesuffix("b")
        if not text:
            return ""
        if not digits.isdecimal() or unit not in _UNITS:
            self.problems.append(f"SCOREP_TOTAL_MEMORY={text}: it must be a "
                                 "number with k, M or G")
            return ""
        number = int(digits) << 10 * _UNITS[unit]
        return str(min(max(-(-number // _MIB), 1), _MEMORY_MAX))


@lru_cache(maxsize=None)
def _read() -> Variables:
    made = Variables({} if _env.PRIVILEGED else dict(os.environ))
    from ..runner_preload import is_anew
    from ..runner_report import rank

    if os.environ.get("PDUMP_QUIET") != "1" and not rank() and not is_anew():
        for problem in made.problems:
            sys.stderr.write(f"pdump: {problem}\n")
    return made


def adapt(options: Options) -> None:
    """For the command line: its own options win."""
    variables = _read()
    options.names_as_scorep = True
    options.settings.update(variables.settings)
    options.io = options.io or variables.io
    options.verbose = options.verbose or variables.verbose


def use() -> None:
    """For a program that was not started by the command line."""
    from ..errors import Error
    from ..session import is_active
    from ..session import set as choose

    if DISABLED or is_active():
        return
    variables = _read()
    for name, value in variables.settings.items():
        try:
            choose(name, value)
        except Error as exc:
            sys.stderr.write(f"pdump: {exc}\n")
        else:
            if variables.verbose:
                sys.stderr.write(f"pdump: {name}={value}\n")
