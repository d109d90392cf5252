# SPDX-License-Identifier: BSD-3-Clause
"""Find libpdump and open it.

Importing this starts no session: libpdump does nothing until it is called.
"""

from __future__ import annotations

import os

from . import _config, _env

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator

#: What pdump_abi_version() must say.
ABI = 1

#: PDUMP_DISABLE=1: nothing is recorded, and the calls are no-ops.
DISABLED = _env.get("PDUMP_DISABLE") == "1"


def _candidates() -> Iterator[str]:
    """Where to look, first hit wins."""
    chosen = _env.get("PDUMP_LIBRARY")
    if chosen:
        yield chosen  # an order, not a hint: no fallback
        return
    soname = _config.SONAME
    yield os.path.join(os.path.dirname(os.path.abspath(__file__)), soname)
    if _config.LIBDIR:
        yield os.path.join(_config.LIBDIR, soname)
    yield soname


def _declarations() -> Any:
    """The ffi object: compiled when the package was built, or else now."""
    try:
        from ._abi import ffi
    except ImportError:
        try:
            import cffi
        except ImportError as exc:
            raise ImportError(
                "pdump needs cffi: install python3-cffi, or pip install cffi"
            ) from exc
        from ._cdef import CDEF

        ffi = cffi.FFI()
        ffi.cdef(CDEF)
    return ffi


def _open(ffi: Any) -> tuple[Any, str]:
    """The library, and the name that it was opened by."""
    tried = []
    for candidate in _candidates():
        try:
            found = ffi.dlopen(candidate)
            abi = found.pdump_abi_version()
        except (OSError, AttributeError) as exc:
            # What the linker says, without what cffi puts in front of it.
            text = str(exc).rpartition("cannot load library ")[2]
            text = text.replace(f"{candidate!r}: ", "", 1)
            tried.append(text if text.startswith(candidate)
                         else f"{candidate}: {text}")
            continue
        if abi == ABI:
            return found, candidate
        tried.append(f"{candidate}: ABI {abi}, need {ABI}")
    raise ImportError(
        "cannot load libpdump (PDUMP_LIBRARY chooses the file):\n  "
        + "\n  ".join(tried)
    )


ffi = _declarations()
lib, path = _open(ffi)


def encode(name: str, what: str = "a region") -> bytes:
    """A name as libpdump takes it, or TypeError or ValueError."""
    if not isinstance(name, str):
        raise TypeError(
            f"the name of {what} is a str, not {type(name).__name__}")
    # Lone surrogates are no UTF-8: they are written out, as \udc80.
    data = name.encode("utf-8", "backslashreplace")
    if not data:
        raise ValueError(f"the name of {what} is empty")
    if b"\0" in data:
        raise ValueError(f"the name of {what} contains a NUL: {name!r}")
    if len(data) > 65535:
        raise ValueError(f"the name of {what} has {len(data)} bytes; "
                         "65535 are the most")
    return data


def decode(pointer: Any) -> str:
    """Text of libpdump, any bytes."""
    return ffi.string(pointer).decode("utf-8", "surrogateescape")
