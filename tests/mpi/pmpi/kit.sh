# SPDX-License-Identifier: BSD-3-Clause
# What the scripts about recorded MPI calls share, and all of ../kit.sh.
. "${srcdir:-.}/kit.sh"
needs_preload
seconds=300
PATH=$programs/pmpi:$PATH
library=$MODULES/$MPI_SONAME/libpdump-pmpi.so
calls=$tests/../../plugins/pmpi/generate/calls.txt
PDUMP_EVENTS=none
export PDUMP_EVENTS

# watched N [VARIABLE=VALUE]... PROGRAM ARGUMENT...: with our library.
watched() {
    n_watched=$1
    shift
    ranks "$n_watched" LD_PRELOAD="$library" "$@"
}

# figures [@]: "FUNCTION CALLS BYTES_OUT BYTES_IN COMPLETED" of all ranks (with
# @: "FUNCTION@RANK ..." of each), and "RANK to|from PEER MESSAGES BYTES", sorted.
figures() {
    cat perf_dump.details.csv 2>/dev/null | awk -F, -v by_rank="${1:-}" '
        $1 == "mpi" {
            name = $7 (by_rank ? "@" $3 : "")
            sub(/.*\//, "", name)
            value[name, $9] += $13
            names[name]
        }
        $1 == "mpi_peers" {
            way = $9 ~ /_out$/ ? "to" : "from"
            peers[$3 " " way " " $8]
            value[$3 " " way " " $8, $9 ~ /^bytes/] += $13
        }
        END {
            for (n in names)
                print n, value[n, "calls"], value[n, "bytes_out"], \
                    value[n, "bytes_in"], value[n, "completed"]
            for (p in peers)
                if (value[p, 0])
                    print p, value[p, 0], value[p, 1]
        }' | sort
}

# told [@]: the same, as the programs told it.
told() {
    cat "$work/out" told.* 2>/dev/null | awk -v by_rank="${1:-}" '$1 ~ /^MPI_/ {
            if (!by_rank)
                sub(/@.*/, "", $1)
            names[$1]
            for (i = 2; i <= 5; i++)
                value[$1, i] += $i
            next
        }
        { print }
        END {
            for (n in names)
                print n, value[n, 2], value[n, 3], value[n, 4], value[n, 5]
        }' | sort
}

# agrees: what was recorded is what was done.
agrees() {
    told @ >"$work/told"
    figures @ >"$work/figures"
    [ -s "$work/told" ] || failed "the program told nothing"
    diff "$work/told" "$work/figures" >"$work/err" || failed "other figures"
}

# calls_of FUNCTION: calls in all.
calls_of() {
    figures | awk -v name="$1" '$1 == name { n = $2 } END { print n + 0 }'
}
