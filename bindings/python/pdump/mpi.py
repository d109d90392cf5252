# SPDX-License-Identifier: BSD-3-Clause
"""mpi4py's communicators, with an account of every call.

    from mpi4py import MPI
    from pdump.mpi import MPIProfiler

    comm = MPIProfiler(MPI.COMM_WORLD)
    comm.allreduce(1)
    comm.write_statistics()

What it gives is a communicator, of a class derived from that of the one it was
given, and passes wherever mpi4py wants one.  So are the communicators, requests
and messages that its methods give.  Each call is a region ``MPI.Comm.Send`` of
the dump, with a row per call stack in the table ``mpi_python``;
write_statistics() writes the same figures as JSON, see docs/mpiprof.md.
"""

from __future__ import annotations

import json
import operator
import sys
from time import perf_counter_ns as _clock

try:
    from mpi4py import MPI
except ImportError as exc:
    raise ImportError(
        "pdump.mpi needs mpi4py: install python3-mpi4py, or pip install mpi4py"
    ) from exc

from . import _mpi_bytes as _bytes
from . import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator

    # Bytes sent and received, requests completed and their time in flight.
    _Figures = tuple[int, int, int, int]

__all__ = ["MPIProfiler"]

_getframe = sys._getframe

if _native.module is not None and _native.Region is not None:
    _callee = _native.module.callee
    _place = _native.module.place
    _stack = _native.module.stack
    _begin = _native.module.call_begin
    _end = _native.module.call_end
else:  # the figures are in the statistics only
    _n_callees = iter(range(1 << 30))
    _callee = lambda text: next(_n_callees)  # noqa: E731
    _place = lambda text: 0  # noqa: E731

    def _stack(callee: int) -> Any:
        key, frame = [callee], _getframe(2)
        while frame is not None:
            key += (id(frame.f_code), frame.f_lasti)
            frame = frame.f_back
        return tuple(key)

    _begin = lambda callee: 0  # noqa: E731
    _end = _native.nothing

# What is kept of a call stack.
_COUNT, _TIME, _MIN, _MAX, _SENT, _RECEIVED, _BETWEEN, _FLIGHT, _DONE, _AT, \
    _STACK, _NAME = range(12)


def _stack_of(frame: Any) -> list[dict[str, Any]]:
    """Innermost first."""
    stack = []
    while frame is not None:
        code = frame.f_code
        stack.append({"file": code.co_filename, "line": frame.f_lineno,
                      "function": getattr(code, "co_qualname", code.co_name)})
        frame = frame.f_back
    return stack


def _text_of(stack: list[dict[str, Any]]) -> str:
    return " < ".join(f"{each['file']}:{each['line']} ({each['function']})"
                      for each in stack[:1])


class _Account:
    """The figures of a communicator and of all that came of it."""

    def __init__(self, comm: Any) -> None:
        self.comm = comm
        #: By method and call stack, as _stack() numbers them: see _COUNT.
        self.calls: dict[Any, list[Any]] = {}
        self.codes: list[Any] = []  # whose addresses are in the keys
        self.last = 0
        self.begun = _clock()
        self.counts_objects = _bytes.count_objects()

    def add(self, key: Any, name: str, frame: Any) -> list[Any]:
        stack = _stack_of(frame)
        each = frame
        while each is not None:
            self.codes.append(each.f_code)
            each = each.f_back
        entry = [0, 0, 1 << 62, 0, 0, 0, 0, 0, 0, _place(_text_of(stack)),
                 stack, name]
        self.calls[key] = entry
        return entry


def _wrapped(owner: str, name: str, original: Callable[..., Any],
             prepare: Any, sizes: Any) -> Callable[..., Any]:
    """A method that notes what it does, and does what ``original`` does."""
    callee = _callee(f"MPI.{owner}.{name}")
    pickled = _bytes.pickled

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        account = self._pdump
        key = _stack(callee)
        entry = account.calls.get(key)
        if entry is None:
            entry = account.add(key, name, _getframe(1))
        status = None
        if prepare is not None:
            args, kwargs, status = prepare(args, kwargs)
        dumped, loaded = pickled.dumped, pickled.loaded
        begun = _begin(callee)
        start = _clock()
        sent = received = completed = flight = 0
        try:
            result = original(self, *args, **kwargs)
            end = _clock()
            if sizes is not None:
                sent, received, completed, flight = sizes(self, args, kwargs,
                                                          status)
        except BaseException:
            end = _clock()
            raise
        finally:
            sent += pickled.dumped - dumped
            if status is None:
                received += pickled.loaded - loaded
            if begun:
                _end(entry[_AT], sent, received, completed, flight)
            _add(account, entry, start, end, sent, received)
        return _given(account, result, entry, start)

    method.__name__ = name
    method.__qualname__ = f"MPIProfiler.{name}"
    method.__doc__ = original.__doc__
    return method


