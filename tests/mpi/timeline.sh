#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The timeline of a whole job: one file with the events of all ranks, and what
# other formats make of it.
. "${srcdir:-.}/pmpi/kit.sh"

# In HDF5 if that is there; `events` is the same as text.
if [ -e "$MODULES/pdump_hdf5.so" ]; then
    dump=perf_dump.4.h5
    format=hdf5
    events=text.events.csv
    metadata=text.meta.csv
else
    dump=perf_dump.csv
    format=csv
    events=perf_dump.events.csv
    metadata=perf_dump.meta.csv
fi

# recorded [VARIABLE=VALUE]...: a run of four ranks.
recorded() {
    watched 4 PDUMP_RECORD=events PDUMP_OUTPUT_FORMAT=$format "$@" timeline
    there $dump
    [ $format = csv ] || run 0 "$pdump" export -f csv -o text $dump
    there $events
}

# those KIND...: "KIND RANK TIME REGION WHAT VALUE TAG" of each event, with tabs.
those() {
    for kind in "$@"; do
        awk -F , -v OFS='\t' -v kind="$kind" \
            '$6 == kind { print $6, $2, $5, $8, $9, $11, $12 }' $events
    done
}

behaviour one file with the events of all ranks
recorded
quiet
same "$(ls perf_dump* | tr '\n' ' ')" "$(if [ $format = csv ]; then
    echo perf_dump.csv perf_dump.details.csv perf_dump.events.csv \
        perf_dump.meta.csv
else
    echo $dump
fi) " "files"
stores 0
same "$(those enter | cut -f 2 | sort | uniq -c | awk '$1 > 50 { print $2 }' |
    tr '\n' ' ')" "0 1 2 3 " "ranks with events"
# The dump is written in MPI_Finalize, which ends with it.
same "$(those enter | wc -l)" "$(those leave | wc -l)" "ends of regions"
same "$(those send | wc -l)" 80 "messages sent"
same "$(those receive | wc -l)" 80 "messages received"
same "$(those lost | wc -l)" 0 "events lost"
# The k-th from one rank to another with a tag is the k-th that the other got.
those send receive | awk -F '\t' '
    $1 == "send" { key = $2 " " $5 " " $7; n = ++sent[key] }
    $1 == "receive" { key = $5 " " $2 " " $7; n = ++got[key] }
    { time[$1, key, n] = $3; bytes[$1, key, n] = $6; keys[key] }
    END {
        for (key in keys)
            for (i = 1; i <= sent[key] || i <= got[key]; i++)
                if (i > sent[key] || i > got[key])
                    print "alone:", key
                else if (bytes["send", key, i] != bytes["receive", key, i])
                    print "other bytes:", key
                else if (time["receive", key, i] < time["send", key, i])
                    print "early:", key, i
    }' >"$work/pairs"
same "$(cat "$work/pairs")" "" "messages with two ends"

behaviour the clocks of all ranks
recorded
# They start with the session, and run alike on one node.
for rank in 0 1 2 3; do
    cells $metadata value key=clock.$rank |
        grep -Eqx 'offset -?[0-9]+ ns, drift 0.000 ppm' ||
        failed "clock.$rank: $(cells $metadata value key=clock.$rank)"
done

cells $metadata value key=clock.0 | grep -q '^offset 0 ns' ||
    failed "clock.0: $(cells $metadata value key=clock.0)"

behaviour collectives are the same on all ranks
recorded
# The program has a region around each, called alike on all ranks.
those collective | awk -F '\t' '$4 ~ /:/ { print $4 "\t" $7 "\t" $5 "\t" $2 }' |
    sort >"$work/collectives"
# "REGION: RANKS THAT TOOK PART of SIZE", one line if they agree on the tag.
same "$(awk -F '\t' '
    { id = $1 "\t" $2 "\t" $3; ranks[id] = ranks[id] $4 }
    END {
        for (id in ranks) {
            split(id, part, "\t")
            print part[1] " " ranks[id] " of " part[3]
        }
    }' "$work/collectives" | sort)" "between: barrier 0123 of 2
$(for name in 'even 02 of 2' 'even copy 02 of 2' 'not by 1 023 of 4' \
    'odd 13 of 2' 'odd again 13 of 2' 'odd copy 13 of 2' 'turned 0123 of 4' \
    'world 0123 of 4' 'world again 0123 of 4'; do
    for call in all barrier later; do
        echo "$name" | sed "s/ \([0-9]* of\)/: $call \1/"
    done
done | sort)" "who took part"
same "$(cut -f 1 "$work/collectives" | sort -u | wc -l)" \
    "$(cut -f 2 "$work/collectives" | sort -u | wc -l)" "different tags"
# Numbers begin at 0 and leave none out: of the world 10 were before these.
numbers() {
    n=$1
    shift
    for name in "$@"; do
        for call in all later barrier; do
            same "$(awk -F '\t' -v name="$name: $call" '
                $1 == name { print $2 % 16777216 }' "$work/collectives" |
                sort -u)" $n "number of $name: $call"
            n=$((n + 1))
        done
    done
}
numbers 10 world 'not by 1' 'world again'
numbers 0 odd 'odd again' 'odd copy'
numbers 0 turned

behaviour arrows in other programs
recorded
run 0 "$pdump" export -f chrome -o chrome $dump
for phase in s f; do
    same "$(cat chrome*.json | grep -o "\"ph\":\"$phase\"" | wc -l)" 80 \
        "arrows' ends, $phase"
done
if [ -e "$MODULES/pdump_otf2.so" ] && command -v otf2-print >/dev/null; then
    run 0 "$pdump" export -f otf2 -o archive $dump
    quiet
    run 0 otf2-print archive.otf2/traces.otf2
    quiet
    for kind in MPI_SEND MPI_RECV; do
        same "$(grep -c "^$kind " "$work/out")" 80 "$kind"
    done
    same "$(grep -c '^ENTER ' "$work/out")" "$(those enter | wc -l)" \
        "regions in OTF2"
fi
finish
