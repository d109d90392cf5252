/* SPDX-License-Identifier: BSD-3-Clause */
/* The top of a report's page: a description of the run, and its warnings. */
#include "dump/event_lanes.h"
#include "report/report_markdown.h"
#include "report/report_note.h"
#include "report/report_number.h"
#include "report/report_text.h"
#include "report/report_warning.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    COMMAND_MAX = 200,
    PROGRAMS_MAX = 4, /* named programs, if a job has several */
    PROGRAM_LEN = 40,
    HOSTS_MAX = 3,
};

/* A line of text that grows. */
struct line {
    char text[600];
    size_t n;
};

static void say_in_line(struct line *line, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void say_in_line(struct line *line, const char *fmt, ...)
{
    size_t room = sizeof(line->text) - line->n;
    va_list args;
    int n;

    va_start(args, fmt);
    n = vsnprintf(line->text + line->n, room, fmt, args);
    va_end(args);
    if (n > 0)
        line->n += (size_t)n < room ? (size_t)n : room - 1;
}

static const char *plural_ending(int64_t n)
{
    return n == 1 ? "" : "s";
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Returns the number of different strings; sorts `list`. */
static int count_different(const char **list, int n)
{
    int different = 0;

    qsort(list, (size_t)n, sizeof(*list), compare_texts);
    for (int i = 0; i < n; i++)
        different += i == 0 || strcmp(list[i], list[i - 1]) != 0;
    return different;
}

static const char *command_of(const struct pdump_report_page *page,
                              const struct pdump_ranks *ranks, int i)
{
    return page->view->dump->processes[ranks->process[i]].command;
}

/* Adds the program without its folder, cut if it is too long. */
static void say_program(struct line *line, const char *command)
{
    size_t word = strcspn(command, " "), len;

    for (const char *slash = memchr(command, '/', word); slash;
         slash = memchr(command, '/', word)) {
        word -= (size_t)(slash + 1 - command);
        command = slash + 1;
    }
    len = strlen(command);
    if (len <= PROGRAM_LEN) {
        say_in_line(line, "%s", command);
        return;
    }
    for (len = PROGRAM_LEN; len > 0 && (command[len] & 0xc0) == 0x80;)
        len--;
    say_in_line(line, "%.*s...", (int)len, command);
}

/* Adds "2 ranks a, 2 ranks b", in the order of their first ranks. */
static void say_programs(const struct pdump_report_page *page,
                         const struct pdump_ranks *ranks, int n_programs,
                         struct line *line)
{
    int named = 0;

    for (int i = 0; i < ranks->n && named < PROGRAMS_MAX; i++) {
        const char *command = command_of(page, ranks, i);
        int n = 0, before = 0;

        for (int k = 0; k < ranks->n; k++) {
            bool is_same = strcmp(command, command_of(page, ranks, k)) == 0;

            n += is_same;
            before += is_same && k < i;
        }
        if (before > 0)
            continue;
        say_in_line(line, "%s%d %s%s ", named++ ? ", " : "", n,
                    page->runs ? "run" : "rank", plural_ending(n));
        say_program(line, command);
    }
    if (n_programs > named)
        say_in_line(line, ", and %d more programs", n_programs - named);
}

static void put_command(const struct pdump_report_page *page,
                        const struct pdump_ranks *ranks, const char **list)
{
    const char *command =
        pdump_dump_metadata_or_none(page->view->dump, "command");
    struct line line = { .n = 0 };
    int n_programs;

    for (int i = 0; i < ranks->n; i++)
        list[i] = command_of(page, ranks, i);
    n_programs = count_different(list, ranks->n);
    if (n_programs > 1) {
        say_programs(page, ranks, n_programs, &line);
        command = line.text;
    }
    if (command[0] == '\0' && ranks->n > 0)
        command = command_of(page, ranks, 0);
    if (command[0] == '\0')
        return;
    if (page->is_markdown) {
        pdump_report_markdown_code(page, command);
        fputs("\n\n", page->f);
        return;
    }
    pdump_report_style(page, PDUMP_REPORT_BOLD);
    pdump_report_text_put(page->f, command, strlen(command),
                          page->width > 0 ? page->width : COMMAND_MAX,
                          page->is_utf8);
    pdump_report_style(page, PDUMP_REPORT_PLAIN);
    fputc('\n', page->f);
}

static void say_hosts(const struct pdump_dump *dump, const char **list,
                      struct line *line)
{
    const char *host = pdump_dump_metadata_or_none(dump, "host");
    int n = 0, n_hosts;

    for (int i = 0; i < dump->n_processes; i++)
        if (dump->processes[i].host[0] != '\0')
            list[n++] = dump->processes[i].host;
    n_hosts = count_different(list, n);
    if (n_hosts < 2) {
        host = host[0] == '\0' && n > 0 ? list[0] : host;
        if (host[0] != '\0')
            say_in_line(line, "%.100s, ", host);
        return;
    }
    say_in_line(line, "%d hosts (", n_hosts);
    for (int i = 0, named = 0; i < n && named < HOSTS_MAX; i++)
        if (i == 0 || strcmp(list[i], list[i - 1]) != 0)
            say_in_line(line, "%s%.64s", named++ ? ", " : "", list[i]);
    say_in_line(line, "%s), ", n_hosts > HOSTS_MAX ? ", ..." : "");
}

static void say_processes(const struct pdump_dump *dump, struct line *line)
{
    say_in_line(line, "%d process%s", dump->n_processes,
                dump->n_processes == 1 ? "" : "es");
}

/* Adds the number of ranks, of processes if that differs, and of threads. */
static void say_ranks(const struct pdump_report_page *page,
                      const struct pdump_ranks *ranks, struct line *line)
{
    const struct pdump_dump *dump = page->view->dump;
    int n_job = pdump_ranks_of_job(dump, ranks);
    char which[64];

    if (n_job < 2) {
        if (ranks->n == 1 && ranks->number[0] != 0)
            say_in_line(line, "rank %d, ", ranks->number[0]);
        say_processes(dump, line);
    } else {
        if (ranks->n < n_job)
            say_in_line(line, "%d of %d ranks (%s)", ranks->n, n_job,
                        pdump_ranks_text(ranks, which, sizeof(which)));
        else
            say_in_line(line, "%d ranks", n_job);
        if (dump->n_processes != ranks->n) {
            say_in_line(line, ", ");
            say_processes(dump, line);
        }
    }
    say_in_line(line, ", %d thread%s", dump->n_threads,
                plural_ending(dump->n_threads));
}

/* Adds that there are statistics, and how many ranks have rows. */
static void say_stats(const struct pdump_report_page *page,
                      struct pdump_ranks *ranks, struct line *line)
{
    int n = page->ranks ? page->ranks->n
                        : pdump_ranks_of_job(page->view->dump, ranks);
    char which[64];

    say_in_line(line, "statistics of %d rank%s", n, plural_ending(n));
    pdump_ranks_drop_empty(ranks);
    if (ranks->n > 0)
        say_in_line(line, ", rows of %d (%s)", ranks->n,
                    pdump_ranks_text(ranks, which, sizeof(which)));
}

static void say_runs(const struct pdump_report_page *page, struct line *line)
{
    const struct pdump_dump *dump = page->view->dump;

    say_in_line(line, "%d run%s, ", page->n_runs, plural_ending(page->n_runs));
    say_processes(dump, line);
    say_in_line(line, ", %d thread%s", dump->n_threads,
                plural_ending(dump->n_threads));
}

/* Lists the names of the runs. */
static void put_runs(const struct pdump_report_page *page)
{
    for (int i = 0; i < page->n_runs; i++)
        pdump_report_note(page, "run %d: %.900s", i + 1, page->runs[i]);
}

/* Adds the size of the timeline, and the number of lost events. */
static void put_events(const struct pdump_report_page *page)
{
    const struct pdump_dump *dump = page->view->dump;
    int64_t n = pdump_event_lanes_count(dump),
            lost = pdump_event_lanes_lost(dump);
    struct line line = { .n = 0 };

    if (dump->n_lanes == 0)
        return;
    say_in_line(&line, "timeline: %" PRId64 " event%s on %d thread%s", n,
                plural_ending(n), dump->n_lanes, plural_ending(dump->n_lanes));
    if (lost > 0)
        say_in_line(&line, ", %" PRId64 " lost", lost);
    pdump_report_note(page, "%s", line.text);
}

/* Writes place, date and amounts, as far as they are known. */
static void put_facts(const struct pdump_report_page *page,
                      struct pdump_ranks *ranks, const char **list)
{
    const struct pdump_dump *dump = page->view->dump;
    const char *start = pdump_dump_metadata_or_none(dump, "start");
    double wall =
               strtod(pdump_dump_metadata_or_none(dump, "wall_time_ns"), NULL),
           cost;
    double overhead = pdump_report_overhead(page->view, &cost);
    struct line line = { .n = 0 };
    char time[48];

    say_hosts(dump, list, &line);
    if (page->runs)
        start = "";
    if (strlen(start) >= 19 && start[10] == 'T')
        say_in_line(&line, "%.10s %.8s%s, ", start, start + 11,
                    strchr(start, 'Z') ? " UTC" : "");
    else if (start[0] != '\0')
        say_in_line(&line, "%.40s, ", start);
    if (page->runs)
        say_runs(page, &line);
    else if (dump->stats)
        say_stats(page, ranks, &line);
    else
        say_ranks(page, ranks, &line);
    if (wall > 0 && !page->runs)
        say_in_line(&line, ", %s of wall time",
                    pdump_report_number_text(wall, "ns", page->is_utf8, time));
    if (!isnan(overhead))
        say_in_line(
            &line, ", overhead %s%s%s",
            pdump_report_number_text(overhead, "%", page->is_utf8, time),
            wall > 0 && !pdump_report_overhead_is_of_wall(dump)
                ? " of all threads' time"
                : "",
            strcmp(pdump_dump_metadata_or_none(dump, "overhead"), "subtracted")
                ? ""
                : " (subtracted)");
    pdump_report_note(page, "%s", line.text);
    put_events(page);
    put_runs(page);
}

/* The first warning has an empty line before it. */
struct teller {
    const struct pdump_report_page *page;
    int n;
};

static void put_warning(void *data, const char *words, int64_t count)
{
    struct teller *teller = data;
    char text[1200], times[40] = "";

    if (teller->n++ == 0 && !teller->page->is_markdown)
        fputc('\n', teller->page->f);
    if (count > 1)
        snprintf(times, sizeof(times), " (%" PRId64 " times)", count);
    snprintf(text, sizeof(text), "warning: %.1100s%s", words, times);
    pdump_report_style(teller->page, PDUMP_REPORT_WARM);
    pdump_report_paragraph(teller->page, text);
}

int pdump_report_head(const struct pdump_report_page *page)
{
    size_t n = (size_t)page->view->dump->n_processes + 1;
    const char **list = malloc(n * sizeof(*list));
    struct pdump_ranks ranks;
    int err =
        list ? pdump_ranks_of(page->view->dump, &ranks) : pdump_no_memory();

    if (err >= 0) {
        put_command(page, &ranks, list);
        put_facts(page, &ranks, list);
        err = pdump_report_warnings(page->view, page->is_part, page->runs,
                                    put_warning,
                                    &(struct teller){ .page = page });
        if (!page->is_markdown)
            fputc('\n', page->f);
        pdump_ranks_free(&ranks);
    }
    free(list);
    return err;
}
