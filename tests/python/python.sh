#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tests of the Python package, with the Python that configure chose; if that
# one has no pytest, with the system's.
. "${srcdir:-.}/python/run.sh"

has_pytest "$PYTHON" || { ! has_pytest /usr/bin/python3; } ||
    PYTHON=/usr/bin/python3
run_tests "$PYTHON"
