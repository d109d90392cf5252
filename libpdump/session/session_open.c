/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens everything that a session needs, in the order of the data flow. */
#include "config/step_ranges.h"
#include "job/job.h"
#include "probe/visit_cost.h"
#include "record/calibrate.h"
#include "session/session.h"
#include "session/session_output.h"
#include "session/timeline_writer.h"
#include "store/store_file.h"
#include "store/store_leftover.h"
#include "store/store_metadata.h"
#include "system/env.h"
#include "system/log.h"
#include "system/plugin.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Makes a name for the run: that of the job if a launcher gave one, otherwise a
 * new one. */
static void name_run(char *run, size_t len)
{
    struct timespec now;

    if (*run)
        return;
    pdump_job_name(run, len);
    if (*run)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(run, len, "%llx%05lx%lx", (long long)now.tv_sec, now.tv_nsec >> 12,
             (long)getpid());
}

/* Opens the store: a file, or memory if the file cannot be made. */
static int open_store(struct pdump_session *s)
{
    size_t memory = (size_t)s->settings.memory_max * 1024 * 1024;
    char path[PATH_MAX];
    int fd;

    name_run(s->origin.run, sizeof(s->origin.run));
    fd = pdump_store_file_make(&s->settings, s->origin.run, s->origin.root,
                               path, sizeof(path));
    if (fd >= 0)
        return pdump_store_open_file(&s->store, memory, sizeof(*s->head), fd,
                                     path);
    if (fd == PDUMP_EIO)
        pdump_warn("store",
                   "no store: %s; what is recorded does not survive "
                   "a kill",
                   pdump_last_error());
    return pdump_store_open(&s->store, memory, sizeof(*s->head));
}

/* Uses the whole filter or none: part of a filter would exclude the wrong
 * regions. */
static void open_filter(struct pdump_session *s)
{
    if ((!*s->settings.filter && !*s->settings.filter_rules) ||
        pdump_filter_open(s->settings.filter, s->settings.filter_rules,
                          &s->filter) >= 0)
        return;
    pdump_warn("PDUMP_FILTER", "%s; the filter is not used, all is recorded",
               pdump_last_error());
}

/* Notes the filter that is used; if it could not be read, there is none. */
static int note_filter(struct pdump_session *s)
{
    char rules[4096];
    int err;

    if (!s->filter)
        return PDUMP_OK;
    pdump_filter_describe(s->filter, rules, sizeof(rules));
    err = pdump_store_metadata_add(s->store, "filter", s->settings.filter);
    return err < 0 ? err
                   : pdump_store_metadata_add(s->store, "filter_rules", rules);
}

/* Fills the head of the store with everything that a reader needs. */
static int fill_store(struct pdump_session *s)
{
    size_t bytes = (size_t)s->sources.n_metrics * sizeof(s->sources.metric[0]);
    struct pdump_head *head = s->head;
    struct timespec now;
    int err;

    clock_gettime(CLOCK_REALTIME, &now);
    memcpy(head->magic, PDUMP_STORE_MAGIC, sizeof(head->magic));
    head->version = PDUMP_STORE_VERSION;
    head->layout = pdump_store_layout();
    memcpy(head->run, s->origin.run, sizeof(head->run));
    head->pid = getpid();
    head->parent = s->origin.parent;
    head->root = s->origin.root_pid;
    head->rank = s->rank < 0 ? 0 : s->rank;
    head->start_realtime = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
    head->n_metrics = (uint32_t)s->sources.n_metrics;
    head->metrics = pdump_store_alloc(s->store, bytes);
    head->warnings = pdump_store_alloc(s->store, sizeof(struct pdump_warnings));
    if (!head->metrics || !head->warnings)
        return pdump_no_memory();
    memcpy(pdump_store_at((char *)head, head->metrics), s->sources.metric,
           bytes);
    err = pdump_store_metadata_start(s->store, &s->settings, &s->sources,
                                     s->clock);
    return err < 0 ? err : note_filter(s);
}

