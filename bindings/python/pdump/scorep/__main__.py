# SPDX-License-Identifier: BSD-3-Clause
"""``python -m pdump.scorep``: ``python -m pdump`` that reads Score-P's
environment variables."""

from ..runner import main
from .variables import adapt

if __name__ == "__main__":
    main(adapt=adapt)
