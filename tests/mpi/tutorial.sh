# SPDX-License-Identifier: BSD-3-Clause
# docs/tutorial.md: what it tells to save is saved, what it tells to run is run,
# and what comes is compared with what it shows, without the figures.  Each of
# its six tasks takes at most three commands from an empty folder to the answer;
# how long is printed.
if [ "${PDUMP_SANITIZERS:-no}" != no ]; then
    echo "programs without a sanitizer cannot use a library with one"
    exit 77
fi
. "${srcdir:-.}/kit.sh"
build=${MODULES%/plugins/modules}
page=$tests/../../docs/tutorial.md
[ -e "$MODULES/pdump_hdf5.so" ] || {
    echo "the page counts upon HDF5"
    exit 77
}
command -v script >/dev/null || {
    echo "no script(1): no terminal"
    exit 77
}
unset PDUMP_OUTPUT_FORMAT MAKEFLAGS MFLAGS MAKELEVEL
PDUMP_EVENTS=none # as the page says
SHELL=/bin/sh # for script(1)
LD_LIBRARY_PATH=$build/libpdump/.libs:$build/bindings/fortran/.libs
LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$build/plugins/.libs
PYTHONPATH=$build/bindings/python
PDUMP_LIBRARY=$build/libpdump/.libs/libpdump.so
PYTHONDONTWRITEBYTECODE=1
export PDUMP_EVENTS SHELL LD_LIBRARY_PATH PYTHONPATH PDUMP_LIBRARY \
    PYTHONDONTWRITEBYTECODE

# The commands that a user has, for this MPI and this build.
mkdir "$work/bin" "$work/page"
# command_is NAME WORD...: what stands for it.
command_is() {
    name=$1
    shift
    printf '%s\n' '#!/bin/sh' "exec $* \"\$@\"" >"$work/bin/$name"
    chmod +x "$work/bin/$name"
}
command_is mpicc "$MPI_CC"
command_is pdump "$pdump"
cat >"$work/bin/pkg-config" <<END
#!/bin/sh
echo "-I$tests/../../include -I$build/bindings/fortran" \
    "-L$build/bindings/fortran/.libs -L$build/libpdump/.libs"
case \$* in
*-fortran) echo -lpdumpf ;;
esac
echo -lpdump
END
chmod +x "$work/bin/pkg-config"
PATH=$work/bin:$PATH

awk -v top="$work/page" -f "$tests/tutorial.awk" "$page"

# section TITLE: its folder.
section() {
    section=$(dirname "$(grep -lx -e "##* $1" "$work"/page/*/title)")
    [ -e "$section/title" ] || failed "the page has no section '$1'"
}

# plain: without colours and carriage returns.
plain() {
    tr -d '\r' | sed "s/$(printf '\033')\[[0-9;]*m//g"
}

# words: those of each line, without figures and units.
words() {
    sed 's/[^A-Za-z_.]/ /g' | awk '{
        line = " "
        for (i = 1; i <= NF; i++)
            if ($i !~ /^(.|[mnu]s|kB|MB|GB|[.]*)$/)
                line = line $i " "
        if (line != " ")
            print line
    }'
}

# flat: lines as one, as if none had been wrapped.
flat() {
    tr '\n' ' ' | tr -s ' '
}

# shown COMMAND.output: the words of every line came, together and in their
# order.  What depends on the machine may differ: folders, the date, verdicts
# and calls that take nothing.
shown() {
    words <"$work/terminal" | flat >"$work/came"
    grep -v -e ' /home/me/' -e '^vm, ' -e '^pdump run: ' -e MPI_Comm_ \
        -e ' less  ' -e ' MORE  ' -e 'inconclusive' \
        -e 'without a significant' "$1" | words >"$work/lines"
    while read -r line; do
        grep -qF -e " $line " "$work/came" || echo "$line"
    done <"$work/lines" >"$work/missing"
    [ ! -s "$work/missing" ] || {
        failed "$(cat "${1%output}command"): the page shows, but not came:"
        cat "$work/missing"
        echo "--- came:"
        cat "$work/terminal"
    }
}

