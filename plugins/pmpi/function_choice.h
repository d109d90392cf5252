/* SPDX-License-Identifier: BSD-3-Clause */
/* PDUMP_MPI: the choice of functions that are recorded. */
#ifndef PDUMP_PMPI_FUNCTION_CHOICE_H
#define PDUMP_PMPI_FUNCTION_CHOICE_H

#include <stdbool.h>

extern bool
    pdump_function_choice_is_sync; /* wait for the last rank in collectives */
extern bool pdump_function_choice_is_bad; /* it has words to warn about */

/* Parses the value of PDUMP_MPI, which it modifies.  Called once, before the
 * first call. */
void pdump_function_choice_read(char *text);

/* Warns of unknown words; within a session. */
void pdump_function_choice_warn(void);

#endif
