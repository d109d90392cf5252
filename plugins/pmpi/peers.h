/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks of a communicator or window, and their ranks in MPI_COMM_WORLD. */
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
    PDUMP_PEER_LATER = -3,   /* MPI_ANY_SOURCE: the status will have the rank */
};

struct pdump_peers {
    _Atomic int n_holders;
    struct pdump_peers *next; /* in the table */
    uintptr_t handle;         /* of the communicator or window below */
    MPI_Comm comm;            /* while it exists */
    MPI_Win win;              /* MPI_WIN_NULL: peers of the communicator */
    int rank;                 /* of this process */
    int size;
    int n_others; /* size; of an inter-communicator, the remote size */
    bool is_inter;
    bool is_world;        /* ranks equal those of MPI_COMM_WORLD */
    int n_in, n_out;      /* neighbours; -1: not queried yet */
    uint64_t nobodies;    /* bit i: neighbour i is MPI_PROC_NULL */
    _Atomic(int *) world; /* ranks in MPI_COMM_WORLD, set on first use */
    _Atomic(struct pdump_rank_group *)
        group; /* collective_ids.h; set on first use */
};

/* Finds the peers of a valid communicator; borrowed while it exists.  Never
 * NULL, but may be empty (size 0). */
struct pdump_peers *pdump_peers_find(struct pdump_state *state, MPI_Comm comm);
struct pdump_peers *pdump_peers_find_win(struct pdump_state *state,
                                         MPI_Win win);

/* Keeps the peers valid after the end of their communicator.  Returns false if
 * that is not possible. */
bool pdump_peers_hold(struct pdump_peers *peers);
void pdump_peers_release(struct pdump_peers *peers);

/* Returns the rank in MPI_COMM_WORLD, or an enum pdump_peer. */
int pdump_peers_ask_world(struct pdump_peers *peers, int rank);

static inline int pdump_peers_world(struct pdump_peers *peers, int rank)
{
    return peers->is_world && rank >= 0 ? rank
                                        : pdump_peers_ask_world(peers, rank);
}

/* Incremented when a communicator or window ends: the caches of the threads are
 * invalid then. */
extern _Atomic uint64_t pdump_peers_generation;

/* Translates the `n` ranks of `group` to MPI_COMM_WORLD.  NULL if there is no
 * MPI_COMM_WORLD, or no memory.  Given: free(). */
int *pdump_peers_translate(MPI_Group group, int n);

/* Sets n_in, n_out and nobodies. */
void pdump_peers_look_around(struct pdump_peers *peers);

/* Called in the child after fork(). */
void pdump_peers_in_child(void);

#endif
