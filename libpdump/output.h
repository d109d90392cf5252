/* SPDX-License-Identifier: BSD-3-Clause */
/* From a session to its files. */
#ifndef PDUMP_OUTPUT_H
#define PDUMP_OUTPUT_H

#include "session.h"

/* Unknown names in PDUMP_OUTPUT_FORMAT cost a warning; csv stands in. */
void pdump_output_check(struct pdump_settings *set);

/* What the session has recorded until now.  Given. */
int pdump_output_dump(struct pdump_session *s, struct pdump_dump **out);

/* Write it in every format.  `is_last`: with the children's, if they are
 * followed. */
int pdump_output_write(struct pdump_session *s, bool is_last);

#endif
