/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts about the run, kept in the store: metadata of the dump to be. */
#include "facts.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int pdump_facts_add(struct pdump_store *store, const char *key,
                    const char *value)
{
    char *base = pdump_store_base(store);
    struct pdump_head *head = pdump_store_at(base, 0);
    struct pdump_fact_record *rec;
    uint32_t text = pdump_store_text(store, value, strlen(value));
    uint32_t ref = pdump_store_alloc(store, sizeof(*rec) + strlen(key) + 1);
    uint32_t first;

    if (!text || !ref)
        return pdump_no_memory();
    rec = pdump_store_at(base, ref);
    strcpy(rec->key, key);
    rec->value = text;
    first = atomic_load(&head->facts);
    do
        rec->next = first;
    while (!atomic_compare_exchange_weak(&head->facts, &first, ref));
    return PDUMP_OK;
}

/* The command line, its words separated by blanks; as much as fits. */
static void read_command(char *out, size_t len)
{
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, out, len - 1);

    if (fd >= 0)
        close(fd);
    if (n < 0)
        n = 0;
    while (n > 0 && out[n - 1] == '\0')
        n--;
    for (ssize_t i = 0; i < n; i++)
        if (out[i] == '\0')
            out[i] = ' ';
    out[n] = '\0';
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
        err = pdump_facts_add(store, key, info.value);
    }
    return err;
}

int pdump_facts_start(struct pdump_store *store,
                      const struct pdump_settings *set,
                      const struct pdump_sources *sources, const char *clock)
{
    char command[4096], host[256] = "", start[40] = "";
    time_t now = time(NULL);
    struct tm tm;
    int err;

    read_command(command, sizeof(command));
    gethostname(host, sizeof(host) - 1);
    if (gmtime_r(&now, &tm))
        strftime(start, sizeof(start), "%Y-%m-%dT%H:%M:%SZ", &tm);

    err = pdump_facts_add(store, "command", command);
    if (err >= 0)
        err = pdump_facts_add(store, "host", host);
    if (err >= 0)
        err = pdump_facts_add(store, "start", start);
    if (err >= 0)
        err = pdump_facts_add(store, "pdump_version", PDUMP_VERSION);
    if (err >= 0)
        err = pdump_facts_add(store, "clock", clock);
    if (err >= 0)
        err = pdump_facts_add(store, "events_chosen", sources->choice);
    if (err >= 0)
        err = add_settings(store, set);
    return err;
}
