# SPDX-License-Identifier: BSD-3-Clause
"""How regions are named: PDUMP_NAMES.

    plain    module:Class.method    solve
    scorep   module.Class:method    user:solve

``scorep`` is what Score-P's Python bindings call them.
"""

from __future__ import annotations

from . import _env

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

_chosen = _env.get("PDUMP_NAMES")
_is_scorep = _chosen == "scorep"


def prefer_scorep() -> None:
    """Unless PDUMP_NAMES says otherwise; from now on."""
    global _is_scorep
    _is_scorep = _chosen in (None, "", "scorep")


def of_function(module: str, qualname: str, code: CodeType | None) -> str:
    """The region of a function."""
    if not _is_scorep:
        return f"{module}:{qualname}"
    owner, _, name = qualname.rpartition(".")
    owner = owner.rpartition(".")[2]
    # Nested functions, static methods and class methods have no self.
    if owner and owner != "<locals>" and code is not None and \
            "self" in code.co_varnames[:code.co_argcount]:
        module = f"{module}.{owner}"
    return f"{module}:{name}"


def of_region(name: str, prefix: str = "user") -> str:
    """A region of the program, by the calls that Score-P has."""
    return f"{prefix}:{name}" if _is_scorep else name
