/* SPDX-License-Identifier: BSD-3-Clause */
/* Ordinary lives of MPI programs: who starts first, who ends last. */
#include "kit.h"

#include <pthread.h>
#include <sys/wait.h>

static void plain(void)
{
    start();
    work();
    MPI_Finalize();
}

/* The region knows of MPI only when it is begun anew, or another one is. */
static void around(void)
{
    OK(pdump_region_begin("whole"));
    start();
    work();
    MPI_Finalize();
    OK(pdump_region_end("whole"));
    OK(pdump_region_begin("afterwards"));
    OK(pdump_region_end("afterwards"));
}

static void init_after(void)
{
    start();
    OK(pdump_init());
    work();
    MPI_Finalize();
}

static void init_before(void)
{
    OK(pdump_init());
    start();
    work();
    MPI_Finalize();
}

static void finalize_before(void)
{
    start();
    work();
    OK(pdump_finalize());
    MPI_Finalize();
}

static void finalize_after(void)
{
    start();
    work();
    YES(pdump_is_active());
    MPI_Finalize();
    YES(!pdump_is_active());
    OK(pdump_finalize());
    OK(pdump_finalize());
}

static void twice(void)
{
    start();
    OK(pdump_init());
    work();
    OK(pdump_finalize());
    OK(pdump_init());
    visit("second");
    OK(pdump_finalize());
    MPI_Finalize();
}

/* The second session ends with MPI. */
static void again(void)
{
    start();
    work();
    OK(pdump_finalize());
    OK(pdump_init());
    visit("second");
    MPI_Finalize();
}

/* A session that starts when MPI is over is that of a process. */
static void afterwards(void)
{
    start();
    work();
    MPI_Finalize();
    OK(pdump_init());
    visit("afterwards");
    OK(pdump_finalize());
}

/* All nodes are there before MPI is. */
static void late(void)
{
    visit("early");
    start();
    for (int i = 0; i <= rank; i++)
        visit("early");
    MPI_Finalize();
}

/* So they are here, but somebody asks. */
static void late_init(void)
{
    visit("early");
    start();
    OK(pdump_init());
    for (int i = 0; i <= rank; i++)
        visit("early");
    MPI_Finalize();
}

static void never_init(void)
{
    visit("alone");
    visit("alone");
}

static void nothing(void)
{
    start();
    OK(pdump_init());
    if (rank != 1)
        work();
    MPI_Finalize();
}

static void parts(void)
{
    MPI_Comm part;
    int one = 1, sum = 0;

    start();
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &part);
    work();
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, part);
    IS(sum, (size + 1 - rank % 2) / 2);
    MPI_Comm_free(&part);
    MPI_Finalize();
}

static void child(void)
{
    start();
    work();
    if (fork() == 0) {
        visit("child");
        exit(0);
    }
    wait(NULL);
    MPI_Finalize();
}

static void steps(void)
{
    start();
    for (int i = 0; i < 3; i++) {
        OK(pdump_start_step());
        visit("solve");
        OK(pdump_end_step());
    }
    MPI_Finalize();
}

static void *record(void *unused)
{
    for (int i = 0; i <= rank; i++)
        visit("thread");
    return unused;
}

static void start_for_threads(void)
{
    int provided;

    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    IS(provided, MPI_THREAD_MULTIPLE);
    look_around();
}

static void threads(void)
{
    pthread_t thread[3];

    start_for_threads();
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, record, NULL);
    work();
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    MPI_Finalize();
}

static _Atomic int is_over;

static void *go_on(void *unused)
{
    while (!is_over)
        visit("thread");
    return unused;
}

static void threads_go_on(void)
{
    pthread_t thread[3];

    start_for_threads();
    work();
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, go_on, NULL);
    while (visits_of("thread") < 100)
        usleep(1000);
    MPI_Finalize();
    is_over = 1;
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
}

static const struct behaviour table[] = {
    { "plain", plain },
    { "around", around },
    { "init_after", init_after },
    { "init_before", init_before },
    { "finalize_before", finalize_before },
    { "finalize_after", finalize_after },
    { "twice", twice },
    { "again", again },
    { "afterwards", afterwards },
    { "late", late },
    { "late_init", late_init },
    { "never_init", never_init },
    { "nothing", nothing },
    { "parts", parts },
    { "child", child },
    { "steps", steps },
    { "threads", threads },
    { "threads_go_on", threads_go_on },
    { NULL, NULL },
};

int main(int argc, char **argv)
{
    return main_of(argc, argv, table);
}
