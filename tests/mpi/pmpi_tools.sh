#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Another tool for MPI that is preloaded, in front of our library or behind it: it
# counts what it counts without us, and we record what we record without it.  And
# nothing of ours is preloaded twice.
. "${srcdir:-.}/pmpi/kit.sh"
if ! command -v "$MPI_CC" >/dev/null; then
    echo "no C compiler's wrapper for $MPI"
    exit 77
fi
made=$work/made
tool=$made/tool.so
mkdir "$made"
"$MPI_CC" -shared -fPIC -w "$tests/pmpi/tool.c" -o "$tool" 2>"$work/err" || {
    what="the tool"
    failed "it cannot be built"
    finish
}

# counted: what the tool has counted is what it counts alone.
counted() {
    cat tool.* 2>/dev/null >"$work/counted"
    [ -s "$work/counted" ] || failed "the tool has not run"
    diff "$work/alone" "$work/counted" >"$work/err" ||
        failed "the tool has counted something else"
}

behaviour "$MPI: a tool alone"
ranks 3 LD_PRELOAD="$tool" collectives file
cat tool.* >"$work/alone"
at_least "$(awk '$1 == "Bcast" { n += $2 } END { print n }' "$work/alone")" 9 \
    "broadcasts"

for order in "$tool:$library" "$library:$tool" "$tool $library libm.so.6"; do
    behaviour "$MPI: C, LD_PRELOAD=$order"
    ranks 3 LD_PRELOAD="$order" collectives file
    quiet
    agrees
    counted
done

behaviour "$MPI: pdump run --mpi, around mpirun"
run 0 "$pdump" run -q --mpi -- "$MPI_RUN" -n 3 env LD_PRELOAD="$tool" \
    collectives file
quiet
figures @ | grep '^MPI_Bcast@' >"$work/figures"
told @ | grep '^MPI_Bcast@' >"$work/told"
diff "$work/told" "$work/figures" >"$work/err" || failed "other figures"
counted
behaviour "$MPI: pdump run --mpi, within mpirun"
run 0 "$MPI_RUN" -n 3 env LD_PRELOAD="$tool" "$pdump" run -q --mpi \
    collectives file
quiet
figures @ | grep '^MPI_Bcast@' >"$work/figures"
told @ | grep '^MPI_Bcast@' >"$work/told"
diff "$work/told" "$work/figures" >"$work/err" || failed "other figures"
counted
behaviour "$MPI: pdump run, MPI calls are not recorded"
run 0 "$MPI_RUN" -n 3 env LD_PRELOAD="$tool" "$pdump" run -q collectives file
quiet
same "$(cells perf_dump.csv rank path=collectives | sort -u | tr '\n' ' ')" \
    "0 1 2 " "ranks in one file"
counted

for way in USE_MPIF USE_MPI USE_MPI_F08; do
    [ -n "$MPI_FC" ] || break
    behaviour "$MPI: Fortran, $way"
    "$MPI_FC" -fallow-argument-mismatch -w -D$way -J"$made" \
        "$tests/pmpi/fortran.F90" -o "$made/$way" >"$work/err" 2>&1 || continue
    ranks 2 LD_PRELOAD="$tool" "$made/$way"
    cat tool.* >"$work/alone"
    for order in "$tool:$library" "$library:$tool"; do
        rm -f perf_dump* tool.*
        ranks 2 LD_PRELOAD="$order" "$made/$way"
        quiet
        figures | grep -v '^MPI_\(Testall\|Finalize\) ' >"$work/figures"
        grep -v '^MPI_Finalize ' "$tests/pmpi/fortran.txt" | sort |
            diff - "$work/figures" >"$work/err" || failed "other figures"
        counted
    done
done

build=${MODULES%/plugins/modules}
PYTHONPATH=$build/bindings/python
PDUMP_LIBRARY=$build/libpdump/.libs/libpdump.so
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PDUMP_LIBRARY PYTHONDONTWRITEBYTECODE
find_python cffi
if [ -n "$python" ]; then
    behaviour "$MPI: mpi4py"
    ranks 2 LD_PRELOAD="$tool" "$python" "$tests/pmpi/messages.py"
    cat tool.* >"$work/alone"
    for order in "$tool:$library" "$library:$tool"; do
        rm -f perf_dump* tool.*
        ranks 2 LD_PRELOAD="$order" "$python" "$tests/pmpi/messages.py"
        quiet
        told | grep '^MPI_Send ' >"$work/told"
        figures | grep '^MPI_Send ' | diff "$work/told" - >"$work/err" ||
            failed "other figures"
        counted
    done
    behaviour "$MPI: mpi4py, python -m pdump --mpi"
    ranks 2 PDUMP_TELL=never LD_PRELOAD="$tool" "$python" -m pdump --mpi \
        "$tests/pmpi/messages.py"
    quiet
    told | grep '^MPI_Send ' >"$work/told"
    figures | grep '^MPI_Send ' | diff "$work/told" - >"$work/err" ||
        failed "other figures"
    counted
fi

# once: each library of ours is once in the LD_PRELOADs that were printed.
cat >"$made/shown" <<'END'
#!/bin/sh
echo "preloaded $LD_PRELOAD"
END
chmod +x "$made/shown"
once() {
    at_least "$(grep -c '^preloaded.*libpdump-run.so' "$work/out")" "$1" lists
    same "$(sed -n 's/^preloaded //p' "$work/out" | awk -F : '{
        for (i = 1; i <= NF; i++) {
            name = $i
            sub(/.*\//, "", name)
            if (seen[NR, name]++)
                print name
        }
    }' | sort -u | tr '\n' ' ')" "" "what is in LD_PRELOAD twice"
}
behaviour "$MPI: pdump run in pdump run"
run 0 "$pdump" run -q --io --heap -- "$pdump" run -q --io --heap -- \
    "$pdump" run -q "$made/shown"
once 1
behaviour "$MPI: pdump run in mpirun in pdump run"
run 0 "$pdump" run -q --mpi --io -- "$MPI_RUN" -n 2 "$pdump" run -q --mpi --io -- \
    "$made/shown"
once 2
if [ -n "${PYTHON:-}" ] && "$PYTHON" -c '' 2>/dev/null; then
    # As the process was started: what is for itself alone is hidden later.
    cat >"$made/shown.py" <<'END'
for line in open("/proc/self/environ").read().split("\0"):
    if line.startswith("LD_PRELOAD="):
        print("preloaded", line[11:], flush=True)
END
    behaviour "$MPI: Python, pdump run in mpirun in pdump run"
    run 0 "$pdump" run -q --mpi --io -- "$MPI_RUN" -n 2 "$pdump" run -q --mpi \
        --io -- "$PYTHON" "$made/shown.py"
    once 2
fi
if [ -n "$python" ]; then
    behaviour "$MPI: python -m pdump in pdump run"
    run 0 "$pdump" run -q --mpi --io -- "$MPI_RUN" -n 2 "$python" -m pdump --mpi \
        --io --heap "$made/shown.py"
    once 2
fi
finish
