/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses and opens the counters of a session, given the user's settings. */
#include "source/source.h"
#include "system/log.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each source is offered the wishes that those before it have left. */
static const struct pdump_source *const table[] = {
    &pdump_source_rusage,
#ifdef HAVE_PAPI
    &pdump_source_papi,
#endif
};

enum { N_TABLE = sizeof(table) / sizeof(table[0]) };

/* The default counters: the first of these sets that can be counted completely.
 * The last one needs no open descriptor, and is the default of `pdump run`. */
static const char *const defaults[] = {
    "PAPI_TOT_CYC,PAPI_TOT_INS",
    "perf::TASK-CLOCK,perf::PAGE-FAULTS",
    "pdump::cpu_time,pdump::minor_faults",
};

/* Add a wish unless it exists already.  If `refusal` is not empty, it says why
 * the wish is refused from the start. */
static int add_wish(struct pdump_wishes *wishes, const char *word, size_t len,
                    long long code, const char *refusal)
{
    struct pdump_wish *more, wish = { .code = code };
    int n = wishes->n;

    if (len >= sizeof(wish.name)) {
        len = sizeof(wish.name) - 1;
        refusal = "no event has so long a name";
    }
    memcpy(wish.name, word, len);
    snprintf(wish.refusal, sizeof(wish.refusal), "%s", refusal);
    for (int i = 0; i < n; i++)
        if (wishes->wish[i].code == code &&
            strcmp(wishes->wish[i].name, wish.name) == 0)
            return PDUMP_OK;

    /* The array doubles: it is full whenever n is a power of two. */
    if ((n & (n - 1)) == 0) {
        more = realloc(wishes->wish, (n ? 2 * (size_t)n : 1) * sizeof(*more));
        if (!more)
            return pdump_no_memory();
        wishes->wish = more;
    }
    wishes->wish[wishes->n++] = wish;
    return PDUMP_OK;
}

static int add_name(struct pdump_wishes *wishes, const char *word, size_t len)
{
    return add_wish(wishes, word, len, 0, "");
}

/* PAPI's codes have 32 bits, and are written with or without a sign. */
static int add_code(struct pdump_wishes *wishes, const char *word, size_t len)
{
    char text[32] = "", *end;
    long long code;

    if (len < sizeof(text))
        memcpy(text, word, len);
    errno = 0;
    code = strtoll(text, &end, strncasecmp(text, "0x", 2) == 0 ? 16 : 10);
    if (*end == '\0' && !errno && code && code >= INT_MIN && code <= UINT_MAX)
        return add_wish(wishes, "", 0, (long long)(uint32_t)code, "");
    return add_wish(wishes, word, len, 0,
                    "not a code: PDUMP_CODES takes decimal or 0x numbers");
}

/* Split `text` at every `delimiter`; blanks around a piece and empty pieces are
 * ignored. */
static int list_split(struct pdump_wishes *wishes, const char *text,
                      const char *delimiter,
                      int (*add)(struct pdump_wishes *, const char *, size_t))
{
    int err = PDUMP_OK;

    while (text && err == PDUMP_OK) {
        const char *cut = *delimiter ? strstr(text, delimiter) : NULL;
        const char *end = cut ? cut : text + strlen(text);

        while (text < end && isspace((unsigned char)*text))
            text++;
        while (end > text && isspace((unsigned char)end[-1]))
            end--;
        if (end > text)
            err = add(wishes, text, (size_t)(end - text));
        text = cut ? cut + strlen(delimiter) : NULL;
    }
    return err;
}

static const char *wish_label(const struct pdump_wish *wish, char *text,
                              size_t len)
{
    if (!wish->code)
        return wish->name;
    snprintf(text, len, "code 0x%llx", wish->code);
    return text;
}

/* Append ", name" and, with `why`, " (why)". */
static void name_append(char *text, size_t len, const struct pdump_wish *wish,
                        const char *why)
{
    size_t at = strlen(text);
    char label[32];

    snprintf(text + at, len - at, "%s%s", at ? ", " : "",
             wish_label(wish, label, sizeof(label)));
    at = strlen(text);
    if (why)
        snprintf(text + at, len - at, " (%s)", why);
}

/* "time" is always the first metric; it may be requested, but need not be. */
static void start_with_time(struct pdump_sources *s,
                            struct pdump_wishes *wishes)
{
    struct pdump_metric *time = &s->metric[s->n_metrics++];

    snprintf(time->name, sizeof(time->name), "time");
    snprintf(time->unit, sizeof(time->unit), "ns");
    snprintf(time->source, sizeof(time->source), "clock");
    snprintf(time->about, sizeof(time->about), "elapsed time");
    time->kind = PDUMP_COUNTER;
    time->scale = 1.0;
    for (int i = 0; i < wishes->n; i++)
        if (strcmp(wishes->wish[i].name, "time") == 0)
            wishes->wish[i].is_claimed = true;
}

