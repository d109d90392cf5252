/* SPDX-License-Identifier: BSD-3-Clause */
/* The public functions for the details of a dump. */
#include "dump/dump.h"

int pdump_dump_n_details(const struct pdump_dump *dump)
{
    return dump ? dump->n_details : 0;
}

/* Returns table `index`, or NULL and sets *err. */
static const struct pdump_dump_detail *table_of(const struct pdump_dump *dump,
                                                int index, const void *out,
                                                int *err)
{
    *err = PDUMP_OK;
    if (!dump || !out)
        *err = pdump_fail(PDUMP_EINVAL, "no dump or no result");
    else if (index < 0 || index >= dump->n_details)
        *err = pdump_fail(PDUMP_ENOENT, "no table %d of details", index);
    return *err < 0 ? NULL : &dump->details[index];
}

static int no_row(const struct pdump_dump_detail *table, int64_t row)
{
    return pdump_fail(PDUMP_ENOENT, "no row %lld of table %s", (long long)row,
                      table->name);
}

int pdump_dump_detail(const struct pdump_dump *dump, int index,
                      struct pdump_detail_info *out)
{
    int err;
    const struct pdump_dump_detail *table = table_of(dump, index, out, &err);

    if (!table)
        return err;
    return pdump_dump_give(out,
                           &(struct pdump_detail_info){
                               .name = table->name,
                               .about = table->about,
                               .key = table->key,
                               .n_fields = table->n_fields,
                               .n_values = table->n_values,
                               .n_rows = table->n_rows,
                           },
                           sizeof(*out));
}

int pdump_dump_detail_field(const struct pdump_dump *dump, int detail,
                            int index, struct pdump_field_info *out)
{
    int err, first = 0;
    const struct pdump_dump_detail *table = table_of(dump, detail, out, &err);
    const struct pdump_dump_field *field;

    if (!table)
        return err;
    if (index < 0 || index >= table->n_fields)
        return pdump_fail(PDUMP_ENOENT, "no field %d of table %s", index,
                          table->name);
    for (int i = 0; i < index; i++)
        first += table->fields[i].width;
    field = &table->fields[index];
    return pdump_dump_give(out,
                           &(struct pdump_field_info){
                               .name = field->name,
                               .unit = field->unit,
                               .kind = field->kind,
                               .width = field->width,
                               .first = first,
                           },
                           sizeof(*out));
}

int pdump_dump_detail_row(const struct pdump_dump *dump, int detail,
                          int64_t row, struct pdump_detail_row_info *out)
{
    int err;
    const struct pdump_dump_detail *table = table_of(dump, detail, out, &err);
    const struct pdump_dump_detail_row *found;
    struct pdump_detail_row_info full = {
        .process = -1, .rank = -1, .thread = -1, .region = ""
    };

    if (!table)
        return err;
    if (row < 0 || row >= table->n_rows)
        return no_row(table, row);
    found = &table->rows[row];
    if (found->thread >= 0) {
        full.process = dump->threads[found->thread].process;
        full.rank = dump->processes[full.process].rank;
        full.thread = dump->threads[found->thread].number;
    }
    full.node = found->node;
    if (found->node >= 0)
        full.region = dump->regions[dump->nodes[found->node].region].name;
    full.label = table->labels[found->label];
    full.values = table->values + row * table->n_values;
    return pdump_dump_give(out, &full, sizeof(full));
}

int64_t pdump_dump_detail_path(const struct pdump_dump *dump, int detail,
                               int64_t row, char *buf, size_t len)
{
    int err;
    const struct pdump_dump_detail *table = table_of(dump, detail, "", &err);

    if (!table)
        return err;
    if (!buf && len)
        return pdump_fail(PDUMP_EINVAL, "no buffer");
    if (row < 0 || row >= table->n_rows)
        return no_row(table, row);
    if (table->rows[row].node >= 0)
        return pdump_dump_node_path(dump, table->rows[row].node, buf, len);
    if (len)
        *buf = '\0';
    return 0;
}
