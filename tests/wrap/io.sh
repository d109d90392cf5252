#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What programs read and write, with libpdump-io.so in front of the C library.
io=$PWD/../plugins/io/.libs/libpdump-io.so
rows=$PWD/.libs/io_rows.so
calls=$PWD/wrap/io/calls
fortran=$PWD/wrap/io/unformatted
build=$PWD/..
script=$(cd "${srcdir:-.}/wrap/io" && pwd)/script.py
python=${PYTHON:-}
. "${srcdir:-.}/program/behaviour/kit.sh"

# The sanitizers' own functions stand in front of the C library, too.
if is_sanitized || [ ! -f "$io" ] || [ ! -f "$rows" ]; then
    echo "not with sanitizers, nor without shared libraries"
    exit 77
fi

umask 022
# watch CODE [VARIABLE=VALUE]... PROGRAM ARGUMENT...: what is recorded is in
# $work/rows, a line per region and file:
#   PATH|FILE|CALLS|BYTES|SEQUENTIAL|ERRORS|BIN:NUMBER ...
watch() {
    code=$1
    shift
    : >"$work/raw"
    run "$code" PDUMP_EVENTS=none ROWS="$work/raw" LD_PRELOAD="$io $rows" "$@"
    sed "s#$work/here/##" "$work/raw" | sort >"$work/rows"
}

# recorded: the rows are those on standard input, and no other.
recorded() {
    sort >"$work/wanted"
    diff "$work/wanted" "$work/rows" >"$work/diff" ||
        failed "other rows: $(cat "$work/diff")"
}

behaviour descriptors
watch 0 "$calls" posix
quiet
recorded <<END
work/open|file|1|0|0|0|
work/write|file|2|100|2|0| 0:1 7:1
work/lseek|file|2|0|0|0|
work/read|file|3|100|2|0| 0:1 6:2
work/pwrite|file|2|2000|1|0| 10:2
work/pread|file|1|5|0|0| 3:1
work/writev|file|1|30|0|0| 5:1
work/pwritev|file|1|30|0|0| 5:1
work/preadv2|file|1|30|1|0| 5:1
work/readv|file|1|30|0|0| 5:1
work/ftruncate|file|1|0|0|0|
work/fsync|file|1|0|0|0|
work/fdatasync|file|1|0|0|0|
work/mmap|file|1|8192|0|0|
work/creat|copy|1|0|0|0|
work/sendfile|copy|1|8192|1|0| 14:1
work/openat|copy|1|0|0|0|
work/copy_file_range|copy|1|0|1|0| 0:1
work/close|copy|2|0|0|0|
work/close|file|1|0|0|0|
END
same "$(stat -c %a file)" 640 "mode of the file"
there perf_dump.csv
same "$(visits work/read)" 3 "visits of read"
same "$(cells perf_dump.csv group path=work/read | head -n 1)" io "its group"

behaviour streams
watch 0 "$calls" stdio
quiet
same "$(cat "$work/out")" "out, 1
more" "standard output"
recorded <<END
work/fopen|file|2|0|0|0|
work/fwrite|file|1|8000|1|0| 13:1
work/fputs|file|1|6|1|0| 3:1
work/fprintf|file|1|9|1|0| 4:1
work/fputc|file|2|2|2|0| 1:2
work/fflush|file|1|0|0|0|
work/fseek|file|3|0|0|0|
work/fgets|file|1|6|0|0| 3:1
work/getline|file|1|9|1|0| 4:1
work/fgetc|file|3|2|3|0| 0:1 1:2
work/fread|file|1|100|0|0| 7:1
work/fscanf|file|1|2|0|0| 2:1
work/fclose|file|2|0|0|0|
printf|stdout|1|7|1|0| 3:1
puts|stdout|1|5|1|0| 3:1
fflush|all streams|1|0|0|0|
END

