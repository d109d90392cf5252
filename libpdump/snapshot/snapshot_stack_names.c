/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the frames of stacks. */
#include "snapshot/snapshot_stacks.h"

#include <stdlib.h>

static int name_parts(struct pdump_snapshot *s,
                      const struct pdump_symbol_frame *frames, int n,
                      struct pdump_snapshot_frame *out)
{
    out->parts = calloc((size_t)n, sizeof(*out->parts));
    if (!out->parts)
        return pdump_no_memory();
    for (int i = 0; i < n; i++) {
        int function = pdump_stacks_function(
            s->stacks, frames[i].function,
            *frames[i].file ? frames[i].file : NULL, frames[i].line);

        if (function < 0)
            return function;
        out->parts[out->n_parts++] =
            (struct pdump_stacks_frame){ function, frames[i].at };
    }
    return PDUMP_OK;
}

int pdump_snapshot_stack_function(struct pdump_snapshot *s, const char *name,
                                  struct pdump_snapshot_frame *out)
{
    const struct pdump_symbol_frame frame = { .function = name, .file = "" };

    return name_parts(s, &frame, 1, out);
}

int pdump_snapshot_stack_part(struct pdump_snapshot *s,
                              const struct pdump_symbol_frame *frame,
                              struct pdump_snapshot_frame *out)
{
    return name_parts(s, frame, 1, out);
}

int pdump_snapshot_stack_name(struct pdump_snapshot *s,
                              const struct pdump_symbol_address *address,
                              struct pdump_snapshot_frame *out)
{
    struct pdump_symbol_frame *frames;
    int n = pdump_symbol_frames(address, 1, &frames), err;

    if (n < 0)
        return n;
    s->has_functions = true;
    err = name_parts(s, frames, n, out);
    free(frames);
    return err;
}
