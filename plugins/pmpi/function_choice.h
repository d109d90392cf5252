/* SPDX-License-Identifier: BSD-3-Clause */
/* PDUMP_MPI: which functions are recorded. */
#ifndef PDUMP_PMPI_FUNCTION_CHOICE_H
#define PDUMP_PMPI_FUNCTION_CHOICE_H

#include <stdbool.h>

extern bool
    pdump_function_choice_is_sync; /* wait for the last rank in collectives */
extern bool pdump_function_choice_is_bad; /* there is something to warn about */

/* Read the value of PDUMP_MPI, which is changed: once, before the first call.
 */
void pdump_function_choice_read(char *text);

/* Warn, within a session, of words that mean nothing. */
void pdump_function_choice_warn(void);

#endif
