# SPDX-License-Identifier: BSD-3-Clause
"""How many bytes mpi4py's methods send and receive."""

from __future__ import annotations

import operator
import pickle
import threading

from mpi4py import MPI

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable


def of_buffer(spec: Any) -> int:
    """The bytes of what mpi4py takes as a buffer; 0 where nobody can tell."""
    size = getattr(spec, "nbytes", None)
    if isinstance(size, int):
        return size
    if spec is None or spec is MPI.IN_PLACE:
        return 0
    try:
        if isinstance(spec, (list, tuple)):
            return _of_parts(spec)
        return memoryview(spec).nbytes
    except _ODD:
        return 0


def of_list(spec: Any, n: Callable[[], int]) -> int:
    """The same of a method that takes a count for every rank, n() of them."""
    if not isinstance(spec, (list, tuple)):
        return of_buffer(spec)
    try:
        return sum(shares_of(spec, n))
    except _ODD:
        return 0


def shares_of(spec: Any, n: Callable[[], int]) -> list[int]:
    """What is for each rank; as mpi4py shares it out, if nobody said."""
    if not isinstance(spec, (list, tuple)):
        return [of_buffer(spec) // n()] * n()
    data, counts, _, kind = _parts(spec)
    if counts is None:
        size, extent = _element(data, kind)
        return [of_buffer(data) // extent // n() * size] * n()
    if isinstance(kind, (list, tuple)):
        return [operator.index(count) * _datatype(each).Get_size()
                for count, each in zip(counts, kind)]
    size = _element(data, kind)[0]
    if hasattr(counts, "__len__"):
        return [operator.index(count) * size for count in counts]
    return [operator.index(counts) * size] * n()


_ODD = (TypeError, ValueError, KeyError, IndexError, ZeroDivisionError,
        AttributeError, MPI.Exception)


def _of_parts(spec: Any) -> int:
    if len(spec) == 3 and type(spec[1]) is int \
            and isinstance(spec[2], MPI.Datatype):
        return spec[1] * spec[2].Get_size()  # as most are
    data, count, place, kind = _parts(spec)
    if isinstance(count, list):
        count, place = count
    size, extent = _element(data, kind)
    if count is None:
        count = of_buffer(data) // extent
        count -= operator.index(place) if place is not None else 0
    return operator.index(count) * size


def _parts(spec: Any) -> Any:
    """(data, count, displacement, type); counts may be lists of these:
    [data, type], [data, count], [data, count, type], with (count,
    displacement) for a count, or [data, count, displacement, type]."""
    if len(spec) == 4:
        return spec
    data, count, *rest = spec
    kind = rest[0] if rest else None
    if not rest and isinstance(count, (MPI.Datatype, str)):
        count, kind = None, count
    elif not rest and isinstance(count, list) and count \
            and isinstance(count[0], (MPI.Datatype, str)):
        count, kind = [1] * len(count), count  # Alltoallw()
    place = None
    if isinstance(count, tuple):
        count, place = count
    return data, count, place, kind


def _datatype(kind: Any) -> Any:
    return MPI._typedict[kind] if isinstance(kind, str) else kind


def _element(data: Any, kind: Any) -> tuple[int, int]:
    """(size, extent) of an element."""
    if not kind and kind is not MPI.DATATYPE_NULL:
        size = getattr(data, "itemsize", None)
        size = memoryview(data).itemsize if size is None else int(size)
        return size, size
    kind = _datatype(kind)
    return kind.Get_size(), kind.Get_extent()[1]


class _Pickled(threading.local):
    """What this thread has pickled and unpickled for messages."""

    dumped = 0
    loaded = 0


pickled = _Pickled()


def _dumps(obj: Any, protocol: int | None = None) -> bytes:
    data = pickle.dumps(obj, protocol)
    pickled.dumped += len(data)
    return data


def _loads(data: Any) -> Any:
    pickled.loaded += len(data)
    return pickle.loads(data)


def _is_plain() -> bool:
    """Has nobody given mpi4py another pickle?"""
    try:
        MPI.pickle.dumps(lambda: None)
    except Exception:
        return bytes(MPI.pickle.dumps(_Pickled)) == pickle.dumps(
            _Pickled, MPI.pickle.PROTOCOL)
    return False


def count_objects() -> bool:
    """From now on, know how large pickled objects are.  False: somebody else
    pickles, and nobody can tell."""
    global _is_counting
    if not _is_counting and _is_plain():
        MPI.pickle.__init__(_dumps, _loads,  # type: ignore[misc]
                            MPI.pickle.PROTOCOL)
        _is_counting = True
    return _is_counting


_is_counting = False
