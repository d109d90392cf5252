#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The overhead that a dump states is the true cost of visits of each kind.
modules=${PDUMP_MODULES_BUILT:-$PWD/../plugins/modules}
costs=$PWD/wrap/visit_cost/costs
. "${srcdir:-.}/program/behaviour/kit.sh"
. "$kit/../../wrap/visit_cost/judge.sh"
needs_preload
PDUMP_EVENTS=none
export PDUMP_EVENTS

behaviour a region
judge overhead_ns_per_visit run 0 "$costs" region

behaviour a function of compiled code
judge overhead_ns_per_function run 0 "$costs" function

behaviour a call of I/O
judge overhead_ns_per_io_call run 0 LD_PRELOAD="$modules/libpdump-io.so" \
    "$costs" io_call

behaviour what is not recorded is not stated
run 0 "$costs" region
same "$(cells perf_dump.meta.csv key |
    grep -c 'per_io_call\|per_mpi_call\|per_python')" 0 "other kinds"

tell_busy
finish
