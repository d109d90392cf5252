/* SPDX-License-Identifier: BSD-3-Clause */
/* PDUMP_THROTTLE: stops recording short regions that are visited very often. */
#include "record/throttle.h"
#include "system/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* "COUNT:NS" */
static bool throttle_parse(const char *text, long long *count, long long *ns)
{
    char *end;

    errno = 0;
    *count = strtoll(text, &end, 10);
    if (end == text || *end != ':' || *count <= 0)
        return false;
    text = end + 1;
    *ns = strtoll(text, &end, 10);
    return end != text && !*end && *ns > 0 && errno == 0;
}

void pdump_throttle_open(struct pdump_throttle *t, struct pdump_store *store,
                         const char *text, double scale)
{
    long long count = 0, ns = 0;
    double ticks;

    *t = (struct pdump_throttle){ .store = store, .text = text };
    pthread_mutex_init(&t->lock, NULL);
    if (!*text || strcmp(text, "off") == 0)
        return;
    if (!throttle_parse(text, &count, &ns)) {
        pdump_warn("PDUMP_THROTTLE",
                   "PDUMP_THROTTLE=%.100s is not COUNT:NS, such as "
                   "100000:1000; all visits are recorded",
                   text);
        return;
    }
    t->visits = count;
    ticks = (double)ns / (scale > 0 ? scale : 1.0);
    t->ticks = ticks < (double)INT64_MAX ? (int64_t)ticks : INT64_MAX;
}

void pdump_throttle_close(struct pdump_throttle *t)
{
    if (t->store)
        pthread_mutex_destroy(&t->lock);
    memset(t, 0, sizeof(*t));
}

/* Returns the record of a region, made if new; NULL if out of memory. */
static struct pdump_throttle_record *record_of(struct pdump_throttle *t,
                                               uint32_t ref)
{
    char *base = pdump_store_base(t->store);
    struct pdump_head *head = pdump_store_at(base, 0);
    struct pdump_region_record *region = pdump_store_at(base, ref);
    struct pdump_throttle_record *record;
    uint32_t made;

    if (region->throttle)
        return pdump_throttle_of(base, region);
    pthread_mutex_lock(&t->lock);
    made = region->throttle;
    if (!made) {
        made = pdump_store_alloc(t->store, sizeof(*record));
        record = pdump_store_at(base, made);
        if (made) {
            record->region = ref;
            record->next = head->throttled;
            atomic_store_explicit(&head->throttled, made, memory_order_release);
            atomic_store_explicit(&region->throttle, made,
                                  memory_order_release);
        }
    }
    pthread_mutex_unlock(&t->lock);
    return made ? pdump_store_at(base, made) : NULL;
}

static void throttle_put_out(const struct pdump_throttle *t,
                             struct pdump_throttle_record *record, int64_t mean)
{
    uint32_t in = 0;

    if (!atomic_compare_exchange_strong(&record->is_out, &in, 1))
        return; /* another thread was first */
    record->mean = mean;
    pdump_warn("throttle",
               "short regions are left out after many visits "
               "(PDUMP_THROTTLE=%.100s); the dump says which",
               t->text);
}

void pdump_throttle_judge(struct pdump_throttle *t, uint32_t region,
                          int64_t ticks)
{
    const struct pdump_region_record *known =
        pdump_store_at(pdump_store_base(t->store), region);
    struct pdump_throttle_record *record;
    int64_t visits, sum;

    if (known->group == PDUMP_GROUP_OVERFLOW)
        return; /* it stands for many names */
    record = record_of(t, region);
    if (!record)
        return;
    /* Cheap, but not exact if several threads do it at the same time. */
    visits = atomic_load_explicit(&record->visits, memory_order_relaxed) + 1;
    sum = atomic_load_explicit(&record->ticks, memory_order_relaxed) + ticks;
    if (visits > t->visits) {
        record->before += visits;
        if (sum / visits < t->ticks)
            throttle_put_out(t, record, sum / visits);
        visits = sum = 0; /* else decide again after as many */
    }
    atomic_store_explicit(&record->visits, visits, memory_order_relaxed);
    atomic_store_explicit(&record->ticks, sum, memory_order_relaxed);
}
