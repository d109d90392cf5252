# SPDX-License-Identifier: BSD-3-Clause
"""scorep.instrumenter: automatic instrumentation, on and off."""

from __future__ import annotations

from .. import _native
from .. import instrumenter as _own
from .._naming import of_region as _of_region

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

__all__ = ["disable", "enable", "get_instrumenter", "has_c_instrumenter",
           "register", "unregister"]


def _region_of(name: str | None) -> str | None:
    return _of_region(name, "user_instrumenter") if name else None


class enable(_own.enable):
    """Functions are recorded inside, also on threads started meanwhile."""

    def __init__(self, region_name: str | None = ""):
        super().__init__(_region_of(region_name))


class disable(_own.disable):
    """Functions are not recorded inside, on this thread."""

    def __init__(self, region_name: str | None = ""):
        super().__init__(_region_of(region_name))


def register() -> None:
    """Record functions from now on, on all threads."""
    _own.start_again()


def unregister() -> None:
    """Record no functions from now on."""
    _own.stop()


def has_c_instrumenter() -> bool:
    """Whether calls are seen by C code; without it, they are not seen."""
    return _native.module is not None


class _Instrumenter:
    """The one instrumenter, which get_instrumenter() returns."""

    register = staticmethod(register)
    unregister = staticmethod(unregister)

    def get_registered(self) -> bool:
        """Whether functions of the calling thread are recorded."""
        return _own.is_recording()

    def run(self, cmd: _Any, globals: _Any = None, locals: _Any = None) -> None:
        """Execute code with functions recorded."""
        register()
        try:
            exec(cmd, {} if globals is None else globals,
                 {} if locals is None else locals)
        finally:
            unregister()

    def region_begin(self, module_name: str, function_name: str,
                     file_name: str | None = None,
                     line_number: int | None = None,
                     code_object: object = None) -> None:
        """Enter ``module_name:function_name``."""
        from ..region import region_begin

        region_begin(f"{module_name}:{function_name}")

    def region_end(self, module_name: str, function_name: str,
                   code_object: object = None) -> None:
        """End the region."""
        from ..region import region_end

        region_end(f"{module_name}:{function_name}")

    def __getattr__(self, name: str) -> _Any:
        """rewind_begin() is scorep.user's, user_parameter_int() is its
        parameter_int()."""
        from . import user

        if name.startswith("_") or name.removeprefix("user_") not in \
                user.__all__:
            raise AttributeError(name)
        return getattr(user, name.removeprefix("user_"))


_the_one = _Instrumenter()


def get_instrumenter(enable_instrumenter: bool = False,
                     instrumenter_type: str = "dummy") -> _Instrumenter:
    """The instrumenter, whatever is asked for."""
    return _the_one
