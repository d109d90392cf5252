/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the files of a session. */
#include "session/session_output.h"
#include "job/aggregate.h"
#include "job/job.h"
#include "dump/dump_copy.h"
#include "probe/run_join.h"
#include "record/thread.h"
#include "snapshot/snapshot.h"
#include "system/lock.h"
#include "system/log.h"
#include "system/write_guard.h"
#include "write/run_folder.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Calls each() for every name of a comma-separated list.  Returns the first
 * error. */
static int for_each(const char *list, int (*each)(const char *name, void *data),
                    void *data)
{
    char *copy = strdup(list), *rest = copy, *name;
    int err = PDUMP_OK, bad;

    if (!copy)
        return pdump_no_memory();
    while ((name = strtok_r(rest, ", \t", &rest))) {
        bad = each(name, data);
        if (bad < 0 && err >= 0)
            err = bad;
    }
    free(copy);
    return err;
}

static int check_format(const char *name, void *data)
{
    const struct pdump_sink *sink;

    *(int *)data += 1;
    if (pdump_sink_is_there(name))
        return PDUMP_OK; /* a module is loaded when it is needed */
    return pdump_sink_find(name, &sink);
}

void pdump_session_output_check(struct pdump_settings *set)
{
    int n = 0, err = for_each(set->format, check_format, &n);

    if (err >= 0 && n > 0)
        return;
    pdump_warn("PDUMP_OUTPUT_FORMAT", "PDUMP_OUTPUT_FORMAT=%.80s: %s; %s csv",
               set->format, n ? pdump_last_error() : "no format is named",
               n > 1 ? "instead" : "writing");
    if (n == 0) {
        char *csv = strdup("csv");

        if (csv) {
            free(set->format);
            set->format = csv;
        }
    }
}

static int load_format(const char *name, void *data)
{
    const struct pdump_sink *sink;

    (void)data;
    return pdump_sink_find(name, &sink);
}

void pdump_session_output_load(struct pdump_session *s)
{
    for_each(s->settings.format, load_format, NULL);
}

/* Returns the calling thread's recorder if it records into this session. */
static struct pdump_recorder *self_of(const struct pdump_session *s)
{
    return pdump_self.number == s->number ? &pdump_self : NULL;
}

int pdump_session_output_dump(struct pdump_session *s, bool has_events,
                              struct pdump_dump **out)
{
    struct pdump_moment now = pdump_clock_later(s->head->start);
    struct pdump_builder *b;
    int err = pdump_builder_new(&b);

    if (err < 0)
        return err;
    err = pdump_store_take(s->store);
    if (err >= 0) {
        err = pdump_snapshot_add(b, (char *)s->head, now, self_of(s),
                                 &s->sources, has_events ? s->beside : NULL);
        pdump_store_end(s->store);
    }
    return pdump_builder_close(b, err, out);
}

struct writing {
    struct pdump_session *session;
    const struct pdump_settings *settings;
    struct pdump_stream *in;
    struct pdump_run_folder *experiment; /* or NULL */
    char path[4096]; /* of the first file that can be read, or of the first */
    bool is_readable;
};

/* Returns true if all ranks write their rows themselves. */
static bool is_for_all(const struct writing *w, const struct pdump_sink *sink)
{
    const char *wish = w->settings->hdf5;
    int64_t max = w->settings->gather_max << 20;

    if (!w->in->fill || strcmp(sink->name, "hdf5") != 0 ||
        strcmp(wish, "gather") == 0)
        return false;
    if (strcmp(wish, "auto") == 0 && pdump_stream_bytes(w->in) <= max)
        return false;
    if (pdump_sink_find_filling(sink->name, &sink) >= 0)
        return true;
    if (strcmp(wish, "collective") == 0)
        pdump_warn("collective", "rank 0 writes for all: %s",
                   pdump_last_error());
    return false;
}

static int write_format(const char *name, void *data)
{
    struct writing *w = data;
    const struct pdump_sink *sink;
    char where[4096];
    int err;

    if (pdump_sink_find(name, &sink) < 0) {
        sink = &pdump_sink_csv;
        if (pdump_sink_is_there(name)) /* otherwise warned at the start */
            pdump_warn("format", "%s; writing csv", pdump_last_error());
    }
    w->in->is_hollow = is_for_all(w, sink);
    err = pdump_output_file_write(w->settings, sink, w->in,
                                  &w->session->written, where, sizeof(where));
    if (err >= 0)
        pdump_run_join_wrote(where);
    if (err >= 0 && !w->is_readable) {
        w->is_readable =
            strcmp(sink->name, "csv") == 0 || strcmp(sink->name, "hdf5") == 0;
        if (!*w->path || w->is_readable)
            snprintf(w->path, sizeof(w->path), "%s", where);
    }
    if (err >= 0 && w->experiment)
        pdump_run_folder_note(w->experiment, sink->name, where);
    return err;
}

