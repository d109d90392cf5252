/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses what a walk knows about the processor. */
#ifndef PDUMP_WALK_ARCH_H
#define PDUMP_WALK_ARCH_H

#if defined(__x86_64__)
#include "stacks/walk_x86_64.h"
#else
#include "stacks/walk_aarch64.h"
#endif

#endif
