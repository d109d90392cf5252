/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump recover: makes a dump from the stores of dead processes. */
#include "command.h"
#include "common/guard.h"
#include "common/user.h"
#include "recover/recovery.h"
#include "recover/recovery_write.h"

#include "system/env.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum option {
    OUTPUT,
    OUTPUT_MORE,
    FORMAT,
    ALL,
    KEEP,
    LIST,
    CLEAN,
    OLDER,
    USER,
};

static const struct command_option options[] = {
    [OUTPUT] = { "output", "NAME", "name of the file, with a folder and an" },
    [OUTPUT_MORE] = { NULL, NULL, "ending if wanted (PDUMP_FILENAME)" },
    [FORMAT] = { "format", "FORMAT[,FORMAT]", "formats (PDUMP_OUTPUT_FORMAT)" },
    [ALL] = { "all", NULL, "all stores in the default folders" },
    [KEEP] = { "keep", NULL, "do not remove the stores" },
    [LIST] = { "list", NULL, "only list the stores (default)" },
    [CLEAN] = { "clean", NULL, "remove the stores without making dumps" },
    [OLDER] = { "older", "DAYS", "with --clean: only those that are so old" },
    [USER] = { "user", "NAME", "as root: the stores of this user" },
    { NULL, NULL, NULL },
};

struct request {
    struct recovery recovery;
    struct store_list list;
    char **operands;
    int n_operands;
    const char *name;
    const char *format;
    const char *older;
    bool is_all, is_list, is_clean;
};

static int recover_argument(struct command_arguments *args, int which,
                            char *value)
{
    struct request *q = args->data;

    switch (which) {
    case ARGUMENT_OPERAND:
        q->operands[q->n_operands++] = value;
        break;
    case ALL:
        q->is_all = true;
        break;
    case OUTPUT:
        q->name = value;
        break;
    case FORMAT:
        q->format = value;
        break;
    case OLDER:
        q->older = value;
        break;
    case USER:
        return user_choose(q->recovery.self, value);
    case KEEP:
        q->recovery.keeps = true;
        break;
    case LIST:
        q->recovery.mode = RECOVERY_LIST;
        q->is_list = true;
        break;
    default:
        q->recovery.mode = RECOVERY_CLEAN;
        q->is_clean = true;
    }
    return -1;
}

/* Returns an exit code, or -1 to go on. */
static int parse(struct request *q, int argc, char **argv)
{
    struct recovery *r = &q->recovery;
    int code = command_parse(r->self, argc, argv, recover_argument, q);

    if (code >= 0)
        return code;
    if (q->is_clean + q->is_list + (q->name || q->format || r->keeps) > 1)
        return command_usage(r->self, "--list, --clean and options for writing "
                                      "do not go together");
    if (q->n_operands == 0 && !q->is_all) {
        if (q->is_clean || q->name || q->format || r->keeps)
            return command_usage(r->self, "which stores?  Name them or a "
                                          "folder, or take --all");
        r->mode = RECOVERY_LIST;
    }
    if (q->older && !q->is_clean)
        return command_usage(r->self, "--older goes with --clean only");
    if (q->older && !command_number(q->older, 0, 1e6, &r->older))
        return command_usage(
            r->self, "--older takes a number of days, not \"%s\"", q->older);
    return -1;
}

static void stores_find(struct request *q)
{
    struct recovery *r = &q->recovery;

    if ((q->is_all || q->n_operands == 0) &&
        store_list_add_defaults(&q->list) < 0)
        r->code = command_fail(r->self, "%s", pdump_last_error());
    for (int i = 0; i < q->n_operands; i++)
        if (store_list_add(&q->list, q->operands[i]) < 0)
            r->code = command_fail(r->self, "%s", pdump_last_error());
    store_list_sort(&q->list);
}

/* A run may have one store for every process that was ever part of it. */
static void allow_many_files(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static int count_due(const struct store_list *list)
{
    int n_due = 0;

    for (int i = 0, n; i < list->n; i += n) {
        bool is_due = false;

        n = store_list_run(list, i);
        for (int k = 0; k < n; k++)
            is_due |= recovery_is_due(list->items + i, n, k);
        n_due += is_due;
    }
    return n_due;
}

static int recover(void *data)
{
    struct request *q = data;
    struct recovery *r = &q->recovery;

    allow_many_files();
    stores_find(q);
    r->is_one_of_many = count_due(&q->list) > 1;
    for (int i = 0, n; i < q->list.n; i += n) {
        n = store_list_run(&q->list, i);
        guard_go_on();
        guard_tell("store", i + 1, q->list.n);
        recovery_run(r, q->list.items + i, n);
        fflush(stdout);
    }
    if (q->list.n_forbidden > 0)
        printf("%d store%s of other users, or open to them, left alone (root: "
               "--user NAME)\n",
               q->list.n_forbidden, q->list.n_forbidden == 1 ? "" : "s");
    if (r->n_dead == 0 && q->n_operands == 0)
        printf("There is no store of a dead process.\n");
    else if (q->n_operands == 0 && r->mode == RECOVERY_LIST)
        printf("Nothing was touched.  To make dumps of these: pdump recover "
               "--all, or name stores or a folder.\n");
    else if (r->n_dead == 0)
        r->code = command_fail(r->self, "no store of a dead process there");
    return r->code;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct request q = { .recovery = { .self = self } };
    struct recovery *r = &q.recovery;
    int code;

    q.operands = calloc((size_t)argc + 1, sizeof(*q.operands));
    if (!q.operands)
        return command_fail(self, "out of memory");
    code = parse(&q, argc, argv);
    if (code < 0 && pdump_settings_load(&r->settings, pdump_env) < 0)
        code = command_fail(self, "%s", pdump_last_error());
    if (code < 0) {
        code = r->mode == RECOVERY_WRITE
                   ? recovery_choose_output(r, q.name, q.format)
                   : COMMAND_OK;
        if (code == COMMAND_OK)
            code = guard_run(self, r->settings.dir, recover, &q);
        pdump_settings_free(&r->settings);
    }
    store_list_free(&q.list);
    free(q.operands);
    return code;
}

const struct command command_recover = {
    .name = "recover",
    .operands = "[DIR|STORE]...",
    .about = "Make dumps of what killed processes had recorded",
    .more =
        "A process that records keeps its records in a store, a file that a\n"
        "kill does not remove.  Without arguments it lists the stores of dead\n"
        "processes in the default folders and touches nothing.  With --all, "
        "or\n"
        "with the names of stores or folders, all processes of a run become\n"
        "one dump, by the rules of PDUMP_DUMP_DIR, PDUMP_FILENAME and\n"
        "PDUMP_OUTPUT_FORMAT; nothing is overwritten.  The stores are removed\n"
        "after the dump was read back.  Running processes are left alone.",
    .options = options,
    .letters = "o f",
    .run = run,
};
