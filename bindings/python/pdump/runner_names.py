# SPDX-License-Identifier: BSD-3-Clause
"""Names of functions: asked for once per code object, from C."""

from __future__ import annotations

import os
import sys
from types import CodeType, FunctionType

from . import _naming, _visit_cost
from .runner_filter import Filter, clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_CO_NEWLOCALS = 2  # not in the code of a class body
#: Children that multiprocessing starts anew know the script by another name.
_MAIN = {"__mp_main__": "__main__"}


class Namer:
    """Decides what is recorded, and under which name."""

    def __init__(self, rules: Filter):
        self._rules = rules
        self._known = _Qualnames()

    def of_code(self, code: CodeType) -> tuple[bytes, bytes, int] | None:
        """(name, file, line), or None if it is not to be recorded."""
        file = code.co_filename
        if file.startswith(_HERE):
            return (b"pdump", b"", 1) if code is _visit_cost.CODE else None
        module = _module_of(code)
        name = _naming.of_function(_MAIN.get(module, module),
                                   self._known.of(code, module), code)
        # Importing is what modules do, and where they do it is seen anyhow.
        if file.startswith("<frozen importlib") and \
                not self._rules.asks_for(name):
            return None
        if not self._rules.shows(name, file):
            return None
        return clean(name), clean(file), code.co_firstlineno

    def of_c(self, function: Any) -> bytes | None:
        """The name of a function written in C, or None."""
        module = getattr(function, "__module__", None)
        name = getattr(function, "__name__", "?")
        if not isinstance(module, str):
            owner = _owner_of(function, name)
            module = getattr(owner, "__module__", "?")
            name = f"{getattr(owner, '__qualname__', '?')}.{name}"
        if module == "pdump_python":
            return None
        name = f"{module}:{name}"
        return clean(name) if self._rules.shows(name, "") else None


def _owner_of(method: Any, name: str) -> Any:
    """The class that has a method, not one that inherits it."""
    owner = getattr(method, "__objclass__", None)
    if owner is not None:
        return owner
    bound = getattr(method, "__self__", None)
    kind = bound if isinstance(bound, type) else type(bound)
    for owner in getattr(kind, "__mro__", ()):
        if name in vars(owner):
            return owner
    return kind


def _module_of(code: CodeType) -> str:
    """The module that runs the code: the caller's caller is its frame."""
    frame: Any = sys._getframe(2)
    for _ in range(8):
        if frame is None:
            break
        if frame.f_code is code:
            name = frame.f_globals.get("__name__")
            return name if isinstance(name, str) else "?"
        frame = frame.f_back
    return "?"


class _Qualnames:
    """co_qualname, which Python 3.9 and 3.10 do not have.

    There a module's functions and classes are looked through once; what is
    inside of functions is named after them.
    """

    def __init__(self) -> None:
        self._names: dict[CodeType, str] = {}
        self._modules: set[str] = set()

    def of(self, code: CodeType, module: str) -> str:
        name = getattr(code, "co_qualname", None)
        if name is not None:
            return name
        name = self._names.get(code)
        if name is None:
            self._look(code, module)
            name = self._names.get(code, code.co_name)
        return name

    def _look(self, code: CodeType, module: str) -> None:
        if code.co_name == "<module>":
            self._add_inner(code, "")
        elif module not in self._modules:
            self._modules.add(module)
            self._add_all(vars(sys.modules.get(module, object)), module, set())

    def _add_inner(self, code: CodeType, prefix: str) -> None:
        for inner in code.co_consts:
            if not isinstance(inner, CodeType):
                continue
            name = prefix + inner.co_name
            self._names.setdefault(inner, name)
            is_class = not inner.co_flags & _CO_NEWLOCALS
            self._add_inner(inner, name + ("." if is_class else ".<locals>."))

    def _add_all(self, names: Any, module: str, seen: set[int]) -> None:
        for thing in list(names.values()):
            thing = getattr(thing, "__func__", thing)  # class and static
            if isinstance(thing, property):
                parts = {i: f for i, f in enumerate(
                    (thing.fget, thing.fset, thing.fdel)) if f is not None}
                self._add_all(parts, module, seen)
            while isinstance(thing, FunctionType) and id(thing) not in seen:
                seen.add(id(thing))
                self._names.setdefault(thing.__code__, thing.__qualname__)
                self._add_inner(thing.__code__, thing.__qualname__
                                + ".<locals>.")
                thing = thing.__dict__.get("__wrapped__")
            if isinstance(thing, type) and thing.__module__ == module \
                    and id(thing) not in seen:
                seen.add(id(thing))
                self._add_all(vars(thing), module, seen)
