# SPDX-License-Identifier: BSD-3-Clause
# For scripts that compare the overhead that a dump states with the true cost.
# judge KEY COMMAND...: run the command, which prints what it has measured
# (rounds.h) and writes perf_dump.meta.csv, until both agree within 25 %.  If
# they do not within 100 s, that is a failure if the two halves of the rounds
# agree within 10 %; otherwise the machine is too busy to tell: $busy says so.
busy=
judge() {
    key=$1
    shift
    end=$(($(date +%s) + 100))
    while :; do
        rm -f perf_dump*
        "$@"
        stated=$(cells perf_dump.meta.csv value key="$key")
        verdict=$(awk -v stated="${stated:-0}" '
            function differ(a, b) {
                return a > b ? (a - b) / a : b > 0 ? (b - a) / b : 1
            }
            NF == 2 {
                least = $1 < $2 ? $1 : $2
                print differ(least, stated) <= 0.25 ? "good" : \
                    differ($1, $2) <= 0.1 ? "bad" : "busy"
                exit
            }' "$work/out")
        [ "$verdict" != good ] && [ -n "$stated" ] &&
            [ "$(date +%s)" -lt "$end" ] || break
    done
    [ -n "$stated" ] || verdict="not stated"
    case $verdict in
    good) ;;
    busy) busy="$busy $key" ;;
    *) failed "$key is ${stated:-not stated}, but $(cat "$work/out") ns" ;;
    esac
}

# tell_busy: end with 77 if nothing has failed, but something was not judged.
tell_busy() {
    if [ -n "$busy" ] && [ "$n_failed" = 0 ]; then
        echo "this machine is too busy to measure$busy"
        exit 77
    fi
}
