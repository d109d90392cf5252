# SPDX-License-Identifier: BSD-3-Clause
"""``python -m scorep``: ``python -m pdump`` with Score-P's variables."""

from pdump.runner import main
from pdump.scorep.variables import adapt

if __name__ == "__main__":
    main(adapt=adapt, command="scorep")
