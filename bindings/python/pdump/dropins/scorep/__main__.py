# SPDX-License-Identifier: BSD-3-Clause
"""``python -m scorep``: ``python -m pdump`` with Score-P's variables."""

from __future__ import annotations

from pdump.runner import main as _run
from pdump.scorep.variables import adapt


def main(arguments: list[str] | None = None) -> None:
    """Run a program, and record it."""
    _run(arguments, adapt=adapt, command="scorep")


if __name__ == "__main__":
    main()
