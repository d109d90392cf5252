/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes stacks by function, for programs. */
#include "base/csv.h"
#include "base/json.h"
#include "report/section/section_private.h"
#include "report/view/stack_view.h"

#include <stdlib.h>
#include <string.h>

/* The figures of a function, in the order of the columns. */
static const struct {
    const char *name;
    const char *unit;
    size_t at;
    bool is_rank;       /* an int, not an int64_t */
    bool is_over_ranks; /* only if there are several */
} columns[] = {
#define AT(field) offsetof(struct pdump_stack_function, field)
    { "self", "ns", AT(self), false, false },
    { "total", "ns", AT(total), false, false },
    { "self_stacks", "", AT(self_stacks), false, false },
    { "stacks", "", AT(stacks), false, false },
    { "least", "ns", AT(least), false, true },
    { "rank_of_least", "", AT(rank_of_least), true, true },
    { "most", "ns", AT(most), false, true },
    { "rank_of_most", "", AT(rank_of_most), true, true },
#undef AT
};

enum { N_COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* Metadata that are numbers. */
static const char *const facts[] = { "stacks", "stacks_unfinished",
                                     "stacks_lost", "stacks_cpu_time_ns" };

static bool is_there(const struct pdump_stack_view *view, int column)
{
    return !columns[column].is_over_ranks || view->n_ranks > 1;
}

static int64_t value_of(const struct pdump_stack_function *fn, int column)
{
    const char *from = (const char *)fn + columns[column].at;
    int64_t value;
    int rank;

    if (columns[column].is_rank) {
        memcpy(&rank, from, sizeof(rank));
        return rank;
    }
    memcpy(&value, from, sizeof(value));
    return value;
}

static int rows_of(const struct pdump_stack_view *view, int top)
{
    return top > 0 && top < view->n ? top : view->n;
}

static void put_title(FILE *f, int column)
{
    const char *unit = columns[column].unit;

    fprintf(f, ",%s%s%s%s", columns[column].name, unit[0] ? " [" : "", unit,
            unit[0] ? "]" : "");
}

void pdump_section_stacks_csv(FILE *f, const struct pdump_stack_view *view,
                              int top)
{
    fputs("function,file,line", f);
    for (int c = 0; c < N_COLUMNS; c++)
        if (is_there(view, c))
            put_title(f, c);
    for (int i = 0; i < rows_of(view, top); i++) {
        const struct pdump_stack_function *fn = &view->functions[i];
        const struct pdump_dump_region *region =
            &view->dump->regions[fn->region];

        fputc('\n', f);
        pdump_csv_put_text(f, region->name);
        fputc(',', f);
        pdump_csv_put_text(f, region->file);
        fprintf(f, ",%d", region->line);
        for (int c = 0; c < N_COLUMNS; c++)
            if (is_there(view, c)) {
                fputc(',', f);
                pdump_csv_put_int(f, value_of(fn, c));
            }
    }
    fputc('\n', f);
}

static void put_region(FILE *f, const struct pdump_dump_region *region)
{
    pdump_json_string(f, "{\"function\": ", region->name);
    pdump_json_string(f, ", \"file\": ", region->file);
    pdump_json_int(f, ", \"line\": ", region->line);
}

static void put_functions(FILE *f, const struct pdump_stack_view *view, int top)
{
    for (int i = 0; i < rows_of(view, top); i++) {
        const struct pdump_stack_function *fn = &view->functions[i];

        fputs(i ? ",\n    " : "\n    ", f);
        put_region(f, &view->dump->regions[fn->region]);
        for (int c = 0; c < N_COLUMNS; c++)
            if (is_there(view, c)) {
                fprintf(f, ", \"%s%s\"", columns[c].name,
                        columns[c].unit[0] ? "_ns" : "");
                pdump_json_int(f, ": ", value_of(fn, c));
            }
        fputc('}', f);
    }
}

static void put_path(FILE *f, const struct pdump_stack_view *view)
{
    for (int i = 0; i < view->n_path; i++) {
        const struct pdump_stack_step *step = &view->path[i];
        int region = view->dump->nodes[step->node].region;

        fputs(i ? ",\n    " : "\n    ", f);
        put_region(f, &view->dump->regions[region]);
        pdump_json_string(f, ", \"at\": ", step->line ? step->line : "");
        pdump_json_int(f, ", \"total_ns\": ", step->total);
        pdump_json_int(f, ", \"stacks\": ", step->stacks);
        fputc('}', f);
    }
}

void pdump_section_stacks_json(FILE *f, const struct pdump_stack_view *view,
                               int top)
{
    const struct pdump_dump *dump = view->dump;
    const char *command = pdump_dump_metadata(dump, "command");
    const char *clock = pdump_dump_metadata(dump, "stacks_clock");

    fputs("{\n  \"format\": \"pdump stacks\",\n  \"version\": 1", f);
    pdump_json_string(f, ",\n  \"command\": ", command ? command : "");
    pdump_json_string(f, ",\n  \"stacks_clock\": ", clock ? clock : "");
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        const char *value = pdump_dump_metadata(dump, facts[i]);

        fprintf(f, ",\n  \"%s\"", facts[i]);
        pdump_json_int(f, ": ",
                       value ? strtoll(value, NULL, 10) : PDUMP_MISSING);
    }
    pdump_json_int(f, ",\n  \"ranks\": ", view->n_ranks);
    pdump_json_int(f, ",\n  \"total_ns\": ", view->total);
    fputs(",\n  \"functions\": [", f);
    put_functions(f, view, top);
    fputs("],\n  \"hot_path\": [", f);
    put_path(f, view);
    fputs("]\n}\n", f);
}
