#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The seam for processes under MPI; the programs of comm/ have the checks.
. "${srcdir:-.}/kit.sh"
seconds=300

# on N PROGRAM CASE: every rank must pass.
on() {
    n=$1
    shift
    behaviour "$MPI, $n ranks: $*"
    ranks "$n" "$programs/comm/$1" "$MPI_SONAME" "$2"
    # Words, not lines: mpirun may mix what the ranks print.
    same "$(grep -o passed "$work/out" | wc -l | tr -d ' ')" "$n" \
        "ranks that passed"
}

for n in 1 2 5; do
    on $n talk votes
    on $n talk messages
    on $n talk at_end
    on $n talk at_end_again
    on $n talk groups
done
on 2 talk big
on 2 talk before_and_after
on 2 talk threads
on 2 talk funneled
on 2 talk wildcard
on 2 talk misuse
on 2 talk exhausted
on 1 talk child

on 3 silence absent_at_end
on 3 silence absent_first
on 3 silence absent_later
on 3 silence late
on 3 silence silent_voter
on 3 silence silent_sender
on 3 silence silent_receiver

finish
