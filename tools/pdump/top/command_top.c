/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump top: shows what measured programs are doing now. */
#include "command.h"
#include "common/user.h"
#include "top/live.h"
#include "top/screen.h"
#include "top/top_page.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum option {
    DELAY,
    COUNT,
    ONCE,
    SORT,
    SORT_MORE,
    THREADS,
    PROCESSES,
    RANKS,
    FLAT,
    DEPTH,
    USER,
};

static const struct command_option options[] = {
    [DELAY] = { "delay", "SECONDS", "time between two pages (1)" },
    [COUNT] = { "count", "COUNT", "end after so many pages" },
    [ONCE] = { "once", NULL, "one page, as plain text" },
    [SORT] = { "sort", "KEY", "time, self, visits, name, or a metric; of" },
    [SORT_MORE] = { NULL, NULL, "what happened since the previous page" },
    [THREADS] = { "threads", NULL, "a tree for each thread" },
    [PROCESSES] = { "processes", NULL, "a table for each process" },
    [RANKS] = { "ranks", NULL, "a line for each rank or process" },
    [FLAT] = { "flat", NULL, "one line per region, wherever it was called" },
    [DEPTH] = { "depth", "N", "only N levels of the tree" },
    [USER] = { "user", "NAME", "as root: the programs of this user" },
    { NULL, NULL, NULL },
};

enum { FIRST_LOOK = 4 }; /* the first page comes after a part of the delay */

struct top {
    const struct command *self;
    char **operands;
    int64_t *pids; /* pid of each operand, or 0 */
    int n_operands;
    int count; /* pages left; -1: no end */
    bool is_plain;
    char sort[256];
    int from; /* lines scrolled away */
    struct top_page page;
    struct live_look now;
    struct live_look before;
};

static int top_argument(struct command_arguments *args, int which, char *value)
{
    struct top *t = args->data;
    double number = 0;

    if (which == DELAY && !command_number(value, 0.05, 1e5, &t->page.delay))
        return command_usage(
            t->self, "--delay takes 0.05 to 100000 seconds, not \"%s\"", value);
    if ((which == COUNT || which == DEPTH) &&
        (!command_number(value, 1, 1e6, &number) || number != (int)number))
        return command_usage(
            t->self, "--%s takes a whole number from 1 to 1000000, not \"%s\"",
            options[which].name, value);
    if (which == USER)
        return user_choose(t->self, value);
    if (which == ARGUMENT_OPERAND)
        t->operands[t->n_operands++] = value;
    else if (which == COUNT)
        t->count = (int)number;
    else if (which == DEPTH)
        t->page.view.depth = (int)number;
    else if (which == SORT)
        snprintf(t->sort, sizeof(t->sort), "%s", value);
    t->is_plain |= which == ONCE;
    t->page.view.by_thread |= which == THREADS;
    t->page.by_process |= which == PROCESSES;
    t->page.by_rank |= which == RANKS;
    t->page.view.is_flat |= which == FLAT;
    return -1;
}

/* Returns the pid if the operand is a number and not a file. */
static int64_t parse_pid(const char *operand)
{
    char *end;
    long long pid;

    if (!isdigit((unsigned char)operand[0]) || access(operand, F_OK) == 0)
        return 0;
    errno = 0;
    pid = strtoll(operand, &end, 10);
    return errno == 0 && *end == '\0' && pid > 0 && pid <= INT32_MAX ? pid : 0;
}

/* Returns an exit code, or -1 to go on. */
static int parse(struct top *t, int argc, char **argv)
{
    int code = command_parse(t->self, argc, argv, top_argument, t);

    for (int i = 0; code < 0 && i < t->n_operands; i++) {
        t->pids[i] = parse_pid(t->operands[i]);
        if (t->pids[i] && kill((pid_t)t->pids[i], 0) != 0 && errno == ESRCH)
            code =
                command_fail(t->self, "there is no process %s", t->operands[i]);
    }
    return code;
}

