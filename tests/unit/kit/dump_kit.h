/* SPDX-License-Identifier: BSD-3-Clause */
/* Dumps with everything in them that could get lost on the way through a file,
 * and a comparison that says what did. */
#ifndef PDUMP_TESTS_DUMP_KIT_H
#define PDUMP_TESTS_DUMP_KIT_H

#include "dump/builder_add.h"
#include "dump/builder_details.h"
#include "dump/stacks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "" if the two are equal, else what is not. */
static char kit_difference[256];

#define KIT_SAME(is_same, ...)                                             \
    do {                                                                   \
        if (!(is_same)) {                                                  \
            snprintf(kit_difference, sizeof(kit_difference), __VA_ARGS__); \
            return false;                                                  \
        }                                                                  \
    } while (0)
#define KIT_TEXT(x, y, what, i)                                                \
    KIT_SAME(strcmp(x, y) == 0, "%s %d: \"%.80s\", \"%.80s\"", what, (int)(i), \
             x, y)
#define KIT_INT(x, y, what, i)                                                \
    KIT_SAME((x) == (y), "%s %d: %lld, %lld", what, (int)(i), (long long)(x), \
             (long long)(y))

static inline bool kit_same_real(double a, double b)
{
    return memcmp(&a, &b, sizeof(a)) == 0 || (isnan(a) && isnan(b));
}

static inline bool kit_same_field(const struct pdump_schema_field *field,
                                  const char *x, const char *y)
{
    double a, b;

    if (field->type == PDUMP_SCHEMA_TEXT)
        return strcmp(pdump_schema_text(field, x),
                      pdump_schema_text(field, y)) == 0;
    if (field->type != PDUMP_SCHEMA_REAL)
        return memcmp(x + field->at, y + field->at,
                      pdump_schema_size(field->type)) == 0;
    memcpy(&a, x + field->at, sizeof(a));
    memcpy(&b, y + field->at, sizeof(b));
    return kit_same_real(a, b);
}

/* Every field of n entries. */
static inline bool kit_same_entries(enum pdump_table table, const void *a,
                                    const void *b, int64_t n)
{
    const struct pdump_schema_table *t = pdump_schema_table(table);
    const char *x = a, *y = b;

    for (int64_t i = 0; i < n; i++, x += t->size, y += t->size)
        for (int f = 0; f < t->n_fields; f++)
            KIT_SAME(kit_same_field(&t->fields[f], x, y), "%s of %s %d",
                     t->fields[f].name, t->name, (int)i);
    return true;
}

static inline bool kit_same_list(enum pdump_table table,
                                 const struct pdump_dump *a,
                                 const struct pdump_dump *b)
{
    const char *x, *y;
    int n = pdump_schema_list(pdump_schema_table(table), a, &x);

    KIT_INT(n, pdump_schema_list(pdump_schema_table(table), b, &y),
            pdump_schema_table(table)->name, -1);
    return kit_same_entries(table, x, y, n);
}

/* All lists of the dumps up to `last`. */
static inline bool kit_same_lists(const struct pdump_dump *a,
                                  const struct pdump_dump *b,
                                  enum pdump_table last)
{
    for (int t = 0; t <= (int)last; t++)
        if (!kit_same_list((enum pdump_table)t, a, b))
            return false;
    return true;
}

static inline bool kit_same_rows(const struct pdump_dump *a,
                                 const struct pdump_dump *b)
{
    KIT_INT(a->n_rows, b->n_rows, "rows", 0);
    if (!kit_same_entries(PDUMP_TABLE_ROWS, a->rows, b->rows, a->n_rows))
        return false;
    for (int64_t i = 0; i < a->n_rows; i++) {
        for (int m = 0; m < a->n_metrics; m++) {
            const struct pdump_dump_column *x = &a->columns[m];
            const struct pdump_dump_column *y = &b->columns[m];

            KIT_INT(x->sum[i], y->sum[i], "sum", i);
            KIT_INT(x->min[i], y->min[i], "min", i);
            KIT_INT(x->max[i], y->max[i], "max", i);
            KIT_INT(x->exclusive[i], y->exclusive[i], "exclusive", i);
            KIT_SAME(kit_same_real(x->sumsq[i], y->sumsq[i]), "sumsq %d",
                     (int)i);
        }
    }
    return true;
}

