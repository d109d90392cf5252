/* SPDX-License-Identifier: BSD-3-Clause */
/* The first call of MPI, in a thread beside one that loads a library whose
 * constructor calls MPI, too: `loading LIBRARY` */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *load(void *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

int main(int argc, char **argv)
{
    int ends[2], is_up = 1;
    char fd[12], byte;
    pthread_t thread;
    void *library = NULL;

    alarm(300);
    if (argc < 2 || pipe(ends) != 0)
        return 99;
    snprintf(fd, sizeof(fd), "%d", ends[1]);
    setenv("LOADING_FD", fd, 1);
    pthread_create(&thread, NULL, load, argv[1]);
    /* From here on the other thread has the loader's lock. */
    if (read(ends[0], &byte, 1) != 1)
        return 98;
    MPI_Initialized(&is_up);
    pthread_join(thread, &library);
    return is_up || !library;
}