behaviour records that are read in part, and lines with a NUL
watch 0 "$calls" parts
quiet
recorded <<END
open|file (deleted)|1|0|0|0|
fdopen|file (deleted)|1|0|0|0|
fwrite|file (deleted)|1|13|1|0| 4:1
fseek|file (deleted)|2|0|0|0|
fgets|file (deleted)|5|13|4|0| 0:1 1:1 2:1 3:2
fread|file (deleted)|2|13|1|0| 0:1 4:1
fclose|file (deleted)|1|0|0|0|
END
run 0 "$pdump" report --io --width 0 perf_dump.csv
same "$(sed -n 's:^.* \([0-9.][0-9.]*\)  *0  *[^ ]*/file (deleted)$:\1:p' "$work/out")" \
    75.0 "sequential, in percent of the reads and writes of the file"

behaviour functions with checks of their buffers
watch 0 "$calls" checked
quiet
same "$(cat "$work/out")" out "standard output"
recorded <<END
fopen|file|1|0|0|0|
open|file|1|0|0|0|
fprintf|file|1|9|1|0| 4:1
fseek|file|1|0|0|0|
fgets|file|1|6|0|0| 3:1
fread|file|1|3|1|0| 2:1
read|file|1|5|1|0| 3:1
pread|file|1|3|0|0| 2:1
openat|file|1|0|0|0|
close|file|1|0|0|0|
printf|stdout|1|4|1|0| 3:1
END

behaviour what fails
watch 0 "$calls" errors
quiet
recorded <<END
work/read|no file|2|0|0|2|
work/open|nowhere/file|1|0|0|1|
work/fopen|nowhere/file|1|0|0|1|
work/open|file|2|0|0|0|
work/read|file|2|0|1|1| 0:1
work/lseek|file|1|0|0|1|
work/close|file|2|0|0|0|
work/close|no file|2|0|0|2|
work/write|pipe|1|1|1|0| 1:1
work/mmap|stdin|1|0|0|1|
END

behaviour descriptors that are copies, and numbers that are used again
watch 0 "$calls" copies
quiet
same "$(cat "$work/out" third)" "a
b" "standard output"
cat >"$work/all" <<END
open|first|1|0|0|0|
dup|first|1|0|0|0|
dup2|first|1|0|0|0|
dup3|first|1|0|0|0|
write|first|4|40|4|0| 4:4
close|first|1|0|0|0|
open|second|1|0|0|0|
write|second|1|100|1|0| 7:1
write|pipe|1|7|1|0| 3:1
read|pipe|1|7|1|0| 3:1
write|socket|2|6|2|0| 2:2
close|stdin|1|0|0|0|
open|third|1|0|0|0|
write|stdout|1|2|1|0| 2:1
dup2|third|1|0|0|0|
write|third|1|2|1|0| 2:1
END
recorded <"$work/all"

# filtered LIST PATTERN: with PDUMP_IO=LIST just the rows with that are left.
filtered() {
    behaviour "PDUMP_IO=$1"
    watch 0 PDUMP_IO="$1" "$calls" copies
    quiet
    grep -E "$2" "$work/all" | recorded
}
filtered '' .
filtered pipes 'pipe'
filtered -pipes,-sockets 'first|second|third|std'
filtered standard,sockets,posix 'std|socket'
filtered stdio none
filtered files,-*/first 'second|third'
filtered "files,$work/here/first,*/th*" 'first|third'

behaviour a word that PDUMP_IO does not have
watch 0 PDUMP_IO=files,foo "$calls" copies
warns 'PDUMP_IO: foo is none of'
watch 0 PDUMP_QUIET=1 PDUMP_IO=foo "$calls" copies
quiet

behaviour positions
watch 0 "$calls" places
recorded <<END
open|file|2|0|0|0|
write|file|13|1003|13|0| 1:3 7:10
pread|file|20|1100|9|0| 4:10 7:10
lseek|file|10|0|0|0|
read|file|10|500|9|0| 6:10
close|file|1|0|0|0|
END

