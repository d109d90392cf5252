/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints text from files and programs without its control characters. */
#include "base/safe_text.h"

#include <stdbool.h>
#include <string.h>
#include <wchar.h>

void pdump_safe_text_put(FILE *f, const char *text, int max)
{
    size_t left = strlen(text);
    mbstate_t state = { 0 };
    int column = 0;

    while (left > 0) {
        wchar_t wide = 0;
        size_t n = mbrtowc(&wide, text, left, &state);
        bool is_bad = n == 0 || n > left;
        int width = is_bad ? -1 : wcwidth(wide);

        if (is_bad) {
            memset(&state, 0, sizeof(state));
            n = 1;
        }
        column += width < 0 ? 1 : width;
        if (max > 0 && column > max)
            return;
        if (width < 0)
            fputc('?', f);
        else
            fwrite(text, 1, n, f);
        text += n;
        left -= n;
    }
}

void pdump_safe_text_clean(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++) {
        bool is_control = *c < ' ' || *c == 0x7f;

        /* U+0080 to U+009F */
        if (*c == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f)
            *c++ = '?', is_control = true;
        if (is_control)
            *c = '?';
    }
}
