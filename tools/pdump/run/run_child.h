/* SPDX-License-Identifier: BSD-3-Clause */
/* The command that `pdump run` starts, and waits for. */
#ifndef PDUMP_RUN_CHILD_H
#define PDUMP_RUN_CHILD_H

#include "run/run_setup.h"

#include <sys/resource.h>

struct run_child {
    int why;     /* errno, if it could not be executed */
    int status;  /* as of waitpid() */
    double wall; /* seconds */
    struct rusage usage;
};

/* Start it, pass signals on to it, and wait for its end. */
int run_child_run(const struct run_setup *setup, struct run_child *child);

/* The exit code that tells what became of it. */
int run_child_code(const struct run_child *child);

/* Die as it did, if a signal was the end of it. */
void run_child_follow(const struct run_child *child);

#endif
