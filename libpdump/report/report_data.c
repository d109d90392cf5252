/* SPDX-License-Identifier: BSD-3-Clause */
/* A report for programs: its lines as CSV or JSON. */
#include "base/csv.h"
#include "base/json.h"
#include "report/report_field.h"
#include "report/report_warning.h"

#include <stdlib.h>

static void put_title(FILE *f, const struct pdump_report_field *field)
{
    const char *const pieces[] = { field->name, " [", field->unit, "]" };

    pdump_csv_put_pieces(f, pieces, field->unit[0] != '\0' ? 4 : 1);
}

static void put_cell(FILE *f, const struct pdump_report_value *value)
{
    if (value->kind == PDUMP_VALUE_TEXT)
        pdump_csv_put_text(f, value->text);
    else if (value->kind == PDUMP_VALUE_WHOLE)
        pdump_csv_put_int(f, value->whole);
    else
        pdump_csv_put_real(f, value->real);
}

int pdump_report_csv(const struct pdump_report_page *page,
                     const struct pdump_report_options *options)
{
    struct pdump_report_fields fields;
    int err = pdump_report_fields_make(page, options, &fields);

    for (int i = 0; err >= 0 && i < fields.n; i++) {
        put_title(page->f, &fields.list[i]);
        fputc(i + 1 < fields.n ? ',' : '\n', page->f);
    }
    for (int k = 0; err >= 0 && k < page->view->n_shown; k++)
        for (int i = 0; i < fields.n; i++) {
            struct pdump_report_value value;

            pdump_report_field_value(page, &fields, &fields.list[i],
                                     page->view->shown[k], &value);
            put_cell(page->f, &value);
            fputc(i + 1 < fields.n ? ',' : '\n', page->f);
        }
    pdump_report_fields_free(&fields);
    return err;
}

/* A list with the text that separates its next entry. */
struct list {
    FILE *f;
    const char *before;
};

static void put_warning(void *data, const char *text, int64_t count)
{
    struct list *list = data;

    fputs(list->before, list->f);
    pdump_json_string(list->f, "{\"text\": ", text);
    pdump_json_int(list->f, ", \"count\": ", count);
    fputc('}', list->f);
    list->before = ",\n    ";
}

static void put_line(const struct pdump_report_page *page,
                     const struct pdump_report_fields *fields, int item)
{
    for (int i = 0; i < fields->n; i++) {
        struct pdump_report_value value;

        pdump_report_field_value(page, fields, &fields->list[i], item, &value);
        pdump_json_string(page->f, i > 0 ? ", " : "{", fields->list[i].name);
        if (value.kind == PDUMP_VALUE_TEXT)
            pdump_json_string(page->f, ": ", value.text);
        else if (value.kind == PDUMP_VALUE_WHOLE)
            pdump_json_int(page->f, ": ", value.whole);
        else
            pdump_json_real(page->f, ": ", value.real);
    }
    fputc('}', page->f);
}

static int put_hot_path(const struct pdump_report_page *page)
{
    int *path = malloc(((size_t)page->view->n_items + 1) * sizeof(*path));
    int n = path ? pdump_view_hot_path(page->view, path) : pdump_no_memory();
    char buf[600];

    for (int i = 0; i < n; i++)
        pdump_json_string(
            page->f, i > 0 ? ", " : "",
            pdump_view_name(page->view, path[i], buf, sizeof(buf)));
    free(path);
    return n < 0 ? n : PDUMP_OK;
}

static int put_head(const struct pdump_report_page *page)
{
    const struct pdump_view *v = page->view;
    const char *command = pdump_dump_metadata(v->dump, "command");
    struct list list = { page->f, "" };
    double cost, overhead = pdump_report_overhead(v, &cost);
    int err;

    fputs("{\n  \"format\": \"pdump report\",\n  \"version\": 1", page->f);
    pdump_json_string(page->f, ",\n  \"command\": ", command ? command : "");
    pdump_json_string(page->f,
                      ",\n  \"lines_are\": ", pdump_report_table_word(v));
    pdump_json_string(page->f, ",\n  \"percent_of\": ",
                      v->key < 0 ? "" : v->dump->metrics[v->key].name);
    pdump_json_real(page->f, ",\n  \"overhead_percent\": ", overhead);
    fputs(",\n  \"runs\": [", page->f);
    for (int i = 0; i < page->n_runs; i++)
        pdump_json_string(page->f, i > 0 ? ", " : "", page->runs[i]);
    fputs("],\n  \"warnings\": [", page->f);
    err =
        pdump_report_warnings(v, page->is_part, page->runs, put_warning, &list);
    fputs("],\n  \"hot_path\": [", page->f);
    if (err >= 0)
        err = put_hot_path(page);
    return err;
}

int pdump_report_json(const struct pdump_report_page *page,
                      const struct pdump_report_options *options)
{
    struct pdump_report_fields fields;
    int err = pdump_report_fields_make(page, options, &fields);

    if (err >= 0)
        err = put_head(page);
    if (err >= 0) {
        fputs("],\n  \"columns\": [", page->f);
        for (int i = 0; i < fields.n; i++) {
            pdump_json_string(
                page->f, i > 0 ? ",\n    {\"name\": " : "\n    {\"name\": ",
                fields.list[i].name);
            pdump_json_string(page->f, ", \"unit\": ", fields.list[i].unit);
            fputc('}', page->f);
        }
        fputs("],\n  \"lines\": [", page->f);
        for (int k = 0; k < page->view->n_shown; k++) {
            fputs(k > 0 ? ",\n    " : "\n    ", page->f);
            put_line(page, &fields, page->view->shown[k]);
        }
        fputs("]\n}\n", page->f);
    }
    pdump_report_fields_free(&fields);
    return err;
}
