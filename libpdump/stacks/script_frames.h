/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts the frames of an interpreter into a stack that was walked. */
#ifndef PDUMP_SCRIPT_FRAMES_H
#define PDUMP_SCRIPT_FRAMES_H

#include "stacks/walk.h"

/* Replaces each native frame that executes frames of the interpreter by these.
 * Does nothing if there is no interpreter.  For the signal handler that has
 * walked. */
void pdump_script_frames_add(struct pdump_walker *w);

#endif
