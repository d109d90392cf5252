/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the text of a filter file.
 *
 * Words are separated by blanks and line ends.  A '#' starts a comment.  Text
 * in single or double quotes, which has to be on one line, is taken literally,
 * and so is a character after a backslash.  A word becomes a pattern in which
 * every literal character has a backslash in front if necessary.
 */
#include "base/wildcard.h"
#include "config/filter_private.h"

#include <stdlib.h>
#include <string.h>

struct text {
    const char *source;
    const char *at, *end;
    const char *line_start;
    int line;
    char *word;       /* large enough for the whole text, escaped */
    const char *from; /* where the word begins */
    bool is_plain;    /* nothing in it is quoted: it may be a keyword */
};

/* The block that the words are in. */
struct block {
    bool is_open, has_rule, is_exclude;
    enum pdump_filter_kind kind;
    int line, column; /* where it begins */
};

/* Counts characters: continuation bytes of UTF-8 do not count. */
static int column_of(const struct text *t, const char *at)
{
    int column = 1;

    for (const char *p = t->line_start; p < at; p++)
        column += (*p & 0xc0) != 0x80;
    return column;
}

static int syntax_error(const struct text *t, const char *at, const char *what)
{
    return pdump_fail(PDUMP_EFORMAT, "%s:%d:%d: %s", t->source, t->line,
                      column_of(t, at), what);
}

