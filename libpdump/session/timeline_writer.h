/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread of libpdump that writes full chunks of events to a file. */
#ifndef PDUMP_TIMELINE_WRITER_H
#define PDUMP_TIMELINE_WRITER_H

#include "session/session.h"

/* Copies the settings for events into the session, which must have its store
 * and its head. */
void pdump_timeline_writer_prepare(struct pdump_session *s);

/* Start and stop the thread with the session, under its lock.  They do nothing
 * unless the session writes events to a file. */
void pdump_timeline_writer_start(struct pdump_session *s);
void pdump_timeline_writer_stop(void);

/* Call this in the child of a fork(), which does not have the thread. */
void pdump_timeline_writer_forked(void);

#endif
