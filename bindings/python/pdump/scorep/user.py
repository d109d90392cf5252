# SPDX-License-Identifier: BSD-3-Clause
"""scorep.user: regions, parameters, recording.

Where Score-P takes a file and a line, they are accepted and not used.
"""

from __future__ import annotations

from _thread import allocate_lock as _allocate_lock

from .. import _naming
from .. import recording as _recording
from .. import region as _region
from .._library import lib as _lib
from ..recording import parameter_int, parameter_string, parameter_uint
from ..region import region_begin as _begin
from ..region import region_end as _end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType as _ModuleType
    from typing import Any as _Any
    from typing import Callable as _Callable

__all__ = ["disable_recording", "enable_recording", "force_finalize",
           "instrument_function", "instrument_module", "oa_region_begin",
           "oa_region_end", "parameter_int", "parameter_string",
           "parameter_uint", "region", "region_begin", "region_end",
           "reregister_exit_handler", "rewind_begin", "rewind_end"]


def region(region_name: _Any = None, file_name: str | None = None,
           line_number: int | None = None) -> _Any:
    """A region as a block or a decorator."""
    if isinstance(region_name, str) and region_name:
        region_name = _naming.of_region(region_name)
    return _region(region_name or None)


def region_begin(name: str, file_name: str | None = None,
                 line_number: int | None = None) -> None:
    """Enter a region."""
    _begin(_naming.of_region(name))


def region_end(name: str) -> None:
    """End the region."""
    _end(_naming.of_region(name))


oa_region_begin = region_begin
oa_region_end = region_end


def instrument_function(fun: _Any,
                        instrumenter_fun: _Callable[[], _Any] = region) -> _Any:
    """A function that is in a region of its own name."""
    return instrumenter_fun()(fun)


def instrument_module(module: _ModuleType,
                      instrumenter_fun: _Callable[[], _Any] = region) -> None:
    """instrument_function() for every function of a module."""
    from types import FunctionType

    for name, thing in list(vars(module).items()):
        if isinstance(thing, FunctionType):
            setattr(module, name, instrument_function(thing, instrumenter_fun))


#: Recording is off for the whole process, without nesting;
#: pdump.disable_recording() is for one thread, and nests.
_lock = _allocate_lock()
_is_off = False


def disable_recording() -> None:
    """Record nothing on all threads, until enable_recording()."""
    global _is_off
    with _lock:
        if not _is_off:
            _lib.pdump_disable_recording_all()
        _is_off = True


def enable_recording() -> None:
    """Record again, however often recording was disabled."""
    global _is_off
    with _lock:
        if _is_off:
            _lib.pdump_enable_recording_all()
        _is_off = False


def rewind_begin(name: str, file_name: str | None = None,
                 line_number: int | None = None) -> None:
    """Begin something that may be thrown away."""
    _recording.rewind_begin(name)


def rewind_end(name: str, value: object) -> None:
    """End it; a true value throws it away."""
    _recording.rewind_end(name, discard=bool(value))


def force_finalize() -> None:
    """End the session and write the dump; what comes later is not recorded."""
    from ..session import finalize

    finalize()


def reregister_exit_handler() -> None:
    """Nothing: the dump is written by an exit handler of C, which Python's
    atexit cannot lose."""
