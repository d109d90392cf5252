/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes memory over time into the data of the page. */
#include "write_memory.h"

#include "base/json.h"
#include "report/view/memory_series.h"

#include <inttypes.h>

/* Limits for the size of the page: the processes with the highest peaks; of
 * each line every n-th point and the peaks between them. */
enum { LINES_MAX = 64, POINTS_MAX = 1024 };

static bool is_shown(const struct pdump_memory_series *memory, int line)
{
    int higher = 0;

    for (int i = 0; i < memory->n; i++)
        higher +=
            memory->lines[i].peak > memory->lines[line].peak ||
            (memory->lines[i].peak == memory->lines[line].peak && i < line);
    return higher < LINES_MAX;
}

static const struct pdump_memory_point *highest(
    const struct pdump_memory_point *p, int64_t n)
{
    const struct pdump_memory_point *best = p;

    for (int64_t i = 1; i < n; i++)
        if (p[i].rss > best->rss)
            best = &p[i];
    return best;
}

static void put_points(FILE *f, const struct pdump_memory_one *line)
{
    int64_t step = line->n / POINTS_MAX + 1;

    for (int64_t i = 0; i < line->n; i += step) {
        const struct pdump_memory_point *p =
            highest(line->points + i, line->n - i < step ? line->n - i : step);

        fprintf(f, "%s[%.3f,%" PRId64 ",%" PRId64 ",%" PRId64 ",", i ? "," : "",
                p->ms, p->rss, p->pss, p->children);
        pdump_json_string(f, "", p->path);
        putc_unlocked(']', f);
    }
}

void html_write_memory(FILE *f, const struct pdump_dump *tables)
{
    struct pdump_memory_series memory;
    const char *between = "";

    fputs(",\n\"memory\":[", f);
    if (pdump_memory_series(tables, &memory) < 0) {
        putc_unlocked(']', f);
        return;
    }
    for (int i = 0; i < memory.n; i++) {
        int process = memory.lines[i].process;

        if (!is_shown(&memory, i))
            continue;
        fprintf(f, "%s{\"rank\":%d,\"pid\":%" PRId64 ",\"points\":[", between,
                process < 0 ? -1 : tables->processes[process].rank,
                process < 0 ? 0 : tables->processes[process].pid);
        put_points(f, &memory.lines[i]);
        fputs("]}", f);
        between = ",\n";
    }
    putc_unlocked(']', f);
    pdump_memory_series_free(&memory);
}
