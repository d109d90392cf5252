/* SPDX-License-Identifier: BSD-3-Clause */
/* From a session to its files. */
#ifndef PDUMP_OUTPUT_H
#define PDUMP_OUTPUT_H

#include "session.h"

/* Unknown names in PDUMP_OUTPUT_FORMAT cost a warning; csv stands in. */
void pdump_output_check(struct pdump_settings *set);

/* What the session has recorded until now.  Given. */
int pdump_output_dump(struct pdump_session *s, struct pdump_dump **out);

struct pdump_output_order {
    bool is_last;      /* with the children's, if they are followed */
    bool is_together;  /* with the other ranks of the job, if there is one */
    const void *group; /* of them, as in comm.h */
    const char *name;  /* of the file, instead of the one in the settings */
};

/* Write it in every format.  What cannot be written together, every rank writes
 * alone. */
int pdump_output_write(struct pdump_session *s,
                       const struct pdump_output_order *order);

#endif
