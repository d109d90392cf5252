/* SPDX-License-Identifier: BSD-3-Clause */
/* An example of a module: it brings one output format, "example". */
#include "system/plugin.h"
#include "write/sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A test builds the module for another release as well. */
#ifdef EXAMPLE_RELEASE
PDUMP_PLUGIN_DECLARE(PDUMP_PLUGIN_ABI, EXAMPLE_RELEASE);

/* Nothing of it may run. */
__attribute__((constructor)) static void start(void)
{
    setenv("PDUMP_TEST_MISFIT", "ran", 1);
}
#else
PDUMP_PLUGIN_MODULE;
#endif

static int example_print(FILE *f, void *data)
{
    const struct pdump_stream *in = data;

    fprintf(f, "%lld rows\n", (long long)in->row_ptr[in->n_pieces]);
    return PDUMP_OK;
}

static int example_write(struct pdump_stream *in,
                         const struct pdump_new_file *file)
{
    return pdump_sink_print(file, example_print, in);
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".example", .write = example_write },
    { .suffix = NULL },
};

static const struct pdump_sink sink_example = {
    .name = "example",
    .about = "the number of rows",
    .parts = parts,
};

static const struct pdump_sink *const sinks[] = { &sink_example, NULL };

const struct pdump_plugin pdump_plugin = {
    .name = "example",
    .sinks = sinks,
};
