# SPDX-License-Identifier: BSD-3-Clause
"""scorep.user: regions, parameters, recording.

Regions are named as they are given, without Score-P's ``user:``.  Where Score-P
takes a file and a line, they are accepted and not used.
"""

from __future__ import annotations

from _thread import allocate_lock as _allocate_lock

from .. import recording as _recording
from .. import region as _region
from .._library import lib as _lib
from ..recording import parameter_int, parameter_string, parameter_uint
from ..region import region_begin as _begin
from ..region import region_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

__all__ = ["disable_recording", "enable_recording", "oa_region_begin",
           "oa_region_end", "parameter_int", "parameter_string",
           "parameter_uint", "region", "region_begin", "region_end",
           "rewind_begin", "rewind_end"]


def region(name: _Any = None, file_name: str | None = None,
           line_number: int | None = None) -> _Any:
    """A region as a block or a decorator."""
    return _region(name)


def region_begin(name: str, file_name: str | None = None,
                 line_number: int | None = None) -> None:
    """Enter a region."""
    _begin(name)


#: For the process, and without nesting; pdump.disable_recording() is for a
#: thread, and nests.
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


oa_region_begin = region_begin
oa_region_end = region_end
