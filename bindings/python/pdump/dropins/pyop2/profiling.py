# SPDX-License-Identifier: BSD-3-Clause
"""``from pyop2.profiling import timed_region``: pdump.timers."""

import sys

import pdump.timers

sys.modules[__name__] = pdump.timers
