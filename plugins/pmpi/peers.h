/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks of a communicator or window, and who they are in MPI_COMM_WORLD. */
#ifndef PDUMP_PMPI_PEERS_H
#define PDUMP_PMPI_PEERS_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct pdump_rank_group;
struct pdump_state;

enum pdump_peer {
    PDUMP_PEER_NOBODY = -1,  /* MPI_PROC_NULL, or no peer at all */
    PDUMP_PEER_OUTSIDE = -2, /* a process that is not in MPI_COMM_WORLD */
    PDUMP_PEER_LATER = -3,   /* MPI_ANY_SOURCE: the status will tell */
};

struct pdump_peers {
    _Atomic int n_holders;
    struct pdump_peers *next; /* in the table */
    uintptr_t handle;         /* of what follows */
    MPI_Comm comm;            /* while it lives */
    MPI_Win win;              /* MPI_WIN_NULL: of the communicator */
    int rank;                 /* our own */
    int size;
    int n_others; /* those that collectives are with: the other group's size */
    bool is_inter;
    bool is_world;        /* ranks are those of MPI_COMM_WORLD */
    int n_in, n_out;      /* neighbours; -1: not asked yet */
    uint64_t nobodies;    /* neighbours that are MPI_PROC_NULL, a bit each */
    _Atomic(int *) world; /* ranks there, when first asked for */
    _Atomic(struct pdump_rank_group *)
        group; /* see collective_ids.h; the same */
};

/* Of a valid communicator; borrowed while it lives.  Never NULL, may be an
 * empty one (size 0). */
struct pdump_peers *pdump_peers_find(struct pdump_state *state, MPI_Comm comm);
struct pdump_peers *pdump_peers_find_win(struct pdump_state *state,
                                         MPI_Win win);

/* Keep them after their communicator's end; false if that is not possible. */
bool pdump_peers_hold(struct pdump_peers *peers);
void pdump_peers_release(struct pdump_peers *peers);

/* The rank in MPI_COMM_WORLD, or an enum pdump_peer. */
int pdump_peers_ask_world(struct pdump_peers *peers, int rank);

static inline int pdump_peers_world(struct pdump_peers *peers, int rank)
{
    return peers->is_world && rank >= 0 ? rank
                                        : pdump_peers_ask_world(peers, rank);
}

/* Grows when a communicator or window ends: what threads keep is then in doubt.
 */
extern _Atomic uint64_t pdump_peers_generation;

/* Ranks of `group` in MPI_COMM_WORLD, `n` of them; NULL: there is none, or no
 * memory.  Given: free(). */
int *pdump_peers_translate(MPI_Group group, int n);

/* Ask for n_in, n_out and nobodies. */
void pdump_peers_look_around(struct pdump_peers *peers);

/* In the child of a fork(). */
void pdump_peers_in_child(void);

#endif
