#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How a dump grows with ranks and regions: `make scale`, or with variables:
#   SECONDS_MAX  of all runs together (300): larger ones are left out then
#   RANKS, REGIONS, MODES  lists; a mode is a PDUMP_RANKS, or "gather": all
#                          ranks, written by rank 0 however much there is
# The last columns are exponents between this row and the last one with the same
# regions (ranks^x), or with the same ranks (regions^x): 1 is linear.
set -u

if [ -z "${MPI_RUN:-}" ]; then
    echo "scale: skipped, there is no mpirun"
    exit 0
fi
program=$PWD/mpi/scale
source=$(cd "${srcdir:-.}" && pwd)
. "$source/mpi/environment.sh"
end=$(($(date +%s) + ${SECONDS_MAX:-300}))

# settings MODE
settings() {
    case $1 in
    gather) echo "PDUMP_RANKS=all PDUMP_HDF5=gather" ;;
    *) echo "PDUMP_RANKS=$1" ;;
    esac
}

# measure MODE RANKS REGIONS: the least of two runs, in $folder/all.
measure() {
    for i in 1 2; do
        begin=$(date +%s)
        if [ $((end - begin)) -lt 5 ]; then
            [ $i = 2 ] || echo "$1 $2 $3 left-out" >>"$folder/all"
            return
        fi
        # No blanks in these.
        env $(settings "$1") timeout -k 5 $((end - begin)) "$MPI_RUN" -n "$2" \
            "$program" "$3" 7 </dev/null 2>>"$folder/errors" |
            sed "s/^/$1 /" >>"$folder/all"
        rm -f ./*.h5
        [ $(($(date +%s) - begin)) -lt 10 ] || return
    done
}

: >"$folder/all"
for regions in ${REGIONS:-10 1000 10000}; do
    for mode in ${MODES:-stats gather all}; do
        for ranks in ${RANKS:-2 8 32 64}; do
            measure "$mode" "$ranks" "$regions"
        done
    done
done
sort -s -k1,1 "$folder/all" >"$folder/sorted"
awk -f "$source/scale.awk" "$folder/sorted"
[ ! -s "$folder/errors" ] || head -n 20 "$folder/errors" >&2
