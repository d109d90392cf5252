/* SPDX-License-Identifier: BSD-3-Clause */
/* One process alone. */
#include "comm.h"

#include <stdlib.h>
#include <string.h>

static int solo_attach(void (*at_end)(void))
{
    (void)at_end; /* a process alone has no job that ends before it does */
    return PDUMP_OK;
}

static int solo_rank(void)
{
    return 0;
}

static int solo_size(void)
{
    return 1;
}

static int solo_gather(const void *mine, size_t len, void **all, size_t **lens)
{
    *all = malloc(len ? len : 1);
    *lens = malloc(sizeof(**lens));
    if (!*all || !*lens) {
        free(*all);
        free(*lens);
        return pdump_no_memory();
    }
    memcpy(*all, mine, len);
    **lens = len;
    return PDUMP_OK;
}

static int solo_agree(int err)
{
    return err;
}

const struct pdump_comm pdump_comm_solo = {
    .name = "solo",
    .attach = solo_attach,
    .rank = solo_rank,
    .size = solo_size,
    .gather = solo_gather,
    .agree = solo_agree,
};