behaviour 100 000 files
watch 0 "$calls" many
quiet
same "$(grep -c 'open|name' "$work/rows")" 3000 "names"
grep -v '|name' "$work/rows" >"$work/few"
mv "$work/few" "$work/rows"
recorded <<END
open|/dev/null|100000|0|0|0|
close|/dev/null|100000|0|0|0|
END

# The first 65 536 have a row each, all further ones share one: docs/io.md.
behaviour 100 000 names
watch 0 "$calls" names
quiet
for call in open close; do
    same "$(grep -c "^$call|name[0-9]*|1|0|0|0|" "$work/rows")" 65536 \
        "names of $call"
    same "$(grep "^$call|" "$work/rows" | grep -v '|name')" \
        "$call|other files|34464|0|0|0|" "those after them"
    same "$(visits $call)" 100000 "visits of $call"
done

behaviour time
run 0 PDUMP_EVENTS=none LD_PRELOAD="$io" "$calls" waits
# figure NAME: of the reads from the pipe.
figure() {
    cells perf_dump.details.csv value table=io path=read label=pipe field="$1"
}
same "$(figure calls)" 2 calls
at_least "$(figure time_max)" 100000000 "the one that waits"
# Ticks become ns each for itself: the sum may be one off, or two.
off=$(($(figure time) - $(figure time_min) - $(figure time_max)))
[ $off -ge -2 ] && [ $off -le 2 ] || failed "time of both is off by $off"
awk -v a="$(figure time_min)" -v b="$(figure time_max)" \
    -v all="$(figure time_sumsq)" 'BEGIN {
        off = all / (a * a + b * b) - 1
        exit off < -1e-6 || off > 1e-6 }' ||
    failed "sum of squares: $(figure time_sumsq)"
at_least "$(cells perf_dump.csv 'time.sum [ns]' path=read)" "$(figure time)" \
    "time of the region"

behaviour in the timeline
run 0 PDUMP_EVENTS=none PDUMP_RECORD=events LD_PRELOAD="$io" "$calls" posix
quiet
same "$(cells perf_dump.events.csv kind region=read | sort | uniq -c |
    tr -s ' \n' ' ')" " 3 enter 3 leave " "events of read"
same "$(cells perf_dump.events.csv kind region=work | grep -v '^io$' |
    tr '\n' ' ')" "enter leave " "events of the region around it"
same "$(cells perf_dump.events.csv kind region=work | grep -c '^io$')" \
    "$(($(cells perf_dump.events.csv kind | grep -c '^leave$') - 1))" \
    "an event io of each call"
cells perf_dump.events.csv name kind=io | grep -q '/file$' ||
    failed "no event has the name of the file"

behaviour threads
watch 0 "$calls" threads
quiet
for name in a b c d; do
    echo "open|$name|100|0|0|0|"
    echo "write|$name|10000|100000|10000|0| 4:10000"
    echo "close|$name|100|0|0|0|"
done | recorded

behaviour a child
watch 0 "$calls" forked
quiet
cat >"$work/all" <<END
open|file|1|0|0|0|
write|file|2|2|2|0| 1:2
close|file|1|0|0|0|
END
recorded <"$work/all"
behaviour a child that is followed
watch 0 PDUMP_FOLLOW=1 "$calls" forked
quiet
recorded <"$work/all"
same "$(visits write)" 4 "writes of both"

behaviour a child of vfork
watch 0 "$calls" vforked
quiet
recorded <<END
open|file|1|0|0|0|
write|file|1|1|1|0| 1:1
write|stdout|1|4|1|0| 3:1
close|file|1|0|0|0|
END

behaviour spawned commands
watch 0 "$calls" spawned
quiet
grep -v '^write|stdout\|^fgets' "$work/rows" && failed "rows of a child"
grep -q '^write|stdout|1|4|1|0|' "$work/rows" || failed "no row for stdout"