static inline bool kit_same_samples(const struct pdump_dump *a,
                                    const struct pdump_dump *b)
{
    KIT_INT(a->n_samples, b->n_samples, "samples", 0);
    for (int64_t i = 0; i < a->n_samples; i++)
        for (int m = 0; m < a->n_metrics; m++)
            KIT_INT(a->sample_values[m][i], b->sample_values[m][i], "sample",
                    i);
    return kit_same_entries(PDUMP_TABLE_SAMPLES, a->samples, b->samples,
                            a->n_samples);
}

static inline bool kit_same_lanes(const struct pdump_dump *a,
                                  const struct pdump_dump *b)
{
    KIT_INT(a->n_lanes, b->n_lanes, "lanes", 0);
    for (int i = 0; i < a->n_lanes; i++) {
        const struct pdump_dump_lane *x = &a->lanes[i], *y = &b->lanes[i];

        KIT_INT(x->thread, y->thread, "lane's thread", i);
        KIT_INT(x->n_events, y->n_events, "lane's events", i);
        KIT_INT(x->n_bytes, y->n_bytes, "lane's bytes", i);
        KIT_SAME(memcmp(x->bytes, y->bytes, (size_t)x->n_bytes) == 0,
                 "events of lane %d", i);
    }
    return true;
}

static inline bool kit_same_stats(const struct pdump_dump *a,
                                  const struct pdump_dump *b)
{
    KIT_INT(a->stats != NULL, b->stats != NULL, "statistics", 0);
    for (int m = 0; a->stats && m <= a->n_metrics; m++)
        for (int i = 0; i < a->n_nodes; i++) {
            const struct pdump_dump_rank_stat *x = &a->stats[m][i];
            const struct pdump_dump_rank_stat *y = &b->stats[m][i];

            KIT_INT(x->n, y->n, "n of stat", i);
            /* If it is 0, nothing else counts. */
            if (x->n && !kit_same_entries(PDUMP_TABLE_STATS, x, y, 1))
                return false;
        }
    return true;
}

static inline bool kit_same_detail(const struct pdump_dump_detail *a,
                                   const struct pdump_dump_detail *b)
{
    KIT_INT(a->n_fields, b->n_fields, "fields", 0);
    KIT_INT(a->n_values, b->n_values, "values", 0);
    KIT_INT(a->n_labels, b->n_labels, "labels", 0);
    for (int i = 0; i < a->n_labels; i++)
        KIT_TEXT(a->labels[i], b->labels[i], "label", i);
    KIT_INT(a->n_rows, b->n_rows, "rows of table", 0);
    for (int64_t i = 0; i < a->n_rows * a->n_values; i++)
        KIT_INT(a->values[i], b->values[i], "d. value", i);
    return kit_same_entries(PDUMP_TABLE_FIELDS, a->fields, b->fields,
                            a->n_fields) &&
           kit_same_entries(PDUMP_TABLE_DETAIL_ROWS, a->rows, b->rows,
                            a->n_rows);
}

static inline bool kit_same_details(const struct pdump_dump *a,
                                    const struct pdump_dump *b)
{
    for (int i = 0; i < a->n_details; i++)
        if (!kit_same_detail(&a->details[i], &b->details[i]))
            return false;
    return true;
}

/* Equal in every table?  If not, kit_difference says where. */
static inline bool kit_same(const struct pdump_dump *a,
                            const struct pdump_dump *b)
{
    kit_difference[0] = '\0';
    return kit_same_lists(a, b, PDUMP_TABLE_DETAILS) && kit_same_rows(a, b) &&
           kit_same_samples(a, b) && kit_same_lanes(a, b) &&
           kit_same_stats(a, b) && kit_same_details(a, b);
}

/* What to put into a dump; 0: little. */
struct kit_options {
    int n_ranks;       /* 0: 1 */
    int n_regions;     /* beside the nasty ones */
    int n_samples;     /* of each rank */
    bool is_irregular; /* ranks differ in their samples */
    bool has_stats;
    int n_details; /* rows of each thread; -1: tables without rows */
    int n_events;  /* about so many of each thread, but rank 1's second */
};

