#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The figures of a call site are right: times, sizes, peers, flight, between;
# every rank names the site alike, and has its own memory over time.
. "${srcdir:-.}/pmpi/kit.sh"
details=perf_dump.details.csv

# holds RANK PATH CONDITION: of the one row of that call; names of fields are
# their values.  MS is a millisecond of a sleep, a little less than it takes:
# clocks are not the same.  Nothing is asked to be fast.
holds() {
    condition=$(echo "$3" | sed 's/[a-z][a-z_]*/v["&"]/g')
    awk -F, -v rank="$1" -v path="$2" -v MS=900000 '
        function ABOUT(a, b) { return a - b <= 100 && b - a <= 100 }
        function NEARLY(a, b) { return a <= b * 1.001 && b <= a * 1.001 }
        $1 == "mpi" && $3 == rank && $7 == path && $9 != "sizes" {
            v[$9] = $13
            sites[$8]
        }
        END {
            n = 0
            for (s in sites)
                n++
            exit !(n == 1 && ('"$condition"'))
        }' "$details" || {
        grep "^mpi,[^,]*,$1,.*,$2," "$details" | cut -d , -f 7- >"$work/err"
        failed "rank $1, $2: not $3"
    }
}

# bins RANK PATH: "BIN:MESSAGES" of its sizes.
bins() {
    awk -F, -v rank="$1" -v path="$2" '
        $1 == "mpi" && $3 == rank && $7 == path && $9 == "sizes" && $13 {
            printf "%s%s:%s", n++ ? " " : "", $10, $13
        }' "$details"
}

# field RANK PATH FIELD
field() {
    cells "$details" value table=mpi rank="$1" path="$2" field="$3"
}

# has LINE: is it in the output, whatever blanks it has?
has() {
    sed 's/  */ /g; s/^ //; s/ $//' "$work/out" | grep -Fxq -- "$1" ||
        failed "no line '$1'"
}

behaviour "$MPI: time of calls that wait for a sleeper"
watched 3 figures
quiet
call=late/MPI_Sendrecv
holds 0 $call 'calls == 2 && bytes_out == 2 && bytes_in == 200'
holds 0 $call 'time_min >= 10 * MS && time_max >= 40 * MS'
holds 0 $call 'ABOUT(time, time_min + time_max)'
holds 0 $call 'NEARLY(time_sumsq, time_min ^ 2 + time_max ^ 2)'
holds 0 $call 'blocked == 0 && flight == 0 && completed == 0'
holds 0 $call 'ranks == 3 && peer_min == 1 && peer_max == 1'
same "$(bins 0 $call)" "1:2 7:2" sizes
holds 1 late/MPI_Send 'between >= 50 * MS && bytes_out == 200'
same "$(bins 1 late/MPI_Send)" 7:2 sizes

what="$MPI: time in flight"
holds 0 flight/MPI_Irecv 'calls == 1 && bytes_in == 0 && peer_min == ""'
holds 0 flight/MPI_Wait 'flight >= 50 * MS && completed == 1 && bytes_in == 7'
holds 0 flight/MPI_Wait 'blocked == time && peer_min == 2 && peer_max == 2'
same "$(bins 0 flight/MPI_Wait)" 3:1 sizes
# It is the sum of all that was in between: nothing else was called.
ask=$(($(field 0 flight/MPI_Ssend time) + $(field 0 flight/MPI_Ssend between)))
ask=$((ask + $(field 0 flight/MPI_Irecv time)))
holds 0 flight/MPI_Wait "ABOUT(flight, $ask + between + time)"
for rank in 0 1 2; do
    holds $rank two/MPI_Waitall 'between >= 30 * MS && completed == 2'
    # Both of the requests, each from its own start.
    holds $rank two/MPI_Waitall 'flight >= 60 * MS'
    both=$(($(field $rank two/MPI_Isend time) * 2))
    both=$((both + $(field $rank two/MPI_Isend between)))
    both=$((both + $(field $rank two/MPI_Irecv time)))
    holds $rank two/MPI_Waitall "ABOUT(flight, $both + 2 * (between + time))"
    # From its start, not from when it was made.
    start=$(field $rank persistent/MPI_Startall time)
    holds $rank persistent/MPI_Startall 'between >= 30 * MS && flight == 0'
    holds $rank persistent/MPI_Waitall \
        "ABOUT(flight, 2 * ($start + between + time)) && completed == 2"
done

what="$MPI: time blocked"
for rank in 0 1 2; do
    holds $rank blocked/MPI_Wait 'blocked >= 30 * MS && blocked == time'
    holds $rank blocked/MPI_Wait 'flight >= blocked && completed == 1'
    holds $rank blocked/MPI_Test 'blocked >= 30 * MS && blocked == time'
    holds $rank blocked/MPI_Test 'flight >= blocked && completed == 1'
    holds $rank 'not yet/MPI_Test' 'blocked == time && calls == 1'
    holds $rank 'not yet/MPI_Test' 'completed == 0 && flight == 0'
done
same "$(grep -c MPI_Status_set "$details")" 0 "calls inside of MPI"

what="$MPI: time between calls"
for rank in 0 1 2; do
    holds $rank between/MPI_Comm_size 'between >= 30 * MS && ranks == 3'
done

