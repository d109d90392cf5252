# SPDX-License-Identifier: BSD-3-Clause
"""scorep.instrumenter: automatic instrumentation, on and off."""

from .. import instrumenter as _own

enable = _own.enable
disable = _own.disable

__all__ = ["disable", "enable"]
