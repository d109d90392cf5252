/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conductor: opens, runs and ends one measurement with its settings,
 * sources, store and files.
 *
 * A session is held by the process while it is active, and by every thread that
 * records into it; the last one to let go frees it.  So a thread that outlives
 * pdump_finalize() still has its memory.
 *
 * This is the central header of session/, which conducts the other rooms: the
 * public functions, fork, signals, children and the end.
 */
#ifndef PDUMP_SESSION_H
#define PDUMP_SESSION_H

#include "dump/dump.h"
#include "job/clock_sync.h"
#include "job/comm.h"
#include "probe/function_table.h"
#include "record/recorder.h"
#include "record/session_link.h"
#include "session/run_children.h"
#include "system/fd_reserve.h"
#include "write/output_file.h"

#include <limits.h>

/* The run that a process belongs to; a forked child has that of its parent. */
struct pdump_origin {
    char run[40];        /* "" until the first session */
    char root[PATH_MAX]; /* in a child: store of the run's first process */
    int64_t root_pid;    /* pid of the run's first process */
    int64_t parent;      /* in a child: pid of its parent */
    struct pdump_moment since; /* when the first session of the run began */
};

struct pdump_session {
    unsigned number; /* as in gate.h */
    _Atomic int holders;
    struct pdump_settings settings;
    struct pdump_sources sources;
    struct pdump_store *store;
    struct pdump_head *head;
    struct pdump_filter *filter; /* or NULL */
    struct pdump_regions regions;
    struct pdump_throttle throttle;
    struct pdump_function_table functions;
    struct pdump_timeline events;
    struct pdump_recording recording;
    const struct pdump_comm *_Atomic comm;
    int rank; /* in the job, or -1 if there is none */
    const char *clock;
    struct pdump_clock_sync align; /* relates it to the clocks of other ranks */
    struct pdump_origin origin;
    char *beside; /* a path in the folder of the file of events, or NULL */
    struct pdump_written written;       /* files of this session so far */
    struct pdump_fd_reserve reserve;    /* descriptors for the dump */
    struct pdump_dump *last;            /* its last dump, after it has ended */
    struct pdump_run_children children; /* children whose rows are in `last` */
    struct pdump_session *waiting;      /* the next session to be written */
    pthread_mutex_t lock;         /* only one thread writes files at a time */
    struct pdump_session *older;  /* next inherited one, in a forked child */
    struct pdump_recorder forker; /* of the thread in fork(), in the child */
};

/* The calling thread makes a dump between these two calls, which nest. */
void pdump_session_begin_dump(void);
void pdump_session_end_dump(void);

/* Opens everything in a session whose settings and origin are set
 * (session_open.c).  If it has no run, it gets one. */
int pdump_session_open(struct pdump_session *s);

/* Starts a session if none is active. */
int pdump_session_start(void);

/* Ends the active session and writes the dump. */
int pdump_session_end(void);

/* Ends the session for `pdump run`, which has collected the stores of other
 * processes and has no records itself: see run_join.h. */
int pdump_session_end_hosted(const char *name,
                             void (*look)(const struct pdump_dump *dump,
                                          void *data),
                             void *data);

/* Writes the dump of this process; the session continues. */
int pdump_session_flush(void);

/* Writes the dump of all ranks of `group` (see comm.h) to one file, called
 * `name` if that is not NULL.  The session continues.  Collective. */
int pdump_session_flush_group(const void *group, const char *name);

/* Joins the job if it has started. */
void pdump_session_look(const struct pdump_recording *recording);

/* Returns the job that the active session has joined, or NULL. */
const struct pdump_comm *pdump_session_job(void);

/* Makes a dump of the current state, with or without events.  Given. */
int pdump_session_dump(bool has_events, struct pdump_dump **out);

/* Sets the run that this process belongs to, if it has had no session yet. */
int pdump_session_join(const struct pdump_origin *from);

#endif
