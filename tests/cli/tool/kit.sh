# SPDX-License-Identifier: BSD-3-Clause
# For the tests of the pdump command with files made by hand: a folder of their
# own, and what it prints.  Needs PDUMP_COMMAND; the program is whatever libtool
# made.
set -u

if [ -z "${PDUMP_COMMAND:-}" ]; then
    echo "PDUMP_COMMAND is not set"
    exit 77
fi
case $PDUMP_COMMAND in
/*) ;;
*) PDUMP_COMMAND=$PWD/$PDUMP_COMMAND ;;
esac
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
unset COLUMNS NO_COLOR PDUMP_EVENTS PDUMP_CODES PDUMP_DELIMITER
LC_ALL=C
export LC_ALL
n_failed=0

failed() {
    n_failed=$((n_failed + 1))
    echo "FAILED: $what: $1"
    echo "--- stdout"
    cat out
    echo "--- stderr"
    cat err
    [ $n_failed -lt 10 ] || exit 1
}

# pdump CODE ARGUMENT...: run it, and expect that exit code.
pdump() {
    wanted=$1
    shift
    what="pdump $*"
    timeout 300 "$PDUMP_COMMAND" "$@" >out 2>err </dev/null
    code=$?
    [ $code -eq "$wanted" ] || failed "exit code $code instead of $wanted"
    # Errors are told on standard error and nowhere else.
    [ "$wanted" -eq 0 ] || [ -s err ] || failed "no message"
}

# out_has TEXT, err_has TEXT, out_lacks TEXT
out_has() { grep -qF -e "$1" out || failed "no \"$1\" in stdout"; }
err_has() { grep -qF -e "$1" err || failed "no \"$1\" in stderr"; }
out_lacks() { ! grep -qF -e "$1" out || failed "\"$1\" in stdout"; }
quiet() { [ ! -s err ] || failed "stderr is not empty"; }
