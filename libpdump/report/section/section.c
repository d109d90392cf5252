/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections of a report that are not about regions. */
#include "report/section/section_private.h"
#include "dump/stacks.h"
#include "report/user_locale.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    pdump_section *print;
    const char *group; /* of its regions; NULL: it has none */
    const char *title;
    const char *tables[2]; /* it shows any of these */
} sections[] = {
    { "mpi", pdump_section_mpi, "mpi", "MPI", { "mpi", "mpi_python" } },
    { "io", pdump_section_io, "io", "I/O", { "io" } },
    { "heap", pdump_section_heap, NULL, NULL, { "heap" } },
    { "lines", pdump_section_lines, NULL, NULL, { "lines" } },
    { "stacks", pdump_section_stacks, NULL, NULL, { NULL } },
};

enum { N_SECTIONS = sizeof(sections) / sizeof(sections[0]) };

static bool has_data(const struct pdump_dump *dump, int section)
{
    if (sections[section].print == pdump_section_stacks)
        return pdump_stacks_are_in(dump); /* lines may be unknown */
    for (int i = 0; i < 2 && sections[section].tables[i]; i++) {
        const struct pdump_dump_detail *detail =
            pdump_dump_find_detail(dump, sections[section].tables[i]);

        if (detail && detail->n_rows > 0)
            return true;
    }
    return false;
}

static int print_one(struct pdump_section_page *page, const char *name,
                     const struct pdump_dump *dump)
{
    for (int i = 0; i < N_SECTIONS; i++)
        if (strcmp(sections[i].name, name) == 0) {
            page->section = name;
            return sections[i].print(page, dump);
        }
    return PDUMP_ENOENT;
}

int pdump_section_print(FILE *f, const char *const *names, int n,
                        const struct pdump_dump *dump,
                        const struct pdump_section_options *options)
{
    struct pdump_section_page page = { .f = f, .options = options };
    bool is_json = options->format == PDUMP_REPORT_JSON;
    struct pdump_user_locale locale;
    int err = PDUMP_OK;

    pdump_user_locale_enter(&locale);
    if (is_json)
        fputs("{\n  \"format\": \"pdump report\",\n  \"version\": 1,\n"
              "  \"tables\": [",
              f);
    for (int i = 0; err >= 0 && i < n; i++)
        err = print_one(&page, names[i], dump);
    if (is_json)
        fputs("]\n}\n", f);
    pdump_user_locale_leave(&locale);
    return err;
}

int pdump_section_print_all(FILE *f, const struct pdump_dump *dump,
                            const struct pdump_section_options *options)
{
    struct pdump_section_page page = { .f = f, .options = options };
    const char *names[N_SECTIONS];
    struct pdump_user_locale locale;
    int n = 0;

    pdump_user_locale_enter(&locale);
    pdump_section_put_memory(&page, dump);
    pdump_user_locale_leave(&locale);
    for (int i = 0; i < N_SECTIONS; i++)
        if (has_data(dump, i))
            names[n++] = sections[i].name;
    return pdump_section_print(f, names, n, dump, options);
}

static bool has_group(const struct pdump_dump *dump, const char *group)
{
    for (int i = 0; i < dump->n_regions; i++)
        if (strcmp(dump->regions[i].group, group) == 0)
            return true;
    return false;
}

void pdump_section_put_hints(FILE *f, const struct pdump_dump *dump,
                             const struct pdump_section_options *options)
{
    struct pdump_section_page page = { .f = f, .options = options };
    struct pdump_user_locale locale;

    pdump_user_locale_enter(&locale);
    for (int i = 0; i < N_SECTIONS; i++) {
        struct pdump_section_share *shares;
        char title[64];
        int n;

        if (!sections[i].group || !has_group(dump, sections[i].group) ||
            pdump_section_shares(dump, sections[i].group, &shares, &n) < 0)
            continue;
        snprintf(title, sizeof(title), "%s (--%s)", sections[i].title,
                 sections[i].name);
        pdump_section_put_shares(&page, title, shares, n);
        free(shares);
    }
    pdump_section_put_memory(&page, dump);
    pdump_section_put_heap(&page, dump);
    pdump_section_put_stacks(&page, dump);
    pdump_user_locale_leave(&locale);
}
