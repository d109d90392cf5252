/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of settings, and the lookup of their values. */
#include "config/settings.h"
#include "config/filter.h"
#include "system/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind {
    TEXT,    /* any text, also empty */
    WORD,    /* any text that is not empty */
    CHOICE,  /* one of the words in `range`, separated by | */
    CHOICES, /* a comma-separated list of such words */
    FLAG,    /* 0 or 1 */
    COUNT,   /* a whole number within `range`, "low-high" */
    FILTER,  /* files that filter.h reads */
    RULES,   /* rules that it reads */
    FOREIGN, /* known, but read by other code */
};

/* One row is all it takes to add a setting; pdump info prints the table. */
static const struct setting {
    const char *name;
    enum kind kind;
    size_t at;
    const char *fallback;
    const char *range;
    bool environment_wins;
    const char *help;
} settings[] = {
#define AT(field) offsetof(struct pdump_settings, field)
    { "PDUMP_QUIET", FLAG, AT(quiet), "0", "", true,
      "1: nothing on standard error" },
    { "PDUMP_TELL", CHOICE, AT(tell), "auto", "auto|always|never", false,
      "name the file at the end: auto is on a terminal" },
    { "PDUMP_SILENCE_WARNINGS", FLAG, AT(silence_warnings), "0", "", false,
      "1: no warnings of profiles and steps that are called out of order" },
    { "PDUMP_EVENTS", TEXT, AT(events), "", "", false,
      "events to count, by name; none: time only; empty: what suits" },
    { "PDUMP_CODES", TEXT, AT(codes), "", "", false,
      "PAPI events by code, decimal or 0x hexadecimal" },
    { "PDUMP_DELIMITER", WORD, AT(delimiter), ",", "", false,
      "what separates events and codes" },
    { "PDUMP_MULTIPLEX", FLAG, AT(multiplex), "0", "", false,
      "1: share the counters if there are too few (estimated values)" },
    { "PDUMP_COUNTERS_EVERY", COUNT, AT(counters_every), "1", "1-1000000000",
      false, "read counters in one of so many visits of a region" },
    { "PDUMP_CLOCK", CHOICE, AT(clock), "auto", "auto|tsc|monotonic", false,
      "auto, tsc (cycle counter) or monotonic (system clock)" },
    { "PDUMP_RECORD", CHOICES, AT(record), "profile", "profile|samples|events",
      false, "profile (sums per node); also: samples (visits), events" },
    { "PDUMP_EVENTS_BUFFER", COUNT, AT(events_buffer), "4096", "32-1048576",
      false, "PDUMP_RECORD=events: KiB for each thread's events" },
    { "PDUMP_EVENTS_COUNTERS", FLAG, AT(events_counters), "0", "", false,
      "1: events of counter values, too, at begin and end of regions" },
    { "PDUMP_EVENTS_MODE", CHOICE, AT(events_mode), "flush", "flush|ring",
      false, "flush (all events, to a file) or ring (the last ones)" },
    { "PDUMP_FILTER", FILTER, AT(filter), "", "", false,
      "file that says which regions are recorded, as Score-P's" },
    { "PDUMP_FILTER_RULES", RULES, AT(filter_rules), "", "", false,
      "rules after those of the files: EXCLUDE a* INCLUDE ab" },
    { "PDUMP_DUMP_STEPS", TEXT, AT(steps), "", "", false,
      "steps to record: 0,10-20,100-; empty: all" },
    { "PDUMP_OUTPUT_FORMAT", WORD, AT(format), "auto", "", false,
      "formats to write, comma-separated; auto: hdf5 if there, else csv" },
    { "PDUMP_DUMP_DIR", WORD, AT(dir), ".", "", true,
      "where the output goes; created if missing" },
    { "PDUMP_EXPERIMENT_DIR", TEXT, AT(experiment), "", "", true,
      "make the run a folder of that name; earlier ones are kept" },
    { "PDUMP_FILENAME", WORD, AT(filename), "perf_dump", "", false,
      "output file name without ending" },
    { "PDUMP_ENDING", TEXT, AT(ending), "", "", false,
      "ending of the first format's file, exactly; empty: the format's" },
    { "PDUMP_OVERWRITE", FLAG, AT(overwrite), "0", "", false,
      "1: replace earlier output instead of renaming it away" },
    { "PDUMP_ANONYMOUS", FLAG, AT(anonymous), "0", "", false,
      "1: no command, host, settings and folders in the dump" },
    { "PDUMP_FOLLOW", FLAG, AT(follow), "0", "", false,
      "1: forked children record, too" },
    { "PDUMP_DISABLE", FLAG, AT(is_disabled), "0", "", true,
      "1: record nothing" },
    { "PDUMP_DEPTH_MAX", COUNT, AT(depth_max), "100000", "1-10000000", false,
      "deepest nesting that is recorded" },
    { "PDUMP_REGIONS_MAX", COUNT, AT(regions_max), "500000", "16-16777216",
      false, "number of names; more are counted as <overflow>" },
    { "PDUMP_SAMPLES_MAX", COUNT, AT(samples_max), "1000000", "0-1000000000",
      false, "samples kept per thread" },
    { "PDUMP_STACKS", COUNT, AT(stacks), "0", "0-10000", false,
      "call paths taken per second of each thread's CPU time; 0: none" },
    { "PDUMP_MEMORY", COUNT, AT(memory), "0", "0-3600000", false,
      "milliseconds between samples of the memory; 0: none" },
    { "PDUMP_MEMORY_MAX", COUNT, AT(memory_max), "1024", "1-32767", false,
      "memory for records, in MiB" },
    { "PDUMP_STORE", TEXT, AT(store), "", "", false,
      "folder for records while the program runs; off: none" },
    { "PDUMP_RANKS", WORD, AT(ranks), "auto", "", false,
      "all ranks, stats over them, a number and stats; own: a file each" },
    { "PDUMP_MPI_TIMEOUT", COUNT, AT(mpi_timeout), "60", "1-86400", false,
      "seconds to wait for the other ranks before each writes its own file" },
    { "PDUMP_GATHER_MAX", COUNT, AT(gather_max), "64", "0-1048576", false,
      "MiB of rows that rank 0 writes for all; more are written together" },
    { "PDUMP_HDF5", CHOICE, AT(hdf5), "auto", "auto|gather|collective", false,
      "who writes: rank 0 for all, or the ranks together" },
    { "PDUMP_OVERHEAD", CHOICE, AT(overhead), "keep", "keep|subtract", false,
      "subtract: subtract the cost of measuring from the times" },
    { "PDUMP_THROTTLE", TEXT, AT(throttle), "", "", false,
      "COUNT:NS: stop recording regions with so many, shorter visits" },
    { "PDUMP_SIGNALS", TEXT, AT(signals), "", "", false,
      "signals to note (TERM, INT) or to write a dump at (USR1)" },
    { "PDUMP_MODULES", TEXT, AT(modules), "", "", false,
      "folder of the modules; empty: where they were installed" },
    { "PDUMP_IO", FOREIGN, 0, "", "", false,
      "libpdump-io.so: what to record: files, pipes, posix, -stdio, -/path*" },
    { "PDUMP_MPI", FOREIGN, 0, "", "", false,
      "libpdump-pmpi: MPI calls to record: classes, names, -names, sync, off" },
    { "PDUMP_MPI_STACK", FOREIGN, 0, "", "", false,
      "libpdump-pmpi: 1: sites in Python are whole stacks" },
    { "PDUMP_LIBRARY", FOREIGN, 0, "", "", false,
      "libpdump.so that the Python package loads" },
    { "PDUMP_INSTRUMENTER", FOREIGN, 0, "", "", false,
      "python -m pdump: auto, profile, monitoring or none" },
    { "PDUMP_NAMES", FOREIGN, 0, "", "", false,
      "Python: plain (mod:Class.f) or scorep (mod.Class:f, user:NAME)" },
    { "PDUMP_C_CALLS", FOREIGN, 0, "", "", false,
      "python -m pdump: 1: functions written in C, too" },
    { "PDUMP_INCLUDE", FOREIGN, 0, "", "", false,
      "python -m pdump: functions to record, patterns" },
    { "PDUMP_EXCLUDE", FOREIGN, 0, "", "", false,
      "python -m pdump: functions not to record, patterns" },
    { "PDUMP_OUTPUT", FOREIGN, 0, "", "", false,
      "python -m pdump: output file, with {rank}, {pid}, {script}" },
    { "PDUMP_LINES", FOREIGN, 0, "", "", false,
      "python -m pdump: 1: lines of decorated functions" },
    { "PDUMP_REPORT", FOREIGN, 0, "", "", false,
      "python -m pdump: 1: print the report at the end" },
    { "PDUMP_RUN", FOREIGN, 0, "", "", false,
      "set by pdump run for the processes that it starts" },
    { "PDUMP_KEEP_FILES", FOREIGN, 0, "", "", false,
      "python -m pdump: accepted, as Score-P's" },
    { "PDUMP_PRINT_SUMMARY", FOREIGN, 0, "", "", false,
      "1: the Python package prints the timers at exit" },
#undef AT
};

