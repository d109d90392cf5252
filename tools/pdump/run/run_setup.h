/* SPDX-License-Identifier: BSD-3-Clause */
/* What `pdump run` was asked for, and the environment that it makes of it. */
#ifndef PDUMP_RUN_SETUP_H
#define PDUMP_RUN_SETUP_H

#include "command.h"

#include <limits.h>

struct run_setup {
    const struct command *self;
    const char *events;
    const char *format;
    const char *output;
    const char *experiment;
    const char *store;
    const char *filter;
    char *rules; /* of --include and --exclude, given: free() */
    bool has_bad_rule;
    const char *memory; /* ms, or NULL */
    const char *mpi;    /* classes of calls, "" for the usual; NULL: none */
    bool wants_io;
    bool wants_functions;
    bool wants_heap;
    bool wants_report;
    bool is_quiet;
    char **command;          /* borrowed, ends with NULL */
    bool is_measured;        /* the session was started, the library is there */
    int notes;               /* descriptor for run_notes.h */
    char run[PATH_MAX];      /* libpdump-run.so */
    char list[5 * PATH_MAX]; /* all to preload, after what is there already */
    char origin[PATH_MAX + 80]; /* as in adopt.h */
};

/* One more rule for names of regions, behind the others. */
void run_setup_rule(struct run_setup *s, bool is_exclude, const char *pattern);

/* The settings, for this process and for those that it starts.  COMMAND_OK, or
 * COMMAND_USAGE with a message. */
int run_setup_settings(const struct run_setup *s);

/* Start the run.  If it cannot be, that is told, and is_measured stays false:
 * the command is to run all the same. */
void run_setup_start(struct run_setup *s);

/* In the child, before its exec: the variables that it is followed by. */
void run_setup_child(const struct run_setup *s);

#endif
