#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Run an example in a folder of its own, with the package as it was built: it
# must end well, print something, write no error, and leave a dump.
# Usage: run.sh SCRIPT
set -u

case $1 in
/*) script=$1 ;;
*) script=$PWD/$1 ;;
esac
test "${PDUMP_SANITIZERS:-no}" = no || {
    echo "Python itself is not built with sanitizers"
    exit 77
}
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 99

fail()
{
    echo "FAILED: $script: $*"
    exit 1
}

# The examples show the defaults: what the user has set must not matter.
for name in $(env | sed -n 's/^\(PDUMP_[A-Z_]*\)=.*/\1/p'); do
    unset "$name"
done
PDUMP_LIBRARY=$BUILD/libpdump/.libs/libpdump.so
PDUMP_MODULES=$BUILD/plugins/modules
PYTHONPATH=$BUILD/bindings/python
PYTHONDONTWRITEBYTECODE=1
export PDUMP_LIBRARY PDUMP_MODULES PYTHONPATH PYTHONDONTWRITEBYTECODE

# A Python without what the example needs (status 77: mpi4py) is not the end:
# the system's may have it.
for try in "$PYTHON" /usr/bin/python3; do
    test "$try" = "$PYTHON" ||
        "$try" -c 'import pdump' >/dev/null 2>&1 || continue
    timeout 300 "$try" "$script" >stdout 2>stderr
    status=$?
    test $status -eq 77 || break
done
cat stdout stderr

test $status -ne 77 || exit 77
test $status -eq 0 || fail "exit status $status"
test -s stdout || fail "prints nothing"
test ! -s stderr || fail "writes to standard error"
# With MPI the number of ranks, or the rank, is in the name.
ls perf_dump*.csv perf_dump*.h5 2>/dev/null | grep -q . ||
    fail "leaves no dump"
