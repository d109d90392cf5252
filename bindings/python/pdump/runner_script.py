# SPDX-License-Identifier: BSD-3-Clause
"""Run a script, module or code as Python itself would do it.

In this process and in ``__main__``, so that flags, warnings, pickling and
multiprocessing are what they would be without us.
"""

from __future__ import annotations

import atexit
import os
import sys
from types import ModuleType, TracebackType

from ._hidden import come_back, execute, first

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable


class CannotRun(Exception):
    """There is nothing that could be run; the text is Python's own, and so is
    the exit code."""

    def __init__(self, text: str, code: int = 1):
        super().__init__(text)
        self.code = code


def run_before(path: str) -> Callable[[], None]:
    """What --instrumenter-file does: the file is read now, and runs in a module
    of its own when the program can be imported from."""
    try:
        with open(path, "rb") as file:
            code = _compile(file.read(), path)
    except OSError as exc:
        raise CannotRun(f"pdump: --instrumenter-file: {path}: "
                        f"{exc.strerror}", 2) from None

    def before() -> None:
        exec(code, {"__name__": "instrumenter_file", "__file__": path,
                    "__builtins__": sys.modules["builtins"]})

    return before


class _Program:
    """Code, and what ``__main__`` and ``sys`` look like for it."""

    def __init__(self, code: Any, argv0: str, is_by_runpy: bool = False,
                 **names: Any):
        self.code = code
        self.argv0 = argv0
        self.is_by_runpy = is_by_runpy
        self.names = names


def run(kind: str, target: str, arguments: list[str],
        begin: Callable[[], None], end: Callable[[], None]) -> None:
    """Returns or raises what the program does; begin() and end() are called
    right before and after it.

    In tracebacks, our frames are left out: see _hide_ourselves().
    """
    try:
        program = _LOADERS[kind](target, arguments)
    except CannotRun:
        raise
    except BaseException:
        _hide_ourselves(None)
        raise
    main = ModuleType("__main__")
    main.__dict__.update(__builtins__=sys.modules["builtins"],
                         **program.names)
    if sys.version_info < (3, 14):
        main.__dict__["__annotations__"] = {}
    earlier = sys.modules["__main__"]  # its names are in use: keep it
    sys.modules["__main__"] = main
    sys.argv[:] = [program.argv0, *arguments]
    _keep.append(earlier)
    begin()
    try:
        if sys.flags.inspect:
            exec(program.code, main.__dict__)  # Python continues after it
        else:
            execute(exec, program.code, main.__dict__)
    except BaseException:
        _hide_ourselves(program.code, program.is_by_runpy)
        raise
    finally:
        atexit.register(come_back)  # exit handlers of the program run next
        end()


_keep: list[ModuleType] = []


def _hide_ourselves(code: Any, is_by_runpy: bool = False) -> None:
    """Have the traceback begin with the script, whoever prints it.

    The exception goes on through our frames and runpy's, so that the
    interpreter ends as it would have ended.
    """
    hook = sys.excepthook

    def shorten(kind: Any, value: Any, trace: Any) -> tuple[Any, Any, Any]:
        sys.excepthook = hook
        trace = _without_us(trace, code, is_by_runpy)
        if value is not None:
            value.__traceback__ = trace
        if hasattr(sys, "last_traceback"):
            sys.last_traceback = trace
        return kind, value, trace

    sys.excepthook = first(shorten, hook)


def _without_us(trace: Any, code: Any, is_by_runpy: bool) -> Any:
    """What is above the script's frame is ours, but for runpy's frames, which
    Python has as well where it uses runpy."""
    theirs, at = [], trace
    while at is not None and at.tb_frame.f_code is not code:
        if is_by_runpy and at.tb_frame.f_globals.get("__name__") == "runpy":
            theirs.append(at)
        at = at.tb_next
    for entry in reversed(theirs):
        at = TracebackType(at, entry.tb_frame, entry.tb_lasti,
                           entry.tb_lineno)
    return at


