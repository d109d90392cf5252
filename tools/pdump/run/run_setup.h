/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `pdump run`, and the environment that is made from them. */
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
    char *rules; /* from --include and --exclude, given: free() */
    bool has_bad_rule;
    const char *memory; /* ms, or NULL */
    const char *stacks; /* per second, or NULL */
    const char *mpi;    /* classes of calls, "": default; NULL: none */
    bool wants_io;
    bool wants_functions;
    bool wants_heap;
    bool wants_report;
    bool is_quiet;
    char **command;             /* borrowed, ends with NULL */
    bool is_measured;           /* session started, library found */
    int notes;                  /* descriptor for run_notes.h */
    char run[PATH_MAX];         /* libpdump-run.so */
    char list[5 * PATH_MAX];    /* all to preload, after existing ones */
    char origin[PATH_MAX + 80]; /* see run_join.h */
};

/* Adds a rule for region names after the others. */
void run_setup_rule(struct run_setup *s, bool is_exclude, const char *pattern);

/* Makes the settings, for this process and for those that it starts.  Returns
 * COMMAND_OK, or COMMAND_USAGE after a message. */
int run_setup_settings(const struct run_setup *s);

/* Starts the run.  If that fails, prints why and leaves is_measured false: the
 * command runs nevertheless. */
void run_setup_start(struct run_setup *s);

/* Called in the child before exec: sets the variables that make it be
 * followed. */
void run_setup_child(const struct run_setup *s);

#endif
