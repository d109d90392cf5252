#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs inside the emulated machine: every case of counts, every unit test.
# Prints "pmu: NAME STATUS" for each, which run.sh counts.
here=$(cd "$(dirname "$0")" && pwd)
export LD_LIBRARY_PATH="$here" PDUMP_DUMP_DIR=/tmp/pmu
mkdir -p "$PDUMP_DUMP_DIR"
cd "$PDUMP_DUMP_DIR" || exit 1

for name in $("$here/counts"); do
    timeout 300 "$here/counts" "$name"
    echo "pmu: counts-$name $?"
done
# fact NAME: of the dump here.
fact() {
    sed -n "s/^metadata,[0-9]*,$1,//p" perf_dump.meta.csv
}

PDUMP_EVENTS=none PDUMP_STACKS=100 PDUMP_OUTPUT_FORMAT=csv \
    timeout 300 "$here/shares" 3 regions
echo "stacks: $(fact stacks), unfinished: $(fact stacks_unfinished), lost: $(fact stacks_lost)"
[ "$(fact stacks)" -ge 100 ] && [ "$(fact stacks_unfinished)" = 0 ]
echo "pmu: stacks $?"
for test in "$here"/check_*; do
    [ -x "$test" ] || continue
    timeout 300 "$test"
    echo "pmu: $(basename "$test") $?"
done
echo "pmu: end"
