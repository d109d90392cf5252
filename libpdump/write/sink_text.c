/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the report to a file, with all its sections, for users who do not want
 * to call `pdump report`. */
#include "dump/stacks.h"
#include "report/report.h"
#include "report/section/section.h"
#include "write/sink.h"

enum { WIDTH = 100 };

/* The tree is that of regions; stacks are a section. */
struct texts {
    const struct pdump_dump *dump;
    const struct pdump_view *view;
};

static int put_report(FILE *f, void *data)
{
    const struct texts *texts = data;
    const struct pdump_report_options look = { .width = WIDTH,
                                               .has_all_notes = true };
    const struct pdump_section_options sections = {
        .width = WIDTH,
        .top = PDUMP_SECTION_TOP,
    };
    int err = pdump_report_print(f, texts->view, &look);

    if (err >= 0)
        err = pdump_section_print_all(f, texts->dump, &sections);
    return err;
}

static int text_write(struct pdump_stream *in,
                      const struct pdump_new_file *file)
{
    const struct pdump_view_options how = { .key = -1 };
    struct pdump_dump *regions = NULL;
    struct pdump_view *view = NULL;
    struct texts texts;
    int err = pdump_stream_whole(in, &texts.dump);

    if (err >= 0 && pdump_stacks_are_in(texts.dump))
        err = pdump_stacks_leave_out(texts.dump, &regions);
    if (err >= 0)
        err = pdump_view_new(regions ? regions : texts.dump, &how, &view);
    texts.view = view;
    if (err >= 0) {
        err = pdump_sink_print(file, put_report, &texts);
        pdump_view_free(view);
    }
    pdump_dump_free(regions);
    return err;
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".txt", .write = text_write },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_text = {
    .name = "text",
    .about = "the report of `pdump report`, with all its sections",
    .has_stacks = true,
    .parts = parts,
};
