# SPDX-License-Identifier: BSD-3-Clause
"""Regions: named parts of a program, as blocks, functions or pairs of calls."""

from __future__ import annotations

from . import _naming, _native
from ._library import DISABLED, encode, ffi, lib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any, Callable, TypeVar, Union

    F = TypeVar("F", bound=Callable[..., Any])

#: Objects made by region(), by name.  They have no state, so one is enough.
_known: dict[Any, Any] = {}
_KNOWN_MAX = 100_000

_encoded: dict[str, bytes] = {}

#: Classes cost a kilobyte each.
_CLASSES_MAX = 1000
_n_classes = 0


class _CffiRegion:
    """What _native.Region is, where that cannot be made: four times slower."""

    __slots__ = ("name", "file", "line", "_bytes", "_place", "_epoch")

    epoch = 0

    def __init__(self, name: str, file: str = "", line: int = 0):
        self.name = name
        self.file = file
        self.line = line
        self._bytes = encode(name)
        self._place = file.encode("utf-8", "surrogateescape")
        self._epoch = -1

    def __enter__(self) -> _CffiRegion:
        if self._epoch != _CffiRegion.epoch:
            self._locate()
        lib.pdump_region_begin(self._bytes)
        return self

    def __exit__(self, *exc: object) -> None:
        lib.pdump_region_end(self._bytes)

    def _locate(self) -> None:
        """Tell a new session where the region is."""
        if self._place:
            lib.pdump_region_id(self._bytes, self._place, self.line)
        self._epoch = _CffiRegion.epoch


class _PythonNoop:
    """What _native.Noop is, where that cannot be made."""

    __slots__ = ()

    # Functions in C that take anything and return something false.
    __enter__ = "".format
    __exit__ = "".format


class Region(_native.Region or _CffiRegion):  # type: ignore[misc]
    """A named region: ``with r:``, or ``@r`` on a function.

    The object has no state: it may be used again, by itself in a recursion, by
    several threads at once.
    """

    __slots__ = ()

    def __call__(self, function: F) -> F:
        return _decorate(function, self.name)

    def __repr__(self) -> str:
        return f"pdump.region({self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return region, (self.name,)


class _Unnamed:
    """region() without a name: good for decorators only."""

    __slots__ = ()

    def __call__(self, function: F) -> F:
        return _decorate(function, None)

    def __enter__(self) -> Any:
        raise TypeError("a region as a block needs a name: "
                        "with pdump.region('name'):")

    def __exit__(self, *exc: object) -> None:
        pass

    def __repr__(self) -> str:
        return "pdump.region()"


class _Noop(_native.Noop or _PythonNoop):  # type: ignore[misc]
    """Every region of a run with PDUMP_DISABLE=1."""

    __slots__ = ()
    name = ""
    file = ""
    line = 0

    def __call__(self, function: F) -> F:
        return function


_known[None] = _Unnamed()


def _bind(made: Any) -> Any:
    """Let a block on this object, the only one of its class, be quicker.

    ``with`` binds two methods each time, which takes as long as recording does.
    Methods that are bound already are taken as they are.
    """
    kind = type(made)
    kind.__enter__ = made.__enter__
    kind.__exit__ = made.__exit__
    return made


def _new(name: str, *place: Any) -> Region:
    """A region, with a class of its own if there are not too many."""
    global _n_classes
    if _native.Region is None or _n_classes >= _CLASSES_MAX:
        return Region(name, *place)
    _n_classes += 1
    return _bind(type("Region", (Region,), {"__slots__": ()})(name, *place))


def _name_of(function: Any, code: CodeType | None) -> str:
    """The name that anything callable has as a region."""
    named = function
    while not hasattr(named, "__qualname__") and hasattr(named, "func"):
        named = named.func  # functools.partial
    if not hasattr(named, "__qualname__"):
        named = type(named)
    module = getattr(named, "__module__", None) or "?"
    return _naming.of_function(module, named.__qualname__, code)


def code_of(function: Any) -> CodeType | None:
    """The code that runs when a function is called, if it is Python."""
    while not hasattr(function, "__code__"):
        if hasattr(function, "func"):
            function = function.func  # functools.partial
        elif hasattr(function, "__func__"):
            function = function.__func__  # a bound method
        else:
            return None
    return function.__code__


def _is_asynchronous(function: Any) -> bool:
    # Only asked of what has no code of its own; inspect is slow to import.
    from inspect import iscoroutinefunction

    call = getattr(type(function), "__call__", None)
    return iscoroutinefunction(function) or iscoroutinefunction(call)