static inline void kit_add_metrics(struct pdump_builder *b)
{
    static const struct pdump_dump_metric metrics[] = {
        { "time", "ns", "clock", "wall", PDUMP_COUNTER },
        { "perf::PAGE-FAULTS:u=1", "1", "papi", "", PDUMP_COUNTER },
        { "odd.sum [x]/y", "", "s,\"", "a\nb", PDUMP_GAUGE },
        { "", "B", "user", "no name", PDUMP_USER },
        { "visits", "1", "user", "a name that is taken", PDUMP_USER },
        { ".", "1", "user", "", PDUMP_USER },
        { "h\xc3\xa9 %41", "1", "user", "", PDUMP_USER },
    };

    for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
        pdump_builder_metric(b, &metrics[i]);
}

enum { KIT_METRICS = 7 };

/* Names that break careless writers, each a region inside the one before. */
static inline void kit_add_regions(struct pdump_builder *b, int n)
{
    static char longest[65536];
    const char *names[] = {
        "a,b",      "say \"hi\"",   "two\nlines",
        "cr\r\n",   "a/b\\c",       "h\xc3\xa9 \xe2\x88\x91",
        "\x1b[31m", "\xff\xfe raw", " blank ",
        "NaN",      "1e5",          longest,
        ""
    };
    int node = -1;

    memset(longest, 'n', sizeof(longest) - 1);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        node = pdump_builder_node(
            b, node,
            pdump_builder_region(b, &(struct pdump_dump_region){
                                        names[i], "user", "f,\"1\".c", 7 }));
    for (int i = 0; i < n; i++) {
        char name[32];

        snprintf(name, sizeof(name), "region_%d", i);
        pdump_builder_node(b, i % 5 - 1,
                           pdump_builder_region(b, &(struct pdump_dump_region){
                                                       name, "step", "", 0 }));
    }
}

enum { KIT_NODES = 13 };

/* Values of all sizes, missing ones, and ones that no real has. */
static inline void kit_add_rows(struct pdump_builder *b, int thread, int rank,
                                int n_nodes)
{
    for (int node = rank % 2; node < n_nodes; node++) {
        int64_t row =
            pdump_builder_row(b, thread, node, node * 3, node % 4 == 3);

        for (int m = 0; m < KIT_METRICS; m++) {
            int64_t x = (int64_t)node * 1000003 + rank * 17 + m;

            if ((node + m) % 11 == 10)
                continue;
            pdump_builder_value(b, row, m, m == 1 ? INT64_MAX - x : x,
                                node % 3 ? x / 2 : PDUMP_MISSING,
                                m == 2 ? INT64_MIN + 1 : x,
                                m == 3 ? NAN : (double)x * 0.1);
        }
    }
}

static inline void kit_add_samples(struct pdump_builder *b, int thread,
                                   int rank, const struct kit_options *how)
{
    int n = how->n_samples + (how->is_irregular ? rank : 0);

    for (int i = 0; i < n; i++) {
        int64_t values[KIT_METRICS];

        for (int m = 0; m < KIT_METRICS; m++)
            values[m] =
                i % 7 == m ? PDUMP_MISSING : rank * 1000000 + i * 10 + m;
        pdump_builder_sample(b,
                             &(struct pdump_dump_sample){ thread, i % KIT_NODES,
                                                          i, i * 100 - 5 },
                             values);
    }
}

/* Down the chain of nasty names and up again, with one of everything. */
static inline void kit_add_events(struct pdump_builder *b, int thread, int rank,
                                  int n)
{
    const struct pdump_event other[] = {
        { .kind = PDUMP_EVENT_MARKER, .what = 3 },
        { .kind = PDUMP_EVENT_COUNTER, .what = 2, .value = INT64_MIN + 1 },
        { .kind = PDUMP_EVENT_SEND, .what = 1, .value = 1 << 20, .tag = -5 },
        { .kind = PDUMP_EVENT_RECEIVE,
          .what = 2,
          .value = INT64_MAX,
          .tag = INT32_MAX },
        { .kind = PDUMP_EVENT_COLLECTIVE,
          .what = 4,
          .value = 8,
          .tag = 9 << 24 },
        { .kind = PDUMP_EVENT_LOST, .value = 12 },
        { .kind = PDUMP_EVENT_AT },
    };
    int64_t time = rank * 1000, node = -1;
    bool is_down = true;

    for (int i = 0; i < n; i++) {
        struct pdump_event event = other[i % 7];

        if (i % 3 > 0) {
            event = (struct pdump_event){ 0 };
            event.kind = is_down ? PDUMP_EVENT_ENTER : PDUMP_EVENT_LEAVE;
            node += is_down;
        }
        event.time = time += i % 11 == 0 ? INT64_C(1) << 33 : i % 700;
        event.node = node;
        pdump_builder_event(b, thread, &event);
        if (event.kind == PDUMP_EVENT_LEAVE)
            node--;
        is_down = is_down ? node < KIT_NODES - 1 : node < 0;
    }
}

