# SPDX-License-Identifier: BSD-3-Clause
"""--mpi and --io: libraries that stand in front of others.

libpdump-pmpi.so has to be there before mpi4py loads MPI, libpdump-io.so before
Python itself: for that Python is started anew, with all its flags, and then the
environment is as it was.
"""

from __future__ import annotations

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


def use_mpi(classes: str) -> None:
    """Record MPI calls: before mpi4py is imported."""
    if classes:
        os.environ["PDUMP_MPI"] = classes
    if "libpdump-pmpi.so" in os.environ.get("LD_PRELOAD", ""):
        return  # `pdump run` has seen to it
    from importlib.util import find_spec

    try:
        spec = find_spec("mpi4py.MPI")
    except ImportError:
        spec = None
    if spec is None or spec.origin is None:
        _missing("--mpi", "this Python has no mpi4py")
        return
    path = _fitting(spec.origin)
    if not path:
        _missing("--mpi", f"there is no libpdump-pmpi.so in {_native.folder} for "
                 f"the MPI of {spec.origin}")
        return
    try:
        _loaded.append(ffi.dlopen(path, ffi.RTLD_NOW | ffi.RTLD_GLOBAL))
    except OSError as exc:
        _missing("--mpi", str(exc))


def _command() -> list[str]:
    """As Python was started, flags and all."""
    if hasattr(sys, "orig_argv"):
        return list(sys.orig_argv)
    from subprocess import _args_from_interpreter_flags

    return [sys.executable, *_args_from_interpreter_flags(), "-m", "pdump",
            *sys.argv[1:]]


def use_io() -> None:
    """Record I/O calls; comes back in a Python of its own."""
    if _BEFORE in os.environ:
        before = os.environ.pop(_BEFORE)
        if before:
            os.environ["LD_PRELOAD"] = before
        else:
            os.environ.pop("LD_PRELOAD", None)
        return
    before = os.environ.get("LD_PRELOAD", "")
    if "libpdump-io.so" in before:
        return
    path = os.path.join(_native.folder, "libpdump-io.so")
    if not os.path.exists(path):
        _missing("--io", f"{path} is not there")
        return
    sys.stdout.flush()
    sys.stderr.flush()
    environment = {**os.environ, _BEFORE: before,
                   "LD_PRELOAD": f"{path}:{before}" if before else path}
    try:
        os.execve(sys.executable, _command(), environment)
    except OSError as exc:
        _missing("--io", str(exc))
