/* SPDX-License-Identifier: BSD-3-Clause */
/* The seam for a single process. */
#include "job/comm.h"

static int solo_attach(void (*at_end)(void))
{
    (void)at_end; /* a single process has no job that ends before it does */
    return PDUMP_OK;
}

static bool solo_is_up(void)
{
    return true;
}

static int solo_rank(void)
{
    return 0;
}

static int solo_size(void)
{
    return 1;
}

static int solo_enter(const void *group, int64_t seconds)
{
    (void)seconds;
    return group ? pdump_fail(PDUMP_ESTATE, "there is no MPI in this process")
                 : PDUMP_OK;
}

static void solo_leave(void) {}

static int solo_agree(int err)
{
    return err;
}

static int solo_same(uint64_t value)
{
    (void)value;
    return 1;
}

static int solo_nobody(int rank)
{
    return pdump_fail(PDUMP_EINVAL, "there is no rank %d", rank);
}

static int solo_send(int to, const void *bytes, size_t len)
{
    (void)bytes, (void)len;
    return solo_nobody(to);
}

static int solo_receive(int from, int times, void **bytes, size_t *len)
{
    (void)times, (void)bytes, (void)len;
    return solo_nobody(from);
}

static const void *solo_from_fortran(int handle)
{
    (void)handle;
    return NULL;
}

static const void *solo_native(void)
{
    return NULL;
}

const struct pdump_comm pdump_comm_solo = {
    .name = "solo",
    .attach = solo_attach,
    .is_up = solo_is_up,
    .was_started = solo_is_up,
    .rank = solo_rank,
    .size = solo_size,
    .enter = solo_enter,
    .leave = solo_leave,
    .agree = solo_agree,
    .same = solo_same,
    .send = solo_send,
    .receive = solo_receive,
    .from_fortran = solo_from_fortran,
    .native = solo_native,
};
