#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tests of the Python package, with the Python that configure chose; if that
# one has no pytest, with the system's.  Without those of python_runner.sh.
. "${srcdir:-.}/python/run.sh"

find_tested
run_tests "$PYTHON" rest
