/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the frames of stacks. */
#include "record/symbols.h"
#include "snapshot/snapshot_stacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds where the function is defined: the place where its code starts. */
static void find_start(const char *path, uint64_t start,
                       struct pdump_symbol *out)
{
    char place[PDUMP_PLACE_MAX];

    snprintf(place, sizeof(place), "%s+0x%llx", path,
             (unsigned long long)start);
    pdump_symbols_find(place, out);
}

int pdump_snapshot_stack_name(struct pdump_snapshot *s, const char *path,
                              uint64_t address,
                              struct pdump_snapshot_frame *out)
{
    char place[PDUMP_PLACE_MAX], name[PDUMP_PLACE_MAX], line[600];
    struct pdump_symbol symbol, start = { .line = 0 };

    if (!path) {
        out->function =
            pdump_stacks_function(s->stacks, PDUMP_STACKS_NO_FILE, NULL, 0);
        return out->function;
    }
    s->has_functions = true;
    snprintf(place, sizeof(place), "%s+0x%llx", path,
             (unsigned long long)address);
    pdump_symbols_name(place, name, sizeof(name), &symbol);
    if (*symbol.file && symbol.line > 0) {
        snprintf(line, sizeof(line), "%s:%d", symbol.file, symbol.line);
        out->line = strdup(line);
        if (!out->line)
            return pdump_no_memory();
    }
    if (symbol.start)
        find_start(path, symbol.start, &start);
    out->function = pdump_stacks_function(
        s->stacks, name, *start.file ? start.file : NULL, start.line);
    return out->function;
}
