/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of the stores of dead processes, one run at a time. */
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
    struct pdump_settings settings; /* where and how to write */
    enum recovery_mode mode;
    bool keeps;          /* the stores after writing */
    double older;        /* clean only what died so many days ago */
    bool is_one_of_many; /* runs: the file name tells which */
    int n_dead;          /* stores of dead processes that were seen */
    int code;            /* COMMAND_FAILED once something went wrong */
};

/* Deal with the n stores of one run.  Prints what it finds and does. */
void recovery_run(struct recovery *r, const struct store *stores, int n);

/* Whether a store is nobody's any more.  The stores of ended processes belong
 * to a run's first process as long as the run goes on, unless the user named
 * them. */
bool recovery_is_due(const struct store *stores, int n, int which);

#endif
