/* SPDX-License-Identifier: BSD-3-Clause */
/* Recovers the stores of dead processes, one run at a time. */
#ifndef PDUMP_RECOVERY_H
#define PDUMP_RECOVERY_H

#include "command.h"
#include "recover/store_list.h"

#include "config/settings.h"

enum recovery_mode {
    RECOVERY_WRITE, /* one dump per run */
    RECOVERY_LIST,
    RECOVERY_CLEAN, /* remove without writing */
};

struct recovery {
    const struct command *self;
    struct pdump_settings settings; /* folder and format of the output */
    enum recovery_mode mode;
    bool keeps;          /* keeps the stores after writing */
    double older;        /* cleans only stores that died this many days ago */
    bool is_one_of_many; /* several runs: the file name has the run */
    int n_dead;          /* stores of dead processes seen so far */
    int code;            /* COMMAND_FAILED after any failure */
};

/* Handles the n stores of one run.  Prints what it finds and does. */
void recovery_run(struct recovery *r, const struct store *stores, int n);

/* Returns true if a store may be taken.  While a run goes on, the stores of its
 * ended processes belong to its first process, unless the user named them. */
bool recovery_is_due(const struct store *stores, int n, int which);

#endif
