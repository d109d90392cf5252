/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the report to a file, with all its sections, for users who do not want
 * to call `pdump report`. */
#include "report/report.h"
#include "report/section/section.h"
#include "write/sink.h"

enum { WIDTH = 100 };

static int put_report(FILE *f, void *data)
{
    const struct pdump_view *view = data;
    const struct pdump_report_options look = { .width = WIDTH };
    const struct pdump_section_options sections = {
        .width = WIDTH,
        .top = PDUMP_SECTION_TOP,
    };
    int err = pdump_report_print(f, view, &look);

    if (err >= 0)
        err = pdump_section_print_all(f, view->dump, &sections);
    return err;
}

static int text_write(struct pdump_stream *in, const char *path)
{
    const struct pdump_view_options how = { .key = -1 };
    const struct pdump_dump *dump;
    struct pdump_view *view;
    int err = pdump_stream_whole(in, &dump);

    if (err >= 0)
        err = pdump_view_new(dump, &how, &view);
    if (err < 0)
        return err;
    err = pdump_sink_print(path, put_report, view);
    pdump_view_free(view);
    return err;
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".txt", .write = text_write },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_text = {
    .name = "text",
    .about = "the report of `pdump report`, with all its sections",
    .parts = parts,
};
