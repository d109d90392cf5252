# SPDX-License-Identifier: BSD-3-Clause
"""``import scorep``: pdump.scorep."""

import sys

from pdump import scorep
from pdump.scorep import *  # noqa: F401, F403
from pdump.scorep import __version__, instrumenter, user  # noqa: F401

# `import scorep.user` takes these instead of loading their files once more.
sys.modules[__name__ + ".instrumenter"] = scorep.instrumenter
sys.modules[__name__ + ".user"] = scorep.user
