/* SPDX-License-Identifier: BSD-3-Clause */
/* Escapes, measures and cuts names on a page. */
#include "report/report_text.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

/* The text shown for a byte or character of a name. */
struct piece {
    char shown[12];
    int width;
};

/* Decodes the character at `text`.  Returns its length; 0 if it is not UTF-8
 * (overlong forms and surrogates included). */
static size_t decode(const unsigned char *text, size_t len, uint32_t *out)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t n = text[0] < 0x80    ? 1
               : text[0] < 0xc2  ? 0
               : text[0] < 0xe0  ? 2
               : text[0] < 0xf0  ? 3
               : text[0] <= 0xf4 ? 4
                                 : 0;
    uint32_t c;

    if (n == 0 || n > len)
        return 0;
    c = n == 1 ? text[0] : text[0] & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (text[i] & 0x3f);
    }
    if (c < least[n] || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff)
        return 0;
    *out = c;
    return n;
}

/* Returns true for marks that change the direction of the text around them, or
 * that are invisible. */
static bool is_treacherous(uint32_t c)
{
    return (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

static void escape(struct piece *out, const char *format, uint32_t value)
{
    out->width = snprintf(out->shown, sizeof(out->shown), format, value);
}

/* Gets the next piece of `text`.  Returns the bytes that it stands for. */
static size_t next_character(const char *text, size_t len, bool is_utf8,
                             struct piece *out)
{
    unsigned char byte = (unsigned char)text[0];
    uint32_t c = 0;
    size_t n = decode((const unsigned char *)text, len, &c);

    if (byte == '\n' || byte == '\t' || byte == '\r')
        escape(out, "\\%c", byte == '\n' ? 'n' : byte == '\t' ? 't' : 'r');
    else if (n == 0 || byte < 0x20 || byte == 0x7f || (n > 1 && !is_utf8))
        escape(out, "\\x%02x", byte);
    else if (n > 1 && (wcwidth((wchar_t)c) < 0 || is_treacherous(c)))
        escape(out, "\\u%04x", c);
    else {
        memcpy(out->shown, text, n);
        out->shown[n] = '\0';
        out->width = n == 1 ? 1 : wcwidth((wchar_t)c);
        return n;
    }
    /* If the character cannot be shown as a whole, it is shown byte by byte. */
    return out->shown[1] == 'u' ? n : 1;
}

int pdump_report_text_width(const char *text, size_t len, bool is_utf8)
{
    struct piece piece;
    int width = 0;

    for (size_t at = 0; at < len && width < INT_MAX / 2; width += piece.width)
        at += next_character(text + at, len - at, is_utf8, &piece);
    return width;
}

/* Returns the columns of what is after the last of these characters, if there
 * is one before the arguments of a function; otherwise 0. */
static int width_after(const char *text, size_t len, char sign, bool is_utf8)
{
    const char *arguments = memchr(text, '(', len);
    size_t at = arguments ? (size_t)(arguments - text) : len;

    while (at > 0 && text[at - 1] != sign)
        at--;
    return at == 0 ? 0 : pdump_report_text_width(text + at, len - at, is_utf8);
}

/* Returns how many columns of the end of a text are shown, of `room` in all:
 * half of them, or the last part of a path or of a name if that fits; of a name
 * with its place in parentheses, what the name leaves. */
static int tail_width(const char *text, size_t len, int room, bool is_utf8)
{
    static const char signs[] = "/:.";
    const char *place = memmem(text, len, " (", 2);
    int name =
        place ? pdump_report_text_width(text, (size_t)(place - text), is_utf8)
              : 0;

    if (name > 0 && name <= room)
        return name > room / 2 ? room - name : room / 2;
    for (int i = 0; signs[i]; i++) {
        int width = width_after(text, len, signs[i], is_utf8);

        if (width > 0 && width <= room)
            return width > room / 2 ? width : room / 2;
    }
    return room / 2;
}

int pdump_report_text_put(FILE *f, const char *text, size_t len, int max,
                          bool is_utf8)
{
    const char *dots = is_utf8 ? "\u2026" : "..";
    int total = pdump_report_text_width(text, len, is_utf8);
    int room = max - (is_utf8 ? 1 : 2);
    int tail = total > max ? tail_width(text, len, room, is_utf8) : 0;
    int head = room - tail;
    int at_column = 0, taken = 0;
    bool is_whole = total <= max, has_dots = false;
    struct piece piece;

    if (max <= 0 || (!is_whole && room < 0))
        return 0;
    for (size_t at = 0; at < len; at_column += piece.width) {
        at += next_character(text + at, len - at, is_utf8, &piece);
        if (is_whole || (!has_dots && at_column + piece.width <= head) ||
            (has_dots && total - at_column <= tail)) {
            fputs(piece.shown, f);
            taken += piece.width;
        } else if (!has_dots) {
            fputs(dots, f);
            taken += is_utf8 ? 1 : 2;
            has_dots = true;
        }
    }
    return taken;
}
