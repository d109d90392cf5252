/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump html: writes a dump as an HTML page, or two as a comparison. */
#include "common/load.h"
#include "diff/compare_dump.h"
#include "export/export.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct command_option options[] = {
    { "output", "NAME", "name of the page (as the first FILE, .html)" },
    { "open", NULL, "open it in a browser (BROWSER, or xdg-open)" },
    { "compare", NULL, "show the changes from the first FILE to the second" },
    { NULL, NULL, NULL },
};

/* Reads both files as a comparison. */
static int read_pair(const struct export_request *q, struct pdump_dump **out)
{
    struct pdump_dump *pair[2] = { NULL, NULL };
    int code;

    if (q->n_files != 2)
        return command_usage(q->self, "--compare takes two files, BEFORE and "
                                      "AFTER");
    code = load_files(q->self, q->files, 1, &pair[0]);
    if (code == COMMAND_OK)
        code = load_files(q->self, q->files + 1, 1, &pair[1]);
    if (code == COMMAND_OK && compare_dump_make(pair, q->files, out) < 0)
        code = command_fail(q->self, "%s", pdump_last_error());
    pdump_dump_free(pair[0]);
    pdump_dump_free(pair[1]);
    return code;
}

/* Starts the browser, and leaves it alone. */
static int open_page(const struct command *self, const char *path)
{
    static const char script[] =
        "browser=${BROWSER:-xdg-open}\n"
        "command -v \"${browser%% *}\" >/dev/null 2>&1 || exit 1\n"
        "$browser \"$1\" </dev/null >/dev/null 2>&1 &\n";
    const char *const words[] = { "sh", "-c", script, "sh", path, NULL };
    int status = -1;
    pid_t pid;

    if (posix_spawnp(&pid, "sh", NULL, NULL, (char *const *)words, environ) !=
            0 ||
        waitpid(pid, &status, 0) != pid || status != 0)
        return command_fail(self, "no browser was found: set BROWSER, or open "
                                  "the page yourself");
    return COMMAND_OK;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct export_request q = { .self = self,
                                .format = "html",
                                .wants_newest = true,
                                .read_pair = read_pair };
    int code = export_run_request(&q, argc, argv);

    return code == COMMAND_OK && q.is_open && q.where[0] != '\0'
               ? open_page(self, q.where)
               : code;
}

const struct command command_html = {
    .name = "html",
    .operands = "[FILE]...",
    .about = "Write a dump as a page for a browser",
    .more = "Without FILE, the newest dump here is taken.  The page is one "
            "file that needs\nno network: call tree, regions, ranks and "
            "samples, for every metric.  With\n--compare BEFORE AFTER it shows "
            "what has changed, as compare.html if there is\nno "
            "-o.",
    .options = options,
    .letters = "o",
    .run = run,
};
