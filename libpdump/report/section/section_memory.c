/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the peak memory of each process whose memory was sampled. */
#include "report/section/section_private.h"
#include "report/view/memory_series.h"
#include "report/report_number.h"

#include <inttypes.h>

static void put_peak(FILE *f, const struct pdump_dump *dump,
                     const struct pdump_memory_one *line, bool is_job)
{
    char text[48];

    fputs(pdump_report_number_text((double)line->peak, "B", false, text), f);
    if (line->process < 0)
        return;
    if (is_job)
        fprintf(f, " on rank %d", dump->processes[line->process].rank);
    else if (dump->n_processes > 1)
        fprintf(f, " in process %" PRId64, dump->processes[line->process].pid);
}

static const char *place_of(const struct pdump_memory_one *line)
{
    for (int64_t i = 0; i < line->n; i++)
        if (line->points[i].rss == line->peak)
            return line->points[i].path;
    return "";
}

void pdump_section_put_memory(struct pdump_section_page *page,
                              const struct pdump_dump *dump)
{
    FILE *f;
    struct pdump_memory_series memory;
    const struct pdump_memory_one *least, *most;
    bool is_job = pdump_dump_metadata(dump, "ranks") != NULL;

    if (pdump_memory_series(dump, &memory) < 0 || memory.n == 0)
        return;
    least = most = memory.lines;
    for (int i = 1; i < memory.n; i++) {
        if (memory.lines[i].peak > most->peak)
            most = &memory.lines[i];
        if (memory.lines[i].peak < least->peak)
            least = &memory.lines[i];
    }
    f = pdump_section_line(page);
    if (!f) {
        pdump_memory_series_free(&memory);
        return;
    }
    fputs("Memory: peak ", f);
    put_peak(f, dump, most, is_job);
    if (*place_of(most))
        fprintf(f, ", in %s", place_of(most));
    if (least != most) {
        fputs("; least peak ", f);
        put_peak(f, dump, least, is_job);
    }
    pdump_section_line_end(page, f);
    pdump_memory_series_free(&memory);
}
