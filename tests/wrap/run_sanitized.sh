#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pdump run: programs that are built with sanitizers start, are measured, and
# still find what they look for.
modules=$PDUMP_MODULES_BUILT
. "${srcdir:-.}/program/behaviour/kit.sh"
needs_preload
PDUMP_MODULES=$modules
PDUMP_EVENTS=none
# Whether leaks can be looked for depends on the machine (ptrace).
ASAN_OPTIONS=detect_leaks=0
LSAN_OPTIONS=detect_leaks=0
export PDUMP_MODULES PDUMP_EVENTS ASAN_OPTIONS LSAN_OPTIONS
unset LD_PRELOAD

mkdir "$work/bin"
PATH=$work/bin:$PATH
cat >"$work/own.c" <<'END'
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void *work(void *data)
{
    return data;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    volatile char *block = malloc(10);
    pthread_t thread;
    pid_t pid;

    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    puts("ran");
    fflush(stdout);
    if (strcmp(what, "overflow") == 0)
        block[10] = 1;
    free((void *)block);
    if (strcmp(what, "system") == 0)
        return system("printenv LD_PRELOAD") != 0;
    if (strcmp(what, "spawn") == 0 &&
        posix_spawnp(&pid, argv[0], NULL, NULL, (char *[]){ argv[0], NULL },
                     environ) == 0)
        waitpid(pid, NULL, 0);
    if (strcmp(what, "exec") == 0)
        execvp(argv[0], (char *[]){ argv[0], NULL });
    return 0;
}
END

# built COMPILER NAME FLAG...: bin/NAME, which runs by itself.
built() {
    compiler=$1
    name=$2
    shift 2
    $compiler -g -o "$work/bin/$name" "$work/own.c" "$@" -lpthread \
        2>/dev/null && "$work/bin/$name" >/dev/null 2>&1
}

# measured LINES [OPTION]... COMMAND...: so many lines "ran", and no complaint.
measured() {
    lines=$1
    shift
    run 0 "$pdump" run --quiet "$@"
    same "$(grep -c '^ran$' "$work/out")" "$lines" "lines of the program"
    quiet
    stores 0
}

# ways NAME: all that may start it, and all that may be recorded.
ways() {
    behaviour "$1: the command"
    measured 1 "$1"
    same "$(visits "$1")" 2 visits # also of its thread
    for option in --io --heap --memory --functions; do
        behaviour "$1: $option"
        measured 1 $option "$1"
        at_least "$(visits "$1")" 1 visits
        same "$(cells perf_dump.csv path depth=0 | sort -u)" "$1" \
            "outermost regions"
    done
    behaviour "$1: from a shell, a launcher, a script"
    printf '#!%s\n' "$work/bin/$1" >"$work/bin/script"
    chmod +x "$work/bin/script"
    measured 4 sh -c "$1; env $1; (exec nice $1); script"
    behaviour "$1: by itself"
    measured 2 "$1" spawn
    same "$(visits "$1")" 4 visits
    behaviour "$1: exec of itself"
    measured 2 "$1" exec
    same "$(visits "$1")" 4 visits
}

# finds NAME: the sanitizer still does, and what it needs is not inherited.
finds() {
    behaviour "$1: an overflow"
    run 1 "$pdump" run --quiet "$1" overflow
    grep -q heap-buffer-overflow "$work/err" || failed "it is not found"
    behaviour "$1: the children have nothing of it"
    measured 1 "$1" system
    grep -q libpdump-run.so "$work/out" || failed "children are not followed"
    ! grep -q asan "$work/out" || failed "the runtime is in LD_PRELOAD"
}

n_built=0
if built "$CC" shared -fsanitize=address; then
    n_built=$((n_built + 1))
    ways shared
    finds shared

    behaviour it is told once that allocations are not recorded
    run 0 "$pdump" run --heap sh -c 'shared; shared'
    warns "allocations are not recorded in"
    behaviour it is not told without --heap
    run 0 "$pdump" run shared
    ! grep -q "allocations are not" "$work/err" || failed "it is told"

    behaviour what the user preloads stays with the children
    runtime=$(ldd "$work/bin/shared" | sed -n 's/.*=> *\([^ ]*asan[^ ]*\).*/\1/p')
    run 0 LD_PRELOAD="$runtime" "$pdump" run --quiet shared system
    grep -q "^$runtime:" "$work/out" || failed "LD_PRELOAD is not as it was"
fi
for sanitizer in thread undefined leak; do
    ! built "$CC" $sanitizer -fsanitize=$sanitizer || ways $sanitizer
done
! built "$CC" static -fsanitize=address -static-libasan || ways static
if command -v clang >/dev/null; then
    folder=$(dirname "$(clang -print-file-name=libclang_rt.asan-x86_64.so)")
    ! built clang clang-static -fsanitize=address || ways clang-static
    if built clang clang-shared -fsanitize=address -shared-libasan \
        "-Wl,-rpath,$folder"; then
        n_built=$((n_built + 1))
        ways clang-shared
        finds clang-shared
    fi
fi

[ "$n_built" -gt 0 ] || [ "$n_failed" -gt 0 ] || {
    echo "no compiler here has a shared AddressSanitizer"
    exit 77
}
finish