enum { N_SETTINGS = sizeof(settings) / sizeof(settings[0]) };

/* The values chosen by pdump_set(), until the session starts. */
static char *chosen[N_SETTINGS];

static const struct setting *row_of(const char *name)
{
    for (int i = 0; i < N_SETTINGS; i++)
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    return NULL;
}

static bool is_word_of(const char *range, const char *word, size_t len)
{
    for (const char *at = range; *at; at += *at == '|') {
        size_t n = strcspn(at, "|");

        if (n == len && strncmp(at, word, n) == 0)
            return true;
        at += n;
    }
    return false;
}

static bool are_words_of(const char *range, const char *list)
{
    for (;;) {
        size_t n = strcspn(list, ",");

        if (!is_word_of(range, list, n))
            return false;
        if (!list[n])
            return true;
        list += n + 1;
    }
}

static bool parse_count(const char *range, const char *text, int64_t *out)
{
    int64_t low, high;
    long long value;
    char *end;

    sscanf(range, "%" SCNd64 "-%" SCNd64, &low, &high);
    errno = 0;
    value = strtoll(text, &end, 10);
    if (errno || end == text || *end || value < low || value > high)
        return false;
    *out = value;
    return true;
}

/* Returns true if `text` is a valid value of the setting.  If not, `why` says
 * what would be. */
