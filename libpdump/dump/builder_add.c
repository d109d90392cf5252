/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds entries of any table to a builder. */
#include "dump/builder_add.h"

static int check_words(const struct pdump_schema_table *table,
                       const void *entry)
{
    for (int i = 0; i < table->n_fields; i++) {
        const struct pdump_schema_field *field = &table->fields[i];

        if (field->words && !pdump_schema_word(field, entry))
            return pdump_fail(PDUMP_EFORMAT, "no %s of %s is %lld", field->name,
                              table->name,
                              (long long)pdump_schema_int(field, entry));
    }
    return PDUMP_OK;
}

int pdump_builder_add(struct pdump_builder *b, enum pdump_table table,
                      const void *entry)
{
    const struct pdump_dump_node *node = entry;
    const struct pdump_dump_pair *pair = entry;
    const struct pdump_dump_warning *warning = entry;
    int err = check_words(&pdump_schema[table], entry);

    if (err < 0)
        return err;
    switch (table) {
    case PDUMP_TABLE_METRICS:
        return pdump_builder_metric(b, entry);
    case PDUMP_TABLE_REGIONS:
        return pdump_builder_region(b, entry);
    case PDUMP_TABLE_NODES:
        return pdump_builder_node(b, node->parent, node->region);
    case PDUMP_TABLE_PROCESSES:
        return pdump_builder_process(b, entry);
    case PDUMP_TABLE_THREADS:
        return pdump_builder_thread(b, entry);
    case PDUMP_TABLE_METADATA:
        return pdump_builder_metadata(b, pair->key, pair->value);
    case PDUMP_TABLE_WARNINGS:
        return pdump_builder_warning(b, warning->text, warning->count);
    default:
        return pdump_fail(PDUMP_EINVAL, "a %s is not added alone",
                          pdump_schema[table].name);
    }
}
