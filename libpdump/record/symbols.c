/* SPDX-License-Identifier: BSD-3-Clause */
/* Code places: looks them up in the module, and caches the results. */
#include "record/symbols.h"
#include "record/symbols_private.h"
#include "system/lock.h"
#include "system/plugin.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cached result.  Most names and paths are far shorter than their limits. */
struct answer {
    struct answer *next;
    uint64_t hash;
    bool is_known, is_shared;
    int line;
    uint64_t start;
    const char *file;
    const char *function;
    char place[];
};

enum { BUCKETS = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Made when the first result is kept.  The entries are under the lock. */
static struct answer **_Atomic answers;
static const struct pdump_symbols *_Atomic finder;

/* Only one thread at a time may be in the module, because libdw is not
 * thread-safe. */
static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
static bool is_held;         /* the turn, by the thread that forks */
static atomic_bool is_stuck; /* a wait has timed out: do not wait again */

static const struct pdump_symbols self = { .find = pdump_symbols_dladdr };

void pdump_symbols_lock(struct timespec until)
{
    is_held = pdump_turn_take_until(&asking, until);
    pthread_mutex_lock(&lock);
}

void pdump_symbols_unlock(void)
{
    pthread_mutex_unlock(&lock);
    if (is_held)
        pdump_turn_end(&asking);
}

void pdump_symbols_in_child(void)
{
    pdump_lock_renew(&lock);
    pdump_lock_renew(&asking);
}

static uint64_t place_hash(const char *text)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    while (*text)
        h = (h ^ (unsigned char)*text++) * UINT64_C(0x100000001b3);
    return h ^ h >> 32;
}

/* Returns the module, or its substitute.  Two threads that look for it at the
 * same time find the same. */
static const struct pdump_symbols *find_finder(void)
{
    const struct pdump_plugin *plugin = NULL;

    if (finder)
        return finder;
    if (pdump_plugin_is_there("symbols") &&
        pdump_plugin_load(NULL, NULL, "symbols", &plugin) >= 0 &&
        plugin->symbols)
        finder = plugin->symbols;
    else
        finder = &self;
    return finder;
}

/* Returns the module's name for the place, given, or NULL.  The name is copied
 * before another thread enters the module.  If another thread does not leave
 * the module in time, *is_final becomes false. */
static char *ask_module(const struct pdump_symbols *who, const char *file,
                        uint64_t offset, struct pdump_symbol *out,
                        bool *is_final)
{
    const char *found = "";
    char *name = NULL;

    *is_final = pdump_turn_take_until(
        &asking, pdump_turn_in(is_stuck ? 0 : pdump_turn_limit));
    is_stuck = !*is_final;
    if (!*is_final)
        return NULL;
    if (who->find(file, offset, &found, out))
        name = strdup(found);
    pdump_turn_end(&asking);
    return name;
}

bool pdump_symbols_parts(const struct pdump_symbol_address *at,
                         pdump_symbol_take *take, void *data)
{
    const struct pdump_symbols *who = find_finder();
    struct pdump_symbol_part part = { .name = "" };
    struct pdump_symbol unused = { .line = 0 };
    bool is_known = false;

    if (who->parts &&
        pdump_turn_take_until(&asking,
                              pdump_turn_in(is_stuck ? 0 : pdump_turn_limit))) {
        is_known = who->parts(at, take, data);
        pdump_turn_end(&asking);
    }
    if (is_known)
        return true;
    if (!self.find(at->module, at->offset, &part.name, &unused))
        return false;
    take(data, &part);
    return true;
}

/* Parse "MODULE+0xOFFSET". */
static bool place_parse(const char *place, char *module, size_t len,
                        uint64_t *offset)
{
    const char *plus = strrchr(place, '+');
    char *end;

    if (!plus || plus == place || strncmp(plus, "+0x", 3) != 0 || !plus[3] ||
        (size_t)(plus - place) >= len)
        return false;
    *offset = strtoull(plus + 3, &end, 16);
    snprintf(module, len, "%.*s", (int)(plus - place), place);
    return !*end;
}

static bool symbol_ask(const char *place, struct pdump_symbol *out,
                       bool *is_final)
{
    const struct pdump_symbols *who = find_finder();
    char file[PATH_MAX], *name = NULL;
    const char *own = "";
    uint64_t offset;

    memset(out, 0, sizeof(*out));
    if (!place_parse(place, file, sizeof(file), &offset))
        return false;
    if (who != &self)
        name = ask_module(who, file, offset, out, is_final);
    if (!name && !self.find(file, offset, &own, out))
        return false;
    pdump_symbols_pretty(name ? name : own, out->function,
                         sizeof(out->function));
    free(name);
    return *out->function || *out->file;
}

