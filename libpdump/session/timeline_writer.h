/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread of ours that writes full chunks of events to a file. */
#ifndef PDUMP_TIMELINE_WRITER_H
#define PDUMP_TIMELINE_WRITER_H

#include "session/session.h"

/* What the session's settings say of events goes into the session, which then
 * has its store and its head. */
void pdump_timeline_writer_prepare(struct pdump_session *s);

/* With the session, under its lock.  Nothing unless it writes events. */
void pdump_timeline_writer_start(struct pdump_session *s);
void pdump_timeline_writer_stop(void);

/* In the child of a fork(): there is no such thread. */
void pdump_timeline_writer_forked(void);

#endif