/* Offer the wishes to every source; on failure nothing stays open. */
static int wishes_offer(const struct pdump_settings *set,
                        struct pdump_wishes *wishes, struct pdump_sources *s)
{
    memset(s, 0, sizeof(*s));
    start_with_time(s, wishes);
    for (int i = 0; i < N_TABLE && wishes->n; i++) {
        int n = table[i]->open(set, wishes, &s->metric[s->n_metrics],
                               PDUMP_METRICS_MAX - s->n_metrics);

        if (n < 0) {
            pdump_sources_close(s);
            return n;
        }
        if (n == 0)
            continue;
        s->source[s->n] = table[i];
        s->first[s->n++] = s->n_metrics;
        for (int end = s->n_metrics + n; s->n_metrics < end; s->n_metrics++)
            if (s->metric[s->n_metrics].kind == PDUMP_GAUGE)
                s->gauges |= UINT32_C(1) << s->n_metrics;
    }
    return PDUMP_OK;
}

/* Returns why no source counts this wish; NULL if there are too many metrics.
 */
static const char *wish_refusal(const struct pdump_wish *wish,
                                const struct pdump_sources *s)
{
    if (*wish->refusal)
        return wish->refusal;
    if (s->n_metrics == PDUMP_METRICS_MAX)
        return NULL;
    return "no such event, or libpdump was built without PAPI";
}

/* Warn about every wish that cannot be granted, and once about all those beyond
 * the largest number of metrics.  Returns how many were granted. */
static int warn_refused(const struct pdump_wishes *wishes,
                        const struct pdump_sources *s)
{
    char left_out[400] = "";
    int n_granted = 0;

    for (int i = 0; i < wishes->n; i++) {
        const struct pdump_wish *wish = &wishes->wish[i];
        const char *why = wish_refusal(wish, s);
        char text[32], cause[160];
        const char *label = wish_label(wish, text, sizeof(text));

        n_granted += wish->is_claimed;
        if (wish->is_claimed)
            continue;
        snprintf(cause, sizeof(cause), "event %s", label);
        if (why)
            pdump_warn(cause, "event %s is not counted: %s", label, why);
        else
            name_append(left_out, sizeof(left_out), wish, NULL);
    }
    if (*left_out)
        pdump_warn("events left out", "more than %d metrics, left out: %s",
                   PDUMP_METRICS_MAX, left_out);
    return n_granted;
}

static int refuse_all(const struct pdump_wishes *wishes,
                      const struct pdump_sources *s)
{
    char list[800] = "";

    for (int i = 0; i < wishes->n; i++)
        name_append(list, sizeof(list), &wishes->wish[i],
                    wish_refusal(&wishes->wish[i], s));
    pdump_sources_close(s);
    return pdump_fail(PDUMP_ESOURCE,
                      "none of the events asked for can be counted: %s", list);
}

static int open_asked(const struct pdump_settings *set,
                      struct pdump_wishes *wishes, struct pdump_sources *s)
{
    int n, err = wishes_offer(set, wishes, s);

    if (err < 0)
        return err;
    n = warn_refused(wishes, s);
    snprintf(s->choice, sizeof(s->choice), "%d of the %d events asked for", n,
             wishes->n);
    if (n > 0)
        return PDUMP_OK;
    if (!set->is_lenient)
        return refuse_all(wishes, s);
    pdump_warn("no events", "only time is recorded: none of the events asked "
                            "for can be counted");
    return PDUMP_OK;
}

/* Returns true if all wishes were granted.  If not, `why` is the first reason;
 * a reason from a call before is kept. */
static bool is_granted(const struct pdump_wishes *wishes, char *why, size_t len)
{
    for (int i = 0; i < wishes->n; i++) {
        const struct pdump_wish *wish = &wishes->wish[i];

        if (wish->is_claimed)
            continue;
        if (!*why)
            snprintf(why, len, "%s: %s", wish->name,
                     *wish->refusal ? wish->refusal : "built without PAPI");
        return false;
    }
    return true;
}

/* Open all events of `list`.  Returns 1 if all of them can be counted, 0 if not
 * (then nothing is open), or a pdump_error. */
static int open_all_of(const char *list, const struct pdump_settings *set,
                       struct pdump_sources *s, char *why, size_t len)
{
    struct pdump_wishes wishes = { .is_default = true };
    int err = list_split(&wishes, list, ",", add_name);

    if (err == PDUMP_OK)
        err = wishes_offer(set, &wishes, s);
    if (err == PDUMP_OK) {
        err = is_granted(&wishes, why, len);
        if (!err)
            pdump_sources_close(s);
    }
    free(wishes.wish);
    return err;
}

