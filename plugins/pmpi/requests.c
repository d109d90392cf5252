/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of MPI operations under way, by their request handles. */
#include "requests.h"
#include "system/log.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { N_BUCKETS = 4096, BLOCK = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pdump_request *buckets[N_BUCKETS];
static struct pdump_request *unused;
static int n_made;
static _Atomic uint64_t n_added;
static bool has_threads, knows_threads;
_Atomic int pdump_n_requests;

/* Takes the lock, but only if threads may call MPI at the same time. */
static void take_lock(void)
{
    if (!knows_threads) {
        int level = MPI_THREAD_MULTIPLE;

        PMPI_Query_thread(&level);
        has_threads = level == MPI_THREAD_MULTIPLE;
        knows_threads = true;
    }
    if (has_threads)
        pthread_mutex_lock(&lock);
}

static void release_lock(void)
{
    if (has_threads)
        pthread_mutex_unlock(&lock);
}

static struct pdump_request **bucket_of(uintptr_t handle)
{
    uint64_t hash = (uint64_t)handle * UINT64_C(0x9e3779b97f4a7c15);

    return &buckets[hash >> 52];
}

uint64_t pdump_requests_last(void)
{
    return atomic_load_explicit(&n_added, memory_order_relaxed);
}

/* Called under the lock, if there are threads. */
static uint64_t next_number(void)
{
    uint64_t number = pdump_requests_last() + 1;

    atomic_store_explicit(&n_added, number, memory_order_relaxed);
    return number;
}

/* The newest requests are in front. */
static struct pdump_request **request_find(uintptr_t handle, uint64_t last)
{
    struct pdump_request **at = bucket_of(handle);

    while (*at && ((*at)->handle != handle || (*at)->number > last))
        at = &(*at)->next;
    return at;
}

/* Called under the lock, which is released while it allocates. */
static void get_more(void)
{
    struct pdump_request *block;

    release_lock();
    block = malloc(BLOCK * sizeof(*block));
    take_lock();
    for (int i = 0; block && i < BLOCK; i++) {
        block[i].next = unused;
        unused = &block[i];
    }
    n_made += block ? BLOCK : 0;
}

/* Called under the lock. */
static struct pdump_request *request_make(void)
{
    struct pdump_request *made;

    if (!unused && n_made < PDUMP_REQUESTS_MAX)
        get_more();
    made = unused;
    if (made)
        unused = made->next;
    return made;
}

static void request_discard(struct pdump_request **at)
{
    struct pdump_request *gone = *at;

    *at = gone->next;
    gone->next = unused;
    unused = gone;
    pdump_n_requests--;
}

void pdump_requests_add(const struct pdump_request *request)
{
    struct pdump_request **bucket = bucket_of(request->handle), *made;

    take_lock();
    made = request_make();
    if (made) {
        *made = *request;
        made->number = next_number();
        made->next = *bucket;
        *bucket = made;
        pdump_n_requests++;
    }
    release_lock();
    if (made)
        return;
    if (request->peers)
        pdump_peers_release(request->peers);
    pdump_warn("MPI requests",
               "more than %d MPI requests under way: the time "
               "in flight of the others is not recorded",
               n_made);
}

bool pdump_requests_take(uintptr_t handle, uint64_t last,
                         struct pdump_request *out)
{
    struct pdump_request **at;
    bool is_known;

    take_lock();
    at = request_find(handle, last);
    is_known = *at != NULL;
    if (is_known)
        *out = **at;
    if (is_known && !out->is_persistent)
        request_discard(at);
    else if (is_known)
        (*at)->start = 0;
    release_lock();
    return is_known && (out->start || !out->is_persistent);
}

bool pdump_requests_start(uintptr_t handle, int64_t now, unsigned session,
                          struct pdump_request *out)
{
    struct pdump_request *known;

    take_lock();
    known = *request_find(handle, UINT64_MAX);
    if (known) {
        known->start = now;
        known->session = session;
        *out = *known;
    }
    release_lock();
    return known != NULL;
}

bool pdump_requests_look(uintptr_t handle, struct pdump_request *out)
{
    const struct pdump_request *known;

    take_lock();
    known = *request_find(handle, UINT64_MAX);
    if (known)
        *out = *known;
    release_lock();
    return known != NULL;
}

void pdump_requests_forget(uintptr_t handle, uint64_t last)
{
    struct pdump_request **at;
    struct pdump_peers *held = NULL;

    take_lock();
    at = request_find(handle, last);
    if (*at) {
        held = (*at)->peers;
        request_discard(at);
    }
    release_lock();
    if (held)
        pdump_peers_release(held);
}

void pdump_requests_in_child(void)
{
    pthread_mutex_init(&lock, NULL);
}
