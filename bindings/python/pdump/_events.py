# SPDX-License-Identifier: BSD-3-Clause
"""The events of a timeline, as columns."""

from __future__ import annotations

from array import array
from typing import Any

from ._library import decode, ffi, lib
from .errors import check

#: By the number that the kind has in a dump.
KINDS = ("enter", "leave", "at", "marker", "counter", "send", "receive",
         "collective", "lost", "io")

_WHOLE = ("time", "what", "value", "tag")
_SHORT = ("kind", "node")
_WHO = ("process", "rank", "thread")
#: In the order that they are shown in.
COLUMNS = (*_WHO, "time", "kind", "node", "name", "what", "value", "tag")
_BLOCK = 65536


def _cut(block: Any, n: int, field: str, code: str) -> array:
    """One field of n structures, which are numbers of one width to us."""
    numbers = array(code)
    size = ffi.sizeof("struct pdump_event_info")
    numbers.frombytes(ffi.buffer(block, n * size)[:])
    offset = ffi.offsetof("struct pdump_event_info", field)
    return numbers[offset // numbers.itemsize::size // numbers.itemsize]


def _read_lane(dump: Any, lane: int, columns: dict[str, Any],
               names: dict[int, str]) -> None:
    place = ffi.new("struct pdump_event_place *")
    place.size = ffi.sizeof("struct pdump_event_place")
    block = ffi.new("struct pdump_event_info[]", _BLOCK)
    while True:
        block[0].size = ffi.sizeof("struct pdump_event_info")
        n = lib.pdump_dump_events(dump, lane, place, block, _BLOCK)
        check(min(n, 0))
        if n == 0:
            return
        for field in _WHOLE:
            columns[field].extend(_cut(block, n, field, "q"))
        for field in _SHORT:
            columns[field].extend(_cut(block, n, field, "i"))
        for pointer in _cut(block, n, "name", "L"):
            text = names.get(pointer)
            if text is None:
                text = names[pointer] = decode(ffi.cast("char *", pointer))
            columns["name"].append(text)


def read(dump: Any) -> dict[str, Any]:
    """All events: arrays of the standard library, a list of names."""
    columns: dict[str, Any] = {name: array("q") for name in COLUMNS}
    for name in (*_SHORT, *_WHO):
        columns[name] = array("i")
    columns["name"] = []
    info = ffi.new("struct pdump_lane_info *")
    info.size = ffi.sizeof("struct pdump_lane_info")
    names: dict[int, str] = {}
    for lane in range(lib.pdump_dump_n_lanes(dump) if dump else 0):
        check(lib.pdump_dump_lane(dump, lane, info))
        _read_lane(dump, lane, columns, names)
        for name in _WHO:
            more = len(columns["time"]) - len(columns[name])
            columns[name].extend(array("i", [getattr(info, name)]) * more)
    return columns


def frame(dump: Any) -> Any:
    """The same as a pandas DataFrame; without pandas as a dict of columns,
    numpy arrays if there is numpy."""
    columns = read(dump)
    try:
        import pandas
    except ImportError:
        pandas = None
    kinds = columns["kind"]
    if pandas:
        columns["kind"] = pandas.Categorical.from_codes(kinds, KINDS)
        return pandas.DataFrame(columns)
    columns["kind"] = [KINDS[kind] for kind in kinds]
    try:
        import numpy
    except ImportError:
        return columns
    return {name: column if isinstance(column, list) else numpy.array(column)
            for name, column in columns.items()}
