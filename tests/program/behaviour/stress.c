/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight threads record whatever there is while main looks, writes and ends. */
#include "kit.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 8, ROUNDS = 2000, NAMES = 50 };

static atomic_int n_done;
static atomic_int is_over;

static void one_round(int i)
{
    char name[32];
    int id = pdump_region_id("by number", __FILE__, __LINE__);

    snprintf(name, sizeof(name), "name %d", i % NAMES);
    OK(pdump_region_begin("round"));
    OK(pdump_counter_add("rounds", 1));
    OK(pdump_region_begin(name));
    OK(pdump_parameter_int("i", i % 7));
    OK(pdump_counter_add(name, i));
    OK(pdump_region_end(name));
    YES(id > 0);
    OK(pdump_region_enter(id));
    OK(pdump_region_leave(id));
    OK(pdump_rewind_begin("tried"));
    visit("inside");
    OK(pdump_rewind_end("tried", i % 2));
    OK(pdump_disable_recording());
    visit("unseen");
    OK(pdump_enable_recording());
    OK(pdump_start_region("profile"));
    OK(pdump_start_profile());
    OK(pdump_end_profile());
    OK(pdump_end_region());
    OK(pdump_start_step());
    OK(pdump_end_step());
    OK(pdump_metadata("round", name));
    OK(pdump_region_end("round"));
}

static void *worker(void *number)
{
    char name[32];

    snprintf(name, sizeof(name), "worker %d", *(int *)number);
    OK(pdump_thread_name(name));
    for (int i = 0; i < ROUNDS; i++)
        one_round(i);
    n_done++;
    /* The session ends in the middle of this: errors are as they may be. */
    while (!is_over) {
        pdump_region_begin("until the end");
        pdump_counter_add("rounds", 1);
        pdump_parameter_int("i", 1);
        pdump_region_end(NULL);
    }
    return NULL;
}

/* No row is ever half a row. */
static void look(void)
{
    struct pdump_dump *dump = NULL;
    struct pdump_row row = { .size = sizeof(row) };
    struct pdump_stats stats = { .size = sizeof(stats) };

    OK(pdump_snapshot(&dump));
    for (int64_t i = 0; i < pdump_dump_n_rows(dump); i++) {
        OK(pdump_dump_row(dump, i, &row));
        OK(pdump_dump_stats(dump, i, 0, &stats));
        YES(row.visits >= 0);
        YES(!stats.has_value || !row.visits || row.is_open ||
            (stats.min >= 0 && stats.min <= stats.max &&
             stats.max <= stats.sum));
        YES(strcmp(row.region, "unseen") != 0);
    }
    pdump_dump_free(dump);
}

static void check_totals(void)
{
    IS(visits_of("round"), THREADS * ROUNDS);
    IS(visits_of("by number"), THREADS * ROUNDS);
    IS(visits_of("tried"), THREADS * ROUNDS / 2);
    IS(visits_of("/round/tried/inside"), THREADS * ROUNDS / 2);
    IS(visits_of("profile"), THREADS * ROUNDS);
    IS(visits_of("step"), THREADS * ROUNDS);
    IS(visits_of("name 1"), THREADS * ROUNDS / NAMES);
    IS(visits_of("unseen"), PDUMP_ENOENT);
    IS(sum_of("round", "rounds"), THREADS * ROUNDS);
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    int is_switching = argc > 1 && strcmp(argv[1], "switching") == 0;

    OK(pdump_init());
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        IS(pthread_create(&threads[i], NULL, worker, &numbers[i]), 0);
    }
    while (n_done < THREADS && n_failed < 10) {
        look();
        OK(pdump_flush());
        visits_of("round");
        visit("main");
        if (is_switching) {
            OK(pdump_disable_recording_all());
            OK(pdump_enable_recording_all());
        }
    }
    look();
    if (!is_switching)
        check_totals();
    OK(pdump_finalize());
    is_over = 1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return n_failed > 0;
}
