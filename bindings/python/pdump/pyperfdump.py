# SPDX-License-Identifier: BSD-3-Clause
"""PyPerfDump's calls: ``import pdump.pyperfdump as pyperfdump``.

    pyperfdump.init()
    pyperfdump.start_region("region1")
    pyperfdump.start_profile()
    work()
    pyperfdump.end_profile()
    pyperfdump.end_region()
    pyperfdump.finalize()

PDUMP_EVENTS or PDUMP_CODES must be set.  A counter that cannot be used costs a
warning with the reason; if none can, init() raises ``error``.

A call out of order is warned about each time, unless PDUMP_SILENCE_WARNINGS=1
or PDUMP_QUIET=1.  An end that was forgotten is made up for: end_region() ends
an open profile, start_region() and finalize() an open region.  Without init(),
and in other wrong places, a call changes nothing.

PDUMP_OUTPUT_FORMAT=csv-pyperfdump and hdf5-pyperfdump write PyPerfDump's files.
"""

from __future__ import annotations

from . import _env
from . import session as _session
from ._library import DISABLED as _DISABLED
from ._library import encode as _encode
from ._library import ffi as _ffi
from ._library import lib as _lib
from .errors import Error as error  # noqa: N813
from .errors import SourceError as _SourceError
from .errors import check as _check

__all__ = ["init", "start_region", "start_profile", "end_profile",
           "end_region", "finalize", "error"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

_ESTATE = -3

#: Between init() and finalize().  Another session does not count: under
#: ``python -m pdump`` there is one from the start.
_is_initialized = False


def _warn(text: str) -> None:
    import sys

    if sys.stderr is not None and _env.get("PDUMP_QUIET") != "1" \
            and _env.get("PDUMP_SILENCE_WARNINGS") != "1":
        print(f"pdump: {text}", file=sys.stderr, flush=True)


def _call(call: _Any, *args: _Any) -> None:
    """Out of order: libpdump itself has warned."""
    code = call(*args)
    if code != _ESTATE:
        _check(code)


def _is_ready(call: str) -> bool:
    if not _is_initialized and not _DISABLED:
        _warn(f"{call}: not initialized; call init() first")
    return _is_initialized


def init() -> None:
    """Open the counters; raises ``error`` if there are none to collect."""
    global _is_initialized

    if _is_initialized:
        _warn("init: already initialized")
        return
    if not _DISABLED and not _env.get("PDUMP_EVENTS") \
            and not _env.get("PDUMP_CODES"):
        raise _SourceError("no counters to collect: set PDUMP_EVENTS or "
                           "PDUMP_CODES (PDUMP_EVENTS=none for time only)")
    _session.init()
    _is_initialized = not _DISABLED


def start_region(name: str | None = None) -> None:
    """Open a region; without a name it is ``region_N``."""
    text = _ffi.NULL if name is None else _encode(name)
    if _is_ready("start_region"):
        _call(_lib.pdump_start_region, text)


def start_profile() -> None:
    """Start counting in the open region."""
    if _is_ready("start_profile"):
        _call(_lib.pdump_start_profile)


def end_profile() -> None:
    """Stop counting, and keep the values."""
    if _is_ready("end_profile"):
        _call(_lib.pdump_end_profile)


def end_region() -> None:
    """Close the region, and its profile if that is still open."""
    if _is_ready("end_region"):
        _call(_lib.pdump_end_region)


def finalize() -> None:
    """Close what is still open, and write the dump."""
    global _is_initialized

    if not _is_ready("finalize"):
        return
    _is_initialized = False
    if _session.is_active():
        _session.finalize()
