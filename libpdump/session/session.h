/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conductor: settings, sources, store and files of one measurement.
 *
 * A session is held by the process while it is active and by every thread that
 * records into it; the last to let go frees it.  So a thread that outlives
 * pdump_finalize() still finds its memory.
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

/* The run that a process belongs to; a forked child has its parent's. */
struct pdump_origin {
    char run[40];        /* "" until the first session */
    char root[PATH_MAX]; /* store of the run's first process, in a child */
    int64_t root_pid;    /* its pid */
    int64_t parent;      /* pid, in a child */
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
    int rank; /* in the job, or -1 without one */
    const char *clock;
    struct pdump_clock_sync align; /* with the clocks of other ranks */
    struct pdump_origin origin;
    char *beside; /* a path in the folder of the file of events, or NULL */
    struct pdump_written written;       /* our files until now */
    struct pdump_fd_reserve reserve;    /* descriptors for the dump */
    struct pdump_dump *last;            /* its last dump, when it has ended */
    struct pdump_run_children children; /* that are in it */
    struct pdump_session *waiting;      /* the next one to be written */
    pthread_mutex_t lock;               /* one writer of files at a time */
    struct pdump_session *older;  /* in a forked child: its parent inherited */
    struct pdump_recorder forker; /* and the recorder that was in fork() */
};

/* The calling thread makes a dump between these two, which nest. */
void pdump_session_begin_dump(void);
void pdump_session_end_dump(void);

/* Open everything in a session whose settings and origin are there
 * (session_open.c).  Without a run it gets one. */
int pdump_session_open(struct pdump_session *s);

/* Start a session if none is active. */
int pdump_session_start(void);

/* End it and write the dump. */
int pdump_session_end(void);

/* End it as `pdump run` does, which has collected the stores of others and has
 * nothing of its own: see run_join.h. */
int pdump_session_end_hosted(const char *name,
                             void (*look)(const struct pdump_dump *dump,
                                          void *data),
                             void *data);

/* Write the dump and go on: what this process has. */
int pdump_session_flush(void);

/* The same for all ranks of `group` (as in comm.h), to one file, called `name`
 * if that is not NULL.  Collective. */
int pdump_session_flush_group(const void *group, const char *name);

/* Join the job if it has come up. */
void pdump_session_look(const struct pdump_recording *recording);

/* The job that the active session has joined, or NULL. */
const struct pdump_comm *pdump_session_job(void);

/* The dump as of now, with or without events.  Given. */
int pdump_session_dump(bool has_events, struct pdump_dump **out);

/* The run that this process is to belong to, if it has had no session yet. */
int pdump_session_join(const struct pdump_origin *from);

/* Around fork(). */
void pdump_session_before_fork(struct timespec until);
void pdump_session_in_parent(void);

/* In any child: `parent` is the pid of the process whose memory it has.  The
 * child is followed if `may_follow` is true and PDUMP_FOLLOW asks for it. */
void pdump_session_in_child(int64_t parent, bool may_follow);

#endif
