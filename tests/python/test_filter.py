# SPDX-License-Identifier: BSD-3-Clause
"""Which functions are recorded: patterns.  Filter files are read by libpdump
(check_filter.c); test_runner.py has what they do."""

from pdump.runner_filter import Filter


def test_patterns():
    rules = Filter()
    rules.include("package")
    rules.include("__main__:solve*")
    rules.exclude("helper")
    assert rules.shows("package:f", "f.py")
    assert rules.shows("package.part:Class.f", "f.py")
    assert rules.shows("__main__:solver", "f.py")
    assert not rules.shows("__main__:other", "f.py")
    assert not rules.shows("package:helper", "f.py")
    assert not rules.shows("packages:f", "f.py")