static void check_steps(struct pdump_settings *set)
{
    if (pdump_step_ranges_are_good(set->steps))
        return;
    pdump_warn("PDUMP_DUMP_STEPS",
               "PDUMP_DUMP_STEPS=%.80s: not a list like 0,10-20,100-; "
               "recording all steps",
               set->steps);
    set->steps[0] = '\0';
}

static void check_ranks(struct pdump_settings *set)
{
    size_t digits = strspn(set->ranks, "0123456789");
    char *fallback;

    if (strcmp(set->ranks, "auto") == 0 || strcmp(set->ranks, "all") == 0 ||
        strcmp(set->ranks, "stats") == 0 || strcmp(set->ranks, "own") == 0 ||
        (digits > 0 && digits < 10 && !set->ranks[digits]))
        return;
    pdump_warn(
        "PDUMP_RANKS",
        "PDUMP_RANKS=%.80s: it must be all, stats, own, auto or a number; "
        "using auto",
        set->ranks);
    fallback = strdup("auto");
    if (!fallback)
        return;
    free(set->ranks);
    set->ranks = fallback;
}

/* Makes a folder absolute: output goes to where the program was started, even
 * after a chdir(). */
static void fix_folder(char **folder)
{
    char here[PATH_MAX], *path;
    size_t len = sizeof(here) + strlen(*folder) + 2;

    if (**folder == '/' || !getcwd(here, sizeof(here)))
        return;
    path = malloc(len);
    if (!path)
        return;
    if (strcmp(*folder, ".") == 0)
        snprintf(path, len, "%s", here);
    else
        snprintf(path, len, "%s/%s", here, *folder);
    free(*folder);
    *folder = path;
}

/* Removes slashes at the end of a folder's name. */
static void fix_experiment(struct pdump_settings *set)
{
    size_t len = strlen(set->experiment);

    if (len == 0)
        return;
    while (len > 1 && set->experiment[len - 1] == '/')
        set->experiment[--len] = '\0';
    fix_folder(&set->experiment);
}

/* Returns how often counters are read: samples need them in every visit. */
static int64_t counters_every(const struct pdump_session *s, bool wants_samples)
{
    if (s->settings.counters_every <= 1 || s->sources.n == 0)
        return 1;
    if (!wants_samples)
        return s->settings.counters_every;
    pdump_warn("PDUMP_COUNTERS_EVERY",
               "PDUMP_COUNTERS_EVERY does not go with PDUMP_RECORD=samples: "
               "counters are read in every visit");
    return 1;
}

static int note_counters(struct pdump_session *s)
{
    char text[24];

    if (s->recording.counters_every <= 1)
        return PDUMP_OK;
    snprintf(text, sizeof(text), "%" PRId64, s->recording.counters_every);
    return pdump_store_metadata_add(s->store, "counters_every", text);
}

static void recording_fill(struct pdump_session *s)
{
    bool wants_samples = strstr(s->settings.record, "samples") != NULL;

    s->recording = (struct pdump_recording){
        .store = s->store,
        .head = s->head,
        .regions = &s->regions,
        .sources = &s->sources,
        .depth_max = s->settings.depth_max,
        .samples_max = s->settings.samples_max,
        .wants_samples = wants_samples,
        .counters_every = counters_every(s, wants_samples),
        .times_calls = s->sources.is_default && !wants_samples,
        .steps = s->settings.steps,
        .functions = &s->functions,
        .look = pdump_session_look,
    };
}

/* Notes the cost of measuring, and whether it is subtracted from dumps. */
static void note_cost(struct pdump_session *s)
{
    struct pdump_metric *metric =
        pdump_store_at((char *)s->head, s->head->metrics);
    struct pdump_cost cost[PDUMP_METRICS_MAX];

    if (!s->origin.parent ||
        !pdump_run_children_cost(s->origin.root, &s->sources, cost))
        pdump_calibrate(&s->sources, s->recording.counters_every, cost);
    for (int m = 0; m < s->sources.n_metrics; m++)
        metric[m].cost = cost[m];
    pdump_visit_cost_tell(s->head);
    s->head->times_calls = s->recording.times_calls;
    s->head->is_subtracted = strcmp(s->settings.overhead, "subtract") == 0;
}

