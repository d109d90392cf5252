/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that opens files of /proc for the sampler's thread. */
#include "record/gate.h"
#include "record/thread.h"
#include "session/rss_sampler.h"
#include "system/private_fd.h"
#include "system/private_thread.h"

#include <semaphore.h>
#include <sys/prctl.h>

enum { STACK = 256 * 1024 };

static pthread_t thread;
static _Atomic bool is_there;
static sem_t asked, done;
static void (*task)(void *); /* NULL: stop */
static void *task_data;

static void wait_for(sem_t *sem)
{
    while (sem_wait(sem) != 0)
        ;
}

static void *tasks_serve(void *unused)
{
    prctl(PR_SET_NAME, "pdump-memory");
    pdump_self.gate = PDUMP_GATE_INSIDE;
    pdump_private_fd_part();
    for (wait_for(&asked); task; wait_for(&asked)) {
        task(task_data);
        sem_post(&done);
    }
    pdump_self.gate = PDUMP_GATE_UNKNOWN;
    return unused;
}

/* Uses a small stack, because address space may be limited (ulimit -v). */
void pdump_rss_sampler_apart_start(void)
{
    pthread_attr_t how;

    sem_init(&asked, 0, 0);
    sem_init(&done, 0, 0);
    pthread_attr_init(&how);
    pthread_attr_setstacksize(&how, STACK);
    is_there =
        pdump_private_thread_start(&thread, &how, tasks_serve, NULL) == 0;
    pthread_attr_destroy(&how);
}

void pdump_rss_sampler_apart_stop(void)
{
    if (!is_there)
        return;
    task = NULL;
    sem_post(&asked);
    pthread_join(thread, NULL);
    is_there = false;
}

void pdump_rss_sampler_apart_forked(void)
{
    is_there = false;
}

bool pdump_rss_sampler_apart_is_running(void)
{
    return is_there;
}

void pdump_rss_sampler_apart_do(void (*function)(void *data), void *data)
{
    if (!is_there) {
        function(data);
        return;
    }
    task = function;
    task_data = data;
    sem_post(&asked);
    wait_for(&done);
}
