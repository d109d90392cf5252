/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that die, leave, hang, or never take part. */
#include "comm/fast_clock.h"
#include "kit.h"

#include <signal.h>
#include <stdbool.h>

/* Everybody has recorded, and nothing is sent any more. */
static void work_together(void)
{
    start();
    work();
    MPI_Barrier(MPI_COMM_WORLD);
}

static void wait_for_the_end(void)
{
    OK(pdump_region_begin("open"));
    for (int i = 0; i < 300; i++)
        sleep(1);
}

static void killed(void)
{
    work_together();
    if (rank == 1)
        raise(SIGKILL);
    wait_for_the_end();
}

static void aborted(void)
{
    work_together();
    if (rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 7);
    wait_for_the_end();
}

static void left(void)
{
    work_together();
    if (rank == 1)
        exit(3);
    wait_for_the_end();
}

/* The others are in MPI_Finalize(). */
static void left_at_end(void)
{
    work_together();
    if (rank == 1) {
        sleep(1);
        exit(3);
    }
    MPI_Finalize();
}

/* Nobody ever calls MPI_Finalize(). */
static void endless(void)
{
    work_together();
}

/* Somebody from outside ends all of it. */
static void waiting(void)
{
    work_together();
    if (rank == 0) {
        FILE *f = fopen("ready", "w");

        fputs("ready\n", f);
        fclose(f);
    }
    wait_for_the_end();
}

static void foreign(void)
{
    start();
    if (rank != 1)
        work();
    speed = FASTER;
    MPI_Finalize();
}

/* It does not look at errors. */
static void careless(void)
{
    start();
    visit("solve");
    MPI_Finalize();
}

/* Wait for a file that another process makes: for five minutes at most. */
static bool comes(const char *name)
{
    for (int i = 0; i < 30000 && access(name, R_OK) != 0; i++)
        usleep(10000);
    return access(name, R_OK) == 0;
}

/* The others write files of their own without this one. */
static void stuck(void)
{
    work_together();
    if (rank == 1) {
        YES(comes("perf_dump.rank-0.csv"));
        YES(comes("perf_dump.rank-2.csv"));
    }
    speed = FASTER;
    MPI_Finalize();
}

/* A flush that one rank forgot does not spoil the end. */
static void forgotten(void)
{
    work_together();
    if (rank != 1) {
        speed = FASTER;
        OK(pdump_flush_comm(NULL, "middle"));
        speed = 1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}

/* SIGUSR1, sent by whoever sees the file, writes what this rank has. */
static void signalled(void)
{
    char name[20];
    FILE *f;

    work_together();
    snprintf(name, sizeof(name), "pid-%d", rank);
    f = fopen(name, "w");
    fprintf(f, "%ld\n", (long)getpid());
    fclose(f);
    snprintf(name, sizeof(name), "go-on");
    YES(comes(name));
    visit("later");
    MPI_Finalize();
}

static const struct behaviour table[] = {
    { "killed", killed },       { "aborted", aborted },
    { "left", left },           { "left_at_end", left_at_end },
    { "endless", endless },     { "waiting", waiting },
    { "foreign", foreign },     { "careless", careless },
    { "stuck", stuck },         { "forgotten", forgotten },
    { "signalled", signalled }, { NULL, NULL },
};

int main(int argc, char **argv)
{
    return main_of(argc, argv, table);
}