static inline void kit_add_stats(struct pdump_builder *b, int n_nodes)
{
    for (int m = -1; m < KIT_METRICS; m++)
        for (int i = 0; i < n_nodes; i++)
            pdump_builder_stat(
                b, m, i,
                &(struct pdump_dump_rank_stat){ i % 3, i * 10 + m, -i, i,
                                                i * 0.5, i % 2, 7 });
}

/* Tables with names that are taken, or break careless writers; one with a
 * histogram only, whose row has nothing but zeroes. */
static inline void kit_add_tables(struct pdump_builder *b)
{
    static struct pdump_dump_field calls[] = {
        { "calls", "1", PDUMP_FIELD_SUM, 1 },
        { "label", "ns, \"x\"", PDUMP_FIELD_MIN, 1 },
        { "a/b \xc3\xa9", "", PDUMP_FIELD_MAX, 1 },
        { "sumsq", "ns^2", PDUMP_FIELD_REAL, 1 },
        { "sizes", "1", PDUMP_FIELD_SUM, 32 },
        { "reals", "1", PDUMP_FIELD_REAL, 3 },
    };
    static struct pdump_dump_field bins[] = { { "bins", "1", PDUMP_FIELD_SUM,
                                                4 } };

    pdump_builder_detail(b,
                         &(struct pdump_dump_detail){ .name = "mpi",
                                                      .about = "calls, \"all\"",
                                                      .key = "site",
                                                      .fields = calls,
                                                      .n_fields = 6 });
    pdump_builder_detail(b, &(struct pdump_dump_detail){ .name = "profile",
                                                         .about = "",
                                                         .key = "peer",
                                                         .fields = bins,
                                                         .n_fields = 1 });
}

enum { KIT_DETAIL_VALUES = 39 };

static inline void kit_add_details(struct pdump_builder *b, int thread, int n)
{
    static const char *const labels[] = { "a.c:12 (f)", "", "x,\"y\"\n",
                                          "h\xc3\xa9 \xff", "NaN" };

    for (int i = 0; i < n; i++) {
        int64_t values[KIT_DETAIL_VALUES] = {
            i, i % 2 ? INT64_MAX : -i, i % 3 ? INT64_MIN : i,
            pdump_field_bits(i * 0.1), [38] = pdump_field_bits(1e300)
        };

        values[4 + i % 32] = INT64_MAX - i;
        pdump_builder_detail_row(b, 0,
                                 &(struct pdump_builder_details_place){
                                     thread, i / 5 % KIT_NODES, labels[i % 5] },
                                 values);
        pdump_builder_detail_row(
            b, 1,
            &(struct pdump_builder_details_place){ thread, -1, labels[i % 5] },
            &(int64_t[4]){ 0, 0, 0, i == 3 }[0]);
    }
}

/* More than an attribute of HDF5 can have. */
static inline const char *kit_long_text(void)
{
    static char text[100001];

    memset(text, 'l', sizeof(text) - 1);
    return text;
}