/* Tells the user where the result is.  The processes of a run leave that to its
 * first one. */
static void tell_file(const struct pdump_session *s, const struct writing *w)
{
    const char *tell = s->settings.tell;
    bool is_wanted = strcmp(tell, "auto") == 0 ? isatty(STDERR_FILENO)
                                               : strcmp(tell, "always") == 0;

    if (!is_wanted || !s->last || s->origin.parent || s->rank > 0 || !*w->path)
        return;
    if (w->is_readable)
        pdump_log_say("%s (pdump report %s)", w->path, w->path);
    else
        pdump_log_say("%s", w->path);
}

static int write_formats(struct pdump_session *s, const char *filename,
                         struct pdump_stream *in)
{
    struct pdump_settings set = s->settings; /* borrows its strings */
    struct writing w = { .session = s, .settings = &set, .in = in };
    struct pdump_run_folder experiment;
    char where[PATH_MAX];
    int err;

    set.filename = (char *)filename;
    s->written.is_own_folder = false;
    if (*set.experiment) {
        if (pdump_run_folder_begin(&experiment, &s->settings, s->origin.run) >=
            0) {
            set.dir = experiment.dir;
            w.experiment = &experiment;
            s->written.is_own_folder = true;
        } else {
            pdump_warn("experiment", "PDUMP_EXPERIMENT_DIR: %s; writing to %s",
                       pdump_last_error(), set.dir);
        }
    }
    do
        err = for_each(set.format, write_format, &w);
    while (w.experiment && pdump_run_folder_end(&experiment, in->tables,
                                                where) == PDUMP_ESTATE);
    if (w.experiment && *where) {
        pdump_run_join_wrote(where);
        snprintf(w.path, sizeof(w.path), "%s", where);
    }
    tell_file(s, &w);
    return err;
}

/* Writes the dump of this process alone.  The files of ranks are side by
 * side. */
static int write_alone(struct pdump_session *s, const struct pdump_dump *dump,
                       const char *filename)
{
    char name[NAME_MAX];
    struct pdump_stream *in;
    int err = pdump_stream_of(dump, &in);
    bool is_named; /* after the rank, unless PDUMP_RANKS=own */

    if (err < 0)
        return err;
    snprintf(name, sizeof(name), "%.200s.rank-%d", filename, s->rank);
    if (s->rank >= 0)
        pdump_log_speak();
    is_named = s->rank >= 0 && strcmp(s->settings.ranks, "own") != 0;
    err = write_formats(s, is_named ? name : filename, in);
    pdump_stream_free(in);
    return err;
}

static int find_fill(pdump_fill **out)
{
    const struct pdump_sink *sink;
    int err = pdump_sink_find_filling("hdf5", &sink);

    if (err >= 0)
        *out = sink->fill;
    return err;
}

static int write_together(struct pdump_session *s,
                          const struct pdump_dump *dump, const char *filename,
                          const struct pdump_session_output_order *order)
{
    struct pdump_aggregate *a;
    struct pdump_stream *in;
    int err = pdump_aggregate_open(dump, s->comm, order->group, order->what,
                                   &s->settings, &s->align, &a);

    if (err < 0)
        return err;
    pdump_aggregate_fill_by(a, find_fill);
    in = pdump_aggregate_stream(a);
    if (in)
        err = write_formats(s, filename, in);
    return pdump_aggregate_close(a, err);
}

void pdump_session_output_tell_alone(void)
{
    pdump_log_speak();
    pdump_warn("together", "%s; each rank writes a file of its own",
               pdump_last_error());
}

/* Files of a child are beside those of its parent.  But if the child is a rank
 * that another process has started, its files are those of the job. */
