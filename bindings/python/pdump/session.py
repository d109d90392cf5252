# SPDX-License-Identifier: BSD-3-Clause
"""The session: one measurement in one process.  Nothing of this is needed."""

from __future__ import annotations

import os

from ._library import decode, encode, ffi, lib
from .errors import check
from .region import end_session, new_session


#: What set() chose, by name.
chosen: dict[str, str] = {}


def _text(value: object) -> bytes:
    """The value of a setting: flags are 0 and 1, lists are joined."""
    if isinstance(value, bool):
        value = int(value)
    elif isinstance(value, (list, tuple)):
        value = ",".join(map(str, value))
    data = os.fsencode(value) if isinstance(value, os.PathLike) else \
        str(value).encode("utf-8", "surrogateescape")
    if b"\0" in data:
        raise ValueError(f"a setting cannot contain a NUL: {value!r}")
    return data


def set(name: str, value: object) -> None:  # noqa: A001
    """Choose a setting before the session starts; None takes it back.

    ``pdump.set("PDUMP_EVENTS", "PAPI_TOT_INS")``.  The environment wins for
    PDUMP_DISABLE, PDUMP_DUMP_DIR and PDUMP_QUIET.
    """
    data = None if value is None else _text(value)
    check(lib.pdump_set(encode(name, "a setting"),
                        ffi.NULL if data is None else data))
    if data is None:
        chosen.pop(name, None)
    else:
        chosen[name] = os.fsdecode(data)


def init(**settings: object) -> None:
    """Start a session; ``init(events="PAPI_TOT_INS")`` sets PDUMP_EVENTS."""
    for name, value in settings.items():
        set("PDUMP_" + name.upper(), value)
    was_active = lib.pdump_is_active()
    check(lib.pdump_init())
    if not was_active:
        new_session()


def finalize() -> None:
    """End the session and write the dump; a normal exit does it as well."""
    end_session()
    check(lib.pdump_finalize())


def flush() -> None:
    """Write what is recorded until now, and go on."""
    check(lib.pdump_flush())


def is_active() -> bool:
    """Does a session record in this process?"""
    return bool(lib.pdump_is_active())


def version() -> str:
    """The release of libpdump."""
    return decode(lib.pdump_version())


def end_interrupted() -> None:
    """At exit: Python ends itself by a signal after Ctrl-C, and then the exit
    handlers of C, which write the dump otherwise, do not run."""
    import sys

    kind = getattr(sys, "last_type", None)
    if isinstance(kind, type) and issubclass(kind, KeyboardInterrupt) \
            and lib.pdump_is_active():
        end_session()
        lib.pdump_finalize()
