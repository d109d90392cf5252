/* SPDX-License-Identifier: BSD-3-Clause */
/* A group of ranks that meet: a duplicate of a communicator, and votes on
 * it. */
#include "group.h"

#include <stdlib.h>

/*
 * A meeting has up to three steps; a rank completes a step when all ranks have
 * begun it.  The second vote is needed because a rank that comes after the
 * others gave up completes the first vote at once: the others' part of it is
 * still outstanding.  It waits for them in the second vote, where they come or
 * do not.
 */
enum step { DUPLICATE, MEET, CONFIRM, TOGETHER, BROKEN };

/* A vote is one reduction, always of this form, so that mixed-up votes are
 * noticed.  The minimum of x is the complement of the minimum of ~x only if all
 * x are equal. */
enum { STEP, NOT_STEP, VALUE, NOT_VALUE, ERR, N_VOTE };
enum subject { ON_MEETING, ON_CONFIRMING, ON_ERROR, ON_VALUE };

/* On the heap, because MPI may write to it whenever a late rank comes.  A group
 * with an outstanding request is never freed. */
struct pdump_group {
    MPI_Comm origin; /* valid as long as the group is its attribute */
    MPI_Comm comm;   /* the duplicate */
    MPI_Request request;
    enum step step;
    int rank, size;
    int64_t seconds;
    int64_t mine[N_VOTE], least[N_VOTE];
};

static int key = MPI_KEYVAL_INVALID;

/* Called when the program or pdump_group_end() frees the communicator. */
static int on_delete(MPI_Comm origin, int used_key, void *value, void *extra)
{
    struct pdump_group *g = value;

    (void)origin, (void)used_key, (void)extra;
    if (g->request != MPI_REQUEST_NULL || g->step == BROKEN)
        return MPI_SUCCESS;
    /* Collective, but no implementation waits in it. */
    if (g->comm != MPI_COMM_NULL)
        PMPI_Comm_free(&g->comm);
    free(g);
    return MPI_SUCCESS;
}

static int new_group(MPI_Comm origin, struct pdump_group **out)
{
    struct pdump_group *g;
    int has_sides = 0;

    PMPI_Comm_test_inter(origin, &has_sides);
    if (has_sides)
        return pdump_fail(PDUMP_EINVAL, "a dump over an inter-communicator");
    g = calloc(1, sizeof(*g));
    if (!g)
        return pdump_no_memory();
    g->origin = origin;
    g->comm = MPI_COMM_NULL;
    g->request = MPI_REQUEST_NULL;
    PMPI_Comm_rank(origin, &g->rank);
    PMPI_Comm_size(origin, &g->size);
    PMPI_Comm_set_attr(origin, key, g);
    *out = g;
    return PDUMP_OK;
}

/* Makes errors on `comm` return to us instead of ending the program. */
static MPI_Errhandler errors_return(MPI_Comm comm)
{
    MPI_Errhandler old = MPI_ERRHANDLER_NULL;

    if (PMPI_Comm_get_errhandler(comm, &old) == MPI_SUCCESS)
        PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return old;
}

static void errors_restore(MPI_Comm comm, MPI_Errhandler old)
{
    if (old == MPI_ERRHANDLER_NULL)
        return;
    PMPI_Comm_set_errhandler(comm, old);
    PMPI_Errhandler_free(&old);
}

int pdump_group_of(MPI_Comm origin, struct pdump_group **out)
{
    MPI_Errhandler old;
    int is_there = 0, code = MPI_SUCCESS;

    if (origin == MPI_COMM_NULL)
        return pdump_fail(PDUMP_EINVAL, "a dump over MPI_COMM_NULL");
    old = errors_return(MPI_COMM_WORLD);
    if (key == MPI_KEYVAL_INVALID)
        code = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key,
                                       NULL);
    if (code == MPI_SUCCESS)
        code = PMPI_Comm_get_attr(origin, key, out, &is_there);
    errors_restore(MPI_COMM_WORLD, old);
    if (code != MPI_SUCCESS) {
        pdump_deadline_error(code);
        return PDUMP_EINVAL;
    }
    return is_there ? PDUMP_OK : new_group(origin, out);
}

int pdump_group_check(const struct pdump_group *g)
{
    if (g->step == BROKEN)
        return pdump_fail(PDUMP_EPEER, "a rank did not answer before");
    return PDUMP_OK;
}

void pdump_group_break(struct pdump_group *g)
{
    g->step = BROKEN;
}

int pdump_group_wait(struct pdump_group *g, MPI_Request *request,
                     enum pdump_patience patience, int times, const char *who)
{
    int64_t seconds = g->seconds * times;
    int err = pdump_deadline_wait(request, seconds, patience);

    if (err == PDUMP_OK || *request == MPI_REQUEST_NULL)
        return err;
    return pdump_fail(err,
                      "%s did not answer within %lld s (PDUMP_MPI_TIMEOUT)",
                      who, (long long)seconds);
}

