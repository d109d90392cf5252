#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Run an example in a folder of its own: it must end well, print something on
# standard output, nothing on standard error, and leave a dump.
# Usage: run.sh PROGRAM
set -u

case ${PDUMP_SANITIZERS:-no} in
*thread*)
    echo "they compute, which takes minutes with the thread sanitizer"
    exit 77
    ;;
esac
case $1 in
/*) program=$1 ;;
*) program=$PWD/$1 ;;
esac
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 99

fail()
{
    echo "FAILED: $program: $*"
    exit 1
}

# The examples show the defaults: what the user has set must not matter.
for name in $(env | sed -n 's/^\(PDUMP_[A-Z_]*\)=.*/\1/p'); do
    unset "$name"
done
timeout 300 "$program" >stdout 2>stderr
status=$?
cat stdout stderr

test $status -eq 0 || fail "exit status $status"
test -s stdout || fail "prints nothing"
test ! -s stderr || fail "writes to standard error"
test -s perf_dump.csv || fail "leaves no perf_dump.csv"
