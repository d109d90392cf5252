# SPDX-License-Identifier: BSD-3-Clause
"""Functions that can be suspended: generators and coroutines in a region.

The region is entered when the body runs and left when it is suspended, so what
others do meanwhile is not charged to it.  Every piece of the body is a visit.
"""

from __future__ import annotations

from . import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable


class Drive:
    """A generator or awaitable, each step of which is a visit of a region.

    What it has open when it is suspended, ``with region(...): await ...``, is
    left, too, and entered again when it goes on.
    """

    __slots__ = ("_region", "_inner", "_open")

    def __init__(self, region: Any, inner: Any):
        self._region = region
        self._inner = inner
        self._open: int | None = None

    def __iter__(self) -> Any:
        return self

    __await__ = __iter__

    def __next__(self) -> Any:
        return self._step(self._inner.send, None)

    def send(self, value: Any) -> Any:
        return self._step(self._inner.send, value)

    def throw(self, kind: Any, value: Any = None,
              traceback: Any = None) -> Any:
        return self._step(self._inner.throw, *_one(kind, value, traceback))

    def close(self) -> Any:
        return self._step(self._inner.close)

    def _step(self, call: Callable[..., Any], *args: Any) -> Any:
        with self._region:
            if _suspend is None:
                return call(*args)
            depth = _depth()
            if self._open is not None:
                waiting, self._open = self._open, None
                _resume(waiting)
            result = call(*args)
            self._open = _suspend(depth)
            return result


_depth: Any = _native.depth
_suspend: Any = _native.suspend
_resume: Any = _native.resume


def _one(kind: Any, value: Any, traceback: Any) -> tuple[Any, ...]:
    """What throw() takes, as one argument where that says the same: three are
    deprecated."""
    if isinstance(value, BaseException):
        return (value,)
    if value is not None:
        return kind, value, traceback
    if traceback is None:
        return (kind,)
    made = kind if isinstance(kind, BaseException) else kind()
    return (made.with_traceback(traceback),)


def drive_generator(function: Callable[..., Any], region: Any) -> Any:
    """A generator function whose generators are driven."""

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return (yield from Drive(region, function(*args, **kwargs)))

    return wrapper


def drive_coroutine(function: Callable[..., Any], region: Any) -> Any:
    """A coroutine function whose coroutines are driven."""

    async def wrapper(*args: Any, **kwargs: Any) -> Any:
        return await Drive(region, function(*args, **kwargs))

    return wrapper


def drive_async_generator(function: Callable[..., Any], region: Any) -> Any:
    """An asynchronous generator function whose generators are driven."""

    async def wrapper(*args: Any, **kwargs: Any) -> Any:
        inner = function(*args, **kwargs)
        step = inner.__anext__()
        while True:
            try:
                value = await Drive(region, step)
            except StopAsyncIteration:
                return
            try:
                sent = yield value
            except GeneratorExit:
                await Drive(region, inner.aclose())
                raise
            except BaseException as exc:
                step = inner.athrow(exc)
            else:
                step = inner.asend(sent)

    return wrapper
