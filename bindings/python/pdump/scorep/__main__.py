# SPDX-License-Identifier: BSD-3-Clause
"""``python -m pdump.scorep``: ``python -m pdump`` that reads Score-P's
environment variables."""

# Not relative: it may be run under the name of the original.
from pdump.runner import main
from pdump.scorep.variables import adapt

if __name__ == "__main__":
    main(adapt=adapt, command="pdump.scorep")
