/* SPDX-License-Identifier: BSD-3-Clause */
/* fork(): the parent goes on, the child starts empty. */
#ifndef PDUMP_FORK_H
#define PDUMP_FORK_H

/* Once per process; later calls do nothing. */
void pdump_fork_watch(void);

#endif
