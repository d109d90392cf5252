# SPDX-License-Identifier: BSD-3-Clause
"""Functions as regions, without a change to the program.

    with pdump.instrumenter.enable():
        main()              # every function called here is a region

    @pdump.instrumenter.disable()
    def inner_loop(): ...   # and those called here are not

``python -m pdump script.py`` starts it for the whole script.  The events are
handled in C: by sys.monitoring from Python 3.12 on, by PyEval_SetProfile()
before.
"""

from __future__ import annotations

import sys
from functools import update_wrapper

from . import _native, _visit_cost
from ._library import DISABLED
from .region import code_of, region, wrap
from .runner_filter import Filter
from .runner_names import Namer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, TypeVar

    F = TypeVar("F", bound=Callable[..., Any])

#: What ``start()`` takes.
BACKENDS = ("auto", "profile", "monitoring", "none")

_native_module: Any = None if DISABLED else _native.module


class _Profile:
    """PyEval_SetProfile(), on all threads there are and will be."""

    name = "profile"
    #: What takes our place.
    rival = "sys.setprofile()"

    def __init__(self, wants_c_calls: bool):
        self._hook = _native_module.profile_start(wants_c_calls)
        self._threading: Any = sys.modules.get("threading")
        if self._threading is None:
            import threading

            self._threading = threading
        self._earlier = getattr(self._threading, "_profile_hook", None)
        self._threading.setprofile(self._hook)

    def is_replaced(self) -> bool:
        """Has somebody else called sys.setprofile() on this thread?"""
        return sys.getprofile() is not self._hook

    def stop(self) -> None:
        """Have no more events."""
        if getattr(self._threading, "_profile_hook", None) is self._hook:
            self._threading.setprofile(self._earlier)
        _native_module.profile_stop(not self.is_replaced())


class Monitoring:
    """sys.monitoring, with a tool id that nobody uses."""

    name = "monitoring"
    rival = "sys.monitoring"

    #: Not the debugger's, not coverage's, and cProfile's only at last.
    _IDS = (4, 3, 5, 2)

    def __init__(self, wants_c_calls: bool):
        self._monitoring: Any = getattr(sys, "monitoring")
        self._id = self._take_id()
        _native_module.monitor_use(self._monitoring.DISABLE)
        events = self._monitoring.events
        self._callbacks = self.callbacks(events, wants_c_calls)
        # Of C functions, CALL brings the others.
        chosen = sum(self._callbacks) & ~(events.C_RETURN | events.C_RAISE)
        for event, callback in self._callbacks.items():
            self._monitoring.register_callback(self._id, event, callback)
        self._monitoring.set_events(self._id, chosen)
        self._monitoring.restart_events()

    def callbacks(self, events: Any, wants_c_calls: bool) -> dict[int, Any]:
        """What is called at which event."""
        found = {
            events.PY_START: _native_module.on_start,
            events.PY_RESUME: _native_module.on_resume,
            events.PY_THROW: _native_module.on_throw,
            events.PY_RETURN: _native_module.on_return,
            events.PY_YIELD: _native_module.on_yield,
            events.PY_UNWIND: _native_module.on_unwind,
        }
        if wants_c_calls:
            found[events.CALL] = _native_module.on_c_call
            found[events.C_RETURN] = _native_module.on_c_end
            found[events.C_RAISE] = _native_module.on_c_end
        return found

    def _take_id(self) -> int:
        for number in self._IDS:
            try:
                self._monitoring.use_tool_id(number, "pdump")
                return number
            except ValueError:
                continue
        raise RuntimeError("every tool id of sys.monitoring is in use")

    def is_replaced(self) -> bool:
        """Has somebody taken our tool id?"""
        return self._monitoring.get_tool(self._id) != "pdump"

    def stop(self) -> None:
        """Have no more events, and give the tool id back."""
        if self.is_replaced():
            return
        self._monitoring.set_events(self._id, 0)
        for event in self._callbacks:
            self._monitoring.register_callback(self._id, event, None)
        self._monitoring.free_tool_id(self._id)


_backend: Any = None
_is_whole = False  # started by start(), not by enable()
_n_enabled = 0
_started = ("auto", False)
_rules = Filter()


def kind_of(name: str) -> str:
    """"profile" or "monitoring"."""
    if name not in BACKENDS:
        raise ValueError(f"{name!r} is not one of {', '.join(BACKENDS)}")
    if name == "auto":
        name = "monitoring" if hasattr(sys, "monitoring") else "profile"
    if name == "monitoring" and not hasattr(sys, "monitoring"):
        raise RuntimeError("sys.monitoring is not there before Python 3.12; "
                           "use profile")
    return name