static const char *name_file(const struct pdump_session *s,
                             const struct pdump_session_output_order *order,
                             char buf[NAME_MAX])
{
    if (order->name)
        return order->name;
    if (!s->origin.parent || s->comm != &pdump_comm_solo)
        return s->settings.filename;
    snprintf(buf, NAME_MAX, "%.220s-%ld", s->settings.filename, (long)getpid());
    return buf;
}

static int write_dump(struct pdump_session *s, const struct pdump_dump *dump,
                      const struct pdump_session_output_order *order)
{
    char own[NAME_MAX];
    const char *filename = name_file(s, order, own);
    int err;

    if (s->comm == &pdump_comm_solo) {
        if (s->last && s->rank >= 0 && pdump_job_was_started())
            pdump_warn("not joined",
                       "no region was new between MPI_Init and MPI_Finalize, "
                       "nor was pdump_init called there; each rank writes a "
                       "file of its own");
        return write_alone(s, dump, filename);
    }
    if (!order->is_together || !s->comm->is_up()) {
        if (s->last && !order->is_told) {
            pdump_log_speak();
            pdump_warn("no MPI_Finalize",
                       "the program ends without MPI_Finalize; this rank "
                       "writes a file of its own");
        }
        return write_alone(s, dump, filename);
    }
    err = write_together(s, dump, filename, order);
    /* The group is not a communicator, or not of ranks: an error of the
     * program. */
    if (err >= 0 || (order->group && err == PDUMP_EINVAL))
        return err;
    pdump_session_output_tell_alone();
    return write_alone(s, dump, filename);
}

/* Makes a dump of the metadata of a process without records. */
static int take_facts(struct pdump_session *s, struct pdump_dump **out)
{
    struct pdump_dump *own = NULL;
    struct pdump_dump_copy copy = { 0 };
    int err = pdump_builder_new(&copy.to);

    if (err >= 0)
        err = pdump_session_output_dump(s, false, &own);
    copy.from = own;
    if (err >= 0)
        err = pdump_dump_copy_metadata(&copy);
    err = pdump_builder_close(copy.to, err, out);
    pdump_dump_free(own);
    return err;
}

/* Another thread may flush the session at the same time: it either writes a
 * dump of its own or, after this, the last one. */
int pdump_session_output_take_last(struct pdump_session *s, bool has_records)
{
    const char *path = pdump_store_path(s->store);
    bool is_alone = pdump_turn_take(&s->lock) >= 0;
    int err;

    pdump_fd_reserve_use(&s->reserve);
    err = has_records ? pdump_session_output_dump(s, true, &s->last)
                      : take_facts(s, &s->last);
    pdump_fd_reserve_back(&s->reserve);
    if (err >= 0 && s->settings.follow && path) {
        atomic_store(&s->head->is_closing, 1);
        pdump_store_publish(s->store, &s->head->is_closing,
                            sizeof(s->head->is_closing));
        pdump_run_children_collect(path, s->head->run, &s->last, &s->children);
    }
    if (is_alone)
        pdump_turn_end(&s->lock);
    return err;
}

int pdump_session_output_write(struct pdump_session *s,
                               const struct pdump_session_output_order *order)
{
    struct pdump_write_guard hold;
    struct pdump_dump *dump;
    int err = pdump_turn_take(&s->lock);

    if (err < 0) {
        pdump_warn("turn", "no dump is written: %s", pdump_last_error());
        return err;
    }
    dump = s->last;
    pdump_write_guard_hold(&hold);
    pdump_fd_reserve_use(&s->reserve);
    if (!dump)
        err = pdump_session_output_dump(s, true, &dump);
    if (err >= 0)
        err = write_dump(s, dump, order);
    if (dump != s->last)
        pdump_dump_free(dump);
    pdump_fd_reserve_back(&s->reserve);
    pdump_write_guard_release(&hold);
    pdump_turn_end(&s->lock);
    return err;
}

void pdump_session_output_attend(struct pdump_session *s,
                                 const struct pdump_session_output_order *order)
{
    const struct pdump_dump_process process = { .rank = s->rank,
                                                .pid = getpid() };
    struct pdump_builder *b;
    struct pdump_dump *nothing;

    if (pdump_builder_new(&b) < 0)
        return;
    s->written.n = 0; /* the next files are those of another session */
    if (pdump_builder_process(b, &process) >= 0 &&
        pdump_builder_finish(b, &nothing) >= 0) {
        write_together(s, nothing, s->settings.filename, order);
        pdump_dump_free(nothing);
    }
    pdump_builder_free(b);
}
