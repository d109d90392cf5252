#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_FILTER, from the program to the file: C and Fortran.  Python's functions
# and regions are in python/test_runner.py, the files themselves and the
# recorder in check_filter.c.
regions=$PWD/program/filter/regions
fortran=$PWD/program/filter/fortran
. "${srcdir:-.}/program/behaviour/kit.sh"
PDUMP_EVENTS=none
export PDUMP_EVENTS

# filtered WORD...: a new case, with the filter "good".
filtered() {
    behaviour "$@"
    cat >good <<'END'
# What is small costs more than it tells.
SCOREP_REGION_NAMES_BEGIN
  EXCLUDE tiny*
SCOREP_REGION_NAMES_END
SCOREP_FILE_NAMES_BEGIN
  EXCLUDE */generated.c
SCOREP_FILE_NAMES_END
END
    PDUMP_FILTER=good
    export PDUMP_FILTER
}

# paths PATH...: these are in the dump, and no others.
paths() {
    same "$(cells perf_dump.csv path | sort | tr '\n' ' ')" \
        "$(printf '%s\n' "$@" | sort | tr '\n' ' ')" "paths"
}

filtered regions by name
run 0 "$regions" by_name
warns "none is open"
paths main main/inner
same "$(visits main)" 10 "visits of main"
same "$(visits main/inner)" 20 "visits of inner"
same "$(cells perf_dump.meta.csv value key=filter)" good "the filter"
same "$(cells perf_dump.meta.csv value key=filter_rules)" \
    "EXCLUDE tiny*; files EXCLUDE */generated.c" "its rules"
readable perf_dump.csv
tr '\n' ' ' <"$work/report" | tr -s ' ' |
    grep -q 'the filter good excludes' || failed "no note in the report"

filtered every visit as a sample
run 0 PDUMP_RECORD=profile,samples "$regions" by_name
paths main main/inner
same "$(cells perf_dump.samples.csv region region=inner | wc -l | tr -d ' ')" \
    20 samples

filtered regions by number
run 0 "$regions" by_number
quiet
paths inner
same "$(visits inner)" 10 visits

filtered scopes
run 0 "$regions" by_scope
quiet
paths inner
same "$(visits inner)" 10 visits

filtered profiles
run 0 "$regions" profiles
quiet
paths inner kept kept/inner
same "$(visits inner)" 5 visits

filtered rewind regions
run 0 PDUMP_RECORD=profile,samples "$regions" rewinds
quiet
paths inner
same "$(visits inner)" 5 visits
same "$(cells perf_dump.samples.csv region | sort -u)" inner samples

filtered "steps and parameters, which stay"
run 0 "$regions" others
quiet
paths step step/main step/main/tiny=1
same "$(visits step/main/tiny=1)" 10 visits

filtered regions that are switched off as well
run 0 "$regions" switched
warns "none is open"
paths inner

filtered the choice of the program
printf '# 1\n  EXCLUDE\n' >bad
unset PDUMP_FILTER
run 0 "$regions" chosen
paths main main/inner

filtered two files
printf 'PDUMP_REGION_NAMES_BEGIN INCLUDE tiny2 PDUMP_REGION_NAMES_END' >second
run 0 PDUMP_FILTER=good,second "$regions" by_name
paths main main/inner main/tiny2 main/tiny2/inner

filtered "a bad file, of which nothing is used"
sed 's/SCOREP_FILE_NAMES_BEGIN/SCOREP_FILE_NAMES_BEGUN/' good >bad
run 0 PDUMP_FILTER=bad "$regions" by_name
warns "bad:5:1: "
warns "the filter is not used"
noted "bad:5:1: "
same "$(visits main/tiny)" 10 visits
same "$(cells perf_dump.meta.csv value key=filter)" "" "a filter in the dump"

filtered "a file that is not there"
run 0 PDUMP_FILTER=nowhere "$regions" by_name
warns "nowhere: No such file"
same "$(visits main/tiny)" 10 visits

filtered "a pipe, which nobody writes to"
mkfifo pipe
seconds=300 run 0 PDUMP_FILTER=pipe "$regions" by_name
warns "pipe: not a regular file"

if [ -x "$fortran" ]; then
    filtered Fortran
    run 0 "$fortran"
    quiet
    paths main main/inner
    same "$(visits main/inner)" 10 visits
fi

finish
