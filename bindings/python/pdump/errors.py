# SPDX-License-Identifier: BSD-3-Clause
"""What failures look like: one exception per kind of error of pdump.h."""

from __future__ import annotations


class Error(Exception):
    """Something that libpdump could not do; ``code`` is its pdump_error."""

    code = 0


class OutOfMemory(Error, MemoryError):
    """There is not enough memory."""

    code = -1


class BadValue(Error, ValueError):
    """An argument or a setting has a value that it cannot have."""

    code = -2


class BadState(Error, RuntimeError):
    """The call is not allowed now, such as an end without a begin."""

    code = -3


class SourceError(Error):
    """The counters cannot be used; the message lists them with reasons."""

    code = -4


class FileError(Error, OSError):
    """A file cannot be read or written."""

    code = -5


class FormatError(Error, ValueError):
    """A file is not what it should be."""

    code = -6


class NotFound(Error, LookupError):
    """There is no such region, metric or setting."""

    code = -7


class ModuleError(Error):
    """A module of libpdump is missing or does not fit."""

    code = -8


class PeerError(Error):
    """A rank of the MPI job did not answer in time."""

    code = -9


_BY_CODE = {kind.code: kind for kind in Error.__subclasses__()}


def check(code: int) -> int:
    """Return what a function of libpdump returned, or raise what it means."""
    if code >= 0:
        return code
    from ._library import ffi, lib

    text = ffi.string(lib.pdump_last_error()) or ffi.string(
        lib.pdump_strerror(code))
    raise _BY_CODE.get(code, Error)(text.decode("utf-8", "replace"))
