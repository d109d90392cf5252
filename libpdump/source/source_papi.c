/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters by PAPI: one running event set per component and thread. */
#include "source/source_papi.h"
#include "system/private_fd.h"

#include "source/source_papi_calls.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SETS_MAX = 8,
    FDS_PER_EVENT = 8, /* a derived preset has up to this many native events */
};

struct plan {
    struct pdump_papi_set set[SETS_MAX];
    int n;
    int n_metrics;
};

/* A thread's running sets, with everything needed to read and end them, because
 * the session that made them may have ended. */
struct thread {
    struct plan plan;
    int id[SETS_MAX];
    int n_running;
    bool is_plain; /* one set, its values in the order of the metrics */
    int64_t last[PDUMP_METRICS_MAX]; /* values of multiplexed sets */
    int forks;
    int n_fds;
    int fds[];
};

static struct plan plan; /* of the session, locked */

/* PAPI allows one running set per component and thread. */
static __thread struct thread *current;

/* Returns the set for events of `component`, perhaps still empty; NULL if there
 * are too many sets. */
static struct pdump_papi_set *set_for(int component)
{
    int i = 0;

    while (i < plan.n && plan.set[i].component != component)
        i++;
    if (i == SETS_MAX)
        return NULL;
    if (i == plan.n)
        plan.set[i] = (struct pdump_papi_set){ .component = component };
    return &plan.set[i];
}

static int set_try(const struct pdump_papi_set *set)
{
    int id, code = pdump_papi_set_run(set, &id);

    if (code == PAPI_OK)
        pdump_papi_set_end(id);
    return code;
}

/* A multiplexed set has room for any number of events. */
static int set_try_multiplexed(struct pdump_papi_set *set)
{
    int code = pdump_papi.multiplex_init();

    set->is_multiplexed = true;
    return code == PAPI_OK ? set_try(set) : code;
}

/* Add `code` to `set`, which becomes multiplexed if that is necessary and
 * allowed.  Returns PAPI_OK, or the reason as a PAPI code. */
static int set_join(struct pdump_papi_set *set, int code, bool may_multiplex)
{
    struct pdump_papi_set both = *set, alone = { .component = set->component };
    int err;

    both.code[both.n++] = code;
    err = set_try(&both);
    if (err != PAPI_OK && set->n) {
        alone.code[alone.n++] = code;
        err = set_try(&alone);
        if (err == PAPI_OK)
            err = may_multiplex ? set_try_multiplexed(&both) : PAPI_ECNFLCT;
    }
    if (err == PAPI_OK)
        *set = both;
    return err;
}

static bool set_fits(struct pdump_papi_set *set, int code, bool may_multiplex,
                     char *why, size_t len)
{
    int err = set_join(set, code, may_multiplex);

    if (err == PAPI_ECNFLCT && set->n && !may_multiplex)
        snprintf(why, len,
                 "countable, but not together with the others: set "
                 "PDUMP_MULTIPLEX=1 or ask for fewer events");
    else if (err != PAPI_OK)
        pdump_papi_reason(err, why, len);
    return err == PAPI_OK;
}

/* Returns the code of a wish, or 0 with the reason. */
static int wish_resolve(const struct pdump_wish *wish, char *why, size_t len)
{
    char name[sizeof(wish->name)];
    int code = (int)wish->code;

    if (code)
        return code;
    memcpy(name, wish->name, sizeof(name));
    if (pdump_papi.event_name_to_code(name, &code) == PAPI_OK)
        return code;
    snprintf(why, len, "PAPI knows no such event here: see `pdump events`");
    return 0;
}

static bool is_planned(int code)
{
    for (int i = 0; i < plan.n; i++)
        for (int j = 0; j < plan.set[i].n; j++)
            if (plan.set[i].code[j] == code)
                return true;
    return false;
}

/*
 * PAPI counts in user mode only.  That is right for instructions.  But page
 * faults also occur in system calls, and context switches occur only in the
 * kernel, so perf's software events are counted in the kernel as well.  Returns
 * the code of the event that does so, or 0 if there is none.
 */
static int with_kernel(const char *name)
{
    char all[160];
    int code = 0;

    if (!pdump_source_is_software(name) || strchr(name + 6, ':'))
        return 0;
    snprintf(all, sizeof(all), "%s:u=1:k=1", name);
    return pdump_papi.event_name_to_code(all, &code) == PAPI_OK ? code : 0;
}

/* Returns true if this event is always 0 in user mode. */
static bool needs_kernel(const char *name)
{
    return strstr(name, "SWITCHES") || strstr(name, "MIGRATIONS") ||
           strcmp(name, "perf::CS") == 0;
}

