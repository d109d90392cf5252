/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the frames of interpreters: what their records say. */
#include "record/interpreter.h"
#include "snapshot/snapshot_stacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE = 24 /* a line as text, and what is around it */ };

/* The bytes of a table of lines. */
struct table {
    const unsigned char *at, *end;
};

static unsigned next(struct table *t)
{
    return t->at < t->end ? *t->at++ : 0;
}

/* Returns a number in pieces of six bits, the lowest first, of which all but
 * the last have bit 6 set. */
static int64_t next_number(struct table *t)
{
    uint64_t value = 0;
    unsigned piece = 64;

    for (int shift = 0; piece & 64 && shift < 36; shift += 6) {
        piece = next(t);
        value |= (uint64_t)(piece & 63) << shift;
    }
    return value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
}

/* Entries begin with a byte that has bit 7 set, a kind of place, and how many
 * instructions have it. */
static int64_t line_3_11(struct table t, int64_t line, uint64_t at)
{
    enum { SHORT_MAX = 9, ONE_LINE_MAX = 12, NO_COLUMNS, LONG, NOWHERE };

    for (uint64_t from = 0; t.at < t.end;) {
        unsigned head = next(&t), kind = head >> 3 & 15;

        if (kind == NO_COLUMNS || kind == LONG)
            line += next_number(&t);
        else if (kind > SHORT_MAX && kind <= ONE_LINE_MAX)
            line += kind - SHORT_MAX - 1;
        from += (head & 7) + 1;
        if (at < from)
            return kind == NOWHERE ? 0 : line;
        while (t.at < t.end && !(*t.at & 128))
            t.at++;
    }
    return 0;
}

/* Pairs: how many bytes of code, and how many lines after the last. */
static int64_t line_3_10(struct table t, int64_t line, uint64_t at)
{
    enum { NOWHERE = -128 };

    for (uint64_t from = 0; t.end - t.at >= 2;) {
        unsigned n = next(&t);
        int delta = (signed char)next(&t);

        line += delta == NOWHERE ? 0 : delta;
        from += n;
        if (at * 2 < from)
            return delta == NOWHERE ? 0 : line;
    }
    return 0;
}

/* The same, but a pair says where its line begins. */
static int64_t line_3_9(struct table t, int64_t line, uint64_t at)
{
    for (uint64_t from = 0; t.end - t.at >= 2;) {
        from += next(&t);
        if (at * 2 < from)
            break;
        line += (signed char)next(&t);
    }
    return line;
}

static int64_t line_of(const struct pdump_script_record *rec, uint64_t at)
{
    const char *lines = rec->bytes + rec->n_file + rec->n_name;
    struct table t = { (const void *)lines,
                       (const void *)(lines + rec->n_lines) };

    switch (rec->line_table) {
    case PDUMP_LINES_3_9:
        return line_3_9(t, rec->first_line, at);
    case PDUMP_LINES_3_10:
        return line_3_10(t, rec->first_line, at);
    case PDUMP_LINES_3_11:
        return line_3_11(t, rec->first_line, at);
    default:
        return 0;
    }
}

/* The store may be damaged.  Its size limits the time and the memory that all
 * frames take, as they could all have the longest table. */
static bool is_good(struct pdump_snapshot *s,
                    const struct pdump_script_record *rec)
{
    enum { BYTES_MAX = 1 << 20, USUAL = 16 << 20, MORE = 64, MEMORY = 16 };

    if (rec->n_file == 0 || rec->n_file > BYTES_MAX || rec->n_name == 0 ||
        rec->n_name > BYTES_MAX || rec->n_lines > BYTES_MAX ||
        rec->bytes[rec->n_file - 1] ||
        rec->bytes[rec->n_file + rec->n_name - 1])
        return false;
    s->script_work += (rec->n_file + (uint64_t)PLACE) * MEMORY + rec->n_lines;
    return s->script_work < USUAL || (s->script_work - USUAL) / MORE < s->size;
}

int pdump_snapshot_stack_script(struct pdump_snapshot *s,
                                const struct pdump_script_record *rec,
                                uint64_t at, struct pdump_snapshot_frame *out)
{
    struct pdump_symbol_frame frame = { .file = "" };
    size_t len;
    int64_t line;

    if (!is_good(s, rec))
        return pdump_snapshot_stack_function(s, PDUMP_STACKS_NO_FILE, out);
    frame.file = rec->bytes;
    frame.function = rec->bytes + rec->n_file;
    frame.line = rec->first_line;
    line = line_of(rec, at);
    if (line <= 0)
        line = rec->first_line;
    len = rec->n_file + PLACE;
    out->place = malloc(len);
    if (!out->place)
        return pdump_no_memory();
    snprintf(out->place, len, "%s:%lld", frame.file, (long long)line);
    frame.at = out->place;
    return pdump_snapshot_stack_part(s, &frame, out);
}
