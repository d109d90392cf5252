# SPDX-License-Identifier: BSD-3-Clause
"""``import pyperfdump``: pdump.pyperfdump."""

import sys

import pdump.pyperfdump

sys.modules[__name__] = pdump.pyperfdump