# walk TITLE [NAME...]: saves the files of a section, and of others of that
# name, and runs its commands on a terminal of 80 columns.
walk() {
    section "$1"
    shift
    cp "$section"/files/* . 2>/dev/null
    for name in "$@"; do
        cp "$work"/page/*/files/"$name" .
    done
    : >"$work/all"
    for command in "$section"/*.command; do
        run 0 script -qec "stty cols 80
            $(sed "s,mpirun -n,$MPI_RUN -n," "$command")" /dev/null
        plain <"$work/out" >"$work/terminal"
        cat "$work/terminal" >>"$work/all"
        shown "${command%command}output"
    done
}

# task TITLE ANSWER [NAME...]: three commands at most, and a line with the
# answer.  On a busy machine another rank or function may seem to be slow: there
# are three tries.
task() {
    title=$1
    answer=$2
    shift 2
    for try in 1 2 3; do
        behaviour "$MPI: $title, try $try"
        begin=$(date +%s)
        walk "$title" "$@"
        end=$(date +%s)
        flat <"$work/all" | grep -q -e "$answer" && break
    done
    n_commands=$(ls "$section"/*.command | wc -l)
    [ "$n_commands" -ge 1 ] && [ "$n_commands" -le 3 ] ||
        failed "$n_commands commands"
    echo "$title: $n_commands commands, $((end - begin)) s:" \
        "$(flat <"$work/all" | grep -o -e "$answer" | head -1)"
    flat <"$work/all" | grep -q -e "$answer" ||
        failed "no line '$answer': $(cat "$work/all")"
    n_tasks=$((n_tasks + 1))
}

# uneven: CPU time in `energy` on rank 1, in percent of rank 0's.
uneven() {
    ranks 2 PDUMP_EVENTS=pdump::cpu_time PDUMP_OUTPUT_FORMAT=csv \
        PDUMP_FILENAME=cpu PDUMP_OVERWRITE=1 ./pairs
    for rank in 0 1; do
        cells cpu.csv "pdump::cpu_time.sum [ns]" region=energy rank=$rank
    done | awk '{ time[NR] = $1 } END { printf "%d", 100 * time[2] / time[1] }'
}

n_tasks=0
command -v gcc >/dev/null && command -v "$MPI_CC" >/dev/null &&
    command -v patch >/dev/null || {
    echo "no gcc, patch, or compiler's wrapper for $MPI"
    exit 77
}
task "Which rank is slow?" \
    "MPI (--mpi): [0-9.]* % of the run time (least [0-9.]* % on rank 1, most [^;]*"
walk "As a page"
walk "Which part of the program?"
at_least "$(uneven)" 200 "CPU time of rank 1 before the fix"
walk "Fix it"
walk "Is it better?"
at_least 150 "$(uneven)" "CPU time of rank 1 after the fix"
there perf_dump.2.html
there compare.html

task "C" "Hot path: main[^>]*> sort ([0-9.]* %)"
if [ -e "$build/bindings/fortran/pdump.mod" ] && command -v gfortran >/dev/null
then
    task "Fortran" "Hot path: main[^>]*> multiply ([0-9.]* %)"
else
    echo "no Fortran"
fi
for python in "${PYTHON:-}" /usr/bin/python3; do
    [ -n "$python" ] && "$python" -c 'import pdump' 2>/dev/null && break
    python=
done
if [ -n "$python" ]; then
    command_is python3 "$python"
    task "Python" "Hot path: [^%]*%[^%]*%[^%]*is_known ([0-9.]* %)"
    task "Two runs" "-[0-9.]*% - [^-]* less [^ ]*is_known" words.py
else
    echo "no Python with cffi"
fi
if [ -e "$MODULES/pdump_symbols.so" ]; then
    task "A program that you do not change" \
        "function defined [0-9.]* [0-9.]* m*s sort plain.c:[0-9]*"
else
    echo "no libdw: no names of functions"
fi
echo "$n_tasks tasks"
finish
