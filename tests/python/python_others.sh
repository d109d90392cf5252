#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The same with the Pythons in PDUMP_TEST_PYTHONS (names or paths, separated by
# blanks) that have cffi and pytest.
. "${srcdir:-.}/python/run.sh"

status=77
for python in $PDUMP_TEST_PYTHONS; do
    (run_tests "$python" all)
    case $? in
    0) test $status != 77 || status=0 ;;
    77) ;;
    *) status=1 ;;
    esac
done
test -n "$PDUMP_TEST_PYTHONS" || echo "PDUMP_TEST_PYTHONS is not set"
exit $status
