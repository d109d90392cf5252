/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that all do what they should: votes, messages, groups, the end. */
#include "kit.h"

#include <pthread.h>
#include <sys/wait.h>

enum { DEADLINE = 300 };

static void vote(void)
{
    IS(comm->agree(0), 0);
    IS(comm->agree(rank == size - 1 ? PDUMP_EIO : 0), PDUMP_EIO);
    IS(comm->agree(-1 - rank), -size);
    IS(comm->same(UINT64_MAX), 1);
    IS(comm->same(0), 1);
    IS(comm->same((uint64_t)rank << 62), size == 1);
    IS(comm->same(rank == 0), size == 1);
    IS(comm->agree(0), 0);
}

static void votes(void)
{
    start(MPI_THREAD_SINGLE, nothing);
    YES(comm->is_up());
    YES(!comm->native());
    IS(comm->agree(0), PDUMP_ESTATE);
    for (int i = 0; i < 3; i++) {
        OK(comm->enter(NULL, DEADLINE));
        IS(comm->rank(), rank);
        IS(comm->size(), size);
        YES(comm->native());
        vote();
        comm->leave();
    }
    YES(!comm->native());
    IS(comm->same(0), PDUMP_ESTATE);
    MPI_Finalize();
}

/* Bytes that tell who sent them, and where they were. */
static char *bytes_of(int sender, size_t len)
{
    char *bytes = malloc(len + 1);

    for (size_t i = 0; i < len; i++)
        bytes[i] = (char)(i * 31 + (i >> 13) + (size_t)sender);
    return bytes;
}

static void give(int to, size_t len)
{
    char *bytes = bytes_of(rank, len);

    OK(comm->send(to, len ? bytes : NULL, len));
    free(bytes);
}

static void take(int from, size_t len)
{
    void *bytes = NULL;
    char *wanted = bytes_of(from, len);
    size_t n = 12345;

    OK(comm->receive(from, 1, &bytes, &n));
    IS(n, (long long)len);
    YES(bytes && n == len && memcmp(bytes, wanted, len) == 0);
    free(bytes);
    free(wanted);
}

static void messages(void)
{
    static const size_t lens[] = { 0,    1,    8,     3063,    3064,
                                   3065, 4096, 70000, 8391672, 20000000 };
    const int n = sizeof(lens) / sizeof(*lens);

    start(MPI_THREAD_SINGLE, nothing);
    OK(comm->enter(NULL, DEADLINE));
    for (int i = 0; i < n && rank > 0; i++)
        give(0, lens[i]);
    for (int peer = 1; peer < size && rank == 0; peer++)
        for (int i = 0; i < n; i++)
            take(peer, lens[i]);
    for (int peer = 1; peer < size && rank == 0; peer++)
        give(peer, 100000);
    if (rank > 0)
        take(0, 100000);
    OK(comm->agree(0));
    comm->leave();
    MPI_Finalize();
}

static void big(void)
{
    double begin;

    start(MPI_THREAD_SINGLE, nothing);
    OK(comm->enter(NULL, DEADLINE));
    begin = now();
    if (rank == 0)
        give(1, 100000000);
    else
        take(0, 100000000);
    fprintf(stderr, "rank %d: 100 MB in %.3f s\n", rank, now() - begin);
    OK(comm->agree(0));
    comm->leave();
    MPI_Finalize();
}

static int n_ends, n_wrong_ends;

static void end(void)
{
    n_ends++;
    YES(comm->is_up());
    OK(comm->attach(nothing));
    OK(comm->enter(NULL, DEADLINE));
    vote();
    comm->leave();
}

static void wrong_end(void)
{
    n_wrong_ends++;
}

static void at_end(void)
{
    start(MPI_THREAD_SINGLE, end);
    OK(comm->attach(wrong_end));
    OK(comm->attach(end));
    MPI_Finalize();
    IS(n_ends, 1);
    IS(n_wrong_ends, 0);
    YES(!comm->is_up());
    IS(comm->rank(), rank);
    IS(comm->size(), size);
}

/* As at_end(), with a duplicate that is there already. */
static void at_end_again(void)
{
    start(MPI_THREAD_MULTIPLE, end);
    OK(comm->enter(NULL, DEADLINE));
    vote();
    comm->leave();
    MPI_Finalize();
    IS(n_ends, 1);
}

static void groups(void)
{
    MPI_Comm half = MPI_COMM_NULL;
    int group_rank, group_size;

    start(MPI_THREAD_SINGLE, end);
    IS(comm->enter(&half, DEADLINE), PDUMP_EINVAL);
    for (int i = 0; i < 50; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
        MPI_Comm_rank(half, &group_rank);
        MPI_Comm_size(half, &group_size);
        for (int again = 0; again < 2 && rank % 2 == 0; again++) {
            OK(comm->enter(&half, DEADLINE));
            IS(comm->rank(), group_rank);
            IS(comm->size(), group_size);
            IS(comm->agree(-group_rank), 1 - group_size);
            comm->leave();
        }
        IS(comm->rank(), rank);
        if (i > 0) /* one is left to MPI_Finalize */
            MPI_Comm_free(&half);
    }
    MPI_Finalize();
    IS(n_ends, 1);
}