static int start_vote(struct pdump_group *g, enum subject subject,
                      int64_t value, int err)
{
    int code;

    g->mine[STEP] = subject;
    g->mine[NOT_STEP] = ~g->mine[STEP];
    g->mine[VALUE] = value;
    g->mine[NOT_VALUE] = ~value;
    g->mine[ERR] = err;
    code = PMPI_Iallreduce(g->mine, g->least, N_VOTE, MPI_INT64_T, MPI_MIN,
                           g->comm, &g->request);
    return code == MPI_SUCCESS ? PDUMP_OK : pdump_deadline_error(code);
}

static int end_vote(struct pdump_group *g)
{
    if (g->least[STEP] != ~g->least[NOT_STEP])
        return pdump_fail(PDUMP_EPEER, "the ranks are at different points");
    return PDUMP_OK;
}

static int group_vote(struct pdump_group *g, enum subject subject,
                      int64_t value, int err)
{
    int failure = pdump_group_check(g);

    if (failure == PDUMP_OK)
        failure = start_vote(g, subject, value, err);
    if (failure == PDUMP_OK)
        failure = pdump_group_wait(g, &g->request, PDUMP_PATIENT, 1, "a rank");
    if (failure == PDUMP_OK)
        failure = end_vote(g);
    if (failure < 0)
        pdump_group_break(g);
    return failure;
}

static int start_step(struct pdump_group *g)
{
    int code;

    if (g->step == MEET)
        return start_vote(g, ON_MEETING, 0, 0);
    if (g->step == CONFIRM)
        return start_vote(g, ON_CONFIRMING, 0, 0);
    code = PMPI_Comm_idup(g->origin, &g->comm, &g->request);
    return code == MPI_SUCCESS ? PDUMP_OK : pdump_deadline_error(code);
}

/* Does one step, or completes one that an earlier meeting has begun. */
static int go_on(struct pdump_group *g)
{
    int err = PDUMP_OK;

    if (g->request == MPI_REQUEST_NULL)
        err = start_step(g);
    if (err == PDUMP_OK)
        err = pdump_deadline_wait(&g->request, g->seconds, PDUMP_PATIENT);
    if (err == PDUMP_EPEER && g->request != MPI_REQUEST_NULL)
        return pdump_fail(PDUMP_EPEER,
                          "not all of the %d ranks came within %lld s "
                          "(PDUMP_MPI_TIMEOUT)",
                          g->size, (long long)g->seconds);
    if (err == PDUMP_OK && g->step == DUPLICATE)
        PMPI_Comm_set_errhandler(g->comm, MPI_ERRORS_RETURN);
    else if (err == PDUMP_OK)
        err = end_vote(g);
    g->step = err == PDUMP_OK ? g->step + 1 : BROKEN;
    return err;
}

/* While the duplicate is made, errors go to the handler of the program's own
 * communicator or of MPI_COMM_WORLD, which may be fatal. */
static int comm_duplicate(struct pdump_group *g)
{
    MPI_Errhandler of_world = errors_return(MPI_COMM_WORLD);
    MPI_Errhandler of_origin = errors_return(g->origin);
    int err = go_on(g);

    errors_restore(g->origin, of_origin);
    errors_restore(MPI_COMM_WORLD, of_world);
    return err;
}

int pdump_group_meet(struct pdump_group *g, int64_t seconds)
{
    int err = pdump_group_check(g);

    g->seconds = seconds;
    if (err == PDUMP_OK && g->step == DUPLICATE)
        err = comm_duplicate(g);
    while (err == PDUMP_OK && g->step < TOGETHER)
        err = go_on(g);
    return err;
}

void pdump_group_part(struct pdump_group *g)
{
    if (g->step == TOGETHER)
        g->step = MEET;
}

int pdump_group_agree(struct pdump_group *g, int err)
{
    int failure = group_vote(g, ON_ERROR, 0, err);

    return failure < 0 ? failure : (int)g->least[ERR];
}

int pdump_group_same(struct pdump_group *g, uint64_t value)
{
    int failure = group_vote(g, ON_VALUE, (int64_t)value, 0);

    return failure < 0 ? failure : g->least[VALUE] == ~g->least[NOT_VALUE];
}

int pdump_group_rank(const struct pdump_group *g)
{
    return g->rank;
}

int pdump_group_size(const struct pdump_group *g)
{
    return g->size;
}

const MPI_Comm *pdump_group_comm(const struct pdump_group *g)
{
    return &g->comm;
}

void pdump_group_end(void)
{
    struct pdump_group *g;
    int is_there = 0;

    if (key == MPI_KEYVAL_INVALID)
        return;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, key, &g, &is_there);
    if (is_there)
        PMPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    PMPI_Comm_free_keyval(&key);
}
