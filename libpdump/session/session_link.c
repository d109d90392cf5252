/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives threads and probes access to the session that they record into. */
#include "record/session_link.h"
#include "session/session.h"

void pdump_session_hold_again(struct pdump_session *s)
{
    atomic_fetch_add(&s->holders, 1);
}

const struct pdump_recording *pdump_session_recording(
    const struct pdump_session *s)
{
    return &s->recording;
}

unsigned pdump_session_number(const struct pdump_session *s)
{
    return s->number;
}

void pdump_session_keep_forker(struct pdump_session *s,
                               const struct pdump_recorder *r)
{
    s->forker = *r;
}
