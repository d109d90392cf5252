/* SPDX-License-Identifier: BSD-3-Clause */
/* made NAME FORMAT [RANK]: the dump of lanes_kit.h in a file of this format;
 * its second process has that rank. */
#include "lanes_kit.h"
#include "write/output_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct pdump_settings set = { .dir = (char *)".",
                                  .filename = argv[argc > 1] };
    struct pdump_written written = { .n = 0 };
    struct pdump_dump *dump = kit_lanes(true);
    const struct pdump_sink *sink;
    struct pdump_stream *in;
    char where[PATH_MAX];
    int err;

    if (argc < 3 || !dump)
        return 2;
    if (argc > 3)
        dump->processes[1].rank = atoi(argv[3]);
    err = pdump_sink_find(argv[2], &sink);
    if (err >= 0)
        err = pdump_stream_of(dump, &in);
    if (err >= 0) {
        err = pdump_output_file_write(&set, sink, in, &written, where,
                                      sizeof(where));
        pdump_stream_free(in);
    }
    if (err < 0)
        fprintf(stderr, "%s\n", pdump_last_error());
    else
        printf("%s\n", where);
    pdump_dump_free(dump);
    return err < 0;
}
