/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a dump with stacks, of which every figure is known, as CSV: `made NAME
 * RANKS`; with a third argument the same without stacks. */
#include "dump_kit.h"
#include "new_file_kit.h"

int main(int argc, char **argv)
{
    struct pdump_dump *dump;
    struct pdump_stream *in;

    if (argc < 3)
        return 2;
    dump = kit_stacks_dump(atoi(argv[2]), argc == 3);
    if (!dump || pdump_stream_of(dump, &in) < 0)
        return 1;
    for (const struct pdump_sink_part *part = pdump_sink_csv.parts;
         part->suffix; part++) {
        char path[300];

        snprintf(path, sizeof(path), "%.250s%s", argv[1], part->suffix);
        if ((!part->is_wanted || part->is_wanted(in)) &&
            new_file_write(part, in, path) < 0)
            return 1;
    }
    pdump_stream_free(in);
    pdump_dump_free(dump);
    return 0;
}
