# SPDX-License-Identifier: BSD-3-Clause
"""``python -m pdump``."""

from .runner import main

if __name__ == "__main__":
    main()
