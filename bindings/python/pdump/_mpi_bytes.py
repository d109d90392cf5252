# SPDX-License-Identifier: BSD-3-Clause
"""How many bytes mpi4py's methods send and receive."""

from __future__ import annotations

import pickle
import threading

from mpi4py import MPI

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Methods with a buffer to send from; with one to send and one to receive.
SENDING = {"Send", "Bsend", "Ssend", "Rsend", "Isend", "Ibsend", "Issend",
           "Irsend"}
MOVING = {"Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv",
          "Alltoallw", "Exscan", "Gather", "Gatherv", "Reduce",
          "Reduce_scatter", "Reduce_scatter_block", "Scan", "Scatter",
          "Scatterv", "Neighbor_allgather", "Neighbor_allgatherv",
          "Neighbor_alltoall", "Neighbor_alltoallv", "Neighbor_alltoallw"}
MOVING |= {"I" + name[0].lower() + name[1:] for name in MOVING}
#: Where a status tells what came, and the position of the status.
RECEIVING = {"Recv": 3, "recv": 3, "Sendrecv": 6, "Sendrecv_replace": 5,
             "sendrecv": 6}


def of_buffer(spec: Any) -> int:
    """The bytes of what mpi4py takes as a buffer; 0 where nobody can tell."""
    size = getattr(spec, "nbytes", None)
    if isinstance(size, int):
        return size
    if spec is None or spec is MPI.IN_PLACE:
        return 0
    try:
        if isinstance(spec, (list, tuple)):
            return _of_parts(list(spec))
        return memoryview(spec).nbytes
    except (TypeError, ValueError, KeyError, IndexError, MPI.Exception):
        return 0


def _of_parts(parts: list[Any]) -> int:
    """[data, type], [data, count, type], [data, counts, displacements, type]"""
    kind = parts[-1]
    if isinstance(kind, str):
        kind = MPI._typedict[kind]
    if isinstance(kind, MPI.Datatype) and len(parts) > 2:
        count = parts[1]
        if isinstance(count, (list, tuple)) and count and \
                isinstance(count[0], (list, tuple)):
            count = count[0]  # (counts, displacements)
        if count is not None:
            return kind.Get_size() * (count if isinstance(count, int)
                                      else sum(count))
    elif len(parts) > 1 and isinstance(parts[1], int):
        return of_buffer(parts[0])
    return of_buffer(parts[0])


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
