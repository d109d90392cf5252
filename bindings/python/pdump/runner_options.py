# SPDX-License-Identifier: BSD-3-Clause
"""The command line of ``python -m pdump``."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

USAGE = """\
Usage: python -m pdump [OPTION]... SCRIPT [ARGUMENT]...
       python -m pdump [OPTION]... -m MODULE [ARGUMENT]...
       python -m pdump [OPTION]... -c CODE [ARGUMENT]...
       python -m pdump [OPTION]... - [ARGUMENT]...

Run a Python program and record its functions and regions.

  -e, --events LIST       events to count, as PDUMP_EVENTS (default: time only;
                          without instrumenter, what suits the machine)
  -o, --output FILE       output; {rank}, {pid}, {script} are replaced, and the
                          ending chooses the format
  --format LIST           formats, as PDUMP_OUTPUT_FORMAT
  --instrumenter KIND     auto, profile, monitoring (Python 3.12) or none
  --noinstrumenter        only regions of the program itself, even with a KIND
  --instrumenter-file FILE  Python code to run before the program, which may
                          decorate its functions
  --c-calls               functions written in C, too
  --include PATTERN       only these functions, as module:function
  --exclude PATTERN       not these functions
  --filter FILE           filter file, as Score-P's
  --report                print the report on standard error at the end
  --mpi[=CLASSES]         MPI calls of the program and of what it uses, as
                          PDUMP_MPI
  --io                    its I/O calls; starts Python anew
  --heap                  what it allocates and frees; starts Python anew
  --lines                 lines of functions, instead of all functions: of
                          those decorated with @pdump.profile
  --functions PATTERN     and of these, as module:function
  --memory[=MS]           memory over time, a sample every 10 ms or MS
  --stacks[=HZ]           instead of all functions, the call paths of Python and
                          compiled code, 100 or HZ times per second of CPU time
  --keep-files            accepted, as Score-P's
  --dropins               print the folder with pdump's own versions of scorep,
                          pyperfdump, mpiprof and pyop2, for PYTHONPATH
  -v, --verbose           say which settings this sets, on standard error
  --version, -h, --help

