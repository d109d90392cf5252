/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ranks of a communicator or window, and their ranks in MPI_COMM_WORLD.
 *
 * The entries are in a table.  Each is also an attribute of its communicator,
 * so that MPI notifies us when the communicator ends.  Each thread caches the
 * entries that it used last.  A process that uses only MPI sessions gets no
 * attributes, because they might outlive the session.
 *
 * MPI is not called under the lock: it may call functions of the program while
 * it holds its own lock, and these may call MPI, and so this code.
 */
#include "peers.h"
#include "thread_state.h"

#include <pthread.h>
#include <stdlib.h>

enum { N_BUCKETS = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pdump_peers *comms[N_BUCKETS], *wins[N_BUCKETS]; /* locked */
static _Atomic int comm_key = MPI_KEYVAL_INVALID, win_key = MPI_KEYVAL_INVALID;
static _Atomic bool is_up;
_Atomic uint64_t pdump_peers_generation = 1;

/* Returns true if MPI_COMM_WORLD exists. */
static bool has_world(void)
{
    int up = 0;

    if (is_up)
        return true;
    PMPI_Initialized(&up);
    is_up = up != 0;
    return is_up;
}

static void peers_fill(struct pdump_peers *p, MPI_Comm comm)
{
    int is_inter = 0;

    p->comm = comm;
    p->win = MPI_WIN_NULL;
    p->n_in = p->n_out = -1;
    PMPI_Comm_test_inter(comm, &is_inter);
    p->is_inter = is_inter != 0;
    PMPI_Comm_rank(comm, &p->rank);
    PMPI_Comm_size(comm, &p->size);
    p->n_others = p->size;
    if (p->is_inter)
        PMPI_Comm_remote_size(comm, &p->n_others);
    p->is_world = comm == MPI_COMM_WORLD;
}

void pdump_peers_release(struct pdump_peers *p)
{
    if (atomic_fetch_sub(&p->n_holders, 1) != 1)
        return;
    free(p->world);
    free(p);
}

bool pdump_peers_hold(struct pdump_peers *p)
{
    if (!p->n_holders)
        return false;
    atomic_fetch_add(&p->n_holders, 1);
    return true;
}

static struct pdump_peers **bucket_of(struct pdump_peers **table,
                                      uintptr_t handle)
{
    return &table[(handle ^ handle >> 9) % N_BUCKETS];
}

/* Called under the lock. */
static struct pdump_peers *peers_look(struct pdump_peers **table,
                                      uintptr_t handle)
{
    struct pdump_peers *p = *bucket_of(table, handle);

    while (p && p->handle != handle)
        p = p->next;
    return p;
}

static struct pdump_peers *find_in(struct pdump_peers **table, uintptr_t handle)
{
    struct pdump_peers *p;

    pthread_mutex_lock(&lock);
    p = peers_look(table, handle);
    pthread_mutex_unlock(&lock);
    return p;
}

/* Puts `p` into the table unless another thread was faster.  Returns the entry
 * of the table. */
static struct pdump_peers *peers_publish(struct pdump_peers **table,
                                         uintptr_t handle,
                                         struct pdump_peers *p)
{
    struct pdump_peers **bucket = bucket_of(table, handle), *other;

