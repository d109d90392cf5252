# SPDX-License-Identifier: BSD-3-Clause
"""``python -m pdump``: run a program and record it."""

from __future__ import annotations

import atexit
import os
import sys

from . import _config, _dropins, _naming, _native, instrumenter
from ._hidden import hidden
from ._library import DISABLED, ffi, lib
from .errors import Error
from .runner_children import watch
from .runner_filter import Filter
from .runner_options import USAGE, Options, UsageError, parse
from .session import chosen, end_session, init, is_active
from .session import set as choose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, NoReturn

_owner = 0


def main(arguments: list[str] | None = None,
         adapt: Callable[[Options], None] | None = None,
         command: str = "pdump") -> None:
    """What ``python -m pdump`` does; ends as the program does.

    ``adapt`` may change what was asked for, before anything is done.
    ``command`` is the name of the module that the user has run.
    """
    usage = USAGE.replace("python -m pdump ", f"python -m {command} ")
    synopsis = usage.partition("\n\n")[0]
    if arguments is None:
        arguments = sys.argv[1:]
    try:
        options = parse(arguments)
    except UsageError as exc:
        _fail(f"{exc}\n{synopsis}")
    if options.help or options.version or options.dropins:
        print(usage.rstrip() if options.help else
              _dropins.FOLDER if options.dropins else _config.VERSION)
        return
    if options.kind is None:
        _fail(f"name a script, a module or code to run\n{synopsis}")
    if options.kind == "module" and _dropins.run(
            options.target, _without_module(arguments, options)):
        return
    begin = end = _nothing
    if adapt is not None and not DISABLED:
        adapt(options)
    if not DISABLED and options.settings.get("PDUMP_DISABLE") != "1":
        from . import runner_preload

        runner_preload.use_libraries(options.io, options.heap,
                                     options.mpi is not None)
        if options.mpi is not None:
            runner_preload.use_mpi(options.mpi)
        begin, end = _start(options)
    _run(options, begin, end)


def _without_module(arguments: list[str], options: Options) -> list[str]:
    """The options and what follows ``-m NAME``, which has options, too."""
    before = arguments[:len(arguments) - len(options.arguments)]
    n_words = 2 if before[-1] == options.target else 1
    return before[:-n_words] + options.arguments


def _nothing() -> None:
    """Nothing is to be recorded."""


def _fail(text: str) -> NoReturn:
    sys.stderr.write(f"pdump: {text}\n")
    raise SystemExit(2)


def _run(options: Options, begin: Callable[[], None],
         end: Callable[[], None]) -> None:
    from . import runner_script

    try:
        if options.instrumenter_file is not None:
            begin = _after(runner_script.run_before(options.instrumenter_file),
                           begin)
        runner_script.run(str(options.kind), options.target, options.arguments,
                          begin, end)
    except runner_script.CannotRun as exc:
        if _native.module is not None and is_active():
            _native.module.drop()  # nothing has run: nothing is written
        sys.stderr.write(f"{exc}\n")
        raise SystemExit(exc.code) from None


def _after(first: Callable[[], None],
           begin: Callable[[], None]) -> Callable[[], None]:
    def both() -> None:
        first()
        begin()

    return both


def _start(options: Options) -> tuple[Callable[[], None],
                                      Callable[[], None]]:
    """Start the session; what is to be called around the program."""
    # Imported before recording starts, to keep it out of the I/O figures.
    from . import runner_report, runner_script  # noqa: F401

    if options.io:
        import threading  # noqa: F401  (instrumenter needs it)
    state = _state_of(options)
    if state["lines"]:
        from . import lines  # noqa: F401
    rules = _rules_of(state)
    if options.verbose:
        for name, value in state["settings"].items():
            if chosen.get(name) != value:
                sys.stderr.write(f"pdump: {name}={value}\n")
    is_summed_up = _tells(state["settings"], options.report)
    _choose(state["settings"], _fail)
    if not _start_session():
        # A measurement that cannot start is no reason not to run the program.
        return _nothing, _nothing
    _prepare(state, rules)
    if _native.module is not None:
        _native.module.catch_term(runner_report.rank() is not None)

    def begin() -> None:
        if options.report:
            _report(state, "--lines" if state["lines"] else "")
        elif is_summed_up:
            _report(state, "--summary >&2")
        _record(state, rules)

    return begin, _leave_main