static bool value_suits(const struct setting *s, const char *text, char *why,
                        size_t len)
{
    int64_t ignored;
    bool is_good = true;

    why[0] = '\0';
    switch (s->kind) {
    case TEXT:
    case FILTER:
    case RULES:
    case FOREIGN:
        break;
    case WORD:
        is_good = *text != '\0';
        snprintf(why, len, "it must not be empty");
        break;
    case CHOICE:
        is_good = is_word_of(s->range, text, strlen(text));
        snprintf(why, len, "it must be one of %s", s->range);
        break;
    case CHOICES:
        is_good = are_words_of(s->range, text);
        snprintf(why, len, "it must be a list of %s", s->range);
        break;
    case FLAG:
        is_good = strcmp(text, "0") == 0 || strcmp(text, "1") == 0;
        snprintf(why, len, "it must be 0 or 1");
        break;
    case COUNT:
        is_good = parse_count(s->range, text, &ignored);
        snprintf(why, len, "it must be a number in %s", s->range);
        break;
    }
    return is_good;
}

/* Check a filter at once, so that pdump_set() fails if it is a bad one. */
static int try_filter(const char *paths, const char *rules)
{
    struct pdump_filter *filter = NULL;
    int err = pdump_filter_open(paths, rules, &filter);

    pdump_filter_free(filter);
    return err;
}

int pdump_settings_choose(const char *name, const char *value)
{
    const struct setting *s = name ? row_of(name) : NULL;
    char why[96], *copy = NULL;

    if (!s || s->kind == FOREIGN)
        return pdump_fail(PDUMP_ENOENT, "%s is not a setting of libpdump",
                          name ? name : "NULL");
    if (value) {
        if (!value_suits(s, value, why, sizeof(why)))
            return pdump_fail(PDUMP_EINVAL, "%s=%s: %s", name, value, why);
        if ((s->kind == FILTER && try_filter(value, "") < 0) ||
            (s->kind == RULES && try_filter("", value) < 0))
            return PDUMP_EINVAL;
        copy = strdup(value);
        if (!copy)
            return pdump_no_memory();
    }
    free(chosen[s - settings]);
    chosen[s - settings] = copy;
    return PDUMP_OK;
}

bool pdump_settings_are_chosen(void)
{
    for (int i = 0; i < N_SETTINGS; i++)
        if (chosen[i])
            return true;
    return false;
}

/* Returns the value in force: valid, and never NULL.  If the user's value is
 * not valid, `why` says what would be, else it is "". */