def _install(namer: Namer, kind: Any, wants_c_calls: bool) -> None:
    global _backend
    if _native_module is None:
        raise RuntimeError(f"functions cannot be recorded: {_native.why}")
    _native_module.ask(namer.of_code, namer.of_c)
    _backend = kind(wants_c_calls)


def _install_functions(name: str, wants_c_calls: bool) -> None:
    kind = Monitoring if kind_of(name) == "monitoring" else _Profile
    bare = _visit_cost.bare_function()
    _install(Namer(_rules), kind, wants_c_calls)
    _measure(bare)


def _measure(bare: int) -> None:
    """What do visits cost?  Regions cost more where functions are recorded."""
    _visit_cost.measure_functions(bare)
    _visit_cost.measure_regions(region("pdump"), again=bare > 0)


def use(namer: Namer, kind: Any) -> Any:
    """Have events from another backend, on all threads, until stop()."""
    global _is_whole
    stop()
    _install(namer, kind, False)
    _native_module.set_default(True)
    _is_whole = True
    return _backend


def start(backend: str = "auto", c_calls: bool = False,
          rules: Filter | None = None) -> None:
    """Record functions from now on, on all threads, until stop()."""
    global _is_whole, _rules, _started
    if DISABLED or backend == "none":
        return
    stop()
    _started = (backend, c_calls)
    if rules is not None:
        _rules = rules
    _install_functions(backend, c_calls)
    _native_module.set_default(True)
    _is_whole = True


def start_again() -> None:
    """After stop(): as start() was called the last time."""
    if _backend is None or not _is_whole:
        start(*_started)


def is_recording() -> bool:
    """Are functions that this thread calls recorded?"""
    return _backend is not None and bool(_native_module.wants_calls())


def rival() -> str:
    """What the program must not use while functions are recorded."""
    return _backend.rival if _backend is not None else ""


def stop() -> bool:
    """No more functions.  False if somebody had taken our place before."""
    global _backend, _is_whole
    if _backend is None:
        return True
    _native_module.set_default(False)
    is_ours = not _backend.is_replaced()
    _backend.stop()
    _backend = None
    _is_whole = False
    _native_module.leave_all()
    _native_module.forget()
    return is_ours


def backend() -> str:
    """"profile", "monitoring", or "none" while functions are not recorded."""
    return _backend.name if _backend is not None else "none"


def choose_rules(rules: Filter) -> None:
    """What enable() is to record, if start() was not called."""
    global _rules
    _rules = rules


def _release() -> None:
    """An enable() has ended; stop if nobody else wants functions."""
    if _n_enabled > 0:
        return
    has_heirs = _native_module.new_threads(False)
    if not _is_whole and not has_heirs:
        stop()


class _Switch:
    """A block or a function in which functions are recorded, or are not."""

    _wants_calls: bool

    def __init__(self, region_name: str | None = None):
        self._region: Any = None
        if region_name:
            self._region = region(region_name)

    def __enter__(self) -> _Switch:
        if self._region is not None:
            self._region.__enter__()
        self._switch()
        return self

    def __exit__(self, *exc: object) -> None:
        self._switch_back()
        if self._region is not None:
            self._region.__exit__(*exc)

    def __call__(self, function: F) -> F:
        """As a decorator; every call switches for itself."""
        made = wrap(function, code_of(function), self)
        return update_wrapper(made, function)  # type: ignore[return-value]

    def _switch(self) -> None:
        if _native_module is not None:
            _native_module.push_mode(self._wants_calls)

    def _switch_back(self) -> None:
        if _native_module is not None:
            _native_module.pop_mode()


class disable(_Switch):
    """Functions are not recorded inside, on this thread."""

    _wants_calls = False


class enable(_Switch):
    """Functions are recorded inside: on this thread, and on those that are
    started meanwhile until they end."""

    _wants_calls = True

    def _switch(self) -> None:
        global _n_enabled
        if _native_module is None:
            if not DISABLED:
                import warnings

                warnings.warn(f"functions are not recorded: {_native.why}",
                              RuntimeWarning, stacklevel=3)
            return
        if _backend is None:
            _install_functions("auto", False)
        if _n_enabled == 0:
            _native_module.new_threads(True)
        _n_enabled += 1
        super()._switch()

    def _switch_back(self) -> None:
        global _n_enabled
        if _native_module is None:
            return
        super()._switch_back()
        _n_enabled -= 1
        _release()
