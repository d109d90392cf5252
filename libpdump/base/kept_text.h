/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts that stay until the process ends, so that one thread may read what
 * another is about to replace. */
#ifndef PDUMP_KEPT_TEXT_H
#define PDUMP_KEPT_TEXT_H

/* Returns a copy of the text, static and the same for equal texts, or NULL if
 * out of memory.  Takes no lock.  For the few texts of a process: the search is
 * linear. */
const char *pdump_kept_text(const char *text);

#endif