static inline struct pdump_dump *kit_dump(struct kit_options how)
{
    int n_ranks = how.n_ranks ? how.n_ranks : 1;
    struct pdump_builder *b;
    struct pdump_dump *dump = NULL;

    if (pdump_builder_new(&b) < 0)
        return NULL;
    kit_add_metrics(b);
    kit_add_regions(b, how.n_regions);
    if (how.n_details)
        kit_add_tables(b);
    for (int rank = 0; rank < n_ranks; rank++) {
        int process = pdump_builder_process(
            b,
            &(struct pdump_dump_process){ rank, 100 + rank, rank == 1, "n\n1",
                                          "./a \"b\"", "x, \"y\"", "0-1,3" });
        int thread = pdump_builder_thread(
            b, &(struct pdump_dump_thread){ process, 0, INT64_MAX, "m,1" });

        kit_add_rows(b, thread, rank, KIT_NODES + how.n_regions);
        kit_add_samples(b, thread, rank, &how);
        kit_add_events(b, thread, rank, how.n_events);
        thread = pdump_builder_thread(
            b, &(struct pdump_dump_thread){ process, 4, 1, "" });
        if (rank != 2)
            kit_add_rows(b, thread, rank + 1, KIT_NODES / 2);
        if (rank != 1)
            kit_add_details(b, thread, how.n_details);
        if (rank != 1)
            kit_add_events(b, thread, rank, how.n_events / 2);
    }
    if (how.n_details > 0)
        kit_add_details(b, -1, 2);
    if (how.has_stats)
        kit_add_stats(b, KIT_NODES + how.n_regions);
    pdump_builder_metadata(b, "key,1", "value\n\"2\" \xe2\x88\x91");
    pdump_builder_metadata(b, "", "");
    pdump_builder_metadata(b, "long", kit_long_text());
    pdump_builder_warning(b, "lost, \"all\"", 3);
    pdump_builder_warning(b, "", INT64_MAX);
    pdump_builder_finish(b, &dump);
    pdump_builder_free(b);
    return dump;
}

/* A job of ranks with two threads each: main has solve in it.  With stacks,
 * solve has the frames "work" (twice: a recursion) and "step", and the second
 * thread has frames outside of all regions.  A frame may have the name of a
 * region. */
static inline void kit_take_stacks(struct pdump_stacks *s, int thread, int node)
{
    int work = pdump_stacks_function(s, "work", "work.c", 10);
    int step = pdump_stacks_function(s, "solve", "step.c", 20);
    const struct pdump_stacks_frame deep[] = { { work, "work.c:12" },
                                               { work, "work.c:12" },
                                               { step, "step.c:22" } };
    const struct pdump_stacks_frame late = { work, "work.c:14" };

    pdump_stacks_add(s, thread, node, deep, 3, 5, 5000);
    pdump_stacks_add(s, thread, node, deep, 2, 3, 3100);
    pdump_stacks_add(s, thread, node, &late, 1, 2, 1900);
}

static inline int kit_region_node(struct pdump_builder *b, int parent,
                                  const char *name)
{
    return pdump_builder_node(
        b, parent,
        pdump_builder_region(
            b, &(struct pdump_dump_region){ name, "user", "main.c", 3 }));
}

static inline void kit_add_stacks_rank(struct pdump_builder *b,
                                       struct pdump_stacks *s, int rank)
{
    int process =
        pdump_builder_process(b, &(struct pdump_dump_process){
                                     rank, 100 + rank, 0, "n", "./a", "", "" });
    int main_node = kit_region_node(b, -1, "main");
    int solve = kit_region_node(b, main_node, "solve");

    for (int t = 0; t < 2; t++) {
        int64_t first = pdump_builder_tables(b)->n_rows, row;
        int thread = pdump_builder_thread(
            b, &(struct pdump_dump_thread){ process, t, 1, "" });

        for (int node = main_node; node <= solve; node += solve - main_node) {
            int64_t time = node == solve ? 9000 : 20000;

            row = pdump_builder_row(b, thread, node, 1, false);
            pdump_builder_value(b, row, 0, time, time, time,
                                (double)time * (double)time);
        }
        if (s) {
            kit_take_stacks(s, thread, t ? -1 : solve);
            pdump_stacks_put(s, thread, first);
        }
    }
}

static inline struct pdump_dump *kit_stacks_dump(int n_ranks, bool has_stacks)
{
    struct pdump_stacks *s = NULL;
    struct pdump_builder *b;
    struct pdump_dump *dump = NULL;

    if (pdump_builder_new(&b) < 0)
        return NULL;
    pdump_builder_metric(b, &(struct pdump_dump_metric){ "time", "ns", "clock",
                                                         "", PDUMP_COUNTER });
    if (has_stacks)
        pdump_stacks_new(b, &s);
    for (int rank = 0; rank < n_ranks; rank++)
        kit_add_stacks_rank(b, s, rank);
    pdump_builder_finish(b, &dump);
    pdump_stacks_free(s);
    pdump_builder_free(b);
    return dump;
}