def _add(account: _Account, entry: list[Any], start: int, end: int, sent: int,
         received: int) -> None:
    time = end - start
    entry[_COUNT] += 1
    entry[_TIME] += time
    if time < entry[_MIN]:
        entry[_MIN] = time
    if time > entry[_MAX]:
        entry[_MAX] = time
    entry[_SENT] += sent
    entry[_RECEIVED] += received
    if account.last:
        entry[_BETWEEN] += start - account.last
    account.last = end


def _given(account: _Account, result: Any, entry: list[Any],
           start: int) -> Any:
    """What a method gave: our own kind, if it is a thing of mpi4py's."""
    kind = type(result)
    if kind in _PLAIN:
        return result
    if isinstance(result, MPI.Comm):
        return _comm(account, result)
    if isinstance(result, MPI.Request):
        made = _class_of(kind, "Request")(result)
        made._pdump, made._pdump_begun = account, (entry, start)
        return made
    if isinstance(result, MPI.Message):
        made = _class_of(kind, "Message")(result)
        made._pdump = account
        return made
    if kind is tuple:
        return tuple(_given(account, each, entry, start) for each in result)
    return result


_PLAIN = {type(None), int, bool, float, str, bytes, list, dict}


def _with_status(position: int) -> Callable[..., Any]:
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


def _first(args: tuple[Any, ...], kwargs: dict[str, Any], index: int,
           *names: str) -> Any:
    if len(args) > index:
        return args[index]
    for name in names:
        if name in kwargs:
            return kwargs[name]
    return None


def _sent(self: Any, args: Any, kwargs: Any, status: Any) -> _Figures:
    return _bytes.of_buffer(_first(args, kwargs, 0, "buf")), 0, 0, 0


def _moved(self: Any, args: Any, kwargs: Any, status: Any) -> _Figures:
    return (_bytes.of_buffer(_first(args, kwargs, 0, "sendbuf")),
            _bytes.of_buffer(_first(args, kwargs, 1, "recvbuf")), 0, 0)


def _came(self: Any, args: Any, kwargs: Any, status: Any) -> _Figures:
    count = status.Get_count(MPI.BYTE)
    return 0, count if count > 0 else 0, 0, 0


def _exchanged(self: Any, args: Any, kwargs: Any, status: Any) -> _Figures:
    sent = _bytes.of_buffer(_first(args, kwargs, 0, "sendbuf", "buf"))
    return sent, _came(self, args, kwargs, status)[1], 0, 0


def _spread(self: Any, args: Any, kwargs: Any, status: Any) -> _Figures:
    root = _first(args, kwargs, 1, "root") or 0
    size = _bytes.of_buffer(_first(args, kwargs, 0, "buf"))
    is_ours = self.rank == root if not self.is_inter else root == MPI.ROOT
    return (size, 0, 0, 0) if is_ours else (0, size, 0, 0)


def _sizes_of(name: str) -> Any:
    """(prepare, sizes) for a method of a communicator or a message."""
    if name in _bytes.RECEIVING:
        sizes = _exchanged if name.startswith("Sendrecv") else _came
        return _with_status(_bytes.RECEIVING[name]), sizes
    if name in _bytes.SENDING:
        return None, _sent
    if name in _bytes.MOVING:
        return None, _moved
    if name in ("Bcast", "Ibcast"):
        return None, _spread
    return None, None


def _methods_of(kind: Any) -> Iterator[tuple[str, Any]]:
    """The methods that a class of mpi4py's has, its own and inherited."""
    seen = set()
    for base in kind.__mro__:
        for name, value in vars(base).items():
            if name in seen or name.startswith("_"):
                continue
            seen.add(name)
            yield name, value


_METHOD = type(vars(MPI.Comm)["Send"])
_CLASS_METHOD = type(vars(MPI.Request)["Waitall"])
_classes: dict[Any, Any] = {}


def _class_of(kind: Any, owner: str) -> Any:
    """A class derived from ``kind`` whose methods note what they do."""
    made = _classes.get(kind)
    if made is None:
        body: dict[str, Any] = {"_pdump": None, "_pdump_begun": None}
        for name, value in _methods_of(kind):
            if isinstance(value, _METHOD):
                prepare, sizes = _sizes_of(name)
                if owner != "Comm":
                    prepare, sizes = _of_message(owner, name)
                body[name] = _wrapped(owner, name, value, prepare, sizes)
            elif isinstance(value, _CLASS_METHOD) and owner == "Request":
                body[name] = _of_several(kind, name)
        if owner == "Comm":
            body.update(_EXTRAS)
        made = type(f"MPIProfiler{kind.__name__}", (kind,), body)
        _classes[kind] = made
    return made


