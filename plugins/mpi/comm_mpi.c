/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The module "mpi": the ranks of an MPI job.
 *
 * It uses PMPI_ names only: these calls are ours and must not be measured.
 */
#include "group.h"
#include "job/comm.h"
#include "message.h"
#include "system/plugin.h"

#include <stdatomic.h>
#include <unistd.h>

PDUMP_PLUGIN_MODULE;

static _Atomic bool is_attaching;
static void (*end_hook)(void);
static _Atomic pid_t job_pid; /* 0: not attached */
static _Atomic bool has_ended;
static int job_rank, job_size = 1;
static struct pdump_group *entered;

static bool mpi_is_up(void)
{
    return job_pid == getpid() && !has_ended;
}

/*
 * MPI_Finalize deletes the attributes of MPI_COMM_SELF before anything else
 * (MPI-4.1, 12.2.4), in every language and without interposition.
 */
static int on_finalize(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    if (!mpi_is_up())
        return MPI_SUCCESS;
    if (end_hook)
        end_hook();
    entered = NULL;
    pdump_group_end();
    has_ended = true;
    return MPI_SUCCESS;
}

/* Checks that this thread may call MPI at all. */
static int check_thread(void)
{
    int level = MPI_THREAD_SINGLE, is_main = 0;

    PMPI_Query_thread(&level);
    PMPI_Is_thread_main(&is_main);
    if (level < MPI_THREAD_MULTIPLE && !is_main)
        return pdump_fail(PDUMP_ESTATE, "MPI was initialised for calls of its "
                                        "main thread only");
    return PDUMP_OK;
}

static bool mpi_was_started(void)
{
    int up = 0;

    PMPI_Initialized(&up);
    return up;
}

static int check_job(void)
{
    int down = 0;

    if (job_pid && job_pid != getpid())
        return pdump_fail(PDUMP_ESTATE, "a forked child is no rank");
    PMPI_Finalized(&down);
    if (!mpi_was_started())
        return pdump_fail(PDUMP_ESTATE, "MPI is not initialised yet");
    if (down || has_ended)
        return pdump_fail(PDUMP_ESTATE, "MPI is finalized");
    return check_thread();
}

static int job_join(void (*at_end)(void))
{
    int key;

    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize, &key,
                                NULL) != MPI_SUCCESS ||
        PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL) != MPI_SUCCESS)
        return pdump_fail(PDUMP_ESTATE, "MPI takes no attribute");
    /* The key lives on until its attribute is deleted. */
    PMPI_Comm_free_keyval(&key);
    PMPI_Comm_rank(MPI_COMM_WORLD, &job_rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &job_size);
    end_hook = at_end;
    job_pid = getpid();
    return PDUMP_OK;
}

static int mpi_attach(void (*at_end)(void))
{
    int err;

    if (mpi_is_up())
        return PDUMP_OK;
    /* Never wait for a thread that is inside MPI. */
    if (atomic_exchange(&is_attaching, true))
        return pdump_fail(PDUMP_ESTATE, "another thread is joining the job");
    err = mpi_is_up() ? PDUMP_OK : check_job();
    if (err == PDUMP_OK && !mpi_is_up())
        err = job_join(at_end);
    is_attaching = false;
    return err;
}

static int mpi_rank(void)
{
    return entered ? pdump_group_rank(entered) : job_rank;
}

static int mpi_size(void)
{
    return entered ? pdump_group_size(entered) : job_size;
}

static int mpi_enter(const void *group, int64_t seconds)
{
    struct pdump_group *g;
    int err = check_job();

    if (err < 0)
        return err;
    if (!mpi_is_up() || entered)
        return pdump_fail(PDUMP_ESTATE,
                          entered ? "a group was entered already"
                                  : "this process has not joined the job");
    err = pdump_group_of(group ? *(const MPI_Comm *)group : MPI_COMM_WORLD, &g);
    if (err == PDUMP_OK)
        err = pdump_group_meet(g, seconds);
    if (err == PDUMP_OK)
        entered = g;
    return err;
}

static void mpi_leave(void)
{
    if (entered)
        pdump_group_part(entered);
    entered = NULL;
}

static int group_missing(void)
{
    return pdump_fail(PDUMP_ESTATE, "no group was entered");
}

static int mpi_agree(int err)
{
    return entered ? pdump_group_agree(entered, err) : group_missing();
}

static int mpi_same(uint64_t value)
{
    return entered ? pdump_group_same(entered, value) : group_missing();
}

static int mpi_send(int to, const void *bytes, size_t len)
{
    return entered ? pdump_message_send(entered, to, bytes, len)
                   : group_missing();
}

static int mpi_receive(int from, int times, void **bytes, size_t *len)
{
    return entered ? pdump_message_receive(entered, from, times, bytes, len)
                   : group_missing();
}

static const void *mpi_from_fortran(int handle)
{
    static MPI_Comm comm;

    comm = MPI_Comm_f2c(handle);
    return &comm;
}

static const void *mpi_native(void)
{
    return entered ? pdump_group_comm(entered) : NULL;
}

static const struct pdump_comm comm_mpi = {
    .name = "mpi",
    .attach = mpi_attach,
    .is_up = mpi_is_up,
    .was_started = mpi_was_started,
    .rank = mpi_rank,
    .size = mpi_size,
    .enter = mpi_enter,
    .leave = mpi_leave,
    .agree = mpi_agree,
    .same = mpi_same,
    .send = mpi_send,
    .receive = mpi_receive,
    .from_fortran = mpi_from_fortran,
    .native = mpi_native,
};

const struct pdump_plugin pdump_plugin = {
    .name = "mpi",
    .comm = &comm_mpi,
};
