/* SPDX-License-Identifier: BSD-3-Clause */
/* The benchmark: what a region pair costs, as a multiple of what it must. */
#include "contest.h"
#include "report.h"

#include <errno.h>
#include <ftw.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 400, ROUNDS_MAX = 10000 };

static const char clock_reads[] = "2 clock reads";
static const char bare_hooks[] = "hooks, 2 clock reads";
static const char papi_reads[] = "2 PAPI_read";

/* The others' figures were measured once, on one machine with a floor of 22.6
 * ns (2 clock reads) and 2400 ns (2 PAPI_read). */
static const struct row rows[] = {
    { "name", "pair, one name", clock_reads, &work_clock_reads, &work_name, 1.6,
      1.25, "GPTL 62 ns, Caliper 403, TAU 507" },
    { "number", "pair, by number", clock_reads, &work_clock_reads, &work_number,
      1.6, 1.25, "" },
    { "names_1000", "1000 names in turn", clock_reads, &work_clock_reads,
      &work_names_1000, 3, 2, "GPTL 485 ns, TAU 639, Caliper 5362" },
    { "names_copied", "1000 names, all in one buffer", clock_reads,
      &work_clock_reads, &work_names_copied, 0, 0, "" },
    { "names_100000", "100 000 names in turn", clock_reads, &work_clock_reads,
      &work_names_100000, 12, 6, "TAU 1.1 us, GPTL 116 us, Caliper 1.3 ms" },
    { "names_scattered", "100 000 names out of order", clock_reads,
      &work_clock_reads, &work_names_scattered, 0, 0, "" },
    { "events", "task clock and page faults", papi_reads, &work_papi_reads,
      &work_events, 1.05, 1.02, "GPTL 1.05 x, Caliper 2.8 x, TAU 3.1 x" },
    { "papi_high_level", "  the same by PAPI high level", papi_reads,
      &work_papi_reads, &work_papi_high_level, 0, 0, "(theirs, not ours)" },
    { "events_rusage", "page faults, context switches", "2 getrusage",
      &work_rusage_reads, &work_events_rusage, 0, 0, "" },
    { "threads", "one of 2 threads at once", "the same thread alone",
      &work_thread_alone, &work_thread_of_two, 1.15, 1.05, "GPTL 1.05-1.2 x" },
    /* Asked are 5 % or 2 ns, which are 7 % of a pair of 28 ns. */
    { "store", "pair, store in /dev/shm", "PDUMP_STORE=off", &work_store_heap,
      &work_store_file, 1.07, 1.05, "" },
    /* Asked are 35 ns an event with its clock read, where one read takes 11. */
    { "timeline_ring", "pair, with events in a ring", clock_reads,
      &work_clock_reads, &work_timeline_ring, 3.1, 2, "" },
    { "timeline_flush", "pair, with events in a file", clock_reads,
      &work_clock_reads, &work_timeline_flush, 3.1, 2, "" },
    { "function", "call of an instrumented function", bare_hooks,
      &work_function_bare, &work_function, 2, 1.5, "" },
    { "function_in_turn", "  the same, two of them in turn", bare_hooks,
      &work_function_bare, &work_function_in_turn, 0, 0, "" },
    { "function_throttled", "  the same, throttled", bare_hooks,
      &work_function_bare, &work_function_throttled, 0, 0, "" },
    { "function_plain", "  the same, not instrumented", bare_hooks,
      &work_function_bare, &work_function_plain, 0, 0, "" },
    { "switched_off", "recording switched off", clock_reads, &work_clock_reads,
      &work_switched_off, 0.4, 0.2, "Caliper 84 ns" },
    { "disabled", "PDUMP_DISABLE=1", clock_reads, &work_clock_reads,
      &work_disabled, 0, 0, "" },
    { "memory", "memory per region, 2 metrics", "", NULL, &work_memory, 320,
      200, "PAPI high level 144 B per call, GPTL 360, TAU 1392" },
};
enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

/* The user's settings would change what is measured. */
static void prepare_environment(const char *folder)
{
    extern char **environ;
    char name[64];

    for (char **entry = environ; *entry;) {
        size_t len = strcspn(*entry, "=");

        if ((strncmp(*entry, "PDUMP_", 6) && strncmp(*entry, "PAPI_", 5)) ||
            len >= sizeof(name)) {
            entry++;
            continue;
        }
        memcpy(name, *entry, len);
        name[len] = '\0';
        unsetenv(name);
        entry = environ;
    }
    setenv("PDUMP_DUMP_DIR", folder, 1);
    setenv("PDUMP_OVERWRITE", "1", 1);
    setenv("PDUMP_CLOCK", work_clock_name(), 1);
    setenv("PAPI_OUTPUT_DIRECTORY", folder, 1);
}

static int remove_one(const char *path, const struct stat *status, int type,
                      struct FTW *where)
{
    (void)status, (void)type, (void)where;
    return remove(path);
}

static int measure_all(int rounds, const char *json, bool is_strict)
{
    static struct result results[N_ROWS];
    const char *clock = work_clock_name();
    int n_missed = 0, n_failed = 0;

    if (contest_run(rows, N_ROWS, rounds, results) != 0) {
        fprintf(stderr, "pdump-bench: %s\n", strerror(errno));
        return 2;
    }
    report_head(clock, rounds);
    for (int i = 0; i < N_ROWS; i++) {
        report_row(&rows[i], &results[i]);
        n_missed += report_is_missed(&rows[i], &results[i]);
        n_failed += results[i].is_failed;
    }
    if (json && report_json(json, clock, rounds, rows, results, N_ROWS) != 0) {
        fprintf(stderr, "pdump-bench: %s: %s\n", json, strerror(errno));
        return 2;
    }
    return n_failed || (is_strict && n_missed) ? 1 : 0;
}

static int usage(FILE *f, int code)
{
    fprintf(f,
            "Usage: pdump-bench [--json FILE] [--rounds N] [--strict]\n"
            "  --json FILE   write the results to FILE, too\n"
            "  --rounds N    compare N times, 1 to %d (%d)\n"
            "  --strict      exit with 1 if a \"must\" is missed\n",
            ROUNDS_MAX, ROUNDS);
    return code;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        { "help", no_argument, NULL, 'h' },
        { "json", required_argument, NULL, 'j' },
        { "rounds", required_argument, NULL, 'r' },
        { "strict", no_argument, NULL, 's' },
        { NULL, 0, NULL, 0 },
    };
    char folder[] = "/tmp/pdump-bench.XXXXXX";
    const char *json = NULL;
    bool is_strict = false;
    int option, code, rounds = ROUNDS;

    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1)
        if (option == 'j')
            json = optarg;
        else if (option == 'r')
            rounds = atoi(optarg);
        else if (option == 's')
            is_strict = true;
        else
            return option == 'h' ? usage(stdout, 0) : usage(stderr, 2);
    if (optind < argc || rounds < 1 || rounds > ROUNDS_MAX)
        return usage(stderr, 2);
    if (!mkdtemp(folder)) {
        fprintf(stderr, "pdump-bench: %s: %s\n", folder, strerror(errno));
        return 2;
    }
    signal(SIGPIPE, SIG_IGN); /* a side that died is told in its row */
    prepare_environment(folder);
    code = measure_all(rounds, json, is_strict);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return code;
}
