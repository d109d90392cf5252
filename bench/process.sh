#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `pdump run` adds to processes that live for a moment: `make process`, or
# with variables:
#   PDUMP_COMMAND, COST  the programs `pdump` and `cost`
#   PROCESSES            of the loop (1000)
#   TARGETS              of the make, each a C file that is compiled: make, sh,
#                        cc, cc1 and as (40)
#   ROUNDS               of each (5); the one with the least CPU time counts
# CPU time is that of all processes, of `pdump run` itself and of the file that
# it writes; nothing else is as steady on a machine that others use.  With
# --strict, a missed "must" is an error.
set -u

pdump=${PDUMP_COMMAND:-pdump} cost=${COST:-./cost}
processes=${PROCESSES:-1000} targets=${TARGETS:-40} rounds=${ROUNDS:-5}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder" || exit 1
PDUMP_STORE=$folder/store
[ ! -w /dev/shm ] || PDUMP_STORE=$(mktemp -d /dev/shm/pdump-bench.XXXXXX)
trap 'rm -rf "$folder" "$PDUMP_STORE"' EXIT
export PDUMP_STORE
mkdir -p "$PDUMP_STORE"
# The script that libtool makes of an uninstalled pdump has the loader search one
# more folder in every process.
plain='env -u LD_LIBRARY_PATH'
n_missed=0

cat >loop <<'END'
i=0
while [ $i -lt "$1" ]; do
    /bin/true
    i=$((i + 1))
done
END
cat >Makefile <<'END'
.PHONY: all
all: $(shell seq -f %g.o $(TARGETS))
%.o:
	@printf '#include <stdio.h>\nint f(void) { return puts("$@"); }\n' >$*.c; \
	    cc -O2 -c $*.c
END

# take NAME COMMAND...: a line "NAME wall CPU" for each round.
take() {
    name=$1
    shift
    rm -f -- *.c *.o perf_dump*
    figures=$(timeout 300 "$cost" "$@" 2>/dev/null) || {
        echo "$name: failed: $*" >&2
        exit 1
    }
    echo "$name $figures"
}

# measure COMMAND...: in turns, so that all meet the same neighbours.
measure() {
    for _ in $(seq "$rounds"); do
        take bare "$@"
        take run "$pdump" run -q -- $plain "$@"
        take io "$pdump" run -q --io -- $plain "$@"
        take heap "$pdump" run -q --io --heap -- $plain "$@"
    done >times || exit 1
}

# least NAME: "wall CPU" of the round with the least CPU time.
least() {
    grep "^$1 " times | sort -k 3 -n | head -n 1 | cut -d ' ' -f 2,3
}

# row TITLE NAME MUST: at most so many times the CPU time; -: nothing is asked.
row() {
    said=$(echo "$(least "$2") $(least bare) $3" | awk '{
        printf "%s %.2f", $5 + 0 == 0 ? "-" : $2 <= $5 * $4 ? "ok" : "MISSED", \
            $2 / $4
    }')
    [ "${said% *}" != MISSED ] || n_missed=$((n_missed + 1))
    # shellcheck disable=SC2046
    printf '%-34s %8.3f %8.3f %7s %6s %s\n' "$1" $(least "$2") "${said#* }" \
        "$3" "${said% *}"
}

# rows TITLE MUST MUST COMMAND...
rows() {
    title=$1 first=$2 second=$3
    shift 3
    measure "$@"
    row "$title" bare -
    row "  pdump run" run "$first"
    row "  pdump run --io" io "$second"
    row "  pdump run --io --heap" heap "$second"
}

printf '%-34s %8s %8s %7s %6s\n' '' wall CPU 'x CPU' must
rows "$processes times true" 2.5 - sh loop "$processes"
rows "make -j2, $targets targets" 1.15 1.5 make -s -j2 "TARGETS=$targets"
[ "${1:-}" != --strict ] || [ $n_missed -eq 0 ]
