# SPDX-License-Identifier: BSD-3-Clause
# What the dumps of a job have in them.  To be sourced after kit.sh.
#
# The file of a dump is named without ending; $ending is that of the format.
# A format that is not CSV is turned into it, so that all can be asked the same.
ending=csv
PATH=$programs/job:$PATH

# table FILE: the name of the dump as CSV.
table() {
    case $ending in
    csv) echo "$1.csv" ;;
    *)
        timeout 300 "$pdump" export -f csv -o "$work/table" "$1.$ending" \
            >/dev/null && echo "$work/table.csv"
        ;;
    esac
}

# rows FILE: "RANK PATH VISITS" of all threads together, sorted.
rows() {
    rows_of=$(table "$1")
    [ -f "$rows_of" ] || return
    cells "$rows_of" rank >"$work/rank"
    cells "$rows_of" visits >"$work/visits"
    cells "$rows_of" path | paste "$work/rank" - "$work/visits" |
        awk -F '\t' '{ n[$1 " " $2] += $3 }
            END { for (i in n) print i, n[i] }' | sort
}

# worked RANK...: what work() of job/kit.h records on these ranks.
worked() {
    for worker in "$@"; do
        echo "$worker solve $((worker + 1))"
        echo "$worker solve/inner $((2 * worker + 2))"
    done
}

# dump FILE ROW...: it is there and has these rows, each "RANK PATH VISITS" or
# several lines of that.
dump() {
    dump_file=$1
    shift
    there "$dump_file.$ending"
    same "$(rows "$dump_file" | tr '\n' ';')" \
        "$(printf '%s\n' "$@" | sort | tr '\n' ';')" "rows of $dump_file"
}

# files NAME...: these dumps are here, and nothing else.
files() {
    wanted_files=$(for file in "$@"; do
        echo "$file.$ending"
        [ $ending != csv ] || echo "$file.meta.csv"
    done | sort)
    same "$(ls -A | sort | tr '\n' ' ')" \
        "$(echo "$wanted_files" | tr '\n' ' ')" "files"
}

# process FILE RANK KEY: of the table of processes.
process() {
    process_meta=$(table "$1")
    process_meta=${process_meta%.csv}.meta.csv
    cells "$process_meta" value table=process key="$3" \
        index="$(cells "$process_meta" index table=process key=rank \
            value="$2" | head -n 1)"
}

# done_by N: so many ranks came to their end, and printed nothing else.  UCX,
# below MPICH, tells there what was sent to ranks that did not come.
done_by() {
    same "$(grep -v ' UCX  WARN ' "$work/out" | tr -d '\n')" \
        "$(awk -v n="$1" 'BEGIN { while (n-- > 0) printf "done" }')" stdout
}

# good N: that, no message, and no store left.
good() {
    done_by "$1"
    quiet
    stores 0
}

# said N TEXT: so many messages of ours, each with this text.  mpirun may have
# its own say.
said() {
    same "$(grep -c '^pdump: ' "$work/err")" "$1" "messages"
    same "$(grep '^pdump: ' "$work/err" | grep -cF -e "$2")" "$1" \
        "messages with \"$2\""
}

# saved: what the dead left becomes one dump.
saved() {
    timeout -k 10 300 "$pdump" recover "$PDUMP_STORE" >"$work/out" \
        2>"$work/err" || failed "pdump recover"
    stores 0
}
