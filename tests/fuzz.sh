#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files with anything in them: a reader may refuse, and nothing else.
#   FUZZ=SECONDS   also with libFuzzer and sanitizers, so long per reader
made=$PWD/html/made
targets=$PWD/fuzz
modules=${PDUMP_MODULES_BUILT:-$PWD/../plugins/modules}
source=${top_srcdir:-$PWD/..}
. "${srcdir:-.}/behaviour/kit.sh"
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
export ASAN_OPTIONS PDUMP_MODULES PDUMP_EVENTS FUZZ_FOLDER FUZZ_SEED
seconds=$((${FUZZ:-0} + 240))
runs=2000
has_hdf5=no
[ ! -x "$targets/hdf5" ] || [ ! -f "$modules/pdump_hdf5.so" ] || has_hdf5=yes
if is_sanitized; then
    FUZZ_UNLIMITED=1
    runs=500
    export FUZZ_UNLIMITED
fi

# A seed for the reader of CSV is a file and those beside it in one.
seed_csv() {
    run 0 "$made" a 2 3 1 2
    for part in a.csv a.meta.csv a.samples.csv; do
        [ $part = a.csv ] || echo '%%%'
        cat $part
    done >"$work/seeds/csv/all"
    cp a.csv "$work/seeds/csv/one"
    cat >"$work/seeds/csv/stats" <<END
process,rank,pid,thread,node,parent,region,open,visits,time.sum [ns]
0,0,42,0,0,,main,0,1,100
%%%
table,index,key,value
dump,0,format,libpdump
dump,0,version,1
dump,0,rows,1
dump,0,samples,0
dump,0,statistics,2
metric,0,name,time
metric,0,unit,ns
metric,0,kind,counter
process,0,rank,0
process,0,pid,42
thread,0,process,0
thread,0,number,0
region,0,name,main
node,1,parent,0
node,1,region,0
metadata,0,command,x
warning,0,text,y
warning,0,count,3
%%%
process,rank,pid,thread,node,region,number,start [ns],time [ns]
%%%
node,parent,depth,path,region,group,metric,unit,ranks,sum,mean,min,max,stddev,imbalance,sumsq,rank_of_min,rank_of_max
0,,0,main,main,,visits,1,2,2,1,1,1,0,0,2,0,0
0,,0,main,main,,time,ns,2,200,100,100,100,0,0,20000,0,1
END
}

# What a killed process leaves; a store that is cut can be read as well.
seed_store() {
    timeout 60 survivor killed >/dev/null 2>&1 </dev/null
    stores 1
    { printf b && head -c 12000 "$PDUMP_STORE"/*.store; } \
        >"$work/seeds/store/cut"
    { printf c && head -c 2000 "$PDUMP_STORE"/*.store; } \
        >"$work/seeds/store/shorter"
    rm "$PDUMP_STORE"/*.store
    PDUMP_RECORD=events PDUMP_EVENTS_MODE=ring PDUMP_EVENTS_BUFFER=32 \
        timeout 60 survivor killed >/dev/null 2>&1 </dev/null
    stores 1
    { printf d && head -c 120000 "$PDUMP_STORE"/*.store; } \
        >"$work/seeds/store/events"
}

# Changes to a good file, of sixteen bytes each.
seed_hdf5() {
    run 0 "$pdump" export -o "$FUZZ_SEED" a.csv
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
    behaviour "the reader of $reader, $runs files"
    run 0 "$targets/$reader" $runs "$work/seeds/$reader"/*
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
compile "$work/core" $(ls "$source"/libpdump/*.c | grep -v source_papi)
[ $has_hdf5 = no ] || compile "$work/hdf5" \
    $(ls "$source"/plugins/hdf5/*.c | grep -v -e deflate_lib -e plugin.c -e origin.c)

for reader in $readers; do
    behaviour "libFuzzer and the reader of $reader"
    libs=
    leaks=1
    most=20000
    if [ $reader = hdf5 ]; then
        libs="$(ls "$work"/hdf5/*.o) ${HDF5_LIBS:-} -lz"
        leaks=0
        most=128
    fi
    $clang -fsanitize=fuzzer "$source/tests/fuzz/$reader.c" $libs \
        "$work/core/lib.a" -lpthread -ldl -lm -o "$work/fuzz_$reader" \
        2>"$work/err" || failed "it does not link"
    # A file that says it is HDF5 must not bring a module, and another library.
    run 0 PDUMP_MODULES=/nowhere \
        ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=$leaks \
        UBSAN_OPTIONS=print_stacktrace=1 "$work/fuzz_$reader" -timeout=30 \
        -rss_limit_mb=1024 -malloc_limit_mb=512 -max_len=$most -detect_leaks=$leaks \
        -max_total_time="$FUZZ" -artifact_prefix="${FUZZ_KEEP:-$work}/" \
        -print_final_stats=1 "$work/seeds/$reader"
    grep -h -e '^stat::number_of_executed_units' -e '^SUMMARY' -e 'ERROR' \
        -e 'runtime error' "$work/err"
    [ $code -eq 0 ] || tail -n 40 "$work/err"
done
finish
