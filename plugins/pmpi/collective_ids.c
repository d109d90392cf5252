/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers collectives by the ranks that take part, the same way on all of
 * them. */
#include "collective_ids.h"

#include <pthread.h>
#include <stdlib.h>

/* Never freed: another communicator of the same ranks continues the
 * sequence. */
struct pdump_rank_group {
    struct pdump_rank_group *next;
    uint64_t hash;
    _Atomic uint32_t n; /* collectives so far */
};

enum { N_BUCKETS = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pdump_rank_group *buckets[N_BUCKETS];

/* For communicators whose ranks cannot be identified. */
static struct pdump_rank_group unknown;

/* FNV-1a over the ranks.  Returns false if one is not in MPI_COMM_WORLD. */
static bool ranks_mix(MPI_Group group, uint64_t *hash)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    int n = 0, *ranks;

    PMPI_Group_size(group, &n);
    ranks = pdump_peers_translate(group, n);
    if (!ranks)
        return false;
    for (int i = 0; i < n; i++) {
        if (ranks[i] == MPI_UNDEFINED) {
            free(ranks);
            return false;
        }
        h = (h ^ (uint32_t)ranks[i]) * UINT64_C(0x100000001b3);
    }
    free(ranks);
    *hash += h; /* a sum: the order of two groups does not matter */
    return true;
}

/* Returns 0 if the group cannot be identified. */
static uint64_t group_hash(const struct pdump_peers *p)
{
    MPI_Group group;
    uint64_t hash = 0;
    bool is_good;

    if (PMPI_Comm_group(p->comm, &group) != MPI_SUCCESS)
        return 0;
    is_good = ranks_mix(group, &hash);
    PMPI_Group_free(&group);
    if (is_good && p->is_inter) {
        if (PMPI_Comm_remote_group(p->comm, &group) != MPI_SUCCESS)
            return 0;
        is_good = ranks_mix(group, &hash);
        PMPI_Group_free(&group);
    }
    return is_good ? hash : 0;
}

static struct pdump_rank_group *group_find(uint64_t hash)
{
    struct pdump_rank_group **bucket = &buckets[hash % N_BUCKETS], *g;
    struct pdump_rank_group *new = calloc(1, sizeof(*new));

    pthread_mutex_lock(&lock);
    for (g = *bucket; g && g->hash != hash; g = g->next)
        ;
    if (!g && new) {
        new->hash = hash;
        new->next = *bucket;
        *bucket = g = new;
        new = NULL;
    }
    pthread_mutex_unlock(&lock);
    free(new);
    return g ? g : &unknown;
}

/* 29 bits, never 0. */
static int64_t id_of(const struct pdump_rank_group *g)
{
    int64_t id = (int64_t)((g->hash ^ g->hash >> 32) & ((1 << 29) - 1));

    return id ? id : 1;
}

int64_t pdump_collective_ids_count(struct pdump_peers *p)
{
    struct pdump_rank_group *g;

    if (!p->n_holders)
        return 0; /* it has no entry */
    g = atomic_load_explicit(&p->group, memory_order_acquire);
    if (!g) {
        uint64_t hash = group_hash(p);

        g = hash ? group_find(hash) : &unknown;
        atomic_store_explicit(&p->group, g, memory_order_release);
    }
    if (g == &unknown)
        return 0;
    return id_of(g) << PDUMP_GROUP_BITS |
           (atomic_fetch_add(&g->n, 1) & ((1 << PDUMP_GROUP_BITS) - 1));
}

void pdump_collective_ids_in_child(void)
{
    pthread_mutex_init(&lock, NULL);
}
