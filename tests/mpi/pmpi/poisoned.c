/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls every Fortran wrapper of our library as a compiled Fortran program
 * does, with memory that nobody may touch in all registers and words of the
 * stack behind its last argument.  What the wrapper passes on, to fake.c, must
 * be what it was given.  Every call succeeds once and fails once.
 *
 *   poisoned TABLE      which interfaces.py has written
 */
#include <mpi.h>

#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WORDS = 24, ROOM = 64 };

typedef void routine(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                     uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                     uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                     uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                     uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static uintptr_t *seen;
static int *calls, *ierror, n_bad, n_done;
static int32_t *code;
static MPI_Win win;
static uintptr_t poison;
static char symbol[128];

/* What an argument points to: a few handles, numbers, or an address. */
static union value {
    int32_t words[ROOM];
    int64_t longs[ROOM / 2];
    void *address;
} values[WORDS];

static void on_crash(int number)
{
    static const char what[] = ": it touches what is behind its arguments\n";

    (void)number;
    if (write(1, symbol, strlen(symbol)) > 0 &&
        write(1, what, sizeof(what) - 1) > 0)
        _exit(1);
    _exit(1);
}

static MPI_Fint handle_of(const char *kind)
{
    if (strcmp(kind, "mpi_comm") == 0)
        return MPI_Comm_c2f(MPI_COMM_SELF);
    if (strcmp(kind, "mpi_datatype") == 0)
        return MPI_Type_c2f(MPI_INT);
    if (strcmp(kind, "mpi_op") == 0)
        return MPI_Op_c2f(MPI_SUM);
    if (strcmp(kind, "mpi_win") == 0)
        return MPI_Win_c2f(win);
    if (strcmp(kind, "mpi_request") == 0)
        return MPI_Request_c2f(MPI_REQUEST_NULL);
    if (strcmp(kind, "mpi_message") == 0)
        return MPI_Message_c2f(MPI_MESSAGE_NULL);
    return 0; /* of kinds that we pass on and do not look at; a status */
}

/* A word to pass for an argument of that kind; `v` is what it points to. */
static uintptr_t argument_of(char *kind, union value *v)
{
    static char buffer[1024];

    kind[strcspn(kind, "[")] = '\0';
    memset(v, 0, sizeof(*v));
    if (strcmp(kind, "procedure") == 0)
        return (uintptr_t)handle_of;
    if (strcmp(kind, "buffer") == 0)
        return (uintptr_t)buffer;
    if (strcmp(kind, "character") == 0)
        return (uintptr_t)memset(v, ' ', sizeof(*v));
    if (strcmp(kind, "descriptor") == 0 || strcmp(kind, "c_ptr") == 0)
        v->address = buffer;
    else if (strcmp(kind, "integer8") == 0)
        v->longs[0] = v->longs[1] = 1;
    else
        for (int i = 0; i < ROOM && strcmp(kind, "mpi_status") != 0; i++)
            v->words[i] = strncmp(kind, "mpi_", 4) == 0 ? handle_of(kind) : 1;
    return (uintptr_t)v;
}

static void wrong(const char *what)
{
    printf("%s: %s\n", symbol, what);
    n_bad++;
}

static void try(routine *wrapper, const uintptr_t *a, int n, int32_t result)
{
    *code = result;
    *calls = 0;
    wrapper(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10],
            a[11], a[12], a[13], a[14], a[15], a[16], a[17], a[18], a[19],
            a[20], a[21], a[22], a[23]);
    n_done++;
    if (*calls != 1)
        wrong("MPI's own was not called once");
    else if (memcmp(seen, a, (size_t)n * sizeof(*a)) != 0)
        wrong("MPI has got other arguments");
    if (*(int32_t *)a[*ierror] != result)
        wrong("ierror is not what MPI has set");
}

/* "SYMBOL LENGTHS KIND..." */
static void take(char *line)
{
    char *rest = line, *word = strtok_r(line, " \n", &rest);
    uintptr_t a[WORDS];
    routine *wrapper;
    int n = 0, n_lengths;

    snprintf(symbol, sizeof(symbol), "%s", word);
    wrapper = (routine *)dlsym(RTLD_DEFAULT, symbol);
    n_lengths = atoi(strtok_r(NULL, " \n", &rest));
    while (n < WORDS && (word = strtok_r(NULL, " \n", &rest)) != NULL) {
        a[n] = argument_of(word, &values[n]);
        n++;
    }
    *ierror = n - 1;
    for (int i = 0; i < n_lengths; i++)
        a[n++] = ROOM;
    for (int i = n; i < WORDS; i++)
        a[i] = poison;
    if (!wrapper) {
        wrong("it is not there");
        return;
    }
    try(wrapper, a, n, MPI_SUCCESS);
    try(wrapper, a, n, MPI_ERR_OTHER);
}

int main(int argc, char **argv)
{
    FILE *table = fopen(argc > 1 ? argv[1] : "", "r");
    char line[2000];

    seen = dlsym(RTLD_DEFAULT, "fake_seen");
    calls = dlsym(RTLD_DEFAULT, "fake_calls");
    ierror = dlsym(RTLD_DEFAULT, "fake_ierror");
    code = dlsym(RTLD_DEFAULT, "fake_code");
    poison = (uintptr_t)mmap(NULL, 1 << 16, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!table || !seen || !calls || !ierror || !code)
        return 2;
    PMPI_Init(&argc, &argv);
    PMPI_Win_create(line, sizeof(line), 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    signal(SIGSEGV, on_crash);
    while (fgets(line, sizeof(line), table))
        take(line);
    signal(SIGSEGV, SIG_DFL);
    fclose(table);
    PMPI_Win_free(&win);
    PMPI_Finalize();
    printf("%d calls\n", n_done);
    return n_bad != 0;
}