what="$MPI: ranks and peers"
holds 0 part/MPI_Send 'ranks == 2 && peer_min == 2 && peer_max == 2'
holds 2 part/MPI_Recv 'ranks == 2 && peer_min == 0 && peer_max == 0'
for rank in 0 2; do # the root has that number in MPI_COMM_WORLD
    holds $rank part/MPI_Bcast 'ranks == 2 && peer_min == 0 && peer_max == 0'
done
holds 0 part/MPI_Bcast 'bytes_out == 5 && bytes_in == 0'
holds 2 part/MPI_Bcast 'bytes_out == 0 && bytes_in == 5'
same "$(cells "$details" value table=mpi rank=1 path=part/MPI_Bcast)" "" "rank 1"
holds 0 peers/MPI_Send 'ranks == 3 && peer_min == 1 && peer_max == 2'
for rank in 0 1 2; do
    holds $rank peers/MPI_Bcast 'ranks == 3 && peer_min == 1 && peer_max == 2'
    holds $rank largest/MPI_Barrier 'calls == 3 && ranks == 3'
done

what="$MPI: sizes"
if grep -q 'no room' "$work/out"; then
    echo "$MPI: sizes: left out, as there are no 2 GB of addresses"
else
    same "$(bins 0 sizes/MPI_Gatherv)" "0:1 1:1 2:2 3:2 4:1 21:1 30:1 31:2" sizes
    holds 0 sizes/MPI_Gatherv 'calls == 11 && bytes_in == 4296015896'
fi

what="$MPI: the table and the tree agree"
for name in calls:visits time:time.sum time_min:time.min time_max:time.max; do
    awk -F, -v field="${name%:*}" -v metric="${name#*:}" '
        FNR == 1 && NR > 1 {
            for (i = 1; i <= NF; i++) {
                sub(/ \[.*/, "", $i)
                at[$i] = i
            }
        }
        FNR == NR && $1 == "mpi" && $9 == field {
            key = $3 " " $7
            if (!(key in value) || field !~ /_/)
                value[key] += $13
            else if (field == "time_min" ? $13 < value[key] : $13 > value[key])
                value[key] = $13
            rows[key]++
        }
        FNR != NR && $at["group"] == "mpi" && !$at["open"] {
            key = $at["rank"] " " $at["path"]
            n++
            off = value[key] - $at[metric]
            if (!(key in value) || off * off > rows[key] ^ 2)
                print key, field, value[key], $at[metric]
        }
        END { if (n < 30) print n " rows" }' \
        "$details" perf_dump.csv >"$work/err"
    [ ! -s "$work/err" ] || failed "other figures"
done

what="$MPI: report"
run 0 "$pdump" report --mpi --top 100 --width 0 perf_dump.csv
has "completed in flight mean time function call site"
sed 's/  */ /g; s/^ //' "$work/out" |
    grep -q "^6 [0-9.]* ms [0-9.]* ms .* MPI_Waitall .*figures.c:" ||
    failed "no time in flight"
sed 's/  */ /g; s/^ //' "$work/out" |
    grep -q "^[0-9.]* .* [1-9][0-9.]* ms MPI_Comm_size .*figures.c:" ||
    failed "no time between calls"

# sites RANK: call sites, as that rank names them.
sites() {
    awk -F, -v rank="$1" '$1 == "mpi" && $3 == rank && $7 ~ /^two/ {
            print $7, $8
        }' "$details" | sort -u
}

# alike ABOUT PROGRAM: every rank names a site in the same way.
alike() {
    behaviour "$MPI: call sites of a program that is $1"
    watched 3 "$2"
    quiet
    if [ "$(sort -u "$work/out" | wc -l)" -lt 3 ]; then
        echo "$what: the ranks have it at one address, so this shows nothing"
    fi
    same "$(sites 0 | wc -l | tr -d ' ')" 3 "sites of rank 0"
    same "$(sites 1)" "$(sites 0)" "sites of rank 1"
    same "$(sites 2)" "$(sites 0)" "sites of rank 2"
    same "$(sites 0 | grep -c '0x[0-9a-f]\{9\}')" 0 "addresses as sites"
}

alike "at another place on every rank" figures
line=$(grep -n 'MPI_Isend(' "$tests/pmpi/figures.c" | cut -d : -f 1)
[ ! -e "$MODULES/pdump_symbols.so" ] ||
    same "$(sites 2 | grep -c "MPI_Isend .*figures.c:$line (two)\$")" 1 "its line"
if command -v strip >/dev/null; then
    strip -o "$work/stripped" "$programs/pmpi/figures"
    alike "the same, without symbols" "$work/stripped"
fi

behaviour "$MPI: memory over time of every rank"
watched 3 PDUMP_MEMORY=5 figures # which sleeps for a tenth of a second
quiet
for rank in 0 1 2; do
    at_least "$(cells "$details" value table=memory rank=$rank field=rss |
        awk '$1 > 0' | wc -l)" 2 "looks at rank $rank"
    at_least "$(cells "$details" label table=memory rank=$rank field=rss |
        grep -c '^[0-9.]* [a-z]')" 1 "looks at regions of rank $rank"
    same "$(cells "$details" pid table=memory rank=$rank | sort -u)" \
        "$(cells "$details" pid table=mpi rank=$rank | sort -u)" "its process"
done
run 0 "$pdump" report perf_dump.csv
grep -qi memory "$work/out" || failed "the report has no memory"

finish
