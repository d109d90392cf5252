# SPDX-License-Identifier: BSD-3-Clause
"""Which functions are recorded: patterns and filter files."""

import pytest

from pdump.runner_filter import Filter, FilterError


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


def test_filter_files():
    rules = Filter()
    rules.parse("""
        SCOREP_REGION_NAMES_BEGIN   # as in Score-P's manual
          EXCLUDE *
          INCLUDE main
                  __main__:*solve*
        SCOREP_REGION_NAMES_END
        SCOREP_FILE_NAMES_BEGIN
          EXCLUDE */lib/*
        SCOREP_FILE_NAMES_END
        """)
    assert rules.shows("__main__:main", "a.py")
    assert rules.shows("__main__:presolve", "a.py")
    assert not rules.shows("__main__:f", "a.py")
    assert not rules.shows("__main__:main", "/usr/lib/a.py")


@pytest.mark.parametrize("text, line", [
    ("EXCLUDE *", 1), ("PDUMP_FILE_NAMES_BEGIN\nx", 2)])
def test_bad_filter_files(text, line):
    with pytest.raises(FilterError, match=f":{line}:"):
        Filter().parse(text)
