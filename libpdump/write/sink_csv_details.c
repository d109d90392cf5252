/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the details of a CSV dump: a line per value. */
#include "base/csv.h"
#include "dump/builder_details.h"
#include "dump/dump_schema.h"
#include "write/sink_csv.h"

#include <inttypes.h>

/* A place in a row of a table. */
struct cell {
    const struct pdump_dump_field *field;
    int index; /* in the field */
    int64_t value;
};

/* Histograms are nearly empty, so their empty bins are left out; but each row
 * has at least one line. */
static bool is_written(const struct cell *cell, int at)
{
    return at == 0 || cell->field->width == 1 ||
           cell->value != pdump_field_nothing(cell->field->kind);
}

typedef void visit_cell(FILE *f, const struct pdump_dump *dump,
                        const struct pdump_dump_detail *detail, int64_t row,
                        const struct cell *cell);

/* Visits every value that has a line; visit() may be NULL.  Returns their
 * number. */
static int64_t walk_rows(FILE *f, const struct pdump_dump *dump,
                         const struct pdump_dump_detail *detail,
                         visit_cell *visit)
{
    int64_t n = 0;

    for (int64_t row = 0; row < detail->n_rows; row++) {
        const int64_t *values = detail->values + row * detail->n_values;
        int at = 0;

        for (int k = 0; k < detail->n_fields; k++)
            for (int i = 0; i < detail->fields[k].width; i++, at++) {
                struct cell cell = { &detail->fields[k], i, values[at] };

                if (!is_written(&cell, at))
                    continue;
                n++;
                if (visit)
                    visit(f, dump, detail, row, &cell);
            }
    }
    return n;
}

static void put_place(FILE *f, const struct pdump_dump *dump,
                      const struct pdump_dump_detail_row *row)
{
    if (row->thread < 0) {
        fputs(",,,,", f);
    } else {
        const struct pdump_dump_thread *thread = &dump->threads[row->thread];
        const struct pdump_dump_process *process =
            &dump->processes[thread->process];

        next_int(f, thread->process);
        next_int(f, process->rank);
        next_int(f, process->pid);
        next_int(f, thread->number);
    }
    next_int(f, row->node < 0 ? PDUMP_MISSING : row->node);
    if (row->node < 0)
        putc_unlocked(',', f);
    else
        pdump_csv_next_path(f, dump, row->node);
}

static void put_cell(FILE *f, const struct pdump_dump *dump,
                     const struct pdump_dump_detail *detail, int64_t row,
                     const struct cell *cell)
{
    enum pdump_field_kind kind = cell->field->kind;

    pdump_csv_put_text(f, detail->name);
    put_place(f, dump, &detail->rows[row]);
    next_text(f, detail->labels[detail->rows[row].label]);
    next_text(f, cell->field->name);
    next_int(f, cell->index);
    next_text(f, cell->field->unit);
    next_text(f, pdump_schema_field_kinds[kind]);
    putc_unlocked(',', f);
    if (kind == PDUMP_FIELD_REAL)
        pdump_csv_put_real(f, pdump_field_real(cell->value));
    else if (kind == PDUMP_FIELD_SUM ||
             cell->value != pdump_field_nothing(kind))
        fprintf(f, "%" PRId64, cell->value);
    putc_unlocked('\n', f);
}

int64_t pdump_csv_n_details(const struct pdump_dump *dump)
{
    int64_t n = 0;

    for (int i = 0; i < dump->n_details; i++)
        n += walk_rows(NULL, dump, &dump->details[i], NULL);
    return n;
}

int pdump_csv_put_details(FILE *f, void *stream)
{
    const struct pdump_dump *dump = ((struct pdump_stream *)stream)->tables;

    fputs("table,process,rank,pid,thread,node,path,label,field,index,unit,kind,"
          "value\n",
          f);
    for (int i = 0; i < dump->n_details; i++)
        walk_rows(f, dump, &dump->details[i], put_cell);
    return PDUMP_OK;
}