def _is_safe() -> bool:
    """python -P, -I: no folder of the script in sys.path."""
    return bool(getattr(sys.flags, "safe_path", sys.flags.isolated))


def _put_first(folder: str) -> None:
    """Instead of what ``python -m pdump`` had put there."""
    if not _is_safe():
        sys.path[0] = folder


def _compile(source: str | bytes, filename: str) -> Any:
    return compile(source, filename, "exec", 0, True)


def _script(target: str, arguments: list[str]) -> _Program:
    from importlib.machinery import SourceFileLoader, SourcelessFileLoader

    if os.path.isdir(target) or _is_archive(target):
        return _folder(target, arguments)
    path = os.path.join(os.getcwd(), target)
    try:
        from io import open_code

        with open_code(path) as file:
            source = file.read()
    except OSError as exc:
        raise CannotRun(f"{sys.executable}: can't open file {path!r}: "
                        f"[Errno {exc.errno}] {exc.strerror}", 2) from None
    _put_first(os.path.dirname(os.path.realpath(target)))
    sys.argv[:] = [target, *arguments]
    if path.endswith(".pyc"):
        loader: Any = SourcelessFileLoader("__main__", path)
        code = loader.get_code("__main__")
    else:
        loader = SourceFileLoader("__main__", path)
        code = _compile(source, path)
    return _Program(code, target, __file__=path, __cached__=None,
                    __loader__=loader, __package__=None, __spec__=None,
                    __doc__=None)


def _is_archive(target: str) -> bool:
    if target.endswith((".py", ".pyc")) or not os.path.isfile(target):
        return False
    # As pkgutil.get_importer(), whose imports would count as the program's I/O.
    for hook in sys.path_hooks:
        try:
            return type(hook(target)).__name__ != "FileFinder"
        except ImportError:
            continue
    return False


def _runpy() -> Any:
    """The module, of which we need what it does not offer to all."""
    import runpy

    return runpy


def _folder(target: str, arguments: list[str]) -> _Program:
    """A folder or an archive with a __main__.py."""
    path = os.path.join(os.getcwd(), target)
    sys.path.insert(0, path) if _is_safe() else _put_first(path)
    return _detailed(_runpy()._get_main_module_details, target)


def _module(target: str, arguments: list[str]) -> _Program:
    """python -m"""
    # As runpy itself has it while it looks for the module.
    sys.argv[:] = ["-m", *arguments]
    return _detailed(_runpy()._get_module_details, None, target)


def _detailed(find: Any, argv0: str | None, *arguments: str) -> _Program:
    error = _runpy()._Error
    try:
        _, spec, code = find(*arguments, error)
    except error as exc:
        raise CannotRun(f"{sys.executable}: {exc}") from None
    return _Program(code, spec.origin if argv0 is None else argv0, True,
                    __file__=spec.origin, __cached__=spec.cached,
                    __loader__=spec.loader, __package__=spec.parent,
                    __spec__=spec, __doc__=None)


def _code(target: str, arguments: list[str]) -> _Program:
    """python -c"""
    _put_first("")
    sys.argv[:] = ["-c", *arguments]
    code = _compile(target + "\n", "<string>")
    if sys.version_info >= (3, 13):  # tracebacks have the lines, from then on
        import linecache

        lines = [line + "\n" for line in target.splitlines()]
        linecache.cache["<string>"] = (len(target) + 1, None, lines,
                                       "<string>")
    return _Program(code, "-c", **_nameless())


def _stdin(target: str, arguments: list[str]) -> _Program:
    """python -"""
    _put_first("")
    sys.argv[:] = ["-", *arguments]
    source = sys.stdin.buffer.read()
    return _Program(_compile(source, "<stdin>"), "-", __file__="<stdin>",
                    __cached__=None, **_nameless())


def _nameless() -> dict[str, Any]:
    from importlib.machinery import BuiltinImporter

    return dict(__loader__=BuiltinImporter, __package__=None, __spec__=None,
                __doc__=None)


_LOADERS = {"script": _script, "module": _module, "code": _code,
            "stdin": _stdin}
