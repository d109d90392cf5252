#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each MPI function that moves data is called by a program in each of its forms,
# and recorded with its bytes.
. "${srcdir:-.}/pmpi/kit.sh"
: >"$work/seen"
nm -D --defined-only "$library" | awk '{ print $3 }' | sort >"$work/ours"

# balanced: over all ranks, as much was sent as was received, in each collective.
balanced() {
    figures | awk '$1 ~ /^MPI_/ && $3 != $4' >"$work/err"
    [ ! -s "$work/err" ] || failed "sent and received differ"
}

for part in messages partitioned collectives groups neighbours windows files \
    communicators; do
    behaviour "$MPI: every function: $part"
    watched 3 every $part
    quiet
    if [ -s told.0 ]; then
        agrees
    elif [ $part != partitioned ]; then
        failed "the program told nothing"
    fi
    told | awk '{ print $1 }' >>"$work/seen"
    case $part in
    collectives | groups | neighbours) balanced ;;
    esac
done

for n in 1 2; do
    for part in collectives neighbours; do
        behaviour "$MPI: every function: $part, ranks: $n"
        watched $n every $part
        quiet
        agrees
        balanced
    done
done

if [ -n "$MPI_FC" ]; then
    behaviour "$MPI: every kind of function, Fortran with mpi_f08"
    is_new=
    ! grep -qx MPI_Psend_init "$work/ours" || is_new=-DHAS_MPI_4
    if "$MPI_FC" -w $is_new -J. "$tests/pmpi/every.F90" -o fortran \
        >"$work/err" 2>&1; then
        watched 3 ./fortran
        quiet
        agrees
    else
        echo "no mpi_f08"
    fi
fi

# Those of messages.c are in pmpi.sh.
behaviour "$MPI: every function is in a test"
sort -u - "$work/seen" >"$work/tested" <<'END'
MPI_Cancel
MPI_Startall
MPI_Test
MPI_Testall
MPI_Testany
MPI_Testsome
MPI_Waitall
MPI_Waitany
MPI_Waitsome
END
awk '$1 ~ /^MPI_/ && $2 ~ /^(p2p|coll|nonblocking|rma|io)$/ {
        name = $1
        print name
        if (sub(/\[_c\]$/, "", name))
            print name "\n" name "_c"
    }' "$calls" |
    grep -v '[][]\|errhandler\|keyval\|_attr$\|_datarep' | sort >"$work/listed"
comm -23 "$work/listed" "$work/ours" | sed 's/^/not in this MPI: /'
same "$(comm -12 "$work/listed" "$work/ours" | comm -23 - "$work/tested" |
    tr '\n' ' ')" "" "not tested"
finish