def _of_message(owner: str, name: str) -> Any:
    """(prepare, sizes) for requests and messages."""
    if owner == "Request" and name in ("Wait", "Test", "wait", "test"):
        return _with_status(0), _completed
    if owner == "Message" and name in ("Recv", "recv"):
        return _with_status(1 if name == "Recv" else 0), _came
    return None, None


def _completed(self: Any, args: Any, kwargs: Any, status: Any) -> _Figures:
    """A request is over: its flight is, too."""
    # mpi4py forgets the handle of a request that is complete.
    if self._pdump_begun is None or self != MPI.REQUEST_NULL:
        return 0, 0, 0, 0
    entry, start = self._pdump_begun
    self._pdump_begun = None
    flight = _clock() - start
    entry[_FLIGHT] += flight
    entry[_DONE] += 1
    if status.Get_source() < 0:  # what was sent has an empty status
        return 0, 0, 1, flight
    return 0, _came(self, args, kwargs, status)[1], 1, flight


def _with_statuses(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    statuses = args[1] if len(args) > 1 else kwargs.get("statuses")
    if statuses is None:
        statuses = []
        args, kwargs = args[:1], {**kwargs, "statuses": statuses}
    return args, kwargs, statuses


def _all_completed(self: Any, args: Any, kwargs: Any,
                   statuses: Any) -> _Figures:
    """Those of several requests that are over."""
    requests = _first(args, kwargs, 0, "requests") or ()
    received = completed = flight = 0
    for i, each in enumerate(requests):
        if isinstance(each, MPI.Request) and hasattr(each, "_pdump_begun"):
            status = statuses[i] if statuses and i < len(statuses) else _EMPTY
            figures = _completed(each, (), {}, status)
            received += figures[1]
            completed += figures[2]
            flight += figures[3]
    return 0, received, completed, flight


_EMPTY = MPI.Status()  # its source is any


def _of_several(kind: Any, name: str) -> Any:
    """Waitall() and so on: they take a list of requests."""
    original = getattr(kind, name)
    is_all = name in ("Waitall", "waitall", "Testall", "testall")

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return original(*args, **kwargs)

    call.__doc__ = original.__doc__
    noting = _wrapped("Request", name, call,
                      _with_statuses if is_all else None, _all_completed)

    def several(*args: Any, **kwargs: Any) -> Any:
        requests = _first(args, kwargs, 0, "requests")
        for each in requests if isinstance(requests, (list, tuple)) else ():
            if getattr(each, "_pdump", None) is not None:
                return noting(each, *args, **kwargs)
        return original(*args, **kwargs)

    several.__name__ = name
    several.__doc__ = original.__doc__
    return staticmethod(several)


_UNITE = {"min_ns": min, "max_ns": max}


def _statistics(self: Any) -> dict[str, Any]:
    """The figures until now; docs/mpiprof.md has the schema."""
    account = self._pdump
    calls, totals = [], {}
    for entry in account.calls.values():
        name = entry[_NAME]
        figures = {
            "count": entry[_COUNT], "time_ns": entry[_TIME],
            "min_ns": entry[_MIN] if entry[_COUNT] else 0,
            "max_ns": entry[_MAX],
            "bytes_sent": entry[_SENT], "bytes_received": entry[_RECEIVED],
            "since_last_call_ns": entry[_BETWEEN],
            "completed": entry[_DONE], "in_flight_ns": entry[_FLIGHT]}
        calls.append({"operation": name, **figures, "stack": entry[_STACK]})
        total = totals.get(name)
        if total is None:
            totals[name] = dict(figures)
            continue
        for key, value in figures.items():
            total[key] = _UNITE.get(key, operator.add)(total[key], value)
    calls.sort(key=lambda each: -each["time_ns"])
    return {"version": 1, "rank": account.comm.rank,
            "size": account.comm.size,
            "counts_objects": account.counts_objects,
            "wall_ns": _clock() - account.begun,
            "operations": totals, "calls": calls}


def _write_statistics(self: Any,
                      path: str = "mpiprof.stats.{rank}.json") -> str:
    """Write statistics() of this rank; {rank} is replaced.  The path."""
    figures = _statistics(self)
    name = path.replace("{rank}", str(figures["rank"]))
    with open(name, "w", encoding="utf-8") as file:
        json.dump(figures, file, indent=1)
        file.write("\n")
    return name


_EXTRAS = {"statistics": _statistics, "write_statistics": _write_statistics}


def _comm(account: _Account, comm: Any) -> Any:
    made = _class_of(type(comm), "Comm")(comm)
    made._pdump = account
    made._pdump_given = comm  # its end may be that of the handle
    return made


def MPIProfiler(comm: Any) -> Any:
    """The communicator ``comm``, with an account of every call."""
    if not isinstance(comm, MPI.Comm):
        raise TypeError(
            f"MPIProfiler takes a mpi4py.MPI.Comm, not {type(comm).__name__}")
    if getattr(comm, "_pdump", None) is not None:
        return comm
    return _comm(_Account(comm), comm)
