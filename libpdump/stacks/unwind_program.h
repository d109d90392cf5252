/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the instructions of unwind information. */
#ifndef PDUMP_UNWIND_PROGRAM_H
#define PDUMP_UNWIND_PROGRAM_H

#include "stacks/unwind_bytes.h"

enum { PDUMP_UNWIND_KEPT_MAX = 6 /* nested DW_CFA_remember_state */ };

struct pdump_unwind_program {
    uint64_t code_align;
    int64_t data_align;
    uint8_t encoding; /* of addresses */
    uintptr_t at;     /* the address that the current row is for */
    uintptr_t pc;     /* the wanted one */
    struct pdump_unwind_row row;
    struct pdump_unwind_row first; /* after the instructions of the CIE */
    struct pdump_unwind_row kept[PDUMP_UNWIND_KEPT_MAX];
    int n_kept;
};

/* Runs the instructions up to the row for `pc`.  Returns false if there is one
 * that is not understood. */
bool pdump_unwind_program_run(struct pdump_unwind_program *p,
                              struct pdump_unwind_bytes *b);

#endif
