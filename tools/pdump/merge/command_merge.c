/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump merge: merges many files into one, with one at a time in memory. */
#include "common/guard.h"
#include "export/export.h"
#include "info/format_list.h"

#include "base/pair_index.h"
#include "config/settings.h"
#include "stream/stream_files.h"
#include "system/env.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct command_option options[] = {
    { "output", "NAME", "name of the file; its ending may stand for" },
    { NULL, NULL, "the format" },
    { "format", "FORMAT", "one of those below" },
    { "sum", NULL, "add up runs, rank by rank and region by region" },
    { NULL, NULL, NULL },
};

/* Keeps each file once.  Returns an exit code, or -1 to go on. */
static int choose_files(struct export_request *q)
{
    struct pdump_pair_index seen = { 0 };
    int n = 0, code = -1;

    for (int i = 0; i < q->n_files && code < 0; i++) {
        struct stat st;

        q->files[n++] = q->files[i];
        if (stat(q->files[i], &st) != 0)
            continue;
        if (pdump_pair_index_find(&seen, (int64_t)st.st_dev,
                                  (int64_t)st.st_ino) >= 0)
            code = command_usage(q->self, "%s is there twice", q->files[i]);
        else if (pdump_pair_index_put(&seen, (int64_t)st.st_dev,
                                      (int64_t)st.st_ino, i) < 0)
            code = command_fail(q->self, "out of memory");
    }
    pdump_pair_index_free(&seen);
    q->n_files = n;
    return code;
}

static int write_sum(struct export_request *q, struct pdump_stream *in)
{
    struct pdump_dump *sum;
    int64_t n_samples = in->sample_ptr[in->n_pieces];
    int64_t n_events = in->event_ptr[in->n_pieces];
    int code;

    if (pdump_stream_files_sum(in, &sum) < 0)
        return command_fail(q->self, "%s", pdump_last_error());
    code = export_write_dump(q, sum);
    pdump_dump_free(sum);
    if (n_samples > 0)
        fprintf(stderr,
                "pdump %s: %lld samples of single visits are left out of a "
                "sum\n",
                q->self->name, (long long)n_samples);
    if (n_events > 0)
        fprintf(stderr,
                "pdump %s: %lld events of the timeline are left out of a sum\n",
                q->self->name, (long long)n_events);
    return code;
}

static void tell_ranks(const struct export_request *q, struct pdump_stream *in)
{
    const struct pdump_run_groups *runs = pdump_stream_files_runs(in);

    if (runs->n_shifted > 0)
        fprintf(export_is_piped(q) ? stderr : stdout,
                "%d of %d files have ranks that others had before; they got "
                "new numbers (merged_rank in the metadata)\n",
                runs->n_shifted, q->n_files);
}

struct work {
    struct export_request *q;
    int64_t whole_max;
};

static int merge(void *data)
{
    const struct work *w = data;
    struct export_request *q = w->q;
    struct pdump_stream *in;
    int code;

    guard_tell("reading", 0, 0);
    if (pdump_stream_files_open(q->files, q->n_files, !q->is_sum, w->whole_max,
                                &in) < 0)
        return command_fail(q->self, "%s", pdump_last_error());
    guard_tell("writing", 0, 0);
    code = q->is_sum ? write_sum(q, in) : export_write(q, in);
    if (code == COMMAND_OK)
        tell_ranks(q, in);
    pdump_stream_files_close(in);
    return code;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct export_request q = { .self = self };
    struct pdump_settings set;
    int code = export_prepare(&q, argc, argv);

    if (code < 0 && !q.output)
        code = command_usage(self, "into which file? -o NAME");
    if (code < 0)
        code = choose_files(&q);
    if (code < 0 && pdump_settings_load(&set, pdump_env) < 0)
        code = command_fail(self, "%s", pdump_last_error());
    if (code < 0) {
        code = guard_run(self, q.to.dir, merge,
                         &(struct work){ &q, set.gather_max << 20 });
        pdump_settings_free(&set);
    }
    free(q.files);
    return code;
}

const struct command command_merge = {
    .name = "merge",
    .operands = "FILE...",
    .about = "Put the files of many processes, ranks or runs together",
    .more = "Any mixture of csv, hdf5 and stores.  Processes stand side by "
            "side;\nranks that another run has already get new numbers.  One "
            "file at a time\nis in memory.  A file that has the name already "
            "is renamed, never replaced.",
    .options = options,
    .letters = "o f",
    .put_more = format_list_help,
    .run = run,
};
