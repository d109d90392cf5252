/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures on the terminal, in columns. */
#include "common/number_text.h"

#include "report/report_number.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *number_text(double value, const char *unit, char buf[48])
{
    return pdump_report_number_text(
        value, unit, strcmp(nl_langinfo(CODESET), "UTF-8") == 0, buf);
}

/* printf() counts bytes, and a µ has two. */
void number_text_put_right(const char *text, int columns)
{
    size_t n = mbstowcs(NULL, text, 0);
    int extra = n == (size_t)-1 ? 0 : (int)(strlen(text) - n);

    printf("%*s", columns + extra, text);
}