/* A value that no other field of the table has. */
static inline void kit_fill_number(const struct pdump_schema_table *table,
                                   int f, int i, void *entry)
{
    const struct pdump_schema_field *field = &table->fields[f];
    int64_t value = field->words         ? i % 3
                    : field->of == table ? i - 1
                    : field->of          ? i
                                         : 100 * (f + 1) + i;
    int32_t narrow = (int32_t)value;
    double real = (double)value / 16;
    bool is_odd = i % 2;
    const void *from = field->type == PDUMP_SCHEMA_BYTE    ? (void *)&is_odd
                       : field->type == PDUMP_SCHEMA_INT32 ? (void *)&narrow
                       : field->type == PDUMP_SCHEMA_INT64 ? (void *)&value
                                                           : (void *)&real;

    memcpy((char *)entry + field->at, from, pdump_schema_size(field->type));
}

/* Sets all fields of entry i that are stored. */
static inline void kit_fill(enum pdump_table table, int i, void *entry,
                            char (*texts)[32])
{
    const struct pdump_schema_table *t = pdump_schema_table(table);

    memset(entry, 0, t->size);
    for (int f = 0; f < t->n_stored; f++) {
        snprintf(texts[f], sizeof(texts[f]), "%s %s %d", t->name,
                 t->fields[f].name, i);
        if (t->fields[f].type == PDUMP_SCHEMA_TEXT)
            pdump_schema_set_text(&t->fields[f], entry, texts[f]);
        else
            kit_fill_number(t, f, i, entry);
    }
}

enum { KIT_ENTRIES = 3 };

/* A table of details with KIT_ENTRIES fields, and a row for each node. */
static inline void kit_add_full_table(struct pdump_builder *b, int i)
{
    char texts[KIT_ENTRIES + 1][PDUMP_SCHEMA_FIELDS_MAX][32];
    struct pdump_dump_field fields[KIT_ENTRIES];
    struct pdump_dump_detail table;
    int64_t values[3 * KIT_ENTRIES] = { 1, 2, 3, 4, 5, 6 };

    kit_fill(PDUMP_TABLE_DETAILS, i, &table, texts[KIT_ENTRIES]);
    for (int f = 0; f < KIT_ENTRIES; f++) {
        kit_fill(PDUMP_TABLE_FIELDS, f, &fields[f], texts[f]);
        fields[f].width = f + 1;
    }
    table.fields = fields;
    table.n_fields = KIT_ENTRIES;
    pdump_builder_detail(b, &table);
    for (int node = 0; node < KIT_ENTRIES; node++)
        pdump_builder_detail_row(
            b, i,
            &(struct pdump_builder_details_place){ node, node, texts[node][0] },
            values);
}

/* A dump in which every field of every table has a value of its own, also
 * fields that this file does not know.  The first n_rows nodes have a row. */
static inline struct pdump_dump *kit_full_dump(int n_rows)
{
    char texts[PDUMP_SCHEMA_FIELDS_MAX][32];
    union pdump_schema_entry entry;
    struct pdump_dump_rank_stat stat;
    struct pdump_dump_sample sample;
    struct pdump_dump *dump = NULL;
    struct pdump_builder *b;

    if (pdump_builder_new(&b) < 0)
        return NULL;
    for (int t = 0; t <= PDUMP_TABLE_WARNINGS; t++)
        for (int i = 0; i < KIT_ENTRIES; i++) {
            kit_fill((enum pdump_table)t, i, &entry, texts);
            pdump_builder_add(b, (enum pdump_table)t, &entry);
        }
    for (int i = 0; i < KIT_ENTRIES; i++) {
        kit_add_full_table(b, i);
        kit_fill(PDUMP_TABLE_STATS, i, &stat, texts);
        for (int m = -1; m < KIT_ENTRIES; m++)
            pdump_builder_stat(b, m, i, &stat);
    }
    for (int i = 0; i < n_rows; i++) {
        kit_fill(PDUMP_TABLE_SAMPLES, i, &sample, texts);
        pdump_builder_row(b, i, i, 10 + i, i % 2);
        pdump_builder_sample(b, &sample, (int64_t[KIT_ENTRIES]){ 7, 8, 9 });
    }
    pdump_builder_finish(b, &dump);
    pdump_builder_free(b);
    return dump;
}

#endif