    p->handle = handle;
    p->n_holders = 1;
    pthread_mutex_lock(&lock);
    other = peers_look(table, handle);
    if (!other) {
        p->next = *bucket;
        *bucket = p;
    }
    pthread_mutex_unlock(&lock);
    return other ? other : p;
}

static void remove_from(struct pdump_peers **table, struct pdump_peers *p)
{
    struct pdump_peers **at = bucket_of(table, p->handle);

    pthread_mutex_lock(&lock);
    while (*at && *at != p)
        at = &(*at)->next;
    if (*at)
        *at = p->next;
    pthread_mutex_unlock(&lock);
}

static int on_comm_end(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    remove_from(comms, value);
    atomic_fetch_add(&pdump_peers_generation, 1);
    pdump_peers_release(value);
    return MPI_SUCCESS;
}

static int on_win_end(MPI_Win win, int key, void *value, void *extra)
{
    (void)win, (void)key, (void)extra;
    remove_from(wins, value);
    atomic_fetch_add(&pdump_peers_generation, 1);
    pdump_peers_release(value);
    return MPI_SUCCESS;
}

/* If two threads create a key at the same time, the first one counts. */
static bool has_keys(void)
{
    int none = MPI_KEYVAL_INVALID, made = MPI_KEYVAL_INVALID;

    if (comm_key == none) {
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_comm_end, &made,
                                NULL);
        if (!atomic_compare_exchange_strong(&comm_key, &none, made))
            PMPI_Comm_free_keyval(&made);
    }
    none = made = MPI_KEYVAL_INVALID;
    if (win_key == none) {
        PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_win_end, &made, NULL);
        if (!atomic_compare_exchange_strong(&win_key, &none, made))
            PMPI_Win_free_keyval(&made);
    }
    return comm_key != MPI_KEYVAL_INVALID && win_key != MPI_KEYVAL_INVALID;
}

/* Returns NULL if there is no entry and none can be made. */
static struct pdump_peers *peers_find(MPI_Comm comm)
{
    struct pdump_peers *p = find_in(comms, (uintptr_t)comm), *made;

    if (p || !has_world() || !has_keys())
        return p;
    made = calloc(1, sizeof(*made));
    if (!made)
        return NULL;
    peers_fill(made, comm);
    p = peers_publish(comms, (uintptr_t)comm, made);
    if (p != made) {
        free(made);
        return p;
    }
    if (PMPI_Comm_set_attr(comm, comm_key, p) == MPI_SUCCESS)
        return p;
    remove_from(comms, p); /* not freed: another thread may use it */
    return NULL;
}

struct pdump_peers *pdump_peers_find(struct pdump_state *state, MPI_Comm comm)
{
    uint64_t now =
        atomic_load_explicit(&pdump_peers_generation, memory_order_acquire);
    struct pdump_kept_peers *kept = pdump_state_kept(state, comm);
    struct pdump_peers *p;

    p = peers_find(comm);
    if (!p) {
        free(state->loose.world);
        state->loose = (struct pdump_peers){ 0 };
        peers_fill(&state->loose, comm);
        return &state->loose;
    }
    *kept = (struct pdump_kept_peers){ comm, now, p };
    return p;
}

static struct pdump_peers *make_win(MPI_Win win)
{
    struct pdump_peers *p = calloc(1, sizeof(*p));
    MPI_Group group;

    if (!p || PMPI_Win_get_group(win, &group) != MPI_SUCCESS) {
        free(p);
        return NULL;
    }
    PMPI_Group_size(group, &p->size);
    PMPI_Group_rank(group, &p->rank);
    PMPI_Group_free(&group);
    p->n_others = p->size;
    p->comm = MPI_COMM_NULL;
    p->win = win;
    return p;
}

static struct pdump_peers *find_win(MPI_Win win)
{
    struct pdump_peers *p = find_in(wins, (uintptr_t)win), *made;

    if (p || !has_world() || !has_keys())
        return p;
    made = make_win(win);
    if (!made)
        return NULL;
    p = peers_publish(wins, (uintptr_t)win, made);
    if (p != made) {
        free(made);
        return p;
    }
    if (PMPI_Win_set_attr(win, win_key, p) == MPI_SUCCESS)
        return p;
    remove_from(wins, p);
    return NULL;
}

struct pdump_peers *pdump_peers_find_win(struct pdump_state *state, MPI_Win win)
{
    uint64_t now =
        atomic_load_explicit(&pdump_peers_generation, memory_order_acquire);
    struct pdump_peers *p = find_win(win);

    if (p) {
        *pdump_state_kept_win(state, win) =
            (struct pdump_kept_win_peers){ win, now, p };
        return p;
    }
    free(state->loose.world);
    state->loose =
        (struct pdump_peers){ .comm = MPI_COMM_NULL, .win = MPI_WIN_NULL };
    return &state->loose;
}

