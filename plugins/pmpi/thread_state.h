/* SPDX-License-Identifier: BSD-3-Clause */
/* The state that each thread keeps between its calls of MPI. */
#ifndef PDUMP_PMPI_THREAD_STATE_H
#define PDUMP_PMPI_THREAD_STATE_H

#include "peers.h"
#include "probe/call_detail.h"

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

enum { PDUMP_TYPES_KEPT = 16, PDUMP_PEERS_KEPT = 8 };

struct pdump_kept_peers {
    MPI_Comm comm;
    uint64_t generation; /* 0: unused */
    struct pdump_peers *peers;
};

struct pdump_kept_win_peers {
    MPI_Win win;
    uint64_t generation; /* 0: unused */
    struct pdump_peers *peers;
};

struct pdump_state {
    const char *inside;     /* stack frame of the call under way, or NULL */
    struct pdump_call open; /* region of that call, kept */
    int64_t last_end;       /* ticks; in the session below */
    unsigned last_session;
    struct pdump_peers loose; /* of a communicator that has no entry */
    struct {
        MPI_Datatype type;
        int64_t size; /* 0: unused */
    } types[PDUMP_TYPES_KEPT];
    struct pdump_kept_peers kept[PDUMP_PEERS_KEPT];
    struct pdump_kept_win_peers kept_wins[PDUMP_PEERS_KEPT];
    /* Buffer for calls on many requests: handles, statuses and messages. */
    void *room;
    size_t room_size;
};

/* Returns the thread's cache entry for a communicator. */
static inline struct pdump_kept_peers *pdump_state_kept(
    struct pdump_state *state, MPI_Comm comm)
{
    uintptr_t bits = (uintptr_t)comm;

    return &state->kept[(bits ^ bits >> 9) % PDUMP_PEERS_KEPT];
}

/* Returns the thread's cache entry for a window. */
static inline struct pdump_kept_win_peers *pdump_state_kept_win(
    struct pdump_state *state, MPI_Win win)
{
    uintptr_t bits = (uintptr_t)win;

    return &state->kept_wins[(bits ^ bits >> 9) % PDUMP_PEERS_KEPT];
}

/* Returns true if no communicator or window has ended since. */
static inline bool pdump_state_is_current(uint64_t generation)
{
    return generation ==
           atomic_load_explicit(&pdump_peers_generation, memory_order_acquire);
}

/* As pdump_peers_find(), with the thread's cache in front of it. */
static inline struct pdump_peers *pdump_peers_of(struct pdump_state *state,
                                                 MPI_Comm comm)
{
    const struct pdump_kept_peers *kept = pdump_state_kept(state, comm);

    if (__builtin_expect(
            kept->comm == comm && pdump_state_is_current(kept->generation), 1))
        return kept->peers;
    return pdump_peers_find(state, comm);
}

/* The same for a window. */
static inline struct pdump_peers *pdump_peers_of_win(struct pdump_state *state,
                                                     MPI_Win win)
{
    const struct pdump_kept_win_peers *kept = pdump_state_kept_win(state, win);

    if (__builtin_expect(
            kept->win == win && pdump_state_is_current(kept->generation), 1))
        return kept->peers;
    return pdump_peers_find_win(state, win);
}

/* The state of the calling thread.  Its address is computed once, as in
 * thread.h. */
extern __thread struct pdump_state pdump_state_self;

static inline struct pdump_state *pdump_state(void)
{
    struct pdump_state *state = &pdump_state_self;

    __asm__("" : "+r"(state));
    return state;
}

/* Returns the ticks between the thread's previous call of MPI and this one. */
static inline int64_t pdump_state_between(const struct pdump_state *state,
                                          const struct pdump_call *call)
{
    return state->last_session == call->session ? call->start - state->last_end
                                                : 0;
}

static inline void pdump_state_ended(struct pdump_state *state,
                                     const struct pdump_call *call)
{
    state->last_session = call->session;
    state->last_end = call->start + call->time;
}

/* Returns a buffer of at least that size, or NULL.  The content stays until the
 * next call. */
void *pdump_state_room(struct pdump_state *state, size_t size);

#endif
