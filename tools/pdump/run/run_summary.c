/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the summary of `pdump run`: the end of the command and its figures. */
#include "run/run_summary.h"
#include "common/load.h"
#include "run/run_stacks.h"

#include "base/safe_text.h"
#include "dump/stacks.h"
#include "report/report.h"
#include "report/report_number.h"

#include <langinfo.h>
#include <pdump.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Lines that are read at a glance, for a dump with regions inside of
 * programs. */
enum { LINES = 15 };

static bool is_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static void put_seconds(const char *before, double value, const char *after)
{
    char buf[48];

    fprintf(stderr, "%s%s%s", before,
            pdump_report_number_text(value * 1e9, "ns", is_utf8(), buf), after);
}

static double in_seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

void run_summary_head(const struct run_setup *s, const struct run_child *child)
{
    const struct rusage *u = &child->usage;

    fprintf(stderr, "\npdump run:");
    for (char **arg = s->command; *arg; arg++) {
        fputc(' ', stderr);
        pdump_safe_text_put(stderr, *arg, 60);
    }
    if (WIFSIGNALED(child->status))
        fprintf(stderr, "\n  ended by signal %d (%s)", WTERMSIG(child->status),
                strsignal(WTERMSIG(child->status)));
    else
        fprintf(stderr, "\n  exit code %d", WEXITSTATUS(child->status));
    put_seconds(", ", child->wall, " wall");
    put_seconds(", ", in_seconds(u->ru_utime), " user");
    put_seconds(", ", in_seconds(u->ru_stime), " system");
    fprintf(stderr, ", %.1f MB\n", (double)u->ru_maxrss / 1024);
}

static int width(void)
{
    struct winsize size;

    if (isatty(STDERR_FILENO) && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0)
        return size.ws_col;
    return 0;
}

/* Shows all programs; or the largest regions, if the programs have any. */
static int most_of(const struct pdump_dump *dump)
{
    for (int i = 0; i < dump->n_nodes; i++)
        if (dump->nodes[i].parent >= 0)
            return LINES;
    return 0;
}

static int put_regions(const struct run_setup *s, const struct pdump_dump *dump)
{
    const struct pdump_view_options what = {
        .top = s->wants_report ? 0 : most_of(dump), .key = -1
    };
    const struct pdump_report_options look = { .width = width() };
    struct pdump_view *view;
    int err = pdump_view_new(dump, &what, &view);

    if (err < 0)
        return err;
    err = pdump_report_print(stderr, view, &look);
    pdump_view_free(view);
    return err;
}

void run_summary_dump(const struct run_setup *s, const struct pdump_dump *dump)
{
    struct pdump_dump *regions = NULL;
    int err = PDUMP_OK;

    fputc('\n', stderr);
    if (pdump_stacks_are_in(dump))
        err = pdump_stacks_leave_out(dump, &regions);
    if (err >= 0)
        err = put_regions(s, regions ? regions : dump);
    if (err >= 0)
        err = run_stacks_put(stderr, dump, width());
    if (err < 0)
        command_fail(s->self, "%s", pdump_last_error());
    pdump_dump_free(regions);
}

void run_summary_where(const struct run_setup *s, const char *path)
{
    fputs("\npdump run: ", stderr);
    pdump_safe_text_put(stderr, path, 0);
    if (s->wants_report) {
        fputc('\n', stderr);
        return;
    }
    fputs("\n  all of it: pdump report ", stderr);
    pdump_safe_text_put(stderr, path, 0);
    fputc('\n', stderr);
}

void run_summary_file(const struct run_setup *s, char *path)
{
    struct pdump_dump *dump = NULL;

    if (load_files(s->self, &path, 1, &dump) == COMMAND_OK)
        run_summary_dump(s, dump);
    pdump_dump_free(dump);
    run_summary_where(s, path);
}
