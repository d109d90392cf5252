# SPDX-License-Identifier: BSD-3-Clause
"""Children of multiprocessing: they are recorded, and their rows are in the
dump of the first process.

Forked ones are followed by libpdump.  Those that are started anew (spawn,
forkserver) get a stowaway in what multiprocessing sends them, which starts the
measurement there before the script is imported.
"""

from __future__ import annotations

import os
import sys

from ._hidden import hidden, then

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_state: dict[str, Any] = {}


def watch(state: dict[str, Any]) -> None:
    """Prepare for children; multiprocessing itself is not imported by that.

    ``state`` is what join() needs: plain values.
    """
    _state.update(state)
    for name, patch in _PATCHES.items():
        if name in sys.modules:
            patch(sys.modules[name])
    sys.meta_path.insert(0, _Watcher())


class _Watcher:
    """Told of every import; patches two modules when they are imported."""

    def __init__(self) -> None:
        self.find_spec = hidden(_find_spec)


def _find_spec(name: str, path: Any = None, target: Any = None) -> Any:
    if name not in _PATCHES:
        return None
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec(name, path, target)
    if spec is not None and spec.loader is not None:
        loader: Any = spec.loader
        loader.exec_module = then(loader.exec_module, _patch)
    return spec


def _patch(_: object, args: tuple[Any, ...]) -> None:
    """A module has been executed."""
    _PATCHES[args[0].__name__](args[0])


def _patch_spawn(module: Any) -> None:
    module.get_preparation_data = then(module.get_preparation_data,
                                       _add_stowaway)


def _add_stowaway(data: dict[str, Any], _: object) -> None:
    stowaway = _stowaway()
    if stowaway is not None:
        data["pdump"] = stowaway


def _patch_util(module: Any) -> None:
    module.register_after_fork(_Watcher, hidden(_forked))


def _patch_pool(module: Any) -> None:
    if hasattr(module, "client_spawn"):
        module.client_spawn = then(module.client_spawn, _tell_spawned)


def _tell_spawned(_: object, __: object) -> None:
    """MPIPoolExecutor has had MPI start its workers.

    They are a job of their own, whose end nobody waits for: its records cannot
    be put into this job's dump.
    """
    global _has_told
    if not _has_told:
        sys.stderr.write(
            "pdump: workers of MPIPoolExecutor that MPI spawns are not "
            "recorded, as they are a job of their own; mpirun -n N python -m "
            "pdump -m mpi4py.futures SCRIPT has them in the same job, and "
            "records them\n")
    _has_told = True


_has_told = False

#: In mpi4py 3 it is in _lib, in mpi4py 4 in _core.
_PATCHES = {"multiprocessing.spawn": _patch_spawn,
            "multiprocessing.util": _patch_util,
            "mpi4py.futures._lib": _patch_pool,
            "mpi4py.futures._core": _patch_pool}


class _Stowaway:
    """Pickled as a call of exec(): the child need not find our package."""

    def __init__(self, text: str):
        self._text = text
        setattr(self, "__reduce_ex__", hidden(self._reduce))

    def _reduce(self, _: int) -> tuple[Any, ...]:
        return exec, (self._text,)


def _stowaway() -> _Stowaway | None:
    from ._native import module

    origin = module.origin() if module is not None else None
    if origin is None:
        return None
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return _Stowaway(f"""
import sys
sys.path.append({folder!r})
try:
    from pdump.runner_children import join
except ImportError:
    pass
else:
    join({origin!r}, {_state!r})
finally:
    sys.path.remove({folder!r})
""")


def join(origin: str, state: dict[str, Any]) -> None:
    """In the child: measure as the parent does."""
    from . import _native, runner

    if _native.module is None or _native.module.adopt(origin) < 0:
        return
    runner.start_child(state)
    _state.update(state)
    _end_with_process()


def _forked(_: object) -> None:
    """A child of fork() begins."""
    _end_with_process()


def _end_with_process() -> None:
    """Such children skip exit handlers; multiprocessing has its own."""
    from multiprocessing.util import Finalize

    from .runner import finish

    Finalize(None, hidden(finish), exitpriority=-1000)
