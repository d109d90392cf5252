/* SPDX-License-Identifier: BSD-3-Clause */
/* PDUMP_IO: parses the list and applies it. */
#include "io_filter.h"
#include "file_table.h"

#include <fnmatch.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned bit;
} words[] = {
    { "files", PDUMP_IO_FILES },     { "pipes", PDUMP_IO_PIPES },
    { "sockets", PDUMP_IO_SOCKETS }, { "standard", PDUMP_IO_STANDARD },
    { "others", PDUMP_IO_OTHERS },   { "posix", PDUMP_IO_POSIX },
    { "stdio", PDUMP_IO_STDIO },
};

enum {
    FUNCTIONS = PDUMP_IO_POSIX | PDUMP_IO_STDIO,
    KINDS = PDUMP_IO_FILES | PDUMP_IO_PIPES | PDUMP_IO_SOCKETS |
            PDUMP_IO_STANDARD | PDUMP_IO_OTHERS,
};

struct word {
    const char *text;
    size_t len;
    bool is_minus;
};

/* Reads the next word of a list, without its minus.  Returns false at the
 * end. */
static bool word_next(const char **list, struct word *word)
{
    *list += strspn(*list, ", \t");
    word->is_minus = **list == '-';
    *list += word->is_minus;
    word->text = *list;
    word->len = strcspn(*list, ", \t");
    *list += word->len;
    return word->len > 0 || word->is_minus;
}

static bool is_pattern(const struct word *word)
{
    return memchr(word->text, '/', word->len) ||
           memchr(word->text, '*', word->len);
}

static bool word_is(const struct word *word, const char *name)
{
    return strlen(name) == word->len &&
           strncmp(name, word->text, word->len) == 0;
}

static unsigned bit_of(const struct word *word)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (word_is(word, words[i].name))
            return words[i].bit;
    return 0;
}

void pdump_io_filter_read(struct pdump_io_filter *filter, const char *list)
{
    unsigned plus = 0, minus = 0;
    const char *at = list ? list : "";
    struct word word;

    *filter = (struct pdump_io_filter){ 0 };
    while (word_next(&at, &word)) {
        unsigned bit = bit_of(&word);

        if (is_pattern(&word))
            filter->patterns = list;
        else if (word_is(&word, "system"))
            filter->system =
                word.is_minus ? PDUMP_IO_LEFT_OUT : PDUMP_IO_ONE_BY_ONE;
        else if (!bit && !filter->unknown)
            filter->unknown = word.text;
        *(word.is_minus ? &minus : &plus) |= bit;
    }
    filter->classes = ((plus & KINDS ? plus & KINDS : KINDS) |
                       (plus & FUNCTIONS ? plus & FUNCTIONS : FUNCTIONS)) &
                      ~minus;
}

static bool word_matches(const struct word *word, const char *path)
{
    char pattern[PATH_MAX];

    if (word->len >= sizeof(pattern))
        return false;
    memcpy(pattern, word->text, word->len);
    pattern[word->len] = '\0';
    return fnmatch(pattern, path, 0) == 0;
}

bool pdump_io_filter_lists(const struct pdump_io_filter *filter,
                           const char *path)
{
    const char *at = filter->patterns ? filter->patterns : "";
    struct word word;

    while (word_next(&at, &word))
        if (!word.is_minus && is_pattern(&word) && word_matches(&word, path))
            return true;
    return false;
}

bool pdump_io_filter_takes_path(const struct pdump_io_filter *filter,
                                const char *path)
{
    const char *at = filter->patterns ? filter->patterns : "";
    bool has_plus = false, is_listed = false;
    struct word word;

    while (word_next(&at, &word)) {
        bool is_match = is_pattern(&word) && word_matches(&word, path);

        if (is_match && word.is_minus)
            return false;
        has_plus |= is_pattern(&word) && !word.is_minus;
        is_listed |= is_match;
    }
    return is_listed || !has_plus;
}

static unsigned class_of(uint32_t file)
{
    switch (file) {
    case PDUMP_IO_STDIN:
    case PDUMP_IO_STDOUT:
    case PDUMP_IO_STDERR:
        return PDUMP_IO_STANDARD;
    case PDUMP_IO_PIPE:
        return PDUMP_IO_PIPES;
    case PDUMP_IO_SOCKET:
        return PDUMP_IO_SOCKETS;
    default:
        return file >= PDUMP_IO_FIRST || file == PDUMP_IO_MORE
                   ? PDUMP_IO_FILES
                   : PDUMP_IO_OTHERS;
    }
}

bool pdump_io_filter_takes(const struct pdump_io_filter *filter, uint32_t file)
{
    if (file == PDUMP_IO_HIDDEN || !(filter->classes & class_of(file)))
        return false;
    return file < PDUMP_IO_FIRST || !filter->patterns ||
           pdump_io_filter_takes_path(filter, pdump_io_files_name(file));
}
