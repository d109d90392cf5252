#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files with anything in them: a reader may refuse, and nothing else.
#   FUZZ=SECONDS   also with libFuzzer and sanitizers, so long per reader
targets=$PWD/fuzz
modules=${PDUMP_MODULES_BUILT:-$PWD/../plugins/modules}
source=${top_srcdir:-$PWD/..}
corpus=$(cd "${srcdir:-.}/fuzz/corpus" && pwd) || exit 99
. "${srcdir:-.}/program/behaviour/kit.sh"
# HDF5 keeps what it once had.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0:allocator_may_return_null=1
PDUMP_MODULES=$modules
PDUMP_EVENTS=none
# Files come and go by the thousand: in memory, where that is.
shm=/dev/shm
[ -d $shm ] && [ -w $shm ] || shm=$work
FUZZ_FOLDER=$(mktemp -d $shm/pdump-fuzz-XXXXXX) || exit 99
trap 'rm -rf "$FUZZ_FOLDER"; clean' EXIT
FUZZ_SEED=$work/seeds/hdf5.h5
FUZZ_SEEDS=$work/seeds/store
export ASAN_OPTIONS PDUMP_MODULES PDUMP_EVENTS FUZZ_FOLDER FUZZ_SEED FUZZ_SEEDS
most_bytes=40000 # of an input
seconds=$((${FUZZ:-0} + 240))
runs=2000
has_hdf5=no
[ ! -x "$targets/hdf5" ] || [ ! -f "$modules/pdump_hdf5.so" ] || has_hdf5=yes
if is_sanitized; then
    FUZZ_UNLIMITED=1
    runs=500
    export FUZZ_UNLIMITED
fi

# The reader of CSV has the stored files as seeds, which is what it wants.
seed_csv() { cp "$corpus"/csv/* "$work/seeds/csv"; }

# recorded MODE: what a killed process leaves, with events, as seed MODE.
recorded() {
    rm -f "$PDUMP_STORE"/*
    PDUMP_RECORD=events PDUMP_EVENTS_MODE=$1 PDUMP_EVENTS_BUFFER=32 \
        PDUMP_THROTTLE=200:1000000 PDUMP_MEMORY=50 PDUMP_STACKS=1000 \
        PDUMP_QUIET=1 \
        timeout 300 "$targets/recorded" "$1" >/dev/null 2>&1 </dev/null
    "$targets/sparse" "$PDUMP_STORE"/*.store \
        $(ls "$PDUMP_STORE" | sed -n "s|.*events\$|$PDUMP_STORE/&|p") \
        >"$FUZZ_SEEDS/$1" || failed "no seed $1"
}

seed_store() {
    recorded ring
    recorded flush
    # The second flag of fuzz/sparse.h: it is cut.
    { printf '\2' && tail -c +2 "$FUZZ_SEEDS/ring" | head -c 2000; } \
        >"$FUZZ_SEEDS/cut"
    for mode in ring flush; do
        at_least $(wc -c <"$FUZZ_SEEDS/$mode") 3000 "bytes of seed $mode"
        at_least $most_bytes $(wc -c <"$FUZZ_SEEDS/$mode") "bytes of seed $mode"
    done
}

# The same dump as the reader of CSV has, and changes to it.
seed_hdf5() {
    awk 'BEGIN { split("csv meta.csv samples.csv stats.csv details.csv " \
                       "events.csv", name, " "); i = 1 }
         $0 == "%%%" { i++; next }
         { print >("all." name[i]) }' "$corpus/csv/all"
    run 0 "$pdump" export -o "$FUZZ_SEED" all.csv
    cp "$corpus"/hdf5/* "$work/seeds/hdf5"
    printf '0123456789abcdef' >"$work/seeds/hdf5/one"
    printf 'a2345678.9abcdefH 2.....0.......i.3.....@.......' \
        >"$work/seeds/hdf5/three"
}

mkdir -p "$work/seeds/csv" "$work/seeds/store" "$work/seeds/hdf5"
behaviour seeds
seed_csv
seed_store
readers="csv store"
if [ $has_hdf5 = yes ]; then
    readers="$readers hdf5"
    seed_hdf5
fi

for reader in $readers; do
    behaviour "the reader of $reader, what is stored"
    run 0 FUZZ_STRICT=1 "$targets/$reader" 0 "$corpus/$reader"/*
    # A file of HDF5 takes 5 ms: it has more than a hundred datasets.
    n=$runs
    [ $reader != hdf5 ] || n=$((runs / 4))
    behaviour "the reader of $reader, $n files"
    run 0 "$targets/$reader" $n "$work/seeds/$reader"/*
done
[ -n "${FUZZ:-}" ] || finish

# compile FOLDER FILE...: with what libFuzzer wants, into FOLDER/lib.a.
compile() {
    folder=$1
    shift
    mkdir -p "$folder"
    printf '%s\n' "$@" | (cd "$folder" && xargs -n 4 -P 2 $clang -c) \
        >"$folder/out" 2>&1 && ar rc "$folder/lib.a" "$folder"/*.o || {
        cat "$folder/out"
        failed "the sources do not compile"
        finish
    }
}

what=libFuzzer
clang="clang -g -O1 -std=gnu11 -D_GNU_SOURCE -I$source/include
    -I$source/libpdump -I$source/plugins/hdf5 ${HDF5_CFLAGS:-}
    -DPDUMP_VERSION=\"0\" -DPDUMP_MODULE_DIR=\"/nowhere\"
    -fsanitize=address,undefined -fno-sanitize-recover=undefined"
echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }' \
    >"$work/t.c"
if ! $clang -fsanitize=fuzzer "$work/t.c" -o "$work/t" 2>/dev/null; then
    echo "skipped: there is no clang with libFuzzer"
    [ $n_failed -eq 0 ] || finish
    exit 77
fi
clang="$clang -fsanitize=fuzzer-no-link"
compile "$work/core" $(find "$source/libpdump" -name "*.c" | grep -v source_papi)
[ $has_hdf5 = no ] || compile "$work/hdf5" \
    $(ls "$source"/plugins/hdf5/*.c | grep -v -e deflate_lib -e plugin.c -e origin.c)

for reader in $readers; do
    behaviour "libFuzzer and the reader of $reader"
    libs=
    leaks=1
    most=$most_bytes
    if [ $reader = hdf5 ]; then
        libs="$(ls "$work"/hdf5/*.o) ${HDF5_LIBS:-} -lz"
        leaks=0
        most=128
    fi
    $clang -fsanitize=fuzzer "$source/tests/fuzz/$reader.c" $libs \
        "$work/core/lib.a" -lpthread -ldl -lm -o "$work/fuzz_$reader" \
        2>"$work/err" || failed "it does not link"
    # A file that says it is HDF5 must not bring a module, and another library.
    fuzz="PDUMP_MODULES=/nowhere
        ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=$leaks
        UBSAN_OPTIONS=print_stacktrace=1 $work/fuzz_$reader -timeout=30
        -rss_limit_mb=1024 -malloc_limit_mb=512 -detect_leaks=$leaks"
    run 0 $fuzz "$corpus/$reader"/*
    mkdir -p "$work/found/$reader"
    run 0 $fuzz -max_len=$most -max_total_time="$FUZZ" \
        -artifact_prefix="${FUZZ_KEEP:-$work}/" -print_final_stats=1 \
        "$work/found/$reader" "$work/seeds/$reader"
    grep -h -e '^stat::number_of_executed_units' -e '^SUMMARY' -e 'ERROR' \
        -e 'runtime error' "$work/err"
    [ $code -eq 0 ] || tail -n 40 "$work/err"
done
finish
