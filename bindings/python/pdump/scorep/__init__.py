# SPDX-License-Identifier: BSD-3-Clause
"""The interface of Score-P's Python bindings.

    import pdump.scorep as scorep

    with scorep.user.region("solve"):
        ...
    with scorep.instrumenter.disable():
        ...
"""

from __future__ import annotations

from .. import _naming
from . import variables

_naming.prefer_scorep()
variables.use()

from . import user  # noqa: E402  (its regions are named by then)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["__version__", "instrumenter", "user"]

#: The release of the bindings whose interface this is; not libpdump's own.
__version__ = "4.5.1"


def __getattr__(name: str) -> ModuleType:
    if name == "instrumenter":
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
