/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread that records, alone or while another one records as well. */
#include "side.h"
#include "work.h"

#include <pdump.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { PAIRS_BETWEEN_LOOKS = 100 };

static sem_t start_signal, end_signal;
static atomic_bool is_running, must_stop;

static void *other_thread(void *unused)
{
    side_pin(SIDE_OTHER_CPU);
    for (;;) {
        sem_wait(&start_signal);
        while (!must_stop) {
            work_run_name(PAIRS_BETWEEN_LOOKS);
            is_running = true;
        }
        sem_post(&end_signal);
    }
    return unused;
}

static const char *start_alone(void)
{
    return work_start_session("none", 1);
}

static const char *start_two(void)
{
    const char *why = work_start_session("none", 1);
    pthread_t thread;

    if (why)
        return why;
    if (side_n_cpus() < 2)
        return "there is only one processor";
    sem_init(&start_signal, 0, 0);
    sem_init(&end_signal, 0, 0);
    if (pthread_create(&thread, NULL, other_thread, NULL) != 0)
        return "a second thread cannot be started";
    pthread_detach(thread);
    return NULL;
}

/* Only this thread's time counts: it is on the processor on which the floor
 * was measured, and the other thread is at work before and after. */
static int64_t run_two(long n)
{
    int64_t ns;

    must_stop = false;
    is_running = false;
    sem_post(&start_signal);
    while (!is_running)
        ;
    ns = work_run_name(n);
    must_stop = true;
    sem_wait(&end_signal);
    return ns;
}

const struct work work_thread_alone = { start_alone, work_run_name, 0 };
const struct work work_thread_of_two = { start_two, run_two, 0 };
