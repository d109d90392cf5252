# SPDX-License-Identifier: BSD-3-Clause
"""Control and detail: what is recorded, and what is noted about it."""

from __future__ import annotations

from _thread import _local as ThreadLocal  # type: ignore[attr-defined]

from ._library import DISABLED, encode, ffi, lib
from ._native import nothing
from .errors import check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

_ESTATE = -3
_INT64 = range(-(2**63), 2**63)
_UINT64 = range(2**64)

#: How often recording was disabled here, per thread: enabling once too often is
#: misuse for libpdump, but usual in programs written for Score-P.
_depth = ThreadLocal()


class _Switch:
    """Recording was switched; as a block, until its end."""

    __slots__ = ("_undo",)

    def __init__(self, undo: Callable[[], object] | None):
        self._undo = undo

    def __enter__(self) -> _Switch:
        return self

    def __exit__(self, *exc: object) -> None:
        undo, self._undo = self._undo, None
        if undo is not None:
            undo()


def disable_recording() -> _Switch:
    """Record nothing on this thread until the matching enable; nests.

    From now on, or as a block: ``with pdump.disable_recording(): ...``
    """
    _tolerate(lib.pdump_disable_recording())
    _depth.off = getattr(_depth, "off", 0) + 1
    return _Switch(enable_recording)


def enable_recording() -> _Switch:
    """Undo one disable; without one, recording is on and stays so.

    As a block, recording is on inside and what it was before after it.
    """
    off = getattr(_depth, "off", 0)
    if off == 0:
        return _Switch(None)
    _tolerate(lib.pdump_enable_recording())
    _depth.off = off - 1
    return _Switch(disable_recording)


def parameter_int(name: str, value: int) -> None:
    """Split the current region by a value: a node ``name=value`` below it."""
    _parameter(lib.pdump_parameter_int, name, _whole(value, _INT64))


def parameter_uint(name: str, value: int) -> None:
    """As parameter_int(), for values from 0 to 2**64 - 1."""
    _parameter(lib.pdump_parameter_uint, name, _whole(value, _UINT64))


def parameter_float(name: str, value: float) -> None:
    """As parameter_int(), for numbers with a fraction."""
    _parameter(lib.pdump_parameter_double, name, float(value))


def parameter_string(name: str, value: str) -> None:
    """As parameter_int(), for text."""
    if not isinstance(value, str):
        raise TypeError("a parameter's value is a str, not "
                        f"{type(value).__name__}")
    data = value.encode("utf-8", "backslashreplace")
    if b"\0" in data:
        raise ValueError(f"a parameter's value contains a NUL: {value!r}")
    _parameter(lib.pdump_parameter_string, name, data)


def _parameter(call: Callable[..., int], name: str, value: Any) -> None:
    data = encode(name, "a parameter")
    if b"=" in data:
        raise ValueError(f"the name of a parameter contains '=': {name!r}")
    _tolerate(call(data, value))


def _whole(value: Any, allowed: range) -> int:
    from operator import index

    number = index(value)
    if number not in allowed:
        raise OverflowError(f"{number} is not from {allowed[0]} to "
                            f"{allowed[-1]}")
    return number


def _tolerate(code: int) -> None:
    """Misuse of order costs a warning of libpdump, not the program."""
    if code != _ESTATE:
        check(code)


def counter_add(name: str, value: int = 1) -> None:
    """Add to a counter of your own in the current region."""
    _tolerate(lib.pdump_counter_add(encode(name, "a counter"),
                                    _whole(value, _INT64)))


def marker(name: str) -> None:
    """Mark this moment on the timeline (PDUMP_RECORD=events)."""
    _tolerate(lib.pdump_marker(encode(name, "a marker")))


def metadata(key: str, value: object) -> None:
    """Note a fact about the run in the dump; the last value stays."""
    data = str(value).encode("utf-8", "backslashreplace")
    if b"\0" in data:
        raise ValueError(f"metadata cannot contain a NUL: {value!r}")
    _tolerate(lib.pdump_metadata(encode(key, "metadata"), data))


def thread_name(name: str) -> None:
    """Give the calling thread a name for reports."""
    _tolerate(lib.pdump_thread_name(encode(name, "a thread")))


def rewind_begin(name: str) -> None:
    """Begin something that may turn out not to be worth keeping."""
    _tolerate(lib.pdump_rewind_begin(encode(name)))


def rewind_end(name: str | None = None, discard: bool = False) -> None:
    """End it; with ``discard`` nothing since its begin is kept."""
    data = ffi.NULL if name is None else encode(name)
    _tolerate(lib.pdump_rewind_end(data, bool(discard)))


class rewind:
    """A region that may be thrown away with all that is in it.

        with pdump.rewind("try") as attempt:
            ...
            if converged:
                attempt.discard()
    """

    __slots__ = ("name", "_is_discarded")

    def __init__(self, name: str):
        encode(name)
        self.name = name
        self._is_discarded = False

    def discard(self, is_discarded: bool = True) -> None:
        """Keep nothing of this when the block ends."""
        self._is_discarded = is_discarded

    def __enter__(self) -> rewind:
        self._is_discarded = False
        rewind_begin(self.name)
        return self

    def __exit__(self, *exc: object) -> None:
        rewind_end(self.name, self._is_discarded)


def start_step() -> None:
    """Start the next time step of this thread (perf-dump's model)."""
    _tolerate(lib.pdump_start_step())


def end_step() -> None:
    """End the time step."""
    _tolerate(lib.pdump_end_step())


class _Step:
    """Time steps as blocks."""

    __slots__ = ()

    def __enter__(self) -> _Step:
        start_step()
        return self

    def __exit__(self, *exc: object) -> None:
        end_step()


def step() -> _Step:
    """A time step as a block: ``for t in times: with pdump.step(): ...``"""
    return _Step()


if DISABLED:
    parameter_int = parameter_uint = parameter_float = nothing
    parameter_string = counter_add = metadata = thread_name = nothing
    marker = nothing
    rewind_begin = rewind_end = start_step = end_step = nothing
    _SWITCH = _Switch(None)

    def disable_recording() -> _Switch:
        """Nothing: PDUMP_DISABLE=1."""
        return _SWITCH

    enable_recording = disable_recording
