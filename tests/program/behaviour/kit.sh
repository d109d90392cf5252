# SPDX-License-Identifier: BSD-3-Clause
# What the behaviour_*.sh scripts share.  To be sourced in the build folder of
# the tests, where folder behaviour/ has the programs.
set -u

kit=$(cd "${srcdir:-.}/program/behaviour" && pwd) || exit 99
pdump=${PDUMP_COMMAND:-../tools/pdump/pdump}
case $pdump in
/*) ;;
*) pdump=$PWD/$pdump ;;
esac
sanitizers=${PDUMP_SANITIZERS:-no}
# The settings of whoever runs the tests are not those of the tests.
for name in $(env | sed -n 's/^\(PDUMP_[A-Za-z0-9_]*\)=.*/\1/p'); do
    unset "$name"
done
PATH=$PWD/program/behaviour:$PATH
LC_ALL=C
export PATH LC_ALL
work=$(mktemp -d) || exit 99
# A signal does not run the EXIT trap by itself in every shell.
trap 'clean' EXIT
trap 'exit 1' HUP INT TERM
# Stores are kept where they are seen, and go with the rest.
PDUMP_STORE=$work/store
# Whether HDF5 is there or not, these tests read text.
PDUMP_OUTPUT_FORMAT=csv
export PDUMP_STORE PDUMP_OUTPUT_FORMAT
n_failed=0
what=start

clean() {
    cd /
    [ ! -d "$work/disk" ] || umount "$work/disk" 2>/dev/null
    rm -rf "$work"
}

# behaviour WORD...: a new case, in a new folder.
behaviour() {
    what=$*
    rm -rf "$work/here" "$PDUMP_STORE"
    mkdir "$work/here" "$PDUMP_STORE" && cd "$work/here" || exit 99
    : >"$work/out"
    : >"$work/err"
}

failed() {
    n_failed=$((n_failed + 1))
    echo "FAILED: $what: $*"
    echo "--- stderr (at most 20 lines)"
    cut -c 1-300 "$work/err" | head -n 20
}

# run CODE [VARIABLE=VALUE]... PROGRAM ARGUMENT...: expect that exit code.
run() {
    wanted=$1
    shift
    timeout -k 10 "${seconds:-300}" env "$@" >"$work/out" 2>"$work/err" \
        </dev/null
    code=$?
    [ $code -eq "$wanted" ] ||
        failed "exit code $code instead of $wanted: $(echo "$*" | cut -c 1-200)"
}

# same ACTUAL WANTED ABOUT...
same() {
    actual=$1
    wanted=$2
    shift 2
    [ "$actual" = "$wanted" ] ||
        failed "$*: '$(echo "$actual" | cut -c 1-200)' instead of '$wanted'"
}

# at_least ACTUAL MINIMUM ABOUT...
at_least() {
    actual=$1
    least=$2
    shift 2
    [ "${actual:-0}" -ge "$least" ] 2>/dev/null ||
        failed "$*: '$actual' is less than $least"
}

# cells FILE COLUMN [COLUMN=VALUE]...: that column of the rows that match.
cells() {
    awk -f "$kit/csv.awk" "$@" </dev/null
}

# visits PATH: over all rows of perf_dump.csv with that path.
visits() {
    cells perf_dump.csv visits path="$1" |
        awk '{ n += $1 } END { print n + 0 }'
}

there() { [ -f "$1" ] || failed "no file $1"; }
absent() { [ ! -e "$1" ] || failed "there is $1"; }

# stores NUMBER: so many are left.  None, after a dump was written.
stores() {
    same "$(ls -A "$PDUMP_STORE" | wc -l | tr -d ' ')" "$1" "stores left"
}

# recovered: pdump recover makes a dump of the one store that is left.
recovered() {
    same "$(ls "$PDUMP_STORE"/*.store | wc -l | tr -d ' ')" 1 "stores left"
    timeout -k 10 300 "$pdump" recover "$PDUMP_STORE" >"$work/out" 2>"$work/err" ||
        failed "pdump recover"
    stores 0
}

# Warnings of the library, and those that have a text.
n_warnings() { grep -c '^pdump: ' "$work/err"; }
quiet() { [ ! -s "$work/err" ] || failed "stderr is not empty"; }
warns() {
    same "$(grep -cF -e "$1" "$work/err")" 1 "warnings with \"$1\""
}
noted() {
    cells perf_dump.meta.csv value table=warning key=text |
        grep -qF -e "$1" || failed "the dump does not note \"$1\""
}

# readable FILE...: pdump report takes it, without complaint.
readable() {
    for file in "$@"; do
        timeout -k 10 300 "$pdump" report "$file" >"$work/report" 2>"$work/err" ||
            failed "pdump report $file"
        [ -s "$work/report" ] || failed "the report of $file is empty"
    done
}

# needs_preload: skip the script if libpdump is built with sanitizers.
needs_preload() {
    [ "$sanitizers" = no ] || {
        echo "a sanitized library cannot be preloaded"
        exit 77
    }
}

is_sanitized() { victim sanitized; }
is_thread_sanitized() { victim thread_sanitized; }

finish() {
    cd / || exit 99
    [ $n_failed -eq 0 ] || echo "$n_failed failed"
    [ $n_failed -eq 0 ]
    exit
}
