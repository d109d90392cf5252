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

    def find_spec(self, name: str, path: Any = None,
                  target: Any = None) -> Any:
        if name not in _PATCHES:
            return None
        from importlib.machinery import PathFinder

        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return None
        loader: Any = spec.loader
        execute = loader.exec_module

        def exec_module(module: Any) -> None:
            execute(module)
            _PATCHES[name](module)

        loader.exec_module = exec_module
        return spec


def _patch_spawn(module: Any) -> None:
    original = module.get_preparation_data

    def get_preparation_data(name: str) -> dict[str, Any]:
        data = original(name)
        stowaway = _stowaway()
        if stowaway is not None:
            data["pdump"] = stowaway
        return data

    module.get_preparation_data = get_preparation_data


def _patch_util(module: Any) -> None:
    module.register_after_fork(_Watcher, _forked)


_PATCHES = {"multiprocessing.spawn": _patch_spawn,
            "multiprocessing.util": _patch_util}


class _Stowaway:
    """Pickled as a call of exec(): the child need not find our package."""

    def __init__(self, text: str):
        self._text = text

    def __reduce__(self) -> tuple[Any, ...]:
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

    Finalize(None, finish, exitpriority=-1000)
