/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that meet: a duplicate of a communicator, and votes on it.
 *
 * All that we say is said on a duplicate of our own, so that no receive of the
 * program, whatever its wildcards, gets a message of ours.  The duplicate is
 * made when the ranks meet for the first time and kept as an attribute of the
 * communicator that it was made of: later meetings leave that one alone.
 *
 * A meeting that was given up is not over.  What was begun stays outstanding
 * (MPI cannot take a collective call back), and the next meeting goes on with
 * it: so a rank that came late, or left one meeting out, is with the others
 * again the next time.  But a group in which a rank fell silent after the
 * meeting is broken for good, as nobody knows how far that rank got.
 *
 * The first meeting is the dangerous one: if it is given up, MPI is in the
 * middle of a collective call on the program's own communicator.  Until the
 * ranks do meet, nonblocking collectives on it and the making of communicators,
 * with Open MPI of any, hang or mix with ours.  In MPI_Finalize, where the last
 * dump is written, a program has no such plans any more.  Before that, only
 * meet where the user was told that all ranks have to come.
 */
#ifndef PDUMP_GROUP_H
#define PDUMP_GROUP_H

#include "deadline.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct pdump_group;

/* The group of communicator `origin`; it belongs to that communicator.
 * PDUMP_EINVAL if it is none, or has two sides.  Local. */
int pdump_group_of(MPI_Comm origin, struct pdump_group **out);

/* Wait for all of its ranks: PDUMP_EPEER if they do not come.  Whatever follows
 * until they part has so many seconds again. */
int pdump_group_meet(struct pdump_group *g, int64_t seconds);
void pdump_group_part(struct pdump_group *g);

/* As agree() and same() of comm.h. */
int pdump_group_agree(struct pdump_group *g, int err);
int pdump_group_same(struct pdump_group *g, uint64_t value);

int pdump_group_rank(const struct pdump_group *g);
int pdump_group_size(const struct pdump_group *g);
/* The duplicate; static as long as the group is. */
const MPI_Comm *pdump_group_comm(const struct pdump_group *g);

/* PDUMP_OK, or why nothing can be said in this group any more. */
int pdump_group_check(const struct pdump_group *g);
/* From now on nothing can. */
void pdump_group_break(struct pdump_group *g);
/* Wait for a request of this group, `times` times its deadline; if it fails,
 * the message says that `who` did not answer, and the caller has to break the
 * group. */
int pdump_group_wait(struct pdump_group *g, MPI_Request *request,
                     enum pdump_patience patience, int times, const char *who);

/* Let go what the groups of a job have that ends. */
void pdump_group_end(void);

#endif