def wrap(function: Any, code: CodeType | None, bound: Any) -> Any:
    """The function inside of a block, such as a region.  Where it can be
    suspended, so is the block."""
    from . import _drive

    flags = code.co_flags if code else 0
    if flags & 0x200:  # CO_ASYNC_GENERATOR
        return _drive.drive_async_generator(function, bound)
    if flags & 0x80 or not code and _is_asynchronous(function):  # CO_COROUTINE
        return _drive.drive_coroutine(function, bound)
    if flags & 0x20:  # CO_GENERATOR
        return _drive.drive_generator(function, bound)

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with bound:
            return function(*args, **kwargs)

    return wrapper


def _decorate(function: Any, name: str | None) -> Any:
    """A function that runs in a region, named after itself if need be."""
    if isinstance(function, (classmethod, staticmethod)):
        return type(function)(_decorate(function.__func__, name))
    if isinstance(function, type):
        raise TypeError("a region cannot be a class: decorate its methods")
    if not callable(function):
        raise TypeError(f"a region decorates functions, not "
                        f"{type(function).__name__}")
    import functools

    code = code_of(function)
    if name is None:
        name = _name_of(function, code)
    name = encode(name).decode()
    if code is None:
        bound = _new(name)
    else:
        bound = _new(name, code.co_filename, code.co_firstlineno)
    return functools.update_wrapper(wrap(function, code, bound), function)


def _make(name: Any) -> Any:
    """What region() gives for a name that it has not seen."""
    if not isinstance(name, str) and callable(name):
        return _decorate(name, None)  # @region
    if isinstance(name, (classmethod, staticmethod)):
        return _decorate(name, None)
    data = encode(name)
    if len(_known) >= _KNOWN_MAX:
        unnamed = _known[None]
        _known.clear()
        _known[None] = unnamed
    made = _known[str(name)] = _new(data.decode())
    return made


def region(name: Union[str, F, None] = None) -> Any:
    """A region of the program, as a block or around a function.

        with pdump.region("solve"):
            ...

        @pdump.region()             # recorded as module:qualname
        def solve():
            ...

        @pdump.region("solve")      # recorded as solve

    In tight loops keep the object: ``r = pdump.region("solve")`` once, then
    ``with r:``.  Generators and asynchronous functions are recorded while they
    run: what happens while they are suspended is not charged to them.  Errors
    of the measurement never reach the program.
    """
    try:
        return _known[name]
    except (KeyError, TypeError):
        return _make(name)


def _bytes_of(name: str) -> bytes:
    try:
        return _encoded[name]
    except (KeyError, TypeError):
        data = encode(name)
        if len(_encoded) >= _KNOWN_MAX:
            _encoded.clear()
        _encoded[name] = data
        return data


_begin = _native.begin or lib.pdump_region_begin
_end = _native.end or (
    lambda name: lib.pdump_region_end(ffi.NULL if name is None else name))


def region_begin(name: str) -> None:
    """Enter a region; prefer ``with region(name):``, which always ends."""
    _begin(_bytes_of(name))


def region_end(name: str | None = None) -> None:
    """Leave the innermost region, which must have this name if one is given.

    An end without its begin changes nothing and costs one warning.
    """
    _end(None if name is None else _bytes_of(name))


def _measure() -> None:
    """Before the first block of the process: what do blocks cost?"""
    try:
        from ._visit_cost import decorated, measure_decorated, measure_regions

        block = _new("pdump")
        function = decorated(block)
        if lib.pdump_is_excluded(b"", ffi.NULL) >= 0:  # there is a session now
            measure_regions(block)
            measure_decorated(function)
    except (ImportError, MemoryError, RecursionError):
        pass  # Python is ending, or the program is as deep as it can be


if _native.Region is not None:
    _native.module.cost_ask(_native.module.hidden(_measure))


def new_session() -> None:
    """Places of regions have to be told again: a fork, or another init()."""
    _CffiRegion.epoch += 1
    _native.new_session()


def end_session() -> None:
    """The session is about to end."""
    _native.end_session()


def _quiet(name: Any = None) -> Any:
    """region() with PDUMP_DISABLE=1: nothing."""
    if name is None or name.__class__ is str:
        return _noop
    return name if callable(name) or hasattr(name, "__func__") else _noop


if DISABLED:
    _noop = _bind(_Noop())
    region_begin = region_end = _native.nothing
    region = _quiet
    if _native.module is not None:
        _native.module.use_quiet(_noop)
        region = _native.module.quiet
