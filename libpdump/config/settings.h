/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The settings: PDUMP_* variables and pdump_set().
 *
 * This is the central header of config/, which contains what the user chooses:
 * settings, filters, step lists.
 */
#ifndef PDUMP_SETTINGS_H
#define PDUMP_SETTINGS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Immutable once loaded.  Strings belong to the settings and are never NULL;
 * see the table in settings.c for meaning and default of each. */
struct pdump_settings {
    char *events;
    char *codes;
    char *delimiter;
    char *dir;
    char *experiment;
    char *filename;
    char *ending; /* of the named file; "" or NULL: that of the format */
    char *filter;
    char *filter_rules;
    char *format;
    char *steps;
    char *record;
    char *events_mode;
    char *clock;
    char *modules;
    char *store;
    char *signals;
    char *tell;
    char *ranks;
    char *hdf5;
    char *overhead;
    char *throttle;
    bool multiplex;
    bool quiet;
    bool silence_warnings; /* of calls out of order */
    bool overwrite;
    bool anonymous;
    bool follow;
    bool is_disabled;
    bool is_quick;   /* not a variable: see pdump_session_be_quick() */
    bool is_lenient; /* not a variable: no counter is worth an error */
    bool events_counters;
    bool records_events;    /* `record` contains "events" */
    int64_t counters_every; /* visits */
    int64_t depth_max;
    int64_t events_buffer; /* KiB per thread */
    int64_t regions_max;
    int64_t samples_max;
    int64_t stacks;      /* per second of CPU time, or 0 */
    int64_t memory;      /* ms between samples, or 0 */
    int64_t memory_max;  /* MiB */
    int64_t gather_max;  /* MiB */
    int64_t mpi_timeout; /* seconds */
};

/* Returns the value of a variable, borrowed, or NULL: pdump_env() outside the
 * tests. */
typedef const char *pdump_getenv(const char *name);

/* Fill `out` from pdump_set(), then `get`, then the defaults.  A bad value
 * costs one warning and is replaced by the default. */
PDUMP_SHARED int pdump_settings_load(struct pdump_settings *out,
                                     pdump_getenv *get);
PDUMP_SHARED void pdump_settings_free(struct pdump_settings *set);

/* Returns the value of one setting as text, borrowed.  Does not warn about a
 * bad value. */
const char *pdump_settings_value(const char *name, pdump_getenv *get);

/* Warn once about every PDUMP_* variable in `environment` that libpdump does
 * not know. */
void pdump_settings_check_names(char *const *environment);

/* pdump_set() without the check for a running session. */
int pdump_settings_choose(const char *name, const char *value);

/* Returns true if the program has chosen the value of any setting. */
bool pdump_settings_are_chosen(void);

/* Fill `out` with row `index` of the table, for `pdump info` and the dump:
 * name, help and default are static, the value is copied.  Returns false at the
 * end. */
struct pdump_setting_info {
    const char *name;
    const char *help;
    const char *fallback;
    bool environment_wins;
    char value[256];
};
PDUMP_SHARED bool pdump_settings_row(const struct pdump_settings *set,
                                     int index, struct pdump_setting_info *out);

#endif
