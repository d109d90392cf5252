/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The module "mpi" connects the ranks of an MPI job.  This header has the group
 * of ranks that meet: a duplicate of a communicator, and votes on it.
 *
 * All our messages use our own duplicate, so that no receive of the program,
 * not even with wildcards, gets one of them.  The duplicate is made at the
 * first meeting and kept as an attribute of the original communicator; later
 * meetings do not use the original any more.
 *
 * A meeting that timed out is not over.  Its operations stay outstanding (MPI
 * cannot cancel a collective call), and the next meeting continues them.  So a
 * rank that came late, or missed one meeting, is together with the others again
 * the next time.  But if a rank stops answering after the meeting, the group is
 * broken for good, because it is unknown how far that rank got.
 *
 * The first meeting is the dangerous one: if it times out, MPI is in the middle
 * of a collective call on the program's own communicator.  Until the ranks do
 * meet, nonblocking collectives on that communicator and the creation of
 * communicators (with Open MPI: from any communicator) hang or are mixed up
 * with ours.  In MPI_Finalize, where the last dump is written, programs do
 * neither any more.  Before that, only meet where the user was told that all
 * ranks have to come.
 */
#ifndef PDUMP_GROUP_H
#define PDUMP_GROUP_H

#include "deadline.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct pdump_group;

/* Gets the group of communicator `origin`, which owns it.  PDUMP_EINVAL for
 * MPI_COMM_NULL, an invalid communicator or an inter-communicator.  Local. */
int pdump_group_of(MPI_Comm origin, struct pdump_group **out);

/* Waits for all ranks of the group: PDUMP_EPEER if they do not come.  Until
 * pdump_group_part(), each further step has the same deadline of `seconds`. */
int pdump_group_meet(struct pdump_group *g, int64_t seconds);
void pdump_group_part(struct pdump_group *g);

/* Implement agree() and same() of comm.h. */
int pdump_group_agree(struct pdump_group *g, int err);
int pdump_group_same(struct pdump_group *g, uint64_t value);

int pdump_group_rank(const struct pdump_group *g);
int pdump_group_size(const struct pdump_group *g);
/* Returns the duplicate; static as long as the group exists. */
const MPI_Comm *pdump_group_comm(const struct pdump_group *g);

/* Returns PDUMP_OK, or PDUMP_EPEER if the group is broken. */
int pdump_group_check(const struct pdump_group *g);
/* Marks the group as broken. */
void pdump_group_break(struct pdump_group *g);
/* Waits for a request of this group, `times` times its deadline.  On failure
 * the message says that `who` did not answer, and the caller has to break the
 * group. */
int pdump_group_wait(struct pdump_group *g, MPI_Request *request,
                     enum pdump_patience patience, int times, const char *who);

/* Frees the groups at the end of the job. */
void pdump_group_end(void);

#endif
