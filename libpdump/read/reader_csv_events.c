/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the events of a CSV dump: one line per event. */
#include "read/csv_layout.h"
#include "read/reader_csv_private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static int read_kind(const struct pdump_columns *in, enum pdump_event_kind *out)
{
    const char *name = pdump_columns_text(in, PDUMP_COLUMN_KIND);

    for (int i = 0; i < PDUMP_EVENT_KINDS; i++)
        if (strcmp(pdump_event_kind_name(i), name) == 0) {
            *out = i;
            return PDUMP_OK;
        }
    return pdump_csv_fail(&in->csv, "there is no kind of event '%.40s'", name);
}

static int read_event(const struct pdump_csv_load *load,
                      const struct pdump_columns *in)
{
    struct pdump_event event = { 0 };
    int thread = 0, node = -1;
    int64_t nothing = 0;
    int err = pdump_columns_thread(in, load, &thread);

    if (err == PDUMP_OK)
        err = pdump_columns_node(in, load, &node);
    if (err == PDUMP_OK)
        err = read_kind(in, &event.kind);
    if (event.kind == PDUMP_EVENT_COUNTER)
        nothing = PDUMP_MISSING;
    if (err == PDUMP_OK)
        err = pdump_columns_int(in, PDUMP_COLUMN_TIME, 0, PDUMP_EVENT_LAST, 0,
                                &event.time);
    if (err == PDUMP_OK)
        err = pdump_columns_int(in, PDUMP_COLUMN_WHAT, INT64_MIN, INT64_MAX, 0,
                                &event.what);
    if (err == PDUMP_OK)
        err = pdump_columns_int(in, PDUMP_COLUMN_VALUE, INT64_MIN, INT64_MAX,
                                nothing, &event.value);
    if (err == PDUMP_OK)
        err = pdump_columns_int(in, PDUMP_COLUMN_TAG, INT64_MIN, INT64_MAX, 0,
                                &event.tag);
    if (err < 0)
        return err;
    event.node = node;
    err = pdump_builder_event(load->b, thread, &event);
    return err < 0 && err != PDUMP_ENOMEM
               ? pdump_csv_fail(&in->csv, "the event is not of this dump, or "
                                          "its thread has had its turn")
               : err;
}

static int read_events(const struct pdump_csv_load *load,
                       struct pdump_columns *in)
{
    static const enum pdump_column needed[] = {
        PDUMP_COLUMN_PROCESS, PDUMP_COLUMN_THREAD, PDUMP_COLUMN_TIME,
        PDUMP_COLUMN_KIND,    PDUMP_COLUMN_NODE,
    };
    int64_t n = 0;
    int err = pdump_columns_need(in, needed, 5);

    for (; err >= 0 && (err = pdump_columns_next(in)) > 0; n++)
        err = read_event(load, in);
    if (err == 0 && n != load->n_events)
        err = pdump_csv_fail(
            &in->csv, "%lld events, but the %s beside it says %lld",
            (long long)n, PDUMP_CSV_META, (long long)load->n_events);
    return err;
}

int pdump_csv_load_events(struct pdump_csv_load *load, const char *path)
{
    struct pdump_columns in = { 0 };
    int err;

    if (load->n_events == 0)
        return PDUMP_OK; /* if the file exists, it is of another run */
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return pdump_builder_warning(
            load->b, "the file of the events is missing", load->n_events);
    err = pdump_columns_open(&in, load, path);
    if (err == PDUMP_OK)
        err = read_events(load, &in);
    pdump_columns_close(&in);
    return err;
}
