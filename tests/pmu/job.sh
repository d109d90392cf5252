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
for test in "$here"/check_*; do
    [ -x "$test" ] || continue
    timeout 300 "$test"
    echo "pmu: $(basename "$test") $?"
done
echo "pmu: end"
