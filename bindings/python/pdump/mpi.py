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
write_statistics() writes the same figures as JSON, see docs/python.md.
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
from . import _mpi_sizes as _sizes
from . import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator

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
             prepare: Any, sizes: Any, depth: int = 1) -> Callable[..., Any]:
    """A method that notes what it does, and does what ``original`` does.
    ``depth``: of the program's frame, as it sees it."""
    callee = _callee(f"MPI.{owner}.{name}")
    pickled = _bytes.pickled
    is_bcast, is_init = name == "bcast", name.endswith("_init")

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        account = self._pdump
        key = _stack(callee)
        entry = account.calls.get(key)
        if entry is None:
            entry = account.add(key, name, _getframe(depth))
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
                sent, received, completed, flight = sizes(
                    self, args, kwargs, status, result, start)
        except BaseException:
            end = _clock()
            raise
        finally:
            if is_init:  # it is sent whenever it is started
                held, sent = sent, 0
            sent += pickled.dumped - dumped
            # The root of a bcast() gets back what it gave.
            if status is None and not (is_bcast and sent):
                received += pickled.loaded - loaded
            if begun:
                _end(entry[_AT], sent, received, completed, flight)
            _add(account, entry, start, end, sent, received)
        given = _given(account, result, entry, start)
        if is_init and isinstance(given, MPI.Prequest):
            given._pdump_made, given._pdump_begun = (entry, held), None
        return given

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
_ATTRIBUTE = type(vars(MPI.Comm)["rank"])
_classes: dict[Any, Any] = {}


def _attribute(kind: Any, name: str, doc: str | None) -> property:
    """Not counted: mpi4py's asks methods of the object, which are ours, so
    another object with the same handle is asked."""

    def get(self: Any) -> Any:
        return getattr(kind(self), name)

    def put(self: Any, value: Any) -> None:
        setattr(kind(self), name, value)

    return property(get, put, doc=doc)


def _class_of(kind: Any, owner: str) -> Any:
    """A class derived from ``kind`` whose methods note what they do."""
    made = _classes.get(kind)
    if made is None:
        body: dict[str, Any] = {"_pdump": None, "_pdump_begun": None,
                                "_pdump_made": None}
        for name, value in _methods_of(kind):
            if isinstance(value, _METHOD):
                prepare, sizes = _sizes.of(name)
                if owner != "Comm":
                    prepare, sizes = _of_message(owner, name)
                body[name] = _wrapped(owner, name, value, prepare, sizes)
            elif isinstance(value, _CLASS_METHOD) and owner == "Request":
                body[name] = _of_several(kind, name)
            elif isinstance(value, _ATTRIBUTE):
                body[name] = _attribute(kind, name, value.__doc__)
        if owner == "Comm":
            body.update(_EXTRAS)
        made = type(f"MPIProfiler{kind.__name__}", (kind,), body)
        _classes[kind] = made
    return made


def _of_message(owner: str, name: str) -> Any:
    """(prepare, sizes) for requests and messages."""
    if owner == "Request" and name in ("Wait", "wait"):
        return _sizes.with_status(0), _completed
    if owner == "Request" and name in ("Test", "test"):
        return _sizes.with_status(0), _tested
    if owner == "Request" and name == "Start":
        return None, _started
    if owner == "Message" and name in ("Recv", "recv"):
        return _sizes.with_status(1 if name == "Recv" else 0), _sizes.came
    return None, None


_RECEIVES = {"Irecv", "irecv", "Recv_init", "Isendrecv", "Isendrecv_replace"}


def _completed(self: Any, args: Any, kwargs: Any, status: Any,
               *rest: Any) -> _sizes.Figures:
    """A request is over: its flight is, too."""
    if self._pdump_begun is None:
        return 0, 0, 0, 0
    entry, start = self._pdump_begun
    self._pdump_begun = None
    flight = _clock() - start
    entry[_FLIGHT] += flight
    entry[_DONE] += 1
    # The status of what was sent, or cancelled, tells nothing.
    if entry[_NAME] not in _RECEIVES or status is None \
            or status.Get_source() < 0 or status.Is_cancelled():
        return 0, 0, 1, flight
    return 0, _sizes.came(self, args, kwargs, status)[1], 1, flight