/* Returns true if it is the requested process, or a descendant of it. */
static bool is_wanted(const struct store_list *list, const struct store *store,
                      int64_t pid)
{
    int64_t at = store->pid;

    for (int steps = 0; at != pid && steps <= list->n; steps++) {
        int64_t parent = 0;

        for (int i = 0; i < list->n; i++)
            if (list->items[i].pid == at && list->items[i].is_alive)
                parent = list->items[i].parent;
        if (parent == 0)
            return false;
        at = parent;
    }
    return at == pid;
}

/* Lists the stores and folders that were named; and from the default folders
 * the processes that were named, or all. */
static int list_stores(const struct top *t, struct store_list *list)
{
    int n_named, n_pids = 0, err = PDUMP_OK;

    for (int i = 0; err >= 0 && i < t->n_operands; i++) {
        n_pids += t->pids[i] > 0;
        if (t->pids[i] == 0)
            err = store_list_add(list, t->operands[i]);
        /* A store that existed is removed when its process ends. */
        if (err == PDUMP_EIO && t->now.taken > 0)
            err = PDUMP_OK;
    }
    n_named = list->n;
    if (err >= 0 && (n_pids > 0 || t->n_operands == 0))
        err = store_list_add_defaults(list);
    for (int i = n_named; n_pids > 0 && i < list->n; i++) {
        bool is_ours = false;

        for (int k = 0; k < t->n_operands; k++)
            is_ours |=
                t->pids[k] > 0 && is_wanted(list, &list->items[i], t->pids[k]);
        list->items[i].is_alive &= is_ours;
    }
    return err;
}

/* Looks again; the previous look moves to `before`. */
static int top_look(struct top *t)
{
    struct store_list list = { 0 };
    struct live_look next;
    int err = list_stores(t, &list);

    if (err >= 0)
        err = live_look_take(&list, &t->now, &next);
    store_list_free(&list);
    if (err < 0)
        return err;
    live_look_free(&t->before);
    t->before = t->now;
    t->now = next;
    return PDUMP_OK;
}

/* Selects the metric after the current sort key (before it if `step` is -1):
 * counters, not gauges. */
static void next_metric(struct top *t, int step)
{
    const struct pdump_dump *dump = t->now.n > 0 ? t->now.items[0].dump : NULL;
    int n = dump ? dump->n_metrics : 0, at = step > 0 ? n - 1 : 0;

    for (int i = 0; i < n; i++)
        if (strcmp(dump->metrics[i].name, t->sort) == 0)
            at = i;
    for (int i = 1; i <= n; i++) {
        const struct pdump_dump_metric *m =
            &dump->metrics[(at + step * i + n) % n];

        if (m->kind == PDUMP_GAUGE)
            continue;
        snprintf(t->sort, sizeof(t->sort), "%s", m->name);
        return;
    }
}

/* Handles a key.  Returns false at the end. */
static bool obey(struct top *t, int key)
{
    static const struct {
        char key;
        const char *sort;
    } orders[] = {
        { 't', "time" }, { 's', "self" }, { 'v', "visits" }, { 'n', "name" }
    };

    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
        if (key == orders[i].key)
            snprintf(t->sort, sizeof(t->sort), "%s", orders[i].sort);
    if (key == 'm')
        next_metric(t, 1);
    else if (key == 'M')
        next_metric(t, -1);
    else if (key == '?')
        t->page.has_help = !t->page.has_help;
    else if (key == 'r')
        t->page.by_rank = !t->page.by_rank;
    else if (key == 'f')
        t->page.view.is_flat = !t->page.view.is_flat;
    else if (key == 'h')
        t->page.view.by_thread = !t->page.view.by_thread;
    else if (key == 'p')
        t->page.by_process = !t->page.by_process;
    else if (key == SCREEN_DOWN || key == 'j')
        t->from++;
    else if ((key == SCREEN_UP || key == 'k') && t->from > 0)
        t->from--;
    return key != 'q' && key != SCREEN_END;
}

/* Returns the page as text, given, or NULL. */
static char *render(struct top *t, int *err)
{
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);

    *err = f ? top_page_print(f, &t->page, &t->now, &t->before)
             : pdump_no_memory();
    if (f && fclose(f) != 0)
        *err = pdump_no_memory();
    return text;
}

