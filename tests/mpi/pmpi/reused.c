/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A request whose handle MPI gives to another thread as soon as it is complete,
 * before the first one has returned from MPI_Wait; ledger.h tells what there
 * was.  If MPI really did, there is a file "reused".
 */
#include "ledger.h"

#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static pthread_barrier_t barrier;
static bool is_waiting; /* the first thread, for the other one */
static MPI_Request first, second;
static char from[64], to[100];

/* What the wrapper of MPI_Wait calls: MPI's own, and then a pause. */
int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
    int (*wait)(MPI_Request *, MPI_Status *) =
        (int (*)(MPI_Request *, MPI_Status *))dlsym(RTLD_NEXT, "PMPI_Wait");
    int code = wait ? wait(request, status) : MPI_ERR_OTHER;

    if (is_waiting) {
        is_waiting = false;
        pthread_barrier_wait(&barrier); /* it is complete */
        pthread_barrier_wait(&barrier); /* and there is another one */
    }
    return code;
}

static void *send_64(void *unused)
{
    pthread_barrier_wait(&barrier);
    MPI_Isend(from, 64, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &second);
    pthread_barrier_wait(&barrier);
    return unused;
}

static void receive_4(void)
{
    MPI_Request was;

    MPI_Irecv(to, 100, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &first);
    was = first;
    PMPI_Send(from, 4, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    is_waiting = true;
    MPI_Wait(&first, MPI_STATUS_IGNORE);
    if (was == second)
        fclose(fopen("reused", "w"));
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int level;

    PMPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, send_64, NULL);
    receive_4();
    pthread_join(thread, NULL);
    PMPI_Recv(to, 100, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&second, MPI_STATUS_IGNORE);
    did("MPI_Irecv", 0, 0, 0);
    did("MPI_Isend", 64, 0, 0);
    did("MPI_Wait", 0, 4, 1);
    did("MPI_Wait", 0, 0, 1);
    met(0, 0, 4);
    met(1, 0, 64);
    tell(0);
    PMPI_Finalize();
    return 0;
}
