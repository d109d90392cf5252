#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What programs allocate, with libpdump-mem.so in front of the C library.
mem=$PWD/../plugins/mem/.libs/libpdump-mem.so
modules=$PDUMP_MODULES_BUILT
blocks=$PWD/wrap/heap/blocks
objects=$PWD/wrap/heap/objects
fortran=$PWD/wrap/heap/arrays
python=${PYTHON:-}
. "${srcdir:-.}/program/behaviour/kit.sh"

# The sanitizers' own functions stand in front of the C library, too.
if is_sanitized || [ ! -f "$mem" ]; then
    echo "not with sanitizers, nor without shared libraries"
    exit 77
fi
PDUMP_EVENTS=none
PDUMP_MODULES=$modules
export PDUMP_EVENTS PDUMP_MODULES

# rows [FILE]: a line per region,
#   PATH ALLOCATIONS ALLOCATED FREES FREED LIVE LIVE_BLOCKS
# added up over threads; without a path its label.
rows() {
    awk -F, '
        $1 == "heap" && NR > 1 {
            path = $7 != "" ? $7 : $8
            gsub(/ /, "_", path)
            sum[path, $9] += $13
            paths[path] = 1
        }
        END {
            for (path in paths)
                print path, sum[path, "allocations"] + 0, \
                    sum[path, "allocated"] + 0, sum[path, "frees"] + 0, \
                    sum[path, "freed"] + 0, sum[path, "live"] + 0, \
                    sum[path, "live_blocks"] + 0
        }' "${1:-perf_dump.details.csv}" | sort
}

# recorded [FILE]: the rows are those on standard input, and no other.
recorded() {
    sort >"$work/wanted"
    rows "$@" >"$work/rows"
    diff "$work/wanted" "$work/rows" >"$work/diff" ||
        failed "other rows: $(cat "$work/diff")"
}

peaks() {
    awk -F, '$1 == "heap" && $9 == "peak" && $13 > 0 { print $7, $13 }' \
        perf_dump.details.csv
}

watch() {
    run 0 LD_PRELOAD="$mem" "$@"
    quiet
}

behaviour every function that allocates
watch "$blocks" kinds
recorded <<END
main/malloc 1 100 1 100 0 0
main/calloc 1 200 1 200 0 0
main/realloc 3 4010 3 4010 0 0
main/aligned 5 1572 5 1572 0 0
main/own 1 24 1 24 0 0
END

behaviour what is never freed belongs to who allocated it
watch "$blocks" leak
recorded <<END
main/loses 3 3000 0 0 3000 3
main/makes 1 500 0 0 0 0
main/frees 0 0 1 500 0 0
END
run 0 "$pdump" report --heap perf_dump.csv
grep -q '^Heap: peak 3.50* kB; 3.00* kB in 3 blocks never freed' "$work/out" ||
    failed "no head: $(cat "$work/out")"
same "$(awk '/main\// { print $NF }' "$work/out" | head -n 1)" main/loses \
    "the first line"
run 0 "$pdump" report perf_dump.csv
grep -q '^Heap: peak' "$work/out" || failed "no line in the report"

behaviour the peak belongs to where it grew
watch "$blocks" peak
same "$(peaks | sort | tr '\n' ' ')" "main/first 100000 main/second 30000 " \
    peaks

behaviour threads
watch "$blocks" threads
rows >"$work/rows"
same "$(grep '^worker ' "$work/rows")" \
    "worker 40000 2020000 40000 2020000 0 0" "threads with regions"
same "$(grep '^threads' "$work/rows" | cut -d ' ' -f 2,3,4,6,7)" \
    "40000 320000 40002 0 0" "threads without regions"
same "$(grep '^main/makes ' "$work/rows")" "main/makes 2 8192 0 0 0 0" \
    "freed by others"

behaviour a child
watch "$blocks" fork
recorded <<END
main 1 700 1 700 0 0
END
watch PDUMP_FOLLOW=1 PDUMP_OVERWRITE=1 "$blocks" fork
recorded <<END
main 1 700 1 700 0 0
child 1 900 0 0 900 1
END
same "$(peaks | sort | tr '\n' ' ')" "child 900 main 700 " "peaks of both"

behaviour a block that goes while the process forks
watch "$blocks" handlers
recorded <<END
main 1 700 0 0 0 0
END

behaviour a child that nobody is told of
watch "$blocks" raw
recorded <<END
main 1 700 1 700 0 0
END

behaviour recording is off
watch "$blocks" off
recorded <<END
main 1 600 0 0 0 0
END

behaviour a region that is rewound
watch "$blocks" rewind
recorded <<END
main/frees 0 0 1 400 0 0
END

behaviour a region that might have been rewound
watch "$blocks" keep
recorded <<END
main 0 0 20001 1200300 0 0
main/tries 3 900 0 0 200 1
main/outer 1 50 3 540 50 1
main/outer/tries 2 70 0 0 30 1
END
# Rows that nobody needs are used again: this has room for some of them only.
watch PDUMP_OVERWRITE=1 PDUMP_MEMORY_MAX=1 "$blocks" keep
same "$(rows | awk '$1 == "main/tries" { print $6, $7 }')" "200 1" \
    "what is left in little memory"

behaviour blocks from before
watch "$blocks" early
recorded <<END
main 1 6000 1 6000 0 0
END

behaviour a second session
watch PDUMP_OVERWRITE=1 "$blocks" again
recorded <<END
two 1 222 0 0 222 1
END

behaviour killed
run 137 LD_PRELOAD="$mem" "$blocks" kill
recovered
recorded <<END
main 1 777 0 0 777 1
END

behaviour freed behind our back
watch "$blocks" behind
recorded <<END
main 2 1600 1 800 0 0
END

behaviour not unless there is something to record
watch "$blocks" plain
absent perf_dump.details.csv
watch PDUMP_DISABLE=1 "$blocks" kinds
absent perf_dump.details.csv

if [ -x "$objects" ]; then
    behaviour new and delete
    watch "$objects"
    recorded <<END
new 1 8 1 8 0 0
vector 1 8000 1 8000 0 0
loses 1 321 0 0 321 1
END
fi

behaviour a command
run 0 "$pdump" run --heap -o whole.csv "$blocks" plain
rows whole.details.csv >"$work/rows"
same "$(awk '$1 ~ /blocks$/ { print ($6 >= 12345), ($6 < 22345) }' "$work/rows")" \
    "1 1" "left by a program that knows nothing of it"
if [ -x "$fortran" ]; then
    run 0 "$pdump" run --heap -o fortran.csv "$fortran"
    rows fortran.details.csv >"$work/rows"
    same "$(awk '{ print ($3 >= 12000000), ($3 < 12200000), ($6 >= 4000000),
        ($6 < 4200000) }' "$work/rows")" "1 1 1 1" "a program in Fortran"
fi

behaviour the page
watch "$blocks" leak
run 0 "$pdump" html perf_dump.csv
grep -q '"name":"heap"' perf_dump.html || failed "no table in the page"
run 1 "$pdump" report --io perf_dump.csv
run 0 "$blocks" leak
run 1 "$pdump" report --heap perf_dump.csv
finish
