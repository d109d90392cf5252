# SPDX-License-Identifier: BSD-3-Clause
"""pdump_python.so: what is quick because it is not written in Python.

It is an extension module, made without Python.h, for every CPython from 3.9 on
that has a GIL and is not a debug build.  Where it cannot be loaded ``module``
and the rest are None, ``why`` says why, and cffi does the work instead.
"""

from __future__ import annotations

import os
import sys

from . import _config, _env
from ._library import DISABLED, ffi, lib, path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator

_FILE = "pdump_python.so"


def _misfit() -> str:
    """Why this interpreter cannot use the module; empty if it can."""
    if sys.implementation.name != "cpython":
        return f"it is made for CPython, not {sys.implementation.name}"
    if hasattr(sys, "gettotalrefcount"):
        return "it is not made for debug builds of Python"
    if "t" in getattr(sys, "abiflags", ""):
        return "it is not made for free-threaded builds of Python"
    return ""


def _candidates() -> Iterator[str]:
    """Where to look, first hit wins."""
    chosen = _env.get("PDUMP_MODULES")
    if chosen:
        yield os.path.join(chosen, _FILE)
        return
    yield os.path.join(os.path.dirname(os.path.abspath(__file__)), _FILE)
    if _config.PKGLIBDIR:
        yield os.path.join(_config.PKGLIBDIR, _FILE)
    folder = os.path.dirname(path)
    if folder:
        yield os.path.join(folder, "libpdump", _FILE)
        # A build tree: libpdump/.libs/libpdump.so, plugins/modules/.
        yield os.path.join(folder, "..", "..", "plugins", "modules", _FILE)


def _load(file: str) -> Any:
    # What importlib.machinery has, without the milliseconds of importing it.
    machinery = sys.modules["_frozen_importlib_external"]
    loader = machinery.ExtensionFileLoader("pdump_python", file)
    spec = sys.modules["_frozen_importlib"].ModuleSpec("pdump_python", loader,
                                                       origin=file)
    loaded = loader.create_module(spec)
    loader.exec_module(loaded)
    ours = int(ffi.cast("intptr_t", ffi.addressof(lib, "pdump_init")))
    if loaded.address() != ours:
        raise ImportError(f"{file} is linked to another libpdump than {path}")
    return loaded


def _find() -> tuple[Any, str, str]:
    """(module, its folder, why not)"""
    reason = _misfit()
    if reason:
        return None, "", reason
    tried = []
    for file in _candidates():
        if not os.path.exists(file):
            tried.append(f"{file} is not there")
            continue
        try:
            return _load(file), os.path.dirname(os.path.abspath(file)), ""
        except Exception as exc:  # whatever it is: there is another way
            tried.append(f"{file}: {exc}")
    return None, "", "; ".join(tried)


def nothing(*args: Any, **kwargs: Any) -> None:
    """Nothing is to be done."""


#: Other libraries of ours are where it is, too.
module, folder, why = _find()

Region = Noop = begin = end = depth = suspend = resume = None
new_session = end_session = nothing

if module is not None:
    Noop = module.Noop
    nothing = module.nothing
    if not DISABLED:
        Region = module.Region
        begin = module.begin
        end = module.end
        depth = module.depth
        suspend = module.suspend
        resume = module.resume
        new_session = module.new_session
        end_session = module.end_session
