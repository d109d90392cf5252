#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The hardware path on an emulated aarch64 machine that has counters:
#     tests/pmu/run.sh PATH_OF_PMU_VM
# Cross-compiles the library against the machine's own root folder
# ($PMU_VM_DIR/root), ships it with counts.c and the unit tests, and looks at
# what the machine's console says.  Exit 0: all passed, 1: not, 77: cannot run.
set -eu

vm=${1:?usage: run.sh PATH_OF_PMU_VM}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
dir=${PMU_VM_DIR:-/tmp/pmu-vm}
cc=${PMU_CC:-aarch64-linux-gnu-gcc}

skip()
{
    echo "run.sh: $1" >&2
    exit 77
}
command -v "$cc" >/dev/null || skip "no $cc: install gcc-aarch64-linux-gnu"
[ -x "$vm" ] || skip "no $vm"
[ -d "$dir/root/usr/include" ] || skip "no machine in $dir: run '$vm make'"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s -j"$(nproc)" -C "$work" -f "$here/cross.mk" \
    TOP="$top" ROOT="$dir/root" CC="$cc"
find "$work" -mindepth 1 -type d -exec rm -rf {} +

# One machine at a time: it has one disk.
PMU_VM_S=${PMU_VM_S:-900} flock "$dir/lock" \
    "$vm" run "$here/job.sh" "$work"/* >"$work.log" 2>&1 </dev/null || true
sed -n '/^== booted/,/^== done/p' "$work.log"

n_passed=$(grep -c '^pmu: .* 0$' "$work.log" || true)
n_failed=$(grep -c '^pmu: .* [1-9][0-9]*$' "$work.log" || true)
is_whole=$(grep -c '^pmu: end$' "$work.log" || true)
rm -f "$work.log"
echo "pmu: $n_passed passed, $n_failed failed"
[ "$is_whole" = 1 ] || { echo "pmu: the machine did not finish" >&2; exit 1; }
[ "$n_failed" = 0 ] && [ "$n_passed" -gt 9 ]
