/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the command of `pdump run` and waits for it. */
#ifndef PDUMP_RUN_CHILD_H
#define PDUMP_RUN_CHILD_H

#include "run/run_setup.h"

#include <sys/resource.h>

struct run_child {
    int why;     /* errno if it could not be executed */
    int status;  /* from wait4() */
    double wall; /* seconds */
    struct rusage usage;
};

/* Starts the command, forwards signals to it, and waits for its end. */
int run_child_run(const struct run_setup *setup, struct run_child *child);

/* Returns the exit code of `pdump run` for the command's end. */
int run_child_code(const struct run_child *child);

/* If a signal ended the command, ends this process by the same signal. */
void run_child_follow(const struct run_child *child);

#endif
