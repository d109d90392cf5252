/* SPDX-License-Identifier: BSD-3-Clause */
/* The report as a file, for those who do not want to call `pdump report`. */
#include "report.h"
#include "sink.h"

#include <errno.h>
#include <string.h>

enum { WIDTH = 100 };

static int text_write(const struct pdump_dump *dump, const char *path,
                      const struct pdump_comm *comm)
{
    const struct pdump_view_options how = { .key = -1 };
    const struct pdump_report_options look = { .width = WIDTH };
    struct pdump_view *view;
    FILE *f;
    int err, bad;

    (void)comm;
    err = pdump_view_new(dump, &how, &view);
    if (err < 0)
        return err;
    f = fopen(path, "we");
    if (!f) {
        err = pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
        goto out;
    }
    err = pdump_report_print(f, view, &look);
    /* fclose() succeeds after a failed flush. */
    bad = fflush(f) != 0 || ferror(f);
    if ((fclose(f) != 0 || bad) && err == PDUMP_OK)
        err = pdump_fail(PDUMP_EIO, "%s: write failed", path);
out:
    pdump_view_free(view);
    return err;
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".txt", .write = text_write },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_text = {
    .name = "text",
    .about = "the report of `pdump report`, 100 columns wide",
    .mode = PDUMP_SINK_ROOT,
    .parts = parts,
};
