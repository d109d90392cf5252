/* SPDX-License-Identifier: BSD-3-Clause */
/* UTF-8, for formats that take nothing else: names have any bytes. */
#ifndef PDUMP_UTF8_H
#define PDUMP_UTF8_H

#include "error.h"

/* Length of the character at `s`, or 0 if there is none. */
PDUMP_SHARED int pdump_utf8_length(const char *s);

#endif
