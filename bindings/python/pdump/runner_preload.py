# SPDX-License-Identifier: BSD-3-Clause
"""--mpi, --io and --heap: libraries that stand in front of others.

libpdump-pmpi.so has to be there before mpi4py loads MPI, the others before
Python itself: for that Python is started anew, with all its flags, and then the
environment is as it was.
"""

from __future__ import annotations

import functools
import glob
import os
import sys

from . import _native
from ._library import ffi

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: What LD_PRELOAD was, in the Python that was started anew.
_BEFORE = "_PDUMP_LD_PRELOAD"
#: There if PYTHONMALLOC is ours, too.
_MALLOC = "_PDUMP_PYTHONMALLOC"

_loaded: list[Any] = []


def _missing(option: str, why: str) -> None:
    sys.stderr.write(f"pdump: {option} has no effect: {why}\n")


def _fitting(module: str) -> str:
    """The wrappers for the MPI that a file is linked with, or ""."""
    with open(module, "rb") as file:
        data = file.read()
    for path in sorted(glob.glob(os.path.join(_native.folder, "*",
                                              "libpdump-pmpi.so"))):
        soname = os.path.basename(os.path.dirname(path))
        if b"\0" + os.fsencode(soname) + b"\0" in data:
            return path
    return ""


@functools.lru_cache(maxsize=None)
def _wrappers() -> str:
    """The libpdump-pmpi.so for this Python's mpi4py, or "" and why not."""
    from importlib.util import find_spec

    try:
        spec = find_spec("mpi4py.MPI")
    except ImportError:
        spec = None
    if spec is None or spec.origin is None:
        _missing("--mpi", "this Python has no mpi4py")
        return ""
    path = _fitting(spec.origin)
    if not path:
        _missing("--mpi", f"there is no libpdump-pmpi.so in {_native.folder} for "
                 f"the MPI of {spec.origin}")
    return path


def use_mpi(classes: str) -> None:
    """Record MPI calls.  To be called before mpi4py is imported."""
    if classes:
        os.environ["PDUMP_MPI"] = classes
    if "libpdump-pmpi.so" in os.environ.get("LD_PRELOAD", ""):
        return  # `pdump run` has preloaded it
    path = _wrappers()
    try:
        if path:
            _loaded.append(ffi.dlopen(path, ffi.RTLD_NOW | ffi.RTLD_GLOBAL))
    except OSError as exc:
        _missing("--mpi", str(exc))


def _has_others(before: str) -> bool:
    """Whether a library is preloaded that is not ours, perhaps an MPI tool."""
    return any(not os.path.basename(path).startswith("libpdump-")
               for path in before.replace(":", " ").split())


def _command() -> list[str]:
    """As Python was started, flags and all."""
    if hasattr(sys, "orig_argv"):
        return list(sys.orig_argv)
    from subprocess import _args_from_interpreter_flags

    spec = sys.modules["__main__"].__spec__
    name = spec.name.removesuffix(".__main__") if spec else "pdump"
    return [sys.executable, *_args_from_interpreter_flags(), "-m", name,
            *sys.argv[1:]]


def is_anew() -> bool:
    """Whether this Python was started by use_libraries(), which has not been
    called here yet."""
    return _BEFORE in os.environ


def _give_back() -> None:
    """The environment as it was before Python was started anew."""
    before = os.environ.pop(_BEFORE)
    if before:
        os.environ["LD_PRELOAD"] = before
    else:
        os.environ.pop("LD_PRELOAD", None)
    if os.environ.pop(_MALLOC, None):
        os.environ.pop("PYTHONMALLOC", None)


def _found(option: str, name: str, before: str) -> list[str]:
    """The path of a library that is still to be preloaded."""
    if name in before:
        return []  # `pdump run` has preloaded it
    path = os.path.join(_native.folder, name)
    if os.path.exists(path):
        return [path]
    _missing(option, f"{path} is not there")
    return []


def use_libraries(wants_io: bool, wants_heap: bool, wants_mpi: bool) -> None:
    """Record I/O calls, allocations; comes back in a Python of its own.

    Also MPI calls, if another tool may be preloaded: when libpdump is in front
    of it, both see all calls (docs/mpi.md#mpi-calls).
    """
    if is_anew():
        _give_back()
        return
    before = os.environ.get("LD_PRELOAD", "")
    paths = _found("--io", "libpdump-io.so", before) if wants_io else []
    heap = _found("--heap", "libpdump-mem.so", before) if wants_heap else []
    paths += heap
    if wants_mpi and _has_others(before) and "libpdump-pmpi.so" not in before:
        paths[:0] = filter(None, [_wrappers()])
    if not paths:
        return
    environment = {**os.environ, _BEFORE: before}
    if heap and not os.environ.get("PYTHONMALLOC"):
        # Python's own allocator takes little from malloc() for many objects.
        environment.update({"PYTHONMALLOC": "malloc", _MALLOC: "1"})
    environment["LD_PRELOAD"] = ":".join(paths + ([before] if before else []))
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        os.execve(sys.executable, _command(), environment)
    except OSError as exc:
        _missing("--heap" if heap else "--io" if wants_io else "--mpi", str(exc))