/* Returns true if the user has preloaded a library of ours.  Such a process may
 * be one of many that a script starts; those that become another program by
 * exec() leave their stores. */
static bool is_preloaded(void)
{
    const char *libraries = pdump_env("LD_PRELOAD");

    return libraries && strstr(libraries, "libpdump-");
}

/* Prints a line about earlier runs with the same output folder that ended
 * without their dump. */
static void tell_leftovers(const struct pdump_session *s)
{
    const char *own = pdump_store_path(s->store);
    char first[PATH_MAX];
    int n = own && s->rank <= 0 && !is_preloaded()
                ? pdump_store_leftover_find(own, s->head->folder, first,
                                            sizeof(first))
                : 0;

    if (n == 1)
        pdump_log_say("an earlier run in this folder ended without writing its "
                      "dump; to make it: pdump recover %s",
                      first);
    else if (n > 1)
        pdump_log_say("%d earlier runs in this folder ended without writing "
                      "their dumps; to see them: pdump recover --list",
                      n);
}

int pdump_session_open(struct pdump_session *s)
{
    bool is_first = !*s->origin.run; /* and no process has forked this one */
    int err;

    s->rank = pdump_job_guess_rank();
    check_steps(&s->settings);
    check_ranks(&s->settings);
    pdump_plugin_use(s->settings.modules);
    pdump_session_output_check(&s->settings);
    s->clock = pdump_clock_open(&s->settings);
    err = open_store(s);
    if (err < 0)
        return err;
    s->head = (void *)pdump_store_base(s->store);
    pdump_store_show_size(s->store, &s->head->size);
    s->head->start = pdump_clock_moment();
    s->align = (struct pdump_clock_sync){ .origin = s->head->start.ns,
                                          .clock = pdump_clock_system,
                                          .is_system = true };
    err = pdump_regions_open(&s->regions, s->store, &s->head->regions,
                             (uint32_t)s->settings.regions_max);
    if (err < 0)
        goto no_regions;
    open_filter(s);
    s->regions.filter = s->filter;
    err = pdump_sources_open(&s->settings, &s->sources);
    if (err < 0)
        goto no_sources;
    err = fill_store(s);
    if (err < 0)
        goto no_facts;
    fix_folder(&s->settings.dir);
    s->head->folder = pdump_store_leftover_number(s->settings.dir);
    fix_experiment(&s->settings);
    recording_fill(s);
    err = note_counters(s);
    if (err < 0)
        goto no_facts;
    pdump_timeline_writer_prepare(s);
    s->comm = &pdump_comm_solo;
    note_cost(s);
    s->head->settled = pdump_clock_settle(s->origin.since, s->head->start);
    if (!s->origin.since.ns)
        s->origin.since = s->head->start;
    s->head->checksum = pdump_head_checksum(s->head);
    pdump_throttle_open(&s->throttle, s->store, s->settings.throttle,
                        pdump_clock_scale(s->head->start, s->head->settled));
    s->recording.throttle = s->throttle.visits ? &s->throttle : NULL;
    pdump_function_table_open(&s->functions, s->store, &s->regions,
                              s->recording.throttle != NULL);
    pdump_log_keep_in(pdump_store_at((char *)s->head, s->head->warnings));
    pdump_fd_reserve_open(&s->reserve);
    if (is_first)
        tell_leftovers(s);
    return PDUMP_OK;

no_facts:
    pdump_sources_close(&s->sources);
no_sources:
    pdump_regions_close(&s->regions);
    pdump_filter_free(s->filter);
no_regions:
    pdump_store_remove(s->store);
    pdump_store_close(s->store);
    return err;
}
