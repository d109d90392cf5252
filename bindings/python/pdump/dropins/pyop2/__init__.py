# SPDX-License-Identifier: BSD-3-Clause
"""``from pyop2 import timing``: the timers of pdump.timers, and no more."""

from pdump.timers import *  # noqa: F401, F403
