/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the tables of details and the communication matrix into the page's
 * data. */
#include "write_details.h"

#include "base/json.h"
#include "report/view/detail_groups.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_MAX = 1000, /* per table: those with the most time */
    CELLS_MAX =
        256, /* of the matrix, in each direction; more ranks are grouped */
};

/* Returns true if the page shows the field as a figure of a row. */
static bool is_shown(const struct pdump_dump_field *field)
{
    return field->width == 1 && field->kind != PDUMP_FIELD_REAL;
}

static void put_fields(FILE *f, const struct pdump_dump_detail *d)
{
    const char *between = "";

    for (int i = 0; i < d->n_fields; i++) {
        if (!is_shown(&d->fields[i]))
            continue;
        fprintf(f, "%s[", between);
        pdump_json_string(f, "", d->fields[i].name);
        putc_unlocked(',', f);
        pdump_json_string(f, "", d->fields[i].unit);
        putc_unlocked(']', f);
        between = ",";
    }
}

static void put_value(FILE *f, const struct pdump_dump_field *field,
                      int64_t value)
{
    if ((field->kind == PDUMP_FIELD_MIN && value == INT64_MAX) ||
        (field->kind == PDUMP_FIELD_MAX && value == INT64_MIN))
        fputs(",null", f);
    else
        fprintf(f, ",%" PRId64, value);
}

static void put_row(FILE *f, const struct pdump_dump *t,
                    const struct pdump_dump_detail *d,
                    const struct pdump_detail_group *group)
{
    int at = 0;

    putc_unlocked('[', f);
    pdump_json_string(f, "", d->labels[group->label]);
    putc_unlocked(',', f);
    pdump_json_string(f, "",
                      group->region < 0 ? "" : t->regions[group->region].name);
    for (int i = 0; i < d->n_fields; at += d->fields[i++].width)
        if (is_shown(&d->fields[i]))
            put_value(f, &d->fields[i], group->values[at]);
    putc_unlocked(']', f);
}

static void put_table(FILE *f, const struct pdump_dump *t,
                      const struct pdump_dump_detail *d)
{
    struct pdump_detail_groups view = { 0 };

    if (pdump_detail_groups(t, d, PDUMP_BY_REGION | PDUMP_BY_LABEL, &view) < 0)
        view = (struct pdump_detail_groups){ 0 };
    pdump_detail_groups_sort(&view, "time");
    fputs("{\"name\":", f);
    pdump_json_string(f, "", d->name);
    fputs(",\"about\":", f);
    pdump_json_string(f, "", d->about);
    fputs(",\"key\":", f);
    pdump_json_string(f, "", d->key);
    fprintf(f, ",\"all\":%" PRId64 ",\"fields\":[", view.n);
    put_fields(f, d);
    fputs("],\"rows\":[", f);
    for (int64_t i = 0; i < view.n && i < ROWS_MAX; i++) {
        fputs(i ? ",\n" : "", f);
        put_row(f, t, d, &view.groups[i]);
    }
    fputs("]}", f);
    pdump_detail_groups_free(&view);
}

/* Bytes and messages between ranks, or between groups of `per` ranks. */
struct matrix {
    int n;   /* groups in each direction */
    int per; /* ranks in a group */
    double *bytes;
    double *messages;
};

/* Returns the rank, or -1 for a peer outside of MPI_COMM_WORLD. */
static int rank_of(const char *label)
{
    return label[0] >= '0' && label[0] <= '9' ? atoi(label) : -1;
}

static int most_rank(const struct pdump_dump *t,
                     const struct pdump_dump_detail *d)
{
    int most = 0;

    for (int i = 0; i < t->n_processes; i++)
        most = t->processes[i].rank > most ? t->processes[i].rank : most;
    for (int i = 0; i < d->n_labels; i++)
        most = rank_of(d->labels[i]) > most ? rank_of(d->labels[i]) : most;
    return most;
}

static void fill_matrix(struct matrix *m, const struct pdump_dump *t,
                        const struct pdump_dump_detail *d)
{
    int bytes = pdump_dump_find_field(d, "bytes_out");
    int messages = pdump_dump_find_field(d, "messages_out");

    for (int64_t i = 0; bytes >= 0 && messages >= 0 && i < d->n_rows; i++) {
        const struct pdump_dump_detail_row *row = &d->rows[i];
        const int64_t *values = d->values + i * d->n_values;
        int to = rank_of(d->labels[row->label]), from;

        if (row->thread < 0)
            continue;
        from = t->processes[t->threads[row->thread].process].rank;
        if (from < 0 || to < 0)
            continue;
        m->bytes[from / m->per * m->n + to / m->per] += (double)values[bytes];
        m->messages[from / m->per * m->n + to / m->per] +=
            (double)values[messages];
    }
}

static void put_cells(FILE *f, const struct matrix *m)
{
    const char *between = "";

    fprintf(f, "{\"n\":%d,\"per\":%d,\"cells\":[", m->n, m->per);
    for (int i = 0; i < m->n * m->n; i++) {
        if (m->messages[i] <= 0)
            continue;
        fprintf(f, "%s[%d,%d,%.17g,%.17g]", between, i / m->n, i % m->n,
                m->bytes[i], m->messages[i]);
        between = ",";
    }
    fputs("]}", f);
}

static void put_matrix(FILE *f, const struct pdump_dump *t)
{
    const struct pdump_dump_detail *d = pdump_dump_find_detail(t, "mpi_peers");
    struct matrix m = { 0 };
    size_t room;

    fputs(",\n\"matrix\":", f);
    if (!d || d->n_rows == 0) {
        fputs("null", f);
        return;
    }
    m.per = most_rank(t, d) / CELLS_MAX + 1;
    m.n = most_rank(t, d) / m.per + 1;
    room = (size_t)m.n * (size_t)m.n;
    m.bytes = calloc(room, sizeof(*m.bytes));
    m.messages = calloc(room, sizeof(*m.messages));
    if (m.bytes && m.messages) {
        fill_matrix(&m, t, d);
        put_cells(f, &m);
    } else {
        fputs("null", f);
    }
    free(m.bytes);
    free(m.messages);
}

void html_write_details(FILE *f, const struct pdump_dump *t)
{
    const char *between = "";

    fputs(",\n\"details\":[", f);
    for (int i = 0; i < t->n_details; i++) {
        if (strcmp(t->details[i].name, "mpi_peers") == 0 ||
            strcmp(t->details[i].name, "memory") == 0 ||
            strcmp(t->details[i].name, "lines") == 0 ||
            strcmp(t->details[i].name, "profiles") == 0)
            continue; /* shown elsewhere in the page, or of no use to people */
        fputs(between, f);
        put_table(f, t, &t->details[i]);
        between = ",\n";
    }
    putc_unlocked(']', f);
    put_matrix(f, t);
}