/* Does not fail if there are no counters: the time can always be measured. */
static int open_default(const struct pdump_settings *set,
                        struct pdump_sources *s)
{
    const size_t n = sizeof(defaults) / sizeof(defaults[0]);
    struct pdump_wishes nothing = { .is_default = true };
    char why[300] = "";
    size_t i = set->is_quick ? n - 1 : 0;
    int is_open = 0;

    while (i < n && is_open == 0)
        is_open = open_all_of(defaults[i++], set, s, why, sizeof(why));
    if (is_open < 0)
        return is_open;
    if (!is_open)
        wishes_offer(set, &nothing, s);
    s->is_default = true;
    snprintf(s->choice, sizeof(s->choice), "default: %s%s%s",
             is_open ? defaults[i - 1] : "time only", *why ? ", because " : "",
             why);
    return PDUMP_OK;
}

static bool is_none(const struct pdump_wishes *wishes)
{
    return wishes->n == 1 && strcasecmp(wishes->wish[0].name, "none") == 0;
}

bool pdump_source_is_cpu_time(const char *name)
{
    return strcmp(name, "pdump::cpu_time") == 0 ||
           strcmp(name, "perf::TASK-CLOCK") == 0 ||
           strcmp(name, "perf::CPU-CLOCK") == 0;
}

int pdump_sources_open(const struct pdump_settings *set,
                       struct pdump_sources *out)
{
    struct pdump_wishes wishes = { 0 };
    struct pdump_sources s;
    int err = list_split(&wishes, set->events, set->delimiter, add_name);

    if (err == PDUMP_OK)
        err = list_split(&wishes, set->codes, set->delimiter, add_code);
    if (err < 0)
        goto out;
    if (is_none(&wishes)) {
        wishes.n = 0;
        err = wishes_offer(set, &wishes, &s);
        snprintf(s.choice, sizeof(s.choice), "time only: PDUMP_EVENTS=none");
    } else if (wishes.n) {
        err = open_asked(set, &wishes, &s);
    } else {
        err = open_default(set, &s);
    }
    if (err == PDUMP_OK)
        *out = s;
out:
    free(wishes.wish);
    return err;
}

/* Returns true if the wish can be counted without a library. */
static bool is_own(const struct pdump_wish *wish)
{
    return strncmp(wish->name, "pdump::", 7) == 0 ||
           strcmp(wish->name, "time") == 0;
}

void pdump_sources_load(const char *events, const char *codes,
                        const char *delimiter, bool is_quick)
{
    struct pdump_wishes wishes = { 0 };
    bool is_needed = false;

    if (list_split(&wishes, events, delimiter, add_name) < 0 ||
        list_split(&wishes, codes, delimiter, add_code) < 0 || is_none(&wishes))
        goto out;
    for (int i = 0; i < wishes.n; i++)
        is_needed |= !is_own(&wishes.wish[i]);
    if (wishes.n == 0)
        is_needed = !is_quick; /* see open_default() */
    for (int i = 0; i < N_TABLE && is_needed; i++)
        if (table[i]->load)
            table[i]->load(); /* open() reports errors */
out:
    free(wishes.wish);
}

void pdump_sources_close(const struct pdump_sources *sources)
{
    for (int i = sources->n; i-- > 0;)
        sources->source[i]->close();
}

void pdump_sources_before_fork(struct timespec until)
{
    for (int i = 0; i < N_TABLE; i++)
        if (table[i]->before_fork)
            table[i]->before_fork(until);
}

void pdump_sources_in_parent(void)
{
    for (int i = 0; i < N_TABLE; i++)
        if (table[i]->in_parent)
            table[i]->in_parent();
}

void pdump_sources_forked(void)
{
    for (int i = 0; i < N_TABLE; i++)
        if (table[i]->forked)
            table[i]->forked();
}

int pdump_sources_try(const char *name, struct pdump_metric *metric, char *why,
                      size_t len)
{
    const struct pdump_settings set = { 0 };
    struct pdump_wishes wishes = { 0 };
    struct pdump_sources s;
    int err = add_name(&wishes, name, strlen(name));

    if (err == PDUMP_OK)
        err = wishes_offer(&set, &wishes, &s);
    if (err < 0)
        goto out;
    if (wishes.wish[0].is_claimed) {
        *metric = s.metric[s.n_metrics - 1];
        err = 1;
    } else {
        snprintf(why, len, "%s", wish_refusal(&wishes.wish[0], &s));
    }
    pdump_sources_close(&s);
out:
    free(wishes.wish);
    return err;
}

int pdump_sources_names(pdump_each_name *each, void *data)
{
    int stop = 0;

    for (int i = 0; i < N_TABLE && !stop; i++)
        if (table[i]->names)
            stop = table[i]->names(each, data);
    return stop;
}
