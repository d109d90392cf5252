# SPDX-License-Identifier: BSD-3-Clause
"""Where the dump goes, and the report that is printed at the end."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    Lookup = Callable[[str, str], str]

#: What launchers tell their processes, in the order of trust.
_RANKS = ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
          "MV2_COMM_WORLD_RANK", "SLURM_PROCID")
_SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE",
          "SLURM_NTASKS")

#: Formats by their endings, the longer ones first.
_ENDINGS = {".speedscope.json": "speedscope", ".trace.json": "chrome",
            ".cali.json": "caliper-json", ".mprof.dat": "mprof",
            ".lines.txt": "lines", ".csv": "csv", ".h5": "hdf5",
            ".hdf5": "hdf5", ".json": "json", ".pstats": "pstats",
            ".txt": "text", ".folded": "folded", ".dot": "dot",
            ".callgrind": "callgrind", ".pprof": "pprof", ".html": "html",
            ".otf2": "otf2"}


def _number(names: tuple[str, ...], get: Lookup) -> int | None:
    for name in names:
        try:
            return int(get(name, ""))
        except ValueError:
            continue
    return None


def rank(get: Lookup = os.environ.get) -> int | None:
    """The rank in an MPI job, also before MPI_Init(); None without one."""
    return _number(_RANKS, get)


def size(get: Lookup = os.environ.get) -> int | None:
    """How many ranks the launcher has started."""
    return _number(_SIZES, get)


def fill(pattern: str, script: str) -> str:
    """{rank}, {pid} and {script} are replaced; other braces stay."""
    stem = os.path.splitext(os.path.basename(script))[0] or "stdin"
    for word, value in (("{rank}", rank() or 0), ("{pid}", os.getpid()),
                        ("{script}", stem)):
        pattern = pattern.replace(word, str(value))
    return pattern


def _parts(name: str, formats: str | None) -> tuple[str, str, str | None]:
    """Stem and ending of a name, and the format that the ending stands for; as
    pdump_output_name_split() in libpdump does it."""
    first = (formats or "").replace(",", " ").split()[:1]
    for ending, format in _ENDINGS.items():
        if name.lower().endswith(ending) and len(name) > len(ending) \
                and first in ([], [format]):
            return name[:-len(ending)], name[-len(ending):], format
    return (*os.path.splitext(name), None)


def settings(output: str, script: str,
             formats: str | None) -> dict[str, str]:
    """The settings that make libpdump write to exactly that file."""
    folder, name = os.path.split(fill(output, script))
    stem, ending, format = _parts(name, formats)
    made = {"PDUMP_FILENAME": stem or "perf_dump", "PDUMP_ENDING": ending}
    if formats is None and format is not None:
        made["PDUMP_OUTPUT_FORMAT"] = format
    if folder:
        made["PDUMP_DUMP_DIR"] = folder
    return made


def command() -> str | None:
    """The pdump command, of the same installation if there is one."""
    from . import _config, _library

    folder = os.path.dirname(_library.path)
    for path in (os.path.join(_config.LIBDIR, "..", "bin", "pdump"),
                 os.path.join(folder, "..", "bin", "pdump"),
                 os.path.join(folder, "..", "..", "tools", "pdump", "pdump")):
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return os.path.normpath(path)
    from shutil import which

    return which("pdump")


def print_at_end(files: list[str], options: str = "") -> None:
    """Have C run ``pdump report`` when the dump is written.

    That is after Python has ended: in an MPI job the file is written by
    MPI_Finalize().  One report for the whole job is enough.
    """
    from ._native import module

    program = command()
    if program is None or module is None:
        sys.stderr.write("pdump: --report needs the pdump command\n")
        return
    if not rank():
        module.run_at_end(
            "/bin/sh", "-c", _REPORT.replace("OPTIONS", options, 1),
            program, *files)


def tells_itself(output_format: str | None) -> bool:
    """Is there somebody who reads a summary, and a file to make it of?"""
    return (os.isatty(2) and module_has_end() and command() is not None
            and output_format in (None, "", "csv", "hdf5"))


def module_has_end() -> bool:
    """Can C run a program at the end?"""
    from ._native import module

    return module is not None


#: Of the newest of the files: earlier runs may have left the others.
_REPORT = """\
file=$(ls -dt -- "$@" 2>/dev/null | head -n 1)
if [ -n "$file" ]; then exec "$0" report OPTIONS "$file"; fi
echo "pdump: --report needs a dump in the format hdf5 or csv" >&2"""