static int group_of(const struct pdump_peers *p, MPI_Group *out)
{
    if (p->win != MPI_WIN_NULL)
        return PMPI_Win_get_group(p->win, out);
    return p->is_inter ? PMPI_Comm_remote_group(p->comm, out)
                       : PMPI_Comm_group(p->comm, out);
}

int *pdump_peers_translate(MPI_Group group, int n)
{
    int *ranks = NULL, err;
    MPI_Group world;

    if (n >= 1 && has_world())
        ranks = calloc((size_t)n * 2, sizeof(*ranks));
    if (!ranks)
        return NULL;
    /* The second half is the input: 0, 1, ... */
    for (int i = 0; i < n; i++)
        ranks[n + i] = i;
    err = PMPI_Comm_group(MPI_COMM_WORLD, &world);
    if (err == MPI_SUCCESS) {
        err = PMPI_Group_translate_ranks(group, n, ranks + n, world, ranks);
        PMPI_Group_free(&world);
    }
    if (err == MPI_SUCCESS)
        return ranks;
    free(ranks);
    return NULL;
}

static int *peers_ask(const struct pdump_peers *p)
{
    MPI_Group group;
    int *ranks;

    if (!has_world() || group_of(p, &group) != MPI_SUCCESS)
        return NULL;
    ranks = pdump_peers_translate(group, p->n_others);
    PMPI_Group_free(&group);
    return ranks;
}

int pdump_peers_ask_world(struct pdump_peers *p, int rank)
{
    int *ranks, *none = NULL;

    if (rank == MPI_PROC_NULL)
        return PDUMP_PEER_NOBODY;
    if (rank == MPI_ANY_SOURCE)
        return PDUMP_PEER_LATER;
    if (p->is_world)
        return rank;
    ranks = atomic_load_explicit(&p->world, memory_order_acquire);
    if (!ranks) {
        ranks = peers_ask(p);
        if (ranks && !atomic_compare_exchange_strong(&p->world, &none, ranks)) {
            free(ranks);
            ranks = none;
        }
    }
    if (!ranks || rank < 0 || rank >= p->n_others ||
        ranks[rank] == MPI_UNDEFINED)
        return PDUMP_PEER_OUTSIDE;
    return ranks[rank];
}

/* Returns the neighbours beyond the border of a Cartesian grid, as bits. */
static uint64_t neighbours_beyond(MPI_Comm grid, int n_dims)
{
    uint64_t nobodies = 0;

    for (int i = 0; i < n_dims && i < 32; i++) {
        int before = MPI_PROC_NULL, after = MPI_PROC_NULL;

        PMPI_Cart_shift(grid, i, 1, &before, &after);
        nobodies |= (uint64_t)(before == MPI_PROC_NULL) << (2 * i);
        nobodies |= (uint64_t)(after == MPI_PROC_NULL) << (2 * i + 1);
    }
    return nobodies;
}

void pdump_peers_look_around(struct pdump_peers *p)
{
    int topology = MPI_UNDEFINED, n = 0, n_in = 0, n_out = 0, ignored;

    if (p->n_in >= 0 || p->comm == MPI_COMM_NULL)
        return;
    PMPI_Topo_test(p->comm, &topology);
    if (topology == MPI_CART) {
        PMPI_Cartdim_get(p->comm, &n);
        n_in = n_out = 2 * n;
        p->nobodies = neighbours_beyond(p->comm, n);
    } else if (topology == MPI_GRAPH) {
        PMPI_Graph_neighbors_count(p->comm, p->rank, &n);
        n_in = n_out = n;
    } else if (topology == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(p->comm, &n_in, &n_out, &ignored);
    }
    p->n_out = n_out;
    p->n_in = n_in;
}

void pdump_peers_in_child(void)
{
    pthread_mutex_init(&lock, NULL);
}
