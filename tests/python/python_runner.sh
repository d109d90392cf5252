#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tests of `python -m pdump`, with the same Python as python.sh.
. "${srcdir:-.}/python/run.sh"

find_tested
run_tests "$PYTHON" runner
