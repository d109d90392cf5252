/* SPDX-License-Identifier: BSD-3-Clause */
/* Is it UTF-8? */
#ifndef PDUMP_UTF8_H
#define PDUMP_UTF8_H

/* Length of the character at `s`, or 0 if there is none. */
int pdump_utf8_length(const unsigned char *s);

#endif