static bool set_fits_best(struct pdump_papi_set *set,
                          const struct pdump_wish *wish, int code,
                          bool may_multiplex, char *why, size_t len)
{
    int all = with_kernel(wish->name);

    if (all && set_fits(set, all, may_multiplex, why, len))
        return true;
    if (all && needs_kernel(wish->name))
        return false;
    *why = '\0';
    return set_fits(set, code, may_multiplex, why, len);
}

/* Plan to count `wish` as the next metric, or write its refusal. */
static void wish_grant(struct pdump_wish *wish, bool may_multiplex,
                       struct pdump_metric *m)
{
    char *why = wish->refusal;
    const size_t len = sizeof(wish->refusal);
    int component, code = wish_resolve(wish, why, len);
    struct pdump_papi_set *set;

    if (!code)
        return;
    /* The event may be requested by name and by code. */
    wish->is_claimed = is_planned(code);
    if (wish->is_claimed)
        return;
    component = pdump_papi.get_event_component(code);
    if (component < 0) {
        pdump_papi_reason(component, why, len);
        return;
    }
    set = set_for(component);
    if (!set) {
        snprintf(why, len, "events of more than %d PAPI components", SETS_MAX);
        return;
    }
    if (!pdump_papi_describe(code, wish->name, m, why, len) ||
        !set_fits_best(set, wish, code, may_multiplex, why, len))
        return;
    if (set == &plan.set[plan.n])
        plan.n++;
    set->metric[set->n - 1] = plan.n_metrics++;
    wish->is_claimed = true;
}

/* Say in the description that values of a multiplexed set are estimates. */
static void mark_multiplexed(struct pdump_metric *metrics)
{
    for (int i = 0; i < plan.n; i++) {
        const struct pdump_papi_set *set = &plan.set[i];

        for (int j = 0; j < set->n && set->is_multiplexed; j++) {
            struct pdump_metric *m = &metrics[set->metric[j]];
            char about[sizeof(m->about)];

            snprintf(about, sizeof(about), "%s", m->about);
            snprintf(m->about, sizeof(m->about),
                     "multiplexed, estimated: %.170s", about);
        }
    }
}

/* End the sets of a thread; its state stays.  If the program has closed the
 * counters' descriptors, the sets are not ended, because PAPI would close files
 * of the program. */
static void sets_end(struct thread *t)
{
    if (!pdump_papi_has_fds(t->fds, t->n_fds))
        t->n_running = 0;
    pdump_papi_forget_fds(t->fds, t->n_fds);
    t->n_fds = 0;
    t->is_plain = false;
    while (t->n_running > 0)
        pdump_papi_set_end(t->id[--t->n_running]);
    if (current == t)
        current = NULL;
}

/* End the sets of an earlier session that this thread still has running. */
static void sets_end_current(void)
{
    if (current && current->forks == pdump_papi_forks())
        sets_end(current);
    current = NULL;
}

/* Returns true if no source has claimed or refused the wish. */
static bool is_free(const struct pdump_wish *wish)
{
    return !wish->is_claimed && !*wish->refusal;
}

static int wishes_grant(const struct pdump_settings *set,
                        struct pdump_wishes *wishes,
                        struct pdump_metric *metrics, int max)
{
    int err = pdump_papi_start();

    if (err >= 0)
        sets_end_current();
    memset(&plan, 0, sizeof(plan));
    for (int i = 0; i < wishes->n && plan.n_metrics < max; i++) {
        struct pdump_wish *wish = &wishes->wish[i];

        if (!is_free(wish))
            continue;
        if (err < 0)
            snprintf(wish->refusal, sizeof(wish->refusal), "%s",
                     pdump_last_error());
        else
            wish_grant(wish, set->multiplex, &metrics[plan.n_metrics]);
    }
    mark_multiplexed(metrics);
    return plan.n_metrics;
}

static void wishes_refuse(struct pdump_wishes *wishes)
{
    for (int i = 0; i < wishes->n; i++)
        if (is_free(&wishes->wish[i]))
            snprintf(wishes->wish[i].refusal, sizeof(wishes->wish[i].refusal),
                     "%s", pdump_last_error());
}