behaviour handlers of signals
watch 0 "$calls" handlers
quiet
at_least "$(grep -c 'write|stderr' "$work/rows")" 1 "rows of the handler"
behaviour calls that are left by a jump end with their region
watch 0 "$calls" jumps
quiet
recorded <<END
next/write|pipe|1|3|1|0| 2:1
END

behaviour a handler of the signal that kills
seconds=300
watch 8 "$calls" crashes
same "$(cat "$work/err")" crash "its word"

behaviour a thread that is cancelled
watch 0 "$calls" cancelled
quiet
behaviour sessions
watch 0 "$calls" sessions
quiet
recorded <<END
write|other|1|80|1|0| 7:1
END
same "$(visits write)" 1 "visits of the second session"

behaviour other metrics, and nothing of our own
watch 0 PDUMP_EVENTS= PDUMP_RECORD=profile,samples "$calls" forked
recorded <"$work/all"

behaviour PDUMP_DISABLE=1
watch 0 PDUMP_DISABLE=1 "$calls" posix
same "$(cat "$work/rows")" '' rows

behaviour a program that knows nothing of us
printf 'b\na\n' >input
run 0 PDUMP_EVENTS=none LD_PRELOAD="$io" sort input
quiet
same "$(cat "$work/out")" "a
b" "standard output"
there perf_dump.csv
at_least "$(cells perf_dump.csv visits path=fclose | head -n 1)" 1 visits

if [ -x "$fortran" ]; then
    behaviour Fortran
    watch 0 "$fortran"
    quiet
    same "$(cat "$work/out")" done "standard output"
    same "$(awk -F '|' '$1 == "write" && $2 == "stream" { n += $4 }
        END { print n }' "$work/rows")" 40000 bytes
fi

if [ -n "$python" ] && [ "$python" != : ] &&
    "$python" -c 'import cffi' 2>/dev/null; then
    behaviour Python
    watch 0 PYTHONPATH="$build/bindings/python" PYTHONDONTWRITEBYTECODE=1 \
        PDUMP_LIBRARY="$build/libpdump/.libs/libpdump.so" \
        PDUMP_MODULES="$build/plugins/modules" "$python" "$script"
    quiet
    same "$(cat "$work/out")" done "standard output"
    grep '^phase/' "$work/rows" | grep -v lseek >"$work/few"
    mv "$work/few" "$work/rows"
    recorded <<END
phase/open|text|2|0|0|0|
phase/write|text|1|18|1|0| 5:1
phase/read|text|2|18|2|0| 0:1 5:1
phase/close|text|2|0|0|0|
phase/open|bytes|1|0|0|0|
phase/write|bytes|2|1001|1|0| 1:1 10:1
phase/close|bytes|1|0|0|0|
END
fi

# files: those of the rows, each once.
files() {
    cut -d '|' -f 2 "$work/rows" | sort -u
}

if [ -n "$python" ] && "$python" -c '' 2>/dev/null; then
    behaviour what Python itself reads is one row
    echo 'open("result", "w").write("x")' >writes.py
    watch 0 "$python" writes.py
    same "$(files | grep -v '^std')" "MPI and system files
result" files
    watch 0 PDUMP_IO=system "$python" writes.py
    same "$(files | grep -c '^MPI and system files$')" 0 "common rows"
    same "$(files | grep '^writes.py$')" writes.py "the script"
    watch 0 PDUMP_IO=-system "$python" writes.py
    same "$(files | grep -v '^std')" result "files of the program"
    watch 0 PDUMP_IO='*/writes.py' "$python" writes.py
    same "$(files | grep -v '^std')" writes.py "a file that a pattern lists"
fi

behaviour files of the kernel, unless they are asked for
watch 0 cat /proc/self/status
same "$(files | grep -v '^std')" "MPI and system files" files
watch 0 PDUMP_IO='/proc/*' cat /proc/self/status
same "$(files | grep -v '^std' | sed 's/[0-9][0-9]*/PID/')" \
    /proc/PID/status "files with a pattern"
finish
