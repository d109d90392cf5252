/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the files of a session. */
#ifndef PDUMP_SESSION_OUTPUT_H
#define PDUMP_SESSION_OUTPUT_H

#include "session/session.h"

/* Checks PDUMP_OUTPUT_FORMAT: warns about unknown names; csv replaces them. */
void pdump_session_output_check(struct pdump_settings *set);

/* Loads the modules of the session's formats. */
void pdump_session_output_load(struct pdump_session *s);

/* Makes a dump of what the session has recorded so far, with or without events.
 * Given. */
int pdump_session_output_dump(struct pdump_session *s, bool has_events,
                              struct pdump_dump **out);

/* Call this when the session has ended: keeps its last dump, with those of its
 * children if they are followed, for pdump_session_output_write().  Without
 * `has_records`, the process itself contributes only metadata. */
int pdump_session_output_take_last(struct pdump_session *s, bool has_records);

struct pdump_session_output_order {
    bool is_together;  /* with the other ranks of the job, if there is one */
    bool is_told;      /* the user knows why it is not */
    const void *group; /* its ranks, as in comm.h */
    uint64_t what;     /* as in aggregate.h */
    const char *name;  /* replaces the file name of the settings */
};

/* Writes the dump in every format.  If the ranks cannot write together, each
 * writes its own file. */
int pdump_session_output_write(struct pdump_session *s,
                               const struct pdump_session_output_order *order);

/* Takes part when the other ranks write, with an empty dump. */
void pdump_session_output_attend(
    struct pdump_session *s, const struct pdump_session_output_order *order);

/* Warns that the ranks cannot write together; the last error says why. */
void pdump_session_output_tell_alone(void);

#endif
