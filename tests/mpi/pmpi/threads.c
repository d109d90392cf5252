/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that call MPI at the same time, on 2 ranks; then a child that has no
 * right to, and asks harmless things only.
 *   threads THREADS ROUNDS
 */
#include "ledger.h"

#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, n_rounds;
/* The compiler would take it for a very short list. */
static MPI_Status *volatile ignored = MPI_STATUSES_IGNORE;

/* Requests are begun here, and completed by the next thread as well. */
static void *work(void *arg)
{
    int tag = *(int *)arg, other = 1 - rank;
    char from[100] = "", to[100];
    MPI_Request requests[2];

    for (int i = 0; i < n_rounds; i++) {
        MPI_Comm mine;

        MPI_Irecv(to, 100, MPI_CHAR, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD,
                  &requests[0]);
        MPI_Isend(from, tag + 1, MPI_CHAR, other, tag, MPI_COMM_WORLD,
                  &requests[1]);
        MPI_Waitall(2, requests, ignored);
        MPI_Comm_dup(MPI_COMM_SELF, &mine);
        MPI_Sendrecv(from, 5, MPI_CHAR, 0, tag, to, 100, MPI_CHAR, 0, tag, mine,
                     MPI_STATUS_IGNORE);
        MPI_Comm_free(&mine);
    }
    return NULL;
}

static void note(int tag)
{
    int other = 1 - rank;

    for (int i = 0; i < n_rounds; i++) {
        did("MPI_Irecv", 0, 0, 0);
        did("MPI_Isend", tag + 1, 0, 0);
        did("MPI_Waitall", 0, tag + 1, 2);
        did("MPI_Comm_dup", 0, 0, 0);
        did("MPI_Sendrecv", 5, 5, 0);
        did("MPI_Comm_free", 0, 0, 0);
        met(0, other, tag + 1);
        met(1, other, tag + 1);
        met(0, rank, 5);
        met(1, rank, 5);
    }
}

static int child(void)
{
    int is_up = 0, status = -1;
    pid_t pid = fork();

    if (pid == 0) {
        MPI_Initialized(&is_up);
        MPI_Finalized(&is_up);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        _exit(0);
    }
    waitpid(pid, &status, 0);
    return status;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4, level, tags[16];
    pthread_t threads[16];

    n_rounds = argc > 2 ? atoi(argv[2]) : 100;
    PMPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_MULTIPLE || n > 16) {
        puts("no threads");
        PMPI_Finalize();
        return 0;
    }
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < n; i++) {
        tags[i] = i;
        pthread_create(&threads[i], NULL, work, &tags[i]);
        note(i);
    }
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    if (child() != 0)
        puts("the child came to harm");
    tell(rank);
    PMPI_Finalize();
    return 0;
}
