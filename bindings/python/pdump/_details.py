# SPDX-License-Identifier: BSD-3-Clause
"""The tables of details of a dump: what is known of calls beside the tree."""

from __future__ import annotations

from ._library import decode, ffi, lib
from .errors import NotFound, check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: The least and the largest of nothing.
_NOTHING = {lib.PDUMP_FIELD_MIN: 2**63 - 1, lib.PDUMP_FIELD_MAX: -2**63}


def _new(kind: str) -> Any:
    made = ffi.new(kind + " *")
    made.size = ffi.sizeof(kind)
    return made


class _Field:
    """A figure of every row."""

    __slots__ = ("name", "kind", "first", "width")

    def __init__(self, dump: Any, table: int, index: int):
        info = _new("struct pdump_field_info")
        check(lib.pdump_dump_detail_field(dump, table, index, info))
        self.name = decode(info.name)
        self.kind: int = info.kind
        self.first: int = info.first
        self.width: int = info.width

    def value(self, values: Any) -> Any:
        """A number, None if there is none; a list of them for a histogram."""
        if self.kind == lib.PDUMP_FIELD_REAL:
            values = ffi.cast("double *", values)
        nothing = _NOTHING.get(self.kind)
        found = [None if value == nothing else value for value in
                 ffi.unpack(values + self.first, self.width)]
        return found if self.width > 1 else found[0]


class Details:
    """The tables of one dump, read when they are asked for."""

    __slots__ = ("names", "_dump")

    def __init__(self, dump: Any):
        info = _new("struct pdump_detail_info")
        names = []
        for i in range(lib.pdump_dump_n_details(dump)):
            check(lib.pdump_dump_detail(dump, i, info))
            names.append(decode(info.name))
        self.names = tuple(names)
        self._dump = dump if names else None

    def table(self, name: str) -> Any:
        """The rows of a table as a DataFrame, if there is pandas."""
        rows = self.rows(name)
        try:
            import pandas
        except ImportError:
            return rows
        return pandas.DataFrame(rows)

    def rows(self, name: str) -> list[dict[str, Any]]:
        """The rows of a table."""
        if name not in self.names:
            raise NotFound(f"no details {name!r}; there are "
                           + (", ".join(self.names) or "none"))
        table = self.names.index(name)
        info = _new("struct pdump_detail_info")
        check(lib.pdump_dump_detail(self._dump, table, info))
        fields = [_Field(self._dump, table, i) for i in range(info.n_fields)]
        paths: dict[int, str] = {-1: ""}
        return [self._row(table, i, fields, paths)
                for i in range(info.n_rows)]

    def _row(self, table: int, i: int, fields: list[_Field],
             paths: dict[int, str]) -> dict[str, Any]:
        row = _new("struct pdump_detail_row_info")
        check(lib.pdump_dump_detail_row(self._dump, table, i, row))
        if row.node not in paths:
            paths[row.node] = self._path(table, i)
        is_of_all = row.process < 0
        known: dict[str, Any] = {
            "rank": None if is_of_all else row.rank,
            "thread": None if is_of_all else row.thread,
            "process": None if is_of_all else row.process,
            "path": paths[row.node],
            "region": decode(row.region),
            "label": decode(row.label),
        }
        for field in fields:
            known[field.name] = field.value(row.values)
        return known

    def _path(self, table: int, i: int) -> str:
        length = lib.pdump_dump_detail_path(self._dump, table, i, ffi.NULL, 0)
        buffer = ffi.new("char[]", check(length) + 1)
        lib.pdump_dump_detail_path(self._dump, table, i, buffer, length + 1)
        return decode(buffer)