Of Score-P, --mpp=mpi is --mpi, --io=posix is --io, --nopython is
--noinstrumenter; --thread, --mutex, --user, --compiler, --kokkos ... are
accepted.  The order of options does not matter.  Every option can be a
variable, too: PDUMP_REPORT=1 is --report.
"""


class UsageError(Exception):
    """The command line makes no sense."""


class Options:
    """What was asked for, by the command line or else the environment."""

    def __init__(self, get: Callable[..., Any] = os.environ.get):
        self.events: str | None = None
        self.output: str | None = get("PDUMP_OUTPUT") or None
        self.format: str | None = None
        self.instrumenter = get("PDUMP_INSTRUMENTER") or ""
        #: Wins over the instrumenter, whichever comes first.
        self.no_instrumenter = False
        self.instrumenter_file: str | None = None
        self.c_calls = get("PDUMP_C_CALLS") == "1"
        self.include = _listed(get("PDUMP_INCLUDE"))
        self.exclude = _listed(get("PDUMP_EXCLUDE"))
        #: Classes of MPI calls, "" for those that PDUMP_MPI has; None: none.
        self.mpi: str | None = None
        self.io = False
        self.heap = False
        self.filter: list[str] = []  # PDUMP_FILTER is libpdump's own
        self.report = get("PDUMP_REPORT") == "1"
        self.lines = get("PDUMP_LINES") == "1"
        #: Patterns of functions whose lines are recorded.
        self.functions: list[str] = []
        #: Milliseconds between looks; PDUMP_MEMORY is libpdump's own.
        self.memory: str | None = None
        #: Stacks per second; PDUMP_STACKS is libpdump's own.
        self.stacks: str | None = None
        self.keep_files = get("PDUMP_KEEP_FILES") == "1"
        self.verbose = False
        #: Settings that the other options and PDUMP_ variables win over.
        self.settings: dict[str, str] = {}
        #: Name regions as Score-P does, unless PDUMP_NAMES says otherwise.
        self.names_as_scorep = False
        self.help = False
        self.version = False
        self.dropins = False
        #: "script", "module", "code" or "stdin"; None: nothing to run.
        self.kind: str | None = None
        self.target = ""
        self.arguments: list[str] = []


def _listed(text: str | None) -> list[str]:
    return [each for each in (text or "").split(",") if each]


#: Options with a value: what they set.
_VALUES = {
    "-e": "events", "--events": "events",
    "-o": "output", "--output": "output", "--outfile": "output",
    "--format": "format",
    "--instrumenter": "instrumenter", "--instrumenter-type": "instrumenter",
    "--instrumenter-file": "instrumenter_file",
    "--include": "include", "--exclude": "exclude", "--filter": "filter",
    "--functions": "functions",
}
_FLAGS = {
    "--c-calls": "c_calls", "--report": "report", "--lines": "lines",
    "--keep-files": "keep_files", "--heap": "heap",
    "--noinstrumenter": "no_instrumenter", "--nopython": "no_instrumenter",
    "-v": "verbose", "--verbose": "verbose",
    "-h": "help", "--help": "help", "--version": "version",
    "--dropins": "dropins",
}
_LISTS = ("include", "exclude", "filter", "functions")
_KINDS = {"-m": "module", "-c": "code"}

#: Other names of instrumenters, and what comes nearest.
_INSTRUMENTERS = {"trace": "profile", "cProfile": "profile",
                  "cTrace": "profile", "dummy": "none"}

#: What Score-P's compiler wrapper takes: there is nothing to compile here.
_SCOREP = ("--mpp", "--thread", "--mutex", "--user", "--nouser",
           "--compiler", "--nocompiler", "--cuda", "--nocuda", "--opencl",
           "--noopencl", "--openacc", "--noopenacc", "--kokkos", "--nokokkos",
           "--hip", "--nohip", "--memory-recording", "--pomp", "--nopomp",
           "--openmp", "--noopenmp", "--pdt", "--nopdt", "--preprocess",
           "--nopreprocess", "--dry-run", "--static", "--dynamic",
           "--no-as-needed")


def parse(arguments: list[str],
          get: Callable[..., Any] = os.environ.get) -> Options:
    """Options up to the script, module or code; the rest is for that."""
    options = Options(get)
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word in _KINDS:
            return _run(options, _KINDS[word], _value(word, rest), rest)
        if word[:2] in _KINDS and not word.startswith("--"):  # as python -cX
            return _run(options, _KINDS[word[:2]], word[2:], rest)
        if word == "-":
            return _run(options, "stdin", "-", rest)
        if word == "--":
            break
        if not word.startswith("-"):
            return _run(options, "script", word, rest)
        _option(options, word, rest)
    if rest:
        return _run(options, "script", rest.pop(0), rest)
    return _checked(options)


def _run(options: Options, kind: str, target: str,
         rest: list[str]) -> Options:
    options.kind, options.target, options.arguments = kind, target, rest
    return _checked(options)


def _value(word: str, rest: list[str]) -> str:
    if not rest:
        raise UsageError(f"{word} needs a value")
    return rest.pop(0)


def _option(options: Options, word: str, rest: list[str]) -> None:
    name, equals, value = word.partition("=")
    if name[:2] in ("-e", "-o") and len(name) > 2:  # -eLIST
        name, equals, value = word[:2], "=", word[2:]
    if name in _VALUES:
        attribute = _VALUES[name]
        value = value if equals else _value(word, rest)
        if attribute in _LISTS:
            getattr(options, attribute).append(value)
        else:
            setattr(options, attribute, value)
    elif name == "--mpi":
        options.mpi = value
    elif name == "--io":
        options.io = value != "none"
    elif name == "--memory":
        options.memory = value if equals else "10"
    elif name == "--stacks":
        options.stacks = value if equals else "100"
    elif word == "--mpp=mpi":
        options.mpi = ""
    elif name in _FLAGS and not equals:
        setattr(options, _FLAGS[name], True)
    elif name not in _SCOREP:
        raise UsageError(f"{word} is not an option")


def _checked(options: Options) -> Options:
    from .instrumenter import BACKENDS

    fallback = "auto" if options.stacks is None or options.lines else "none"
    kind = options.instrumenter or fallback
    kind = _INSTRUMENTERS.get(kind, kind)
    if kind not in BACKENDS:
        raise UsageError(f"{kind} is not an instrumenter: "
                         + ", ".join(BACKENDS))
    if options.no_instrumenter:
        kind = "none"
    options.instrumenter = kind
    if options.lines and kind == "none":
        raise UsageError("--lines needs an instrumenter")
    if options.functions and not options.lines:
        raise UsageError("--functions is for --lines; --include names the "
                         "functions that are recorded")
    if options.memory is not None and not options.memory.isdecimal():
        raise UsageError(f"--memory={options.memory}: it must be a number of "
                         "milliseconds")
    if options.stacks is not None and not options.stacks.isdecimal():
        raise UsageError(f"--stacks={options.stacks}: it must be a number of "
                         "stacks per second")
    return options