static int show(struct top *t)
{
    char *text;
    int err;

    t->page.look.width = screen_width();
    text = render(t, &err);
    if (text && (err >= 0 || err == PDUMP_ENOENT))
        screen_show(text, t->from);
    free(text);
    return err;
}

/* Handles keys until the next look is due.  Returns false at the end. */
static bool wait_for_next(struct top *t, double seconds)
{
    int64_t end = pdump_clock_system() + (int64_t)(seconds * 1e9);

    for (;;) {
        int64_t left = end - pdump_clock_system();
        int key = left > 0 ? screen_wait((double)left / 1e9) : SCREEN_TIMEOUT;

        if (key == SCREEN_TIMEOUT || key == ' ')
            return true;
        if (!obey(t, key))
            return false;
        if (t->before.taken > 0 && show(t) == PDUMP_ENOMEM)
            return false;
    }
}

static int watch(struct top *t)
{
    double seconds = t->page.delay / FIRST_LOOK;
    int err = PDUMP_OK;

    while (t->count != 0 && wait_for_next(t, seconds)) {
        err = top_look(t);
        if (err >= 0)
            err = show(t);
        if (err < 0 && !(err == PDUMP_ENOENT && t->count < 0))
            break;
        err = PDUMP_OK;
        seconds = t->page.delay;
        t->count -= t->count > 0;
    }
    return err;
}

static int print(struct top *t)
{
    struct timespec delay = { .tv_sec = (time_t)t->page.delay };
    int err = PDUMP_OK, n_pages = 0;

    delay.tv_nsec = (long)((t->page.delay - (double)delay.tv_sec) * 1e9);
    for (; t->count != 0 && err >= 0; t->count--, n_pages++) {
        char *text = NULL;

        nanosleep(&delay, NULL);
        err = top_look(t);
        if (err >= 0 && t->now.n == 0 && n_pages > 0)
            break; /* all have ended */
        if (err >= 0 && t->now.n == 0)
            err = pdump_fail(PDUMP_ENOENT, "no running process has a store %s",
                             t->n_operands ? "there" : "here");
        if (err >= 0)
            text = render(t, &err);
        if (err >= 0)
            printf("%s%s", n_pages > 0 ? "\n" : "", text);
        fflush(stdout);
        free(text);
    }
    return err;
}

static int top(struct top *t)
{
    bool has_screen;
    int err = top_look(t);

    if (err < 0)
        return command_fail(t->self, "%s", pdump_last_error());
    t->page.sort = t->sort;
    has_screen = !t->is_plain && screen_open();
    if (!has_screen && t->count < 0)
        t->count = 1;
    t->page.has_keys = has_screen;
    command_color(has_screen ? "auto" : "never", &t->page.look.has_color);
    t->page.look.width = command_width(0);
    err = has_screen ? watch(t) : print(t);
    live_look_free(&t->now);
    live_look_free(&t->before);
    if (has_screen)
        screen_close();
    return err < 0 ? command_fail(t->self, "%s", pdump_last_error())
                   : COMMAND_OK;
}

static int run(const struct command *self, int argc, char **argv)
{
    size_t room = (size_t)argc + 1;
    struct top t = { .self = self,
                     .operands = calloc(room, sizeof(*t.operands)),
                     .pids = calloc(room, sizeof(*t.pids)),
                     .count = -1,
                     .sort = "time",
                     .page = { .delay = 1, .view = { .key = -1 } } };
    int code = t.operands && t.pids ? parse(&t, argc, argv)
                                    : command_fail(self, "out of memory");

    if (code < 0)
        code = top(&t);
    free(t.operands);
    free(t.pids);
    return code;
}

const struct command command_top = {
    .name = "top",
    .operands = "[PID|STORE|DIR]...",
    .about = "Watch the regions of running programs",
    .more =
        "Reads the stores of running processes, which do not notice.  PID is "
        "a\n"
        "process and those forked by it.  The ranks of a job that are on this\n"
        "node are one table, or with --ranks a line each.  The share (%) is "
        "the\n"
        "time spent in a region since the previous page, of the time that "
        "passed:\n"
        "200 if two threads were in it all the time.  Times and visits are\n"
        "totals.  If standard output is no terminal, one page is printed.",
    .options = options,
    .letters = "dn",
    .run = run,
};
