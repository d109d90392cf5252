/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles and steps at the end of a session. */
#ifndef PDUMP_API_PROFILE_H
#define PDUMP_API_PROFILE_H

#include "record/recorder.h"

/* Ends the step that pdump_pcontrol(2) has begun on the thread of `r`, and,
 * with a warning, whatever profile, region and step are open when the program
 * calls `call`; NULL: the program ends without a call, and they stay open. */
void pdump_profile_finish(struct pdump_recorder *r, const char *call);

#endif