def _tells(made: dict[str, str], is_reported: bool) -> bool:
    """Choose what is said at the end; True if that is the summary."""
    from .runner_report import rank, tells_itself

    if "PDUMP_TELL" in os.environ or "PDUMP_RUN" in os.environ or is_reported:
        return False
    format = made.get("PDUMP_OUTPUT_FORMAT",
                      os.environ.get("PDUMP_OUTPUT_FORMAT"))
    is_summed_up = (not rank() and tells_itself(format)
                    and os.environ.get("PDUMP_QUIET") != "1")
    made["PDUMP_TELL"] = "never" if is_summed_up else "always"
    return is_summed_up


def start_child(state: dict[str, Any]) -> None:
    """In a child that multiprocessing has started anew."""
    if state["names_as_scorep"]:
        _naming.prefer_scorep()
    # What cannot be had any more, such as a file, is no reason to end it.
    _choose(state["settings"], lambda text: sys.stderr.write(
        f"pdump: {text}\n"))
    if not _start_session():
        return
    rules = _rules_of(state)
    _prepare(state, rules)
    _record(state, rules)


def _start_session() -> bool:
    """Start it as the first region does, which needs no counters.

    Without any of the events that were asked for, init() fails.
    """
    if not is_active() and lib.pdump_is_excluded(b"", ffi.NULL) < 0:
        return False  # libpdump has said why
    try:
        init()
    except Error as exc:
        sys.stderr.write(f"pdump: nothing is recorded: {exc}\n")
        return False
    return True


def _prepare(state: dict[str, Any], rules: Filter) -> None:
    """The session is there: end it at the end, wherever that is."""
    global _owner
    _owner = os.getpid()
    atexit.register(hidden(finish))
    watch(state)
    _dropins.find_last()
    instrumenter.choose_rules(rules)


def _leave_main() -> None:
    """What Python does on the main thread to end is not the program's."""
    if _native.module is not None:
        _native.module.push_mode(False)


def _attach_threads() -> None:
    """Take stacks of threads that record nothing else, from their start."""
    import threading

    earlier = getattr(threading, "_profile_hook", None)

    def attach(*_event: Any) -> None:
        sys.setprofile(earlier)
        lib.pdump_disable_recording()
        lib.pdump_enable_recording()

    threading.setprofile(hidden(attach))


def _record(state: dict[str, Any], rules: Filter) -> None:
    """Record functions from now on."""
    if state["instrumenter"] == "none" and "PDUMP_STACKS" in state["settings"]:
        _attach_threads()
    try:
        if state["lines"]:
            from . import lines

            lines.start(state["instrumenter"], rules, state["functions"],
                        "pdump::rss" in state["settings"].get(
                            "PDUMP_EVENTS", ""))
        else:
            instrumenter.start(state["instrumenter"], state["c_calls"], rules)
    except RuntimeError as exc:
        sys.stderr.write(f"pdump: only the program's own regions are "
                         f"recorded: {exc}\n")


