#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A library that calls MPI while it is loaded, beside a thread whose first call
# of MPI it is: the loader is not asked under a lock of ours.
. "${srcdir:-.}/pmpi/kit.sh"
if ! command -v "$MPI_CC" >/dev/null; then
    echo "no C compiler's wrapper for $MPI"
    exit 77
fi
made=$work/made
mkdir "$made"
what="the programs"
"$MPI_CC" -shared -fPIC -w "$tests/pmpi/loaded.c" -o "$made/loaded.so" \
    2>"$work/err" || failed "the library cannot be built"
"$MPI_CC" -w "$tests/pmpi/loading.c" -o "$made/loading" -lpthread -ldl \
    2>"$work/err" || failed "the program cannot be built"

behaviour "$MPI: the first call, and one in a constructor"
run 0 LD_PRELOAD="$library" "$made/loading" "$made/loaded.so"
same "$(visits MPI_Initialized),$(visits MPI_Get_version)" 1,1 calls
finish