static int papi_open(const struct pdump_settings *set,
                     struct pdump_wishes *wishes, struct pdump_metric *metrics,
                     int max)
{
    bool is_wanted = false;
    int n = 0;

    for (int i = 0; i < wishes->n; i++)
        is_wanted |= is_free(&wishes->wish[i]);
    if (is_wanted)
        pdump_papi_load(); /* pdump_papi_start() reports errors */
    if (pdump_papi_lock() < 0) {
        wishes_refuse(wishes);
        return 0;
    }
    memset(&plan, 0, sizeof(plan));
    /* Starting PAPI is slow, so it is started only if an event needs it. */
    if (is_wanted)
        n = wishes_grant(set, wishes, metrics, max);
    pdump_papi_unlock();
    return n;
}

/* Start the sets of the plan on this thread, locked. */
static int run_all(struct thread *t)
{
    int plugs[PDUMP_PRIVATE_FD_FIRST], n_plugs, code = PAPI_OK;

    pdump_papi_watch_fds();
    n_plugs = pdump_private_fd_plug(plugs);
    while (t->n_running < t->plan.n && code == PAPI_OK) {
        code = pdump_papi_set_run(&t->plan.set[t->n_running],
                                  &t->id[t->n_running]);
        if (code == PAPI_OK)
            t->n_running++;
    }
    pdump_private_fd_unplug(plugs, n_plugs);
    if (code == PAPI_OK)
        t->n_fds =
            pdump_papi_found_fds(t->fds, t->plan.n_metrics * FDS_PER_EVENT);
    return code;
}

/* Returns true if PAPI can write directly to the recorder's values. */
static bool is_plain(const struct plan *p)
{
    if (p->n != 1 || p->set[0].is_multiplexed)
        return false;
    for (int i = 0; i < p->set[0].n; i++)
        if (p->set[0].metric[i] != i)
            return false;
    return sizeof(long long) == sizeof(int64_t);
}

static int papi_attach(void **state)
{
    struct thread *t;
    char why[160];
    int code, err = pdump_papi_lock();

    if (err < 0)
        return err;
    t = calloc(1, sizeof(*t) +
                      sizeof(int) * (size_t)plan.n_metrics * FDS_PER_EVENT);
    if (!t) {
        pdump_papi_unlock();
        return pdump_no_memory();
    }
    t->plan = plan;
    t->forks = pdump_papi_forks();
    sets_end_current();
    code = run_all(t);
    if (code == PAPI_OK) {
        t->is_plain = is_plain(&t->plan);
        current = t;
    } else {
        pdump_papi_reason(code, why, sizeof(why));
        sets_end(t);
    }
    pdump_papi_unlock();
    if (code == PAPI_OK) {
        *state = t;
        return PDUMP_OK;
    }
    free(t);
    return pdump_fail(PDUMP_ESOURCE, "%s", why);
}

/* A multiplexed value is an estimate, which PAPI may correct downwards; the
 * recorder needs values that only grow. */
static int64_t growing_value(int64_t *last, int64_t value)
{
    if (value > *last)
        *last = value;
    return *last;
}

static int papi_read(void *state, int64_t *values)
{
    struct thread *t = state;
    long long raw[PDUMP_METRICS_MAX];

    if (t->is_plain &&
        pdump_papi.read(t->id[0], (long long *)values) == PAPI_OK)
        return PDUMP_OK;
    if (t->n_running < t->plan.n || t->forks != pdump_papi_forks())
        return pdump_fail(PDUMP_ESTATE, "these counters are not running");
    for (int i = 0; i < t->plan.n; i++) {
        const struct pdump_papi_set *set = &t->plan.set[i];
        int code = pdump_papi.read(t->id[i], raw);

        if (code != PAPI_OK)
            return pdump_fail(PDUMP_ESOURCE, "PAPI_read: error %d", code);
        for (int j = 0; j < set->n; j++) {
            int m = set->metric[j];

            values[m] = set->is_multiplexed ? growing_value(&t->last[m], raw[j])
                                            : raw[j];
        }
    }
    return PDUMP_OK;
}

static void papi_detach(void *state)
{
    struct thread *t = state;

    if (!t)
        return;
    if (t->forks == pdump_papi_forks()) {
        if (pdump_papi_lock() < 0)
            return; /* the sets go on and need their state */
        sets_end(t);
        if (!current)
            pdump_papi_leave_thread();
        pdump_papi_unlock();
    }
    free(t);
}

static void papi_close(void) {}

const struct pdump_source pdump_source_papi = {
    .name = "papi",
    .open = papi_open,
    .attach = papi_attach,
    .read = papi_read,
    .detach = papi_detach,
    .close = papi_close,
    .before_fork = pdump_papi_before_fork,
    .in_parent = pdump_papi_in_parent,
    .forked = pdump_papi_forked,
    .names = pdump_papi_names,
    .load = pdump_papi_start_early,
};