def _state_of(options: Options) -> dict[str, Any]:
    """All that a child needs to know, in plain values."""
    made = dict(options.settings)
    if "PDUMP_FOLLOW" not in os.environ:
        made["PDUMP_FOLLOW"] = "1"
    if options.events is not None:
        made["PDUMP_EVENTS"] = options.events
    elif options.instrumenter != "none" and "PDUMP_EVENTS" not in os.environ \
            and "PDUMP_CODES" not in os.environ and not is_active() \
            and "PDUMP_EVENTS" not in made:
        # Reading a counter takes longer than most functions.  `pdump run --io`
        # has chosen already: its session begins before Python.
        made["PDUMP_EVENTS"] = "none"
    if options.lines and options.memory is not None:
        made["PDUMP_EVENTS"] = _with_rss(made.get("PDUMP_EVENTS"))
    if options.output is not None:
        from .runner_report import settings

        made.update(settings(options.output, _script_of(options),
                             options.format))
        if "{rank}" in options.output and "PDUMP_RANKS" not in os.environ:
            made["PDUMP_RANKS"] = "own"
    if options.format is not None:
        made["PDUMP_OUTPUT_FORMAT"] = options.format
    if options.memory is not None:
        made["PDUMP_MEMORY"] = options.memory
    if options.stacks is not None:
        made["PDUMP_STACKS"] = options.stacks
    if options.filter:
        chosen = os.environ.get("PDUMP_FILTER", "").split(",")
        made["PDUMP_FILTER"] = ",".join(
            os.path.abspath(path) for path in chosen + options.filter if path)
    return {"settings": made, "instrumenter": options.instrumenter,
            "c_calls": options.c_calls, "include": options.include,
            "exclude": options.exclude, "lines": options.lines,
            "functions": options.functions,
            "names_as_scorep": options.names_as_scorep}


def _with_rss(events: str | None) -> str:
    """These events, and the memory: for every line."""
    if events is None:
        events = os.environ.get("PDUMP_EVENTS", "")
    delimiter = os.environ.get("PDUMP_DELIMITER") or ","
    return delimiter.join(
        [name for name in (events,) if name not in ("", "none")]
        + ["pdump::rss"])


def _script_of(options: Options) -> str:
    return options.target if options.kind in ("script", "module") else ""


def _rules_of(state: dict[str, Any]) -> Filter:
    rules = Filter()
    for pattern in state["include"]:
        rules.include(pattern)
    for pattern in state["exclude"]:
        rules.exclude(pattern)
    return rules


def _choose(settings: dict[str, str], fail: Callable[[str], Any]) -> None:
    for name, value in settings.items():
        try:
            choose(name, value)
        except Error as exc:
            fail(str(exc))


def _report(state: dict[str, Any], options: str) -> None:
    from .runner_report import print_at_end, size

    made = state["settings"]
    folder = os.environ.get("PDUMP_DUMP_DIR") or made.get(
        "PDUMP_DUMP_DIR", ".")
    name = made.get("PDUMP_FILENAME") or os.environ.get(
        "PDUMP_FILENAME") or "perf_dump"
    ending = made.get("PDUMP_ENDING", os.environ.get("PDUMP_ENDING", ""))
    stem = os.path.join(os.path.abspath(folder), name)
    experiment = os.environ.get("PDUMP_EXPERIMENT_DIR") or made.get(
        "PDUMP_EXPERIMENT_DIR")
    print_at_end([os.path.abspath(experiment)] if experiment else [
        stem + tail for tail in (
            f".{size()}.h5", ".h5", ".csv", ".rank-0.h5", ".rank-0.csv",
            *([ending, f".rank-0{ending}"] if ending else []))], options)


def _has_no_lines() -> bool:
    found = sys.modules.get("pdump.lines")
    return found is not None and found.is_idle()


def finish() -> None:
    """At exit, after the program's own exit handlers."""
    rival = instrumenter.rival()
    if not instrumenter.stop() and os.getpid() == _owner:
        sys.stderr.write(f"pdump: the program has called {rival}; "
                         "functions were recorded until then only\n")
    elif os.getpid() == _owner and _has_no_lines():
        sys.stderr.write("pdump: no lines were recorded: decorate functions "
                         "with @pdump.profile, or name them by --functions\n")
    if lib.pdump_is_active():
        end_session()
        lib.pdump_finalize()
