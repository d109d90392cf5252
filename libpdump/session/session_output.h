/* SPDX-License-Identifier: BSD-3-Clause */
/* From a session to its files. */
#ifndef PDUMP_SESSION_OUTPUT_H
#define PDUMP_SESSION_OUTPUT_H

#include "session/session.h"

/* Unknown names in PDUMP_OUTPUT_FORMAT cost a warning; csv stands in. */
void pdump_session_output_check(struct pdump_settings *set);

/* Load what its formats need. */
void pdump_session_output_load(struct pdump_session *s);

/* What the session has recorded until now, with or without events.  Given. */
int pdump_session_output_dump(struct pdump_session *s, bool has_events,
                              struct pdump_dump **out);

/* The session has ended: its last dump, with that of its children if they are
 * followed, is kept for pdump_session_output_write(). */
int pdump_session_output_take_last(struct pdump_session *s);

/* The same for a process that has nothing of its own but facts of the run. */
void pdump_session_output_take_hosted(struct pdump_session *s);

struct pdump_session_output_order {
    bool is_together;  /* with the other ranks of the job, if there is one */
    bool is_told;      /* why it is not */
    const void *group; /* of them, as in comm.h */
    uint64_t what;     /* as in aggregate.h */
    const char *name;  /* of the file, instead of the one in the settings */
};

/* Write it in every format.  What cannot be written together, every rank writes
 * alone. */
int pdump_session_output_write(struct pdump_session *s,
                               const struct pdump_session_output_order *order);

/* Be there when the others write, with nothing of our own. */
void pdump_session_output_attend(
    struct pdump_session *s, const struct pdump_session_output_order *order);

/* It cannot be done together, as the last error says. */
void pdump_session_output_tell_alone(void);

#endif