static void before_and_after(void)
{
    YES(!comm->is_up());
    IS(comm->attach(nothing), PDUMP_ESTATE);
    YES(has_error("not initialised"));
    IS(comm->enter(NULL, DEADLINE), PDUMP_ESTATE);
    IS(comm->rank(), 0);
    IS(comm->size(), 1);
    MPI_Init(NULL, NULL);
    YES(!comm->is_up());
    IS(comm->enter(NULL, DEADLINE), PDUMP_ESTATE);
    YES(has_error("joined"));
    OK(comm->attach(nothing));
    YES(comm->is_up());
    MPI_Finalize();
    YES(!comm->is_up());
    IS(comm->attach(nothing), PDUMP_ESTATE);
    YES(has_error("finalized"));
    IS(comm->enter(NULL, DEADLINE), PDUMP_ESTATE);
    IS(comm->agree(0), PDUMP_ESTATE);
    IS(comm->send(0, "x", 1), PDUMP_ESTATE);
}

static void *attach_here(void *result)
{
    *(int *)result = comm->attach(nothing);
    return NULL;
}

static int attach_elsewhere(void)
{
    pthread_t thread;
    int err = 1;

    pthread_create(&thread, NULL, attach_here, &err);
    pthread_join(thread, NULL);
    return err;
}

static void threads(void)
{
    int level;

    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    OK(attach_elsewhere());
    YES(comm->is_up());
    OK(comm->enter(NULL, DEADLINE));
    vote();
    comm->leave();
    MPI_Finalize();
}

static void funneled(void)
{
    int level;

    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    IS(level, MPI_THREAD_FUNNELED);
    IS(attach_elsewhere(), PDUMP_ESTATE);
    YES(!comm->is_up());
    OK(comm->attach(nothing));
    MPI_Finalize();
}

static void wildcard(void)
{
    int got = -1, is_done = 1, mine;
    MPI_Request request;

    start(MPI_THREAD_SINGLE, nothing);
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
              &request);
    for (int i = 0; i < 2; i++) {
        OK(comm->enter(NULL, DEADLINE));
        vote();
        if (rank == 0)
            give(1, 4), take(1, 100000);
        else
            take(0, 4), give(0, 100000);
        comm->leave();
    }
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    IS(is_done, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    mine = 1000 + rank;
    MPI_Send(&mine, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    IS(got, 1000 + 1 - rank);
    MPI_Finalize();
}

static void misuse(void)
{
    MPI_Errhandler handler;
    MPI_Comm alone, both;

    start(MPI_THREAD_SINGLE, nothing);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &alone);
    MPI_Intercomm_create(alone, 0, MPI_COMM_WORLD, 1 - rank, 3, &both);
    IS(comm->enter(&both, DEADLINE), PDUMP_EINVAL);
    OK(comm->enter(NULL, DEADLINE));
    IS(comm->enter(NULL, DEADLINE), PDUMP_ESTATE);
    IS(comm->send(rank, "x", 1), PDUMP_EINVAL);
    IS(comm->send(size, "x", 1), PDUMP_EINVAL);
    IS(comm->receive(-1, 1, NULL, NULL), PDUMP_EINVAL);
    vote(); /* as if nothing had happened */
    comm->leave();
    comm->leave();
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    YES(handler == MPI_ERRORS_ARE_FATAL);
    MPI_Finalize();
}

/* No communicator can be made any more: an error that would be fatal. */
static void exhausted(void)
{
    static MPI_Comm taken[3000];
    int n = 0;

    start(MPI_THREAD_SINGLE, nothing);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    while (n < 3000 && MPI_Comm_dup(MPI_COMM_WORLD, &taken[n]) == MPI_SUCCESS)
        n++;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    if (n < 3000) {
        IS(comm->enter(NULL, DEADLINE), PDUMP_EPEER);
        IS(comm->enter(NULL, DEADLINE), PDUMP_EPEER);
    } else {
        fprintf(stderr, "there is no end of communicators\n");
    }
    while (n > 0)
        MPI_Comm_free(&taken[--n]);
    MPI_Finalize();
}

static void child(void)
{
    int status = 0;
    pid_t pid;

    start(MPI_THREAD_SINGLE, nothing);
    pid = fork();
    if (pid == 0) {
        YES(!comm->is_up());
        IS(comm->attach(nothing), PDUMP_ESTATE);
        IS(comm->enter(NULL, DEADLINE), PDUMP_ESTATE);
        _exit(n_failed > 0);
    }
    waitpid(pid, &status, 0);
    IS(status, 0);
    YES(comm->is_up());
    MPI_Finalize();
}

static const struct behaviour table[] = {
    { "votes", votes },
    { "messages", messages },
    { "big", big },
    { "at_end", at_end },
    { "at_end_again", at_end_again },
    { "groups", groups },
    { "before_and_after", before_and_after },
    { "threads", threads },
    { "funneled", funneled },
    { "wildcard", wildcard },
    { "misuse", misuse },
    { "exhausted", exhausted },
    { "child", child },
    { NULL, NULL },
};

int main(int argc, char **argv)
{
    return main_of(argc, argv, table);
}
