# SPDX-License-Identifier: BSD-3-Clause
"""The interface of Score-P's Python bindings.

    import pdump.scorep as scorep

    with scorep.user.region("solve"):
        ...
    with scorep.instrumenter.disable():
        ...
"""

from __future__ import annotations

from . import user

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["instrumenter", "user"]


def __getattr__(name: str) -> ModuleType:
    if name == "instrumenter":
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
