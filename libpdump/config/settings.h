/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user chose: PDUMP_* variables and pdump_set(). */
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
    char *ranks;
    char *hdf5;
    char *overhead;
    char *throttle;
    bool multiplex;
    bool quiet;
    bool overwrite;
    bool follow;
    bool is_disabled;
    bool is_quick; /* no variable: see pdump_session_be_quick() */
    bool events_counters;
    bool records_events;    /* `record` says so */
    int64_t counters_every; /* visits */
    int64_t depth_max;
    int64_t events_buffer; /* KiB per thread */
    int64_t regions_max;
    int64_t samples_max;
    int64_t memory;      /* ms between looks, or 0 */
    int64_t memory_max;  /* MiB */
    int64_t gather_max;  /* MiB */
    int64_t mpi_timeout; /* seconds */
};

/* The value of a variable, borrowed, or NULL: pdump_env() outside the tests. */
typedef const char *pdump_getenv(const char *name);

/* Fill `out` from the program's choices, then `get`, then the defaults.  A bad
 * value costs one warning and is replaced by the default. */
PDUMP_SHARED int pdump_settings_load(struct pdump_settings *out,
                                     pdump_getenv *get);
PDUMP_SHARED void pdump_settings_free(struct pdump_settings *set);

/* The value of one setting as text, without a warning if the user's is a bad
 * one.  Borrowed. */
const char *pdump_settings_value(const char *name, pdump_getenv *get);

/* One warning for every PDUMP_* variable in `environment` that is not ours. */
void pdump_settings_check_names(char *const *environment);

/* pdump_set() without the check for a running session. */
int pdump_settings_choose(const char *name, const char *value);

/* Returns true if the program has chosen the value of any setting. */
bool pdump_settings_are_chosen(void);

/* Row `index` of the table, for `pdump info` and the dump: name, help and
 * default are static, the value is written to `value`.  False at the end. */
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
