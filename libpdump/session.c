/* SPDX-License-Identifier: BSD-3-Clause */
/* The conductor: settings, sources, store and files of one measurement. */
#include "session.h"
#include "aggregate.h"
#include "calibrate.h"
#include "facts.h"
#include "fork.h"
#include "gate.h"
#include "log.h"
#include "snapshot.h"
#include "steps.h"
#include "thread.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pdump_session *current; /* under the lock */
static _Atomic enum pdump_phase phase;
static unsigned last_number = PDUMP_GATE_FIRST - 1;

/* What a child of fork() got from its parent: not ours to free, nor to lose. */
static struct pdump_session *inherited;

enum pdump_phase pdump_session_phase(void)
{
    return atomic_load_explicit(&phase, memory_order_relaxed);
}

static const char *from_environment(const char *name)
{
    return getenv(name);
}

void pdump_session_let_go(struct pdump_session *s)
{
    if (atomic_fetch_sub(&s->holders, 1) > 1)
        return;
    pdump_regions_close(&s->regions);
    pdump_store_close(s->store);
    pdump_settings_free(&s->settings);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

struct pdump_session *pdump_session_hold(void)
{
    struct pdump_session *s;

    pthread_mutex_lock(&lock);
    s = current;
    if (s)
        atomic_fetch_add(&s->holders, 1);
    pthread_mutex_unlock(&lock);
    return s;
}

/* The head of the store, with what a reader of it needs to know. */
static int fill_store(struct pdump_session *s)
{
    size_t bytes = (size_t)s->sources.n_metrics * sizeof(s->sources.metric[0]);
    struct pdump_head *head = s->head;
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    head->pid = getpid();
    head->start_realtime = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
    head->n_metrics = (uint32_t)s->sources.n_metrics;
    head->metrics = pdump_store_alloc(s->store, bytes);
    if (!head->metrics)
        return pdump_no_memory();
    memcpy(pdump_store_at((char *)head, head->metrics), s->sources.metric,
           bytes);
    return pdump_facts_start(s->store, &s->settings, &s->sources, s->clock);
}

static void check_steps(struct pdump_settings *set)
{
    if (pdump_steps_are_good(set->steps))
        return;
    pdump_warn("PDUMP_DUMP_STEPS",
               "PDUMP_DUMP_STEPS=%.80s: not a list like 0,10-20,100-; "
               "recording all steps",
               set->steps);
    set->steps[0] = '\0';
}

/* The output goes where the program was started, also after a chdir(). */
static void fix_folder(struct pdump_settings *set)
{
    char here[PATH_MAX], *path;
    size_t len = sizeof(here) + strlen(set->dir) + 2;

    if (set->dir[0] == '/' || !getcwd(here, sizeof(here)))
        return;
    path = malloc(len);
    if (!path)
        return;
    if (strcmp(set->dir, ".") == 0)
        snprintf(path, len, "%s", here);
    else
        snprintf(path, len, "%s/%s", here, set->dir);
    free(set->dir);
    set->dir = path;
}

static void share(struct pdump_session *s)
{
    s->recording = (struct pdump_recording){
        .store = s->store,
        .head = s->head,
        .regions = &s->regions,
        .sources = &s->sources,
        .depth_max = s->settings.depth_max,
        .samples_max = s->settings.samples_max,
        .wants_samples = strstr(s->settings.record, "samples") != NULL,
        .steps = s->settings.steps,
    };
}

/* Open everything, in the order of the flow.  The settings are loaded. */
static int open_session(struct pdump_session *s)
{
    size_t memory = (size_t)s->settings.memory_max * 1024 * 1024;
    int err;

    check_steps(&s->settings);
    s->clock = pdump_clock_open(&s->settings);
    err = pdump_store_open(&s->store, memory, sizeof(*s->head));
    if (err < 0)
        return err;
    s->head = (void *)pdump_store_base(s->store);
    s->head->start = pdump_clock_moment();
    err = pdump_regions_open(&s->regions, s->store, &s->head->regions,
                             (uint32_t)s->settings.regions_max);
    if (err < 0)
        goto no_regions;
    err = pdump_sources_open(&s->settings, &s->sources);
    if (err < 0)
        goto no_sources;
    err = fill_store(s);
    if (err < 0)
        goto no_facts;
    fix_folder(&s->settings);
    share(s);
    s->comm = &pdump_comm_solo;
    s->head->overhead_ticks = pdump_calibrate(&s->sources);
    return PDUMP_OK;

no_facts:
    pdump_sources_close(&s->sources);
no_sources:
    pdump_regions_close(&s->regions);
no_regions:
    pdump_store_close(s->store);
    return err;
}

/* Under the lock. */
static int start(void)
{
    struct pdump_session *s = calloc(1, sizeof(*s));
    int err;

    if (!s)
        return pdump_no_memory();
    pdump_log_reset();
    err = pdump_settings_load(&s->settings, from_environment);
    if (err < 0) {
        free(s);
        return err;
    }
    if (s->settings.is_disabled) {
        pdump_settings_free(&s->settings);
        free(s);
        phase = PDUMP_PHASE_DISABLED;
        return PDUMP_OK;
    }
    pdump_settings_check_names(environ);
    err = open_session(s);
    if (err < 0) {
        pdump_settings_free(&s->settings);
        free(s);
        phase = PDUMP_PHASE_FAILED;
        return err;
    }
    pthread_mutex_init(&s->lock, NULL);
    s->holders = 1;
    s->number = ++last_number;
    current = s;
    pdump_fork_watch();
    phase = PDUMP_PHASE_ACTIVE;
    pdump_gate_set(s->number);
    return PDUMP_OK;
}

int pdump_session_start(void)
{
    int err = PDUMP_OK;

    pthread_mutex_lock(&lock);
    if (!current)
        err = start();
    pthread_mutex_unlock(&lock);
    return err;
}

int pdump_session_start_first(void)
{
    int err = PDUMP_OK;

    pthread_mutex_lock(&lock);
    if (phase == PDUMP_PHASE_NEVER)
        err = start();
    pthread_mutex_unlock(&lock);
    return err;
}

static int add_warnings(struct pdump_builder *b)
{
    char text[512];
    int64_t count;
    int err = PDUMP_OK;

    for (int i = 0; err >= 0 && pdump_log_get(i, text, sizeof(text), &count);
         i++)
        err = pdump_builder_warning(b, text, count);
    return err;
}

/* The calling thread's recorder, if it records into this session. */
static struct pdump_recorder *self_of(const struct pdump_session *s)
{
    return pdump_self.number == s->number ? &pdump_self : NULL;
}

static int make_dump(struct pdump_session *s, struct pdump_dump **out)
{
    struct pdump_moment now = pdump_clock_later(s->head->start);
    struct pdump_builder *b;
    int err = pdump_builder_new(&b);

    if (err < 0)
        return err;
    err = pdump_snapshot_add(b, (char *)s->head, now, s->comm->rank(),
                             self_of(s));
    if (err >= 0)
        err = add_warnings(b);
    if (err >= 0)
        err = pdump_builder_finish(b, out);
    pdump_builder_free(b);
    return err;
}

/* One format; an unknown one costs a warning and becomes CSV. */
static int write_format(struct pdump_session *s, const struct pdump_dump *dump,
                        const char *name)
{
    const struct pdump_sink *sink;
    char where[4096];

    if (pdump_sink_find(name, &sink) < 0) {
        pdump_warn("PDUMP_OUTPUT_FORMAT", "%s; writing csv",
                   pdump_last_error());
        sink = &pdump_sink_csv;
    }
    return pdump_path_write(&s->settings, sink, dump, s->comm, &s->written,
                            where, sizeof(where));
}

static int write_formats(struct pdump_session *s, const struct pdump_dump *dump)
{
    char *list = strdup(s->settings.format), *rest = list, *name;
    int err = PDUMP_OK, bad;

    if (!list)
        return pdump_no_memory();
    while ((name = strtok_r(rest, ", \t", &rest))) {
        bad = write_format(s, dump, name);
        if (bad < 0)
            err = bad;
    }
    free(list);
    return err;
}

static int write_dump(struct pdump_session *s)
{
    struct pdump_dump *dump;
    int err;

    pthread_mutex_lock(&s->lock);
    err = make_dump(s, &dump);
    if (err >= 0) {
        err = pdump_aggregate(&dump, s->comm);
        if (err >= 0)
            err = write_formats(s, dump);
        pdump_dump_free(dump);
    }
    pthread_mutex_unlock(&s->lock);
    return err;
}

int pdump_session_flush(void)
{
    struct pdump_session *s = pdump_session_hold();
    int err;

    if (!s)
        return pdump_fail(PDUMP_ESTATE, "no session is active");
    err = write_dump(s);
    pdump_session_let_go(s);
    return err;
}

int pdump_session_dump(struct pdump_dump **out)
{
    struct pdump_session *s = pdump_session_hold();
    int err;

    if (!s)
        return pdump_fail(PDUMP_ESTATE, "no session is active");
    err = make_dump(s, out);
    pdump_session_let_go(s);
    return err;
}

static int end(enum pdump_phase next)
{
    struct pdump_session *s;
    int err;

    pthread_mutex_lock(&lock);
    s = current;
    if (!s) {
        pthread_mutex_unlock(&lock);
        return pdump_fail(PDUMP_ESTATE, "no session is active");
    }
    current = NULL;
    phase = next;
    pdump_gate_set(PDUMP_GATE_NONE);
    err = write_dump(s);
    if (err < 0)
        pdump_warn("dump", "the measurement is lost: %s", pdump_last_error());
    if (self_of(s))
        pdump_thread_leave();
    pdump_sources_close(&s->sources);
    pthread_mutex_unlock(&lock);
    pdump_session_let_go(s);
    return err;
}

int pdump_session_end(void)
{
    return end(PDUMP_PHASE_ENDED);
}

/* After the program's own atexit() handlers, which may still have regions. */
__attribute__((destructor)) static void at_exit(void)
{
    if (pdump_session_phase() == PDUMP_PHASE_ACTIVE)
        end(PDUMP_PHASE_EXITING);
}

void pdump_session_before_fork(void)
{
    pthread_mutex_lock(&lock);
}

void pdump_session_in_parent(void)
{
    pthread_mutex_unlock(&lock);
}

void pdump_session_in_child(void)
{
    if (current) {
        phase =
            current->settings.follow ? PDUMP_PHASE_NEVER : PDUMP_PHASE_CHILD;
        inherited = current;
        current = NULL;
        pdump_gate_set(PDUMP_GATE_NONE);
        pdump_log_reset();
    }
    pthread_mutex_unlock(&lock);
}
