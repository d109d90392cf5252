/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds metadata and warnings to a finished dump. */
#include "dump/dump_append.h"
#include "base/array.h"
#include "base/string_pool.h"

#include <string.h>

static const char *text_keep(struct pdump_dump *tables, const char *text)
{
    const char *kept = pdump_string_pool_keep(tables->text, text, strlen(text));

    if (!kept)
        pdump_no_memory();
    return kept;
}

int pdump_append_metadata(struct pdump_dump *tables, const char *key,
                          const char *value)
{
    struct pdump_dump_pair pair = { text_keep(tables, key),
                                    text_keep(tables, value) };

    if (!pair.key || !pair.value ||
        pdump_array_make(&tables->metadata, tables->n_metadata, sizeof(pair)) <
            0)
        return PDUMP_ENOMEM;
    tables->metadata[tables->n_metadata++] = pair;
    return PDUMP_OK;
}

int pdump_append_warning(struct pdump_dump *tables, const char *text,
                         int64_t count)
{
    struct pdump_dump_warning warning = { text_keep(tables, text), count };

    if (!warning.text || pdump_array_make(&tables->warnings, tables->n_warnings,
                                          sizeof(warning)) < 0)
        return PDUMP_ENOMEM;
    tables->warnings[tables->n_warnings++] = warning;
    return PDUMP_OK;
}
