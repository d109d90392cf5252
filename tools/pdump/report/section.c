/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections of a report that are not about regions. */
#include "report/section.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    section *print;
    const char *group; /* of its regions; NULL: it has none */
    const char *title;
} sections[] = {
    { "mpi", section_mpi, "mpi", "MPI" },
    { "io", section_io, "io", "I/O" },
    { "heap", section_heap, NULL, NULL },
    { "lines", section_lines, NULL, NULL },
};

enum { N_SECTIONS = sizeof(sections) / sizeof(sections[0]) };

section *section_find(const char *name)
{
    for (int i = 0; i < N_SECTIONS; i++)
        if (strcmp(sections[i].name, name) == 0)
            return sections[i].print;
    return NULL;
}

static bool has_group(const struct pdump_dump *dump, const char *group)
{
    for (int i = 0; i < dump->n_regions; i++)
        if (strcmp(dump->regions[i].group, group) == 0)
            return true;
    return false;
}

void section_put_hints(FILE *f, const struct pdump_dump *dump)
{
    for (int i = 0; i < N_SECTIONS; i++) {
        struct section_share *shares;
        char title[64];
        int n;

        if (!sections[i].group || !has_group(dump, sections[i].group) ||
            section_shares(dump, sections[i].group, &shares, &n) < 0)
            continue;
        snprintf(title, sizeof(title), "%s (--%s)", sections[i].title,
                 sections[i].name);
        section_put_shares(f, title, shares, n);
        free(shares);
    }
    section_put_memory(f, dump);
    section_put_heap(f, dump);
}
