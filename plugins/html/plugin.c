/* SPDX-License-Identifier: BSD-3-Clause */
/* The module "html": a sink that writes one self-contained page. */
#include "figures.h"
#include "page_text.h"
#include "system/plugin.h"
#include "write/sink.h"
#include "write_data.h"

PDUMP_PLUGIN_MODULE;

struct page {
    struct figures figures;
    struct pdump_stream *in;
};

static int put_page(FILE *f, void *data)
{
    const struct page *page = data;
    int err;

    fwrite(pdump_html_head, 1, pdump_html_head_len, f);
    err = html_write_data(f, &page->figures, page->in);
    fwrite(pdump_html_tail, 1, pdump_html_tail_len, f);
    return err;
}

static int html_write(struct pdump_stream *in,
                      const struct pdump_new_file *file)
{
    struct page page = { .in = in };
    int err = figures_of(in, &page.figures);

    if (err < 0)
        return err;
    err = pdump_sink_print(file, put_page, &page);
    figures_free(&page.figures);
    return err;
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".html", .write = html_write },
    { .suffix = NULL },
};

static const struct pdump_sink sink = {
    .name = "html",
    .about = "one page for a browser, without a network",
    .has_stacks = true,
    .parts = parts,
};

static const struct pdump_sink *const sinks[] = { &sink, NULL };

const struct pdump_plugin pdump_plugin = {
    .name = "html",
    .sinks = sinks,
};