/* Under the lock. */
static const struct answer *answer_find(const char *place, uint64_t hash)
{
    const struct answer *a = answers ? answers[hash % BUCKETS] : NULL;

    while (a && (a->hash != hash || strcmp(a->place, place) != 0))
        a = a->next;
    return a;
}

/* Returns false if out of memory. */
static bool make_answers(void)
{
    struct answer **none = NULL, **new;

    if (answers)
        return true;
    new = calloc(BUCKETS, sizeof(*new));
    if (new && !atomic_compare_exchange_strong(&answers, &none, new))
        free(new); /* another thread was faster */
    return new != NULL;
}

/* Cache a result.  If out of memory, it is looked up again. */
static void answer_keep(const char *place, uint64_t hash, bool is_known,
                        const struct pdump_symbol *symbol)
{
    size_t n = strlen(place) + 1, n_file = strlen(symbol->file) + 1;
    size_t n_function = strlen(symbol->function) + 1;
    struct answer *a =
        make_answers() ? malloc(sizeof(*a) + n + n_file + n_function) : NULL;
    bool is_new;

    if (!a)
        return;
    a->hash = hash;
    a->is_known = is_known;
    a->is_shared = symbol->is_shared;
    a->line = symbol->line;
    a->start = symbol->start;
    a->file = memcpy(a->place + n, symbol->file, n_file);
    a->function = memcpy(a->place + n + n_file, symbol->function, n_function);
    memcpy(a->place, place, n);
    pthread_mutex_lock(&lock);
    is_new = !answer_find(place, hash);
    if (is_new) {
        a->next = answers[hash % BUCKETS];
        answers[hash % BUCKETS] = a;
    }
    pthread_mutex_unlock(&lock);
    if (!is_new)
        free(a);
}

static void answer_copy(const struct answer *a, struct pdump_symbol *out)
{
    memset(out, 0, sizeof(*out));
    snprintf(out->function, sizeof(out->function), "%s", a->function);
    snprintf(out->file, sizeof(out->file), "%s", a->file);
    out->line = a->line;
    out->start = a->start;
    out->is_shared = a->is_shared;
}

bool pdump_symbols_find(const char *place, struct pdump_symbol *out)
{
    uint64_t hash = place_hash(place);
    const struct answer *a;
    bool is_known, is_final = true;

    pthread_mutex_lock(&lock);
    a = answer_find(place, hash);
    pthread_mutex_unlock(&lock);
    if (a) { /* results never change */
        answer_copy(a, out);
        return a->is_known;
    }
    is_known = symbol_ask(place, out, &is_final);
    if (is_final)
        answer_keep(place, hash, is_known, out);
    return is_known;
}

/* Write the place where the function starts, if that is known, else the place
 * itself. */
static void put_start(const char *place, uint64_t start, char *buf, size_t len)
{
    const char *plus = strrchr(place, '+');

    if (start && plus)
        snprintf(buf, len, "%.*s+0x%llx", (int)(plus - place), place,
                 (unsigned long long)start);
    else
        snprintf(buf, len, "%s", place);
}

bool pdump_symbols_name(const char *place, char *buf, size_t len,
                        struct pdump_symbol *out)
{
    char start[PDUMP_PLACE_MAX];

    pdump_symbols_find(place, out);
    if (!*out->function)
        put_start(place, out->start, buf, len);
    else if (!out->is_shared)
        snprintf(buf, len, "%s", out->function);
    else if (*out->file)
        snprintf(buf, len, "%s (%s:%d)", out->function, out->file, out->line);
    else {
        put_start(place, out->start, start, sizeof(start));
        snprintf(buf, len, "%s (%s)", out->function, start);
    }
    return *out->function;
}

const char *pdump_symbols_advice(void)
{
    return find_finder() == &self
               ? "libpdump has no module \"symbols\"; build libpdump with libdw"
               : "the file is stripped; install its debug symbols (a -dbgsym "
                 "or -debuginfo package), or set DEBUGINFOD_URLS";
}

void pdump_symbols_load(void)
{
    if (pdump_symbols_has_places())
        find_finder();
}

void pdump_symbols_rest(void)
{
    const struct pdump_symbols *who = finder;

    if (!who || !who->rest)
        return;
    if (!pdump_turn_take_until(&asking, pdump_turn_in(1)))
        return; /* the thread in the module closes them later */
    who->rest();
    pdump_turn_end(&asking);
}