def _tested(self: Any, args: Any, kwargs: Any, status: Any, result: Any,
            start: int) -> _sizes.Figures:
    is_done = result[0] if isinstance(result, tuple) else result
    return _completed(self, args, kwargs, status) if is_done else (0, 0, 0, 0)


def _started(self: Any, args: Any, kwargs: Any, status: Any, result: Any,
             start: int) -> _sizes.Figures:
    """A persistent request is under way."""
    if self._pdump_made is None:
        return 0, 0, 0, 0
    entry, sent = self._pdump_made
    self._pdump_begun = entry, start
    return sent, 0, 0, 0


def _all_started(self: Any, args: Any, kwargs: Any, status: Any, result: Any,
                 start: int) -> _sizes.Figures:
    sent = 0
    for each in _sizes.first(args, kwargs, 0, "requests") or ():
        if getattr(each, "_pdump_made", None) is not None:
            sent += _started(each, (), {}, None, None, start)[0]
    return sent, 0, 0, 0


def _with_statuses(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    statuses = args[1] if len(args) > 1 else kwargs.get("statuses")
    if statuses is None:
        statuses = []
        args, kwargs = args[:1], {**kwargs, "statuses": statuses}
    return args, kwargs, statuses


def _done_by(name: str, result: Any, n: int) -> Any:
    """Numbers of the requests that are over, by what the call gave: of Waitall
    nothing, of Testany (number, flag), of waitsome (numbers, objects) ..."""
    value = result[0] if isinstance(result, tuple) else result
    if name.endswith("all"):
        return range(n) if name in ("Waitall", "waitall") or value else ()
    if name.endswith("any"):
        return (value,) if 0 <= value < n else ()
    return value or ()


def _several_completed(name: str) -> Callable[..., Any]:
    """Those of several requests that are over."""

    def sizes(self: Any, args: Any, kwargs: Any, status: Any, result: Any,
              start: int) -> _sizes.Figures:
        requests = _sizes.first(args, kwargs, 0, "requests") or ()
        received = completed = flight = 0
        for i, at in enumerate(_done_by(name, result, len(requests))):
            if getattr(requests[at], "_pdump_begun", None) is None:
                continue
            # Of some, those of the first statuses.
            one = status if isinstance(status, MPI.Status) \
                else status[i] if i < len(status) else None
            figures = _completed(requests[at], (), {}, one)
            received += figures[1]
            completed += figures[2]
            flight += figures[3]
        return 0, received, completed, flight

    return sizes


def _of_several(kind: Any, name: str) -> Any:
    """Waitall() and so on: they take a list of requests."""
    original = getattr(kind, name)
    prepare, sizes = None, None
    if name == "Startall":
        sizes = _all_started
    elif name[:4] in ("Wait", "wait", "Test", "test"):
        prepare = _sizes.with_status(1) if name.endswith("any") \
            else _with_statuses
        sizes = _several_completed(name)

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return original(*args, **kwargs)

    call.__doc__ = original.__doc__
    noting = _wrapped("Request", name, call, prepare, sizes, depth=2)

    def several(*args: Any, **kwargs: Any) -> Any:
        requests = _sizes.first(args, kwargs, 0, "requests")
        for each in requests if isinstance(requests, (list, tuple)) else ():
            if getattr(each, "_pdump", None) is not None:
                return noting(each, *args, **kwargs)
        return original(*args, **kwargs)

    several.__name__ = name
    several.__doc__ = original.__doc__
    return staticmethod(several)


_UNITE = {"min_ns": min, "max_ns": max}


def _statistics(self: Any) -> dict[str, Any]:
    """The figures until now; docs/python.md has the schema."""
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


_PREFIX = "mpiprof.stats."


def _write_statistics(self: Any, path: str = _PREFIX + "{rank}.json",
                      suffix: str | None = None, *,
                      prefix: str | None = None) -> str:
    """Write statistics() of this rank; {rank} is replaced.  The path.

    With a suffix, which mpiprof has, the first argument is the part before the
    rank."""
    if suffix is not None or prefix is not None:
        if prefix is None:
            prefix = _PREFIX if "{rank}" in path else path
        path = prefix + "{rank}" + (".json" if suffix is None else suffix)
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
