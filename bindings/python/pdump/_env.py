# SPDX-License-Identifier: BSD-3-Clause
"""The environment.  In a privileged process no variable is read.

The user who starts an interpreter that gets rights from its file (set-user-ID,
capabilities) must not control what it loads or writes.
"""

from __future__ import annotations

import os

_AT_SECURE = 23


def _is_privileged() -> bool:
    """Whether the kernel has marked this process (AT_SECURE)."""
    try:
        with open("/proc/self/auxv", "rb") as file:
            words = memoryview(file.read()).cast("L")
    except PermissionError:
        return True  # unreadable in privileged processes
    except OSError:
        return (os.getuid(), os.getgid()) != (os.geteuid(), os.getegid())
    return any(words[i] == _AT_SECURE and words[i + 1] != 0
               for i in range(0, len(words) - 1, 2))


PRIVILEGED = _is_privileged()


def get(name: str, default: str | None = None) -> str | None:
    """As os.environ.get(), for variables of libpdump."""
    return default if PRIVILEGED else os.environ.get(name, default)
