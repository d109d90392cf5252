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
warning with the reason; if none can, init() raises.  Calls out of order are
warned about and change nothing.  PDUMP_OUTPUT_FORMAT=csv-pyperfdump writes
PyPerfDump's file.
"""

from __future__ import annotations

from . import _env
from . import session as _session
from ._library import DISABLED as _DISABLED
from ._library import encode as _encode
from ._library import ffi as _ffi
from ._library import lib as _lib
from .errors import SourceError as _SourceError
from .errors import check as _check

__all__ = ["init", "start_region", "start_profile", "end_profile",
           "end_region", "finalize"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

_ESTATE = -3


def _call(call: _Any, *args: _Any) -> None:
    """Out of order: libpdump itself has warned."""
    code = call(*args)
    if code != _ESTATE:
        _check(code)


def init() -> None:
    """Open the counters; raises if there are none to collect."""
    if not _DISABLED and not _env.get("PDUMP_EVENTS") \
            and not _env.get("PDUMP_CODES"):
        raise _SourceError("no counters to collect: set PDUMP_EVENTS or "
                           "PDUMP_CODES (PDUMP_EVENTS=none for time only)")
    _session.init()


def start_region(name: str | None = None) -> None:
    """Open a region; without a name it is ``region_N``."""
    _call(_lib.pdump_start_region, _ffi.NULL if name is None
          else _encode(name))


def start_profile() -> None:
    """Start counting in the open region."""
    _call(_lib.pdump_start_profile)


def end_profile() -> None:
    """Stop counting, and keep the values."""
    _call(_lib.pdump_end_profile)


def end_region() -> None:
    """Close the region."""
    _call(_lib.pdump_end_region)


def finalize() -> None:
    """Write the dump."""
    if _DISABLED or _session.is_active():
        _session.finalize()
        return
    from warnings import warn

    warn("pyperfdump.finalize: no session is active", RuntimeWarning,
         stacklevel=2)