static const char *value_choose(const struct setting *s, pdump_getenv *get,
                                char *why, size_t len)
{
    const char *program = chosen[s - settings];
    const char *user = get(s->name);

    why[0] = '\0';
    if (program && !(user && s->environment_wins))
        return program;
    if (user && value_suits(s, user, why, len)) {
        why[0] = '\0';
        return user;
    }
    return program ? program : s->fallback;
}

const char *pdump_settings_value(const char *name, pdump_getenv *get)
{
    char why[96];

    return value_choose(row_of(name), get, why, sizeof(why));
}

/* The same, with a warning if the user's value is not valid. */
static const char *value_of(const struct setting *s, pdump_getenv *get)
{
    char why[96];
    const char *user = get(s->name);
    const char *value = value_choose(s, get, why, sizeof(why));

    if (!why[0])
        return value;
    pdump_warn(s->name, "%s=%.80s: %s; using %s", s->name, user, why,
               *value ? value : "the default");
    return value;
}

static int value_put(const struct setting *s, struct pdump_settings *set,
                     const char *value)
{
    void *field = (char *)set + s->at;
    char *copy;

    switch (s->kind) {
    case FLAG:
        *(bool *)field = value[0] == '1';
        break;
    case COUNT:
        parse_count(s->range, value, field);
        break;
    case FOREIGN:
        break;
    default:
        copy = strdup(value);
        if (!copy)
            return pdump_no_memory();
        *(char **)field = copy;
    }
    return PDUMP_OK;
}

int pdump_settings_load(struct pdump_settings *out, pdump_getenv *get)
{
    struct pdump_settings set = { 0 };

    /* PDUMP_QUIET comes first: it decides whether the others print warnings. */
    for (int i = 0; i < N_SETTINGS; i++) {
        int err = value_put(&settings[i], &set, value_of(&settings[i], get));

        if (i == 0)
            pdump_log_set_quiet(set.quiet);
        if (err < 0) {
            pdump_settings_free(&set);
            return err;
        }
    }
    pdump_log_silence_misuse(set.silence_warnings);
    set.records_events = strstr(set.record, "events") != NULL;
    *out = set;
    return PDUMP_OK;
}

void pdump_settings_free(struct pdump_settings *set)
{
    for (int i = 0; i < N_SETTINGS; i++) {
        enum kind kind = settings[i].kind;

        if (kind != FLAG && kind != COUNT && kind != FOREIGN)
            free(*(char **)((char *)set + settings[i].at));
    }
    memset(set, 0, sizeof(*set));
}

/* An estimate of the edit distance of `a` and `b`, as if all edits were at one
 * place; enough to find a typo. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b), head = 0, tail = 0;
    size_t least = la < lb ? la : lb, most = la < lb ? lb : la;

    while (head < least && a[head] == b[head])
        head++;
    while (tail < least - head && a[la - 1 - tail] == b[lb - 1 - tail])
        tail++;
    return most - head - tail;
}

static const char *nearest_name(const char *name)
{
    const char *best = settings[0].name;

    for (int i = 1; i < N_SETTINGS; i++)
        if (edit_distance(name, settings[i].name) < edit_distance(name, best))
            best = settings[i].name;
    return best;
}

void pdump_settings_check_names(char *const *environment)
{
    for (; environment && *environment; environment++) {
        size_t len = strcspn(*environment, "=");
        char name[64];

        if (strncmp(*environment, "PDUMP_", 6) != 0)
            continue;
        snprintf(name, sizeof(name), "%.*s", (int)len, *environment);
        if (len >= sizeof(name) || !row_of(name))
            pdump_warn(name, "%s%s is not a setting; did you mean %s?", name,
                       len >= sizeof(name) ? "..." : "", nearest_name(name));
    }
}

bool pdump_settings_row(const struct pdump_settings *set, int index,
                        struct pdump_setting_info *out)
{
    const struct setting *s = &settings[index];
    const void *field;

    if (index < 0 || index >= N_SETTINGS)
        return false;
    out->name = s->name;
    out->help = s->help;
    out->fallback = s->fallback;
    out->environment_wins = s->environment_wins;
    field = (const char *)set + s->at;
    if (s->kind == FLAG)
        snprintf(out->value, sizeof(out->value), "%d", *(const bool *)field);
    else if (s->kind == COUNT)
        snprintf(out->value, sizeof(out->value), "%" PRId64,
                 *(const int64_t *)field);
    else
        snprintf(out->value, sizeof(out->value), "%s",
                 s->kind == FOREIGN ? "" : *(char *const *)field);
    return true;
}
