# SPDX-License-Identifier: BSD-3-Clause
"""What the methods of mpi4py's communicators send and receive.

A method has two functions: prepare(args, kwargs) -> (args, kwargs, status),
before the call, and sizes(self, args, kwargs, status, result, start) ->
(sent, received, completed, flight), after it; None: there is nothing to do.
"""

from __future__ import annotations

from mpi4py import MPI

from . import _mpi_bytes as _bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    # Bytes sent and received, requests completed and their time in flight.
    Figures = tuple[int, int, int, int]

#: Methods with a buffer to send from; with one to send and one to receive.
_SENDING = {"Send", "Bsend", "Ssend", "Rsend", "Isend", "Ibsend", "Issend",
            "Irsend", "Send_init", "Bsend_init", "Ssend_init", "Rsend_init"}
_MOVING = {"Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv",
           "Alltoallw", "Exscan", "Gather", "Gatherv", "Reduce",
           "Reduce_scatter", "Reduce_scatter_block", "Scan", "Scatter",
           "Scatterv"}
#: Where a status tells what came, and the position of the status.
_RECEIVING = {"Recv": 3, "recv": 3, "Sendrecv": 6, "Sendrecv_replace": 5,
              "sendrecv": 6}
#: The position of the root.
_ROOTS = {"Gather": 2, "Gatherv": 2, "Scatter": 2, "Scatterv": 2, "Reduce": 3}

# mpi4py's own methods: those of ``self`` are the program's to call.
_rank, _size = MPI.Comm.Get_rank, MPI.Comm.Get_size


def of(name: str) -> Any:
    """(prepare, sizes) for a method of a communicator."""
    if name in _RECEIVING:
        sizes = _exchanged if name.startswith("Sendrecv") else came
        return with_status(_RECEIVING[name]), sizes
    if name in _SENDING:
        return None, _sent
    if name in ("Bcast", "Ibcast"):
        return None, _spread
    plain = name[1:].capitalize() if name[0] == "I" else name
    is_neighbours = plain.startswith("Neighbor_")
    plain = plain.replace("Neighbor_", "").capitalize()
    if plain in _MOVING:
        return None, _moved(plain, is_neighbours)
    return None, None


def with_status(position: int) -> Callable[..., Any]:
    """See to it that a status tells what has come."""

    def prepare(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        status = args[position] if len(args) > position \
            else kwargs.get("status")
        if status is None:
            status = MPI.Status()
            if len(args) > position:
                args = (*args[:position], status, *args[position + 1:])
            else:
                kwargs["status"] = status
        return args, kwargs, status

    return prepare


def first(args: tuple[Any, ...], kwargs: dict[str, Any], index: int,
          *names: str) -> Any:
    if len(args) > index:
        return args[index]
    for name in names:
        if name in kwargs:
            return kwargs[name]
    return None


def _sent(self: Any, args: Any, kwargs: Any, *rest: Any) -> Figures:
    if first(args, kwargs, 1, "dest") == MPI.PROC_NULL:
        return 0, 0, 0, 0
    return _bytes.of_buffer(first(args, kwargs, 0, "buf")), 0, 0, 0


def came(self: Any, args: Any, kwargs: Any, status: Any,
         *rest: Any) -> Figures:
    count = status.Get_count(MPI.BYTE)
    return 0, count if count > 0 else 0, 0, 0


def _exchanged(self: Any, args: Any, kwargs: Any, status: Any,
               *rest: Any) -> Figures:
    sent = 0
    if first(args, kwargs, 1, "dest") != MPI.PROC_NULL:
        sent = _bytes.of_buffer(first(args, kwargs, 0, "sendbuf", "buf"))
    return sent, came(self, args, kwargs, status)[1], 0, 0


def _spread(self: Any, args: Any, kwargs: Any, *rest: Any) -> Figures:
    out, into = _sides(self, first(args, kwargs, 1, "root") or 0)
    size = _bytes.of_buffer(first(args, kwargs, 0, "buf"))
    return (size, 0, 0, 0) if out else (0, size if into else 0, 0, 0)


def _sides(comm: Any, root: int) -> tuple[bool, bool]:
    """Is this the root?  Is it one of those that the root has to do with?
    Between two groups, the others of the root's group do nothing."""
    if isinstance(comm, MPI.Intercomm):
        return root == MPI.ROOT, root not in (MPI.ROOT, MPI.PROC_NULL)
    return _rank(comm) == root, True


def _moved(name: str, is_neighbours: bool) -> Callable[..., Any]:
    """Of a collective.  What is MPI.IN_PLACE is as if it had its buffer."""
    sends_list = name in ("Scatterv", "Alltoallv", "Alltoallw")
    receives_list = name in ("Gatherv", "Allgatherv", "Alltoallv", "Alltoallw")
    root_at = _ROOTS.get(name)
    of_buffer, of_list = _bytes.of_buffer, _bytes.of_list

    def sizes(self: Any, args: Any, kwargs: Any, *rest: Any) -> Figures:
        out = first(args, kwargs, 0, "sendbuf")
        into = first(args, kwargs, 1, "recvbuf")
        if root_at is not None:
            out, into = _meant(self, name, out, into,
                               first(args, kwargs, root_at, "root") or 0)
        if out is MPI.IN_PLACE or into is MPI.IN_PLACE:
            return _in_place(self, name, args, kwargs, out, into)
        return (of_list(out, _others(self, is_neighbours, "outdegree"))
                if sends_list else of_buffer(out),
                of_list(into, _others(self, is_neighbours, "indegree"))
                if receives_list else of_buffer(into), 0, 0)

    return sizes


def _others(comm: Any, is_neighbours: bool, degree: str) -> Callable[[], int]:
    """How many have a share of a buffer, if somebody asks."""
    if is_neighbours:
        return lambda: getattr(comm, degree)
    if isinstance(comm, MPI.Intercomm):
        return lambda: MPI.Intercomm.Get_remote_size(comm)
    return lambda: _size(comm)


def _meant(comm: Any, name: str, out: Any, into: Any, root: int) -> Any:
    """The buffers that mean something on this rank."""
    is_root, is_other = _sides(comm, root)
    if name.startswith("Scatter"):
        return out if is_root else None, into if is_other else None
    return out if is_other else None, into if is_root else None


def _in_place(comm: Any, name: str, args: Any, kwargs: Any, out: Any,
              into: Any) -> Figures:
    """The missing side by the other one."""
    whole = into if out is MPI.IN_PLACE else out
    counts = first(args, kwargs, 2, "recvcounts") \
        if name == "Reduce_scatter" else None
    if counts is not None:
        data = whole[0] if isinstance(whole, (list, tuple)) else whole
        whole = [data, list(counts), None]
    try:
        if counts is not None or name[-1] in "vw":
            shares = _bytes.shares_of(whole, lambda: _size(comm))
            size, own = sum(shares), shares[_rank(comm)]
        else:
            size = _bytes.of_buffer(whole)
            own = size // _size(comm)
    except Exception:  # whatever mpi4py makes of it
        return 0, 0, 0, 0
    if "gather" in name.lower():
        return own, size, 0, 0
    if "scatter" in name.lower():
        return size, own, 0, 0
    return size, size, 0, 0
