/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of the table "lines": hits, times, and the metrics of the session.
 */
#include "line_fields.h"
#include "probe/call_hot.h"
#include "system/log.h"

#include <stdio.h>
#include <string.h>

static struct pdump_detail_field fields[PDUMP_DETAIL_FIELDS_MAX] = {
    [PDUMP_LINES_HITS] = { "hits", "1", PDUMP_FIELD_SUM, 1, false },
    [PDUMP_LINES_TIME] = { "time", "ns", PDUMP_FIELD_SUM, 1, true },
    [PDUMP_LINES_CALLED] = { "called", "ns", PDUMP_FIELD_SUM, 1, true },
};
static char names[PDUMP_DETAIL_FIELDS_MAX][64];
static char units[PDUMP_DETAIL_FIELDS_MAX][16];
static int metrics[PDUMP_DETAIL_FIELDS_MAX]; /* the metric of each field */
static unsigned session;

/* A slash would create a group in an HDF5 file.  Long event names are cut and
 * may then be equal; `number`, if not 0, makes such a name unique. */
static void put_name(char *buf, size_t len, const char *name, int number,
                     const char *ending)
{
    if (number)
        snprintf(buf, len, "%.44s~%d%s", name, number, ending);
    else
        snprintf(buf, len, "%.50s%s", name, ending);
    for (; *buf; buf++)
        *buf = *buf == '/' ? '_' : *buf;
}

/* Readers of the table refuse two fields of the same name. */
static bool is_taken(int field)
{
    for (int i = 0; i < field; i++)
        if (strcmp(fields[i].name, fields[field].name) == 0)
            return true;
    return false;
}

static void add_field(struct pdump_detail_table *table, int metric,
                      const struct pdump_metric *m, const char *ending,
                      enum pdump_field_kind kind)
{
    int i = table->n_fields++;

    put_name(names[i], sizeof(names[i]), m->name, 0, ending);
    snprintf(units[i], sizeof(units[i]), "%s", m->unit);
    metrics[i] = metric;
    fields[i] =
        (struct pdump_detail_field){ names[i], units[i], kind, 1, false };
    if (is_taken(i))
        put_name(names[i], sizeof(names[i]), m->name, metric, ending);
}

void pdump_line_fields_make(struct pdump_detail_table *table,
                            const struct pdump_call *call)
{
    const struct pdump_sources *s = pdump_hot_call_sources(call);

    if (__builtin_expect(session == call->session, 1))
        return;
    session = call->session;
    table->fields = fields;
    table->n_fields = PDUMP_LINES_FIRST;
    for (int i = 1; i < s->n_metrics; i++) {
        bool is_gauge = s->gauges >> i & 1;

        if (table->n_fields + 1 + is_gauge > PDUMP_DETAIL_FIELDS_MAX) {
            pdump_warn("lines",
                       "%s and what follows it is not counted for "
                       "lines: too many metrics",
                       s->metric[i].name);
            break;
        }
        add_field(table, i, &s->metric[i], "",
                  is_gauge ? PDUMP_FIELD_MAX : PDUMP_FIELD_SUM);
        if (is_gauge)
            add_field(table, i, &s->metric[i], ".growth", PDUMP_FIELD_SUM);
    }
}

void pdump_line_fields_add(const struct pdump_detail_table *table, int64_t *row,
                           const int64_t *before, const int64_t *after)
{
    for (int i = PDUMP_LINES_FIRST; i < table->n_fields; i++) {
        int64_t end = after[metrics[i]];

        if (table->fields[i].kind == PDUMP_FIELD_SUM)
            row[i] += end - before[metrics[i]];
        else if (end > row[i])
            row[i] = end;
    }
}