static int wrong_word(const struct text *t, const char *what)
{
    return pdump_fail(PDUMP_EFORMAT, "%s:%d:%d: '%.80s' %s", t->source, t->line,
                      column_of(t, t->from), t->word, what);
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Advance to the next word, or to the end. */
static void text_skip(struct text *t)
{
    for (; t->at < t->end; t->at++) {
        if (*t->at == '#') {
            const char *eol = memchr(t->at, '\n', (size_t)(t->end - t->at));

            t->at = eol ? eol : t->end;
        }
        if (t->at == t->end || !is_blank(*t->at))
            return;
        if (*t->at == '\n') {
            t->line++;
            t->line_start = t->at + 1;
        }
    }
}

/* Write a character that is taken literally. */
static char *character_put(char *out, char c)
{
    if (strchr("*?[]\\", c))
        *out++ = '\\';
    *out++ = c;
    return out;
}

/* Read quoted text; `at` is on the first quote. */
static int take_quoted(struct text *t, char **out)
{
    const char *start = t->at++;

    for (; t->at < t->end && *t->at != *start && *t->at != '\n'; t->at++)
        *out = character_put(*out, *t->at);
    if (t->at == t->end || *t->at == '\n')
        return syntax_error(t, start, "a quote that is not closed");
    t->at++;
    return PDUMP_OK;
}

/* Copy a backslash and the character after it, which also works inside a set.
 */
static int escaped(struct text *t, char **out)
{
    if (t->at + 1 >= t->end || t->at[1] == '\n' || t->at[1] == '\r')
        return syntax_error(t, t->at, "a backslash with nothing behind it");
    *(*out)++ = *t->at++;
    *(*out)++ = *t->at++;
    return PDUMP_OK;
}

/* Read the next word.  Returns 1, 0 at the end, or an error. */
static int word_next(struct text *t)
{
    char *out = t->word;
    const char *bad;
    int err = PDUMP_OK;

    text_skip(t);
    if (t->at == t->end)
        return 0;
    t->from = t->at;
    t->is_plain = true;
    while (err >= 0 && t->at < t->end && !is_blank(*t->at) && *t->at != '#') {
        if (*t->at == '"' || *t->at == '\'') {
            t->is_plain = false;
            err = take_quoted(t, &out);
        } else if (*t->at == '\\') {
            t->is_plain = false;
            err = escaped(t, &out);
        } else {
            *out++ = *t->at++;
        }
    }
    if (err < 0)
        return err;
    *out = '\0';
    if (out == t->word)
        return syntax_error(t, t->from, "an empty pattern");
    bad = pdump_wildcard_check(t->word);
    return bad ? wrong_word(t, "has a '[' without its ']'") : 1;
}

static bool is_word(const struct text *t, const char *word)
{
    return t->is_plain && strcmp(t->word, word) == 0;
}

/* Returns true if the word is [SCOREP|PDUMP]_[REGION|FILE]_NAMES_[BEGIN|END].
 */
static bool is_bracket(const struct text *t, enum pdump_filter_kind *kind,
                       bool *is_begin)
{
    static const char *const kinds[] = { "REGION_NAMES_", "FILE_NAMES_" };
    const char *rest = t->word;
    size_t who = strncmp(rest, "SCOREP_", 7) == 0 ? 7 : 6;

    if (!t->is_plain || (who == 6 && strncmp(rest, "PDUMP_", 6) != 0))
        return false;
    rest += who;
    for (*kind = 0; *kind < PDUMP_FILTER_KINDS; ++*kind) {
        size_t len = strlen(kinds[*kind]);

        if (strncmp(rest, kinds[*kind], len) != 0)
            continue;
        *is_begin = strcmp(rest + len, "BEGIN") == 0;
        return *is_begin || strcmp(rest + len, "END") == 0;
    }
    return false;
}

static int bracket(struct text *t, struct block *block,
                   enum pdump_filter_kind kind, bool is_begin)
{
    if (is_begin == block->is_open)
        return wrong_word(t, is_begin ? "is inside of another block"
                                      : "has no BEGIN before it");
    if (!is_begin && kind != block->kind)
        return wrong_word(t, "ends a block of the other kind");
    *block = (struct block){ .is_open = is_begin,
                             .kind = kind,
                             .line = t->line,
                             .column = column_of(t, t->from) };
    return PDUMP_OK;
}

static int handle(struct text *t, struct block *block,
                  struct pdump_filter *filter)
{
    enum pdump_filter_kind kind;
    bool is_begin;

    if (is_bracket(t, &kind, &is_begin))
        return bracket(t, block, kind, is_begin);
    if (!block->is_open)
        return wrong_word(t, "is outside of a block of region or file names");
    if (is_word(t, "EXCLUDE") || is_word(t, "INCLUDE")) {
        block->has_rule = true;
        block->is_exclude = *t->word == 'E';
        return PDUMP_OK;
    }
    if (!block->has_rule)
        return wrong_word(t, "needs EXCLUDE or INCLUDE before it");
    if (is_word(t, "MANGLED"))
        return PDUMP_OK; /* a region has only one name, mangled or not */
    return pdump_filter_add(filter, block->kind, block->is_exclude, t->word);
}

/* Read all words of a text that begins in `block`. */
static int read_text(struct pdump_filter *filter, const char *text, size_t len,
                     const char *source, struct block *block)
{
    static const char mark[] = "\xef\xbb\xbf"; /* byte order mark */
    size_t marked = len >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    const char *nul = memchr(text, '\0', len);
    struct text t = { .source = source,
                      .at = text + marked,
                      .end = nul ? nul : text + len,
                      .line_start = text + marked,
                      .line = 1,
                      .word = malloc(2 * len + 1) };
    int err = t.word ? 1 : pdump_no_memory();

    while (err > 0) {
        err = word_next(&t);
        if (err > 0) {
            err = handle(&t, block, filter);
            err = err < 0 ? err : 1;
        }
    }
    free(t.word);
    if (err >= 0 && nul)
        return syntax_error(&t, nul, "a NUL byte: this is no filter file");
    return err;
}

int pdump_filter_text(struct pdump_filter *filter, const char *text, size_t len,
                      const char *source)
{
    struct block block = { 0 };
    int err = read_text(filter, text, len, source, &block);

    if (err >= 0 && block.is_open)
        return pdump_fail(PDUMP_EFORMAT, "%s:%d:%d: a block that has no end",
                          source, block.line, block.column);
    return err;
}

int pdump_filter_rules(struct pdump_filter *filter, const char *rules,
                       const char *source)
{
    struct block block = { .is_open = true, .kind = PDUMP_FILTER_NAMES };

    return read_text(filter, rules, strlen(rules), source, &block);
}
