# SPDX-License-Identifier: BSD-3-Clause
"""libpdump for Python: time and counters of the regions of a program.

    import pdump

    with pdump.region("solve"):
        ...

    @pdump.region()
    def assemble():
        ...

Run the program as usual and read ``perf_dump.h5`` with ``pdump report``, or
here: ``print(pdump.load("perf_dump.h5").tree())``.  What is counted and where
it goes is chosen by PDUMP_* variables; ``python -m pdump script.py`` records
every function.  All measuring is done by the C library.
"""

from __future__ import annotations

import atexit as _atexit
import os as _os

from . import _env
from ._config import VERSION as __version__
from ._library import DISABLED as _DISABLED
from .errors import (BadState, BadValue, Error, FileError, FormatError,
                     ModuleError, NotFound, OutOfMemory, PeerError,
                     SourceError)
from .recording import (counter_add, disable_recording, enable_recording,
                        end_step, marker, metadata, parameter_float,
                        parameter_int, parameter_string, parameter_uint,
                        rewind, rewind_begin, rewind_end, start_step, step,
                        thread_name)
from .region import new_session as _new_session
from .region import region, region_begin, region_end
from .session import end_interrupted as _end_interrupted
from .session import finalize, flush, init, is_active, set, version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import instrumenter, pyperfdump, scorep, timers
    from .diff import Diff
    from .lines import profile
    from .results import Results, current, load, timing
    from .tree import Tree

__all__ = [
    "BadState", "BadValue", "Error", "FileError", "FormatError",
    "ModuleError", "NotFound", "OutOfMemory", "PeerError", "SourceError",
    "counter_add", "current", "disable_recording", "enable_recording",
    "end_step", "finalize", "flush", "init", "instrumenter", "is_active",
    "load", "marker", "metadata", "parameter_float", "parameter_int",
    "parameter_string", "parameter_uint", "profile", "region", "region_begin",
    "region_end", "rewind", "rewind_begin", "rewind_end", "set",
    "start_step", "step", "end_step", "thread_name", "timing", "version",
]

#: What is imported when it is first used.
_LATER = {"Results": "results", "current": "results", "load": "results",
          "profile": "lines", "timing": "results", "Tree": "tree",
          "Diff": "diff"}
_MODULES = ("diff", "instrumenter", "ipython", "lines", "pyperfdump",
            "results", "scorep", "timers", "tree")


def __getattr__(name: str) -> Any:
    # Not importlib.import_module(): that is Python code, and would be recorded
    # as if the program had called it.
    if name in _MODULES:
        __import__(f"{__name__}.{name}")
        return globals()[name]
    if name in _LATER:
        value = getattr(__getattr__(_LATER[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER, *_MODULES})


def load_ipython_extension(shell: Any) -> None:
    """%load_ext pdump"""
    from .ipython import register

    register(shell)


if not _DISABLED:
    from ._hidden import hidden as _unseen

    _atexit.register(_unseen(_end_interrupted))
    _os.register_at_fork(after_in_child=_unseen(_new_session))
    if _env.get("PDUMP_PRINT_SUMMARY") == "1":
        from ._summary import print_at_exit as _print_at_exit

        _atexit.register(_unseen(_print_at_exit))
