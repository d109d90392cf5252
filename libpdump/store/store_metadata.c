/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts about the run, kept in the store: the metadata of the dump. */
#include "store/store_metadata.h"
#include "store/command_line.h"
#include "system/cpu.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct pdump_fact_record *fact_find(char *base, const char *key)
{
    const struct pdump_head *head = pdump_store_at(base, 0);
    struct pdump_fact_record *rec;

    for (uint32_t ref = head->facts; ref; ref = rec->next) {
        rec = pdump_store_at(base, ref);
        if (strcmp(rec->key, key) == 0)
            return rec;
    }
    return NULL;
}

static struct pdump_fact_record *fact_make(struct pdump_store *store,
                                           const char *key)
{
    char *base = pdump_store_base(store);
    struct pdump_head *head = pdump_store_at(base, 0);
    struct pdump_fact_record *rec;
    uint32_t ref = pdump_store_alloc(store, sizeof(*rec) + strlen(key) + 1);

    if (!ref)
        return NULL;
    rec = pdump_store_at(base, ref);
    strcpy(rec->key, key);
    rec->next = head->facts;
    atomic_store_explicit(&head->facts, ref, memory_order_release);
    return rec;
}

/* Write to the buffer that is not in use, then switch to it. */
static bool fact_set(struct pdump_store *store, struct pdump_fact_record *rec,
                     const char *value)
{
    size_t len = strlen(value) + 1;
    uint32_t used = rec->value;

    if (len > rec->room) {
        size_t room = used ? len * 2 : len;
        uint32_t one = pdump_store_alloc(store, room);

        rec->other = used ? pdump_store_alloc(store, room) : 0;
        if (!one || (used && !rec->other))
            return false;
        rec->room = (uint32_t)room;
        used = rec->other;
        rec->other = one;
    } else if (!rec->other) {
        rec->other = pdump_store_alloc(store, rec->room);
        if (!rec->other)
            return false;
    }
    memcpy(pdump_store_at(pdump_store_base(store), rec->other), value, len);
    atomic_store_explicit(&rec->value, rec->other, memory_order_release);
    rec->other = used;
    return true;
}

int pdump_store_metadata_add(struct pdump_store *store, const char *key,
                             const char *value)
{
    char *base = pdump_store_base(store);
    struct pdump_fact_record *rec;
    bool is_good = true;

    if (pdump_store_take(store) < 0)
        return PDUMP_ESTATE;
    rec = fact_find(base, key);
    if (!rec)
        rec = fact_make(store, key);
    if (!rec)
        is_good = false;
    else if (!rec->value ||
             strcmp(pdump_store_at(base, rec->value), value) != 0)
        is_good = fact_set(store, rec, value);
    pdump_store_end(store);
    return is_good ? PDUMP_OK : pdump_no_memory();
}

static int add_settings(struct pdump_store *store,
                        const struct pdump_settings *set)
{
    struct pdump_setting_info info;
    int err = PDUMP_OK;

    for (int i = 0; err >= 0 && pdump_settings_row(set, i, &info); i++) {
        char key[80];

        if (strcmp(info.value, info.fallback) == 0)
            continue;
        snprintf(key, sizeof(key), "setting.%s", info.name);
        err = pdump_store_metadata_add(store, key, info.value);
    }
    return err;
}

int pdump_store_metadata_start(struct pdump_store *store,
                               const struct pdump_settings *set,
                               const struct pdump_sources *sources,
                               const char *clock)
{
    char command[4096], host[256] = "", cpu[200], cores[1024];
    int err;

    pdump_command_line(command, sizeof(command));
    gethostname(host, sizeof(host) - 1);
    pdump_cpu_model(cpu, sizeof(cpu));
    pdump_cpu_cores(cores, sizeof(cores));

    err = pdump_store_metadata_add(store, "command", command);
    if (err >= 0)
        err = pdump_store_metadata_add(store, "host", host);
    if (err >= 0)
        err = pdump_store_metadata_add(store, "cpu", cpu);
    if (err >= 0)
        err = pdump_store_metadata_add(store, "cores", cores);
    if (err >= 0)
        err = pdump_store_metadata_add(store, "pdump_version", PDUMP_VERSION);
    if (err >= 0)
        err = pdump_store_metadata_add(store, "clock", clock);
    if (err >= 0)
        err = pdump_store_metadata_add(store, "events_chosen", sources->choice);
    if (err >= 0)
        err = add_settings(store, set);
    return err;
}
