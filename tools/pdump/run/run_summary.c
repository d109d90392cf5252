/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the summary of `pdump run`: the end of the command and its figures.
 * Unless somebody reads it, that is a line with the file. */
#include "run/run_summary.h"
#include "common/load.h"
#include "run/run_stacks.h"

#include "base/safe_text.h"
#include "dump/stacks.h"
#include "report/report.h"
#include "report/report_number.h"
#include "report/section/section.h"
#include "report/summary.h"

#include <langinfo.h>
#include <pdump.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

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

    if (!run_summary_is_read(s))
        return;
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

bool run_summary_is_read(const struct run_setup *s)
{
    return s->wants_report || isatty(STDERR_FILENO);
}

static int width(void)
{
    enum { PIPE = 120 };
    struct winsize size;

    if (!isatty(STDERR_FILENO))
        return PIPE;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

static int put_report(const struct pdump_dump *dump)
{
    const struct pdump_view_options what = { .is_brief = true, .key = -1 };
    const struct pdump_report_options look = { .width = width() };
    const struct pdump_section_options how = { .width = width() };
    struct pdump_view *view;
    int err = pdump_view_new(dump, &what, &view);

    if (err < 0)
        return err;
    err = pdump_report_print(stderr, view, &look);
    if (err >= 0)
        pdump_section_put_hints(stderr, dump, &how);
    pdump_view_free(view);
    return err;
}

static bool is_python(const char *command)
{
    const char *slash = strrchr(command, '/');

    return strncmp(slash ? slash + 1 : command, "python", 6) == 0;
}

/* Names what would record more, of a command without any region. */
static void put_proposal(const struct run_setup *s)
{
    if (is_python(s->command[0])) {
        fprintf(stderr, "  for Python functions: %s -m pdump SCRIPT\n",
                s->command[0]);
        return;
    }
    fputs("  for more: pdump run", stderr);
    if (!s->mpi)
        fputs(" --mpi", stderr);
    if (!s->wants_io)
        fputs(" --io", stderr);
    if (!s->wants_heap)
        fputs(" --heap", stderr);
    fputs(", or regions in the source\n", stderr);
}

static int put_summary(const struct run_setup *s, const struct pdump_dump *dump)
{
    int n = pdump_summary_print(stderr, dump, width());

    if (n == 0)
        put_proposal(s);
    return n;
}

void run_summary_dump(const struct run_setup *s, const struct pdump_dump *dump)
{
    struct pdump_dump *regions = NULL;
    int err = PDUMP_OK;

    if (!run_summary_is_read(s))
        return;
    fputc('\n', stderr);
    if (pdump_stacks_are_in(dump))
        err = pdump_stacks_leave_out(dump, &regions);
    if (err >= 0)
        err = s->wants_report ? put_report(regions ? regions : dump)
                              : put_summary(s, regions ? regions : dump);
    if (err >= 0)
        err = run_stacks_put(stderr, dump, width());
    if (err < 0)
        command_fail(s->self, "%s", pdump_last_error());
    pdump_dump_free(regions);
}

void run_summary_where(const struct run_setup *s, const char *path)
{
    const char *before = s->wants_report          ? "\n"
                         : run_summary_is_read(s) ? "\n  next: pdump report "
                                                  : " (pdump report ";

    fprintf(stderr, "%spdump run: ", run_summary_is_read(s) ? "\n" : "");
    pdump_safe_text_put(stderr, path, 0);
    fputs(before, stderr);
    if (s->wants_report)
        return;
    pdump_safe_text_put(stderr, path, 0);
    fputs(run_summary_is_read(s) ? "\n" : ")\n", stderr);
}

void run_summary_file(const struct run_setup *s, char *path)
{
    struct pdump_dump *dump = NULL;

    if (run_summary_is_read(s) &&
        load_files(s->self, &path, 1, &dump) == COMMAND_OK)
        run_summary_dump(s, dump);
    pdump_dump_free(dump);
    run_summary_where(s, path);
}
