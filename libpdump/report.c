/* SPDX-License-Identifier: BSD-3-Clause */
/* A report's page: the run, its warnings, the table, the notes. */
#include "report.h"
#include "report_number.h"
#include "report_table.h"
#include "report_text.h"

#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_WIDTH = 100, /* of paragraphs where the page has no limit */
    COMMAND_MAX = 200,
};

static int page_width(const struct pdump_report_page *page)
{
    return page->width > 0 ? page->width : TEXT_WIDTH;
}

/* A paragraph in the style at hand, broken at its blanks; lines after the first
 * are indented. */
static void put_paragraph(const struct pdump_report_page *page,
                          const char *text)
{
    int column = 0, limit = page_width(page);
    bool is_first = true;

    while (*text != '\0') {
        size_t len = strcspn(text, " ");
        int width = pdump_report_text_width(text, len, page->is_utf8);

        if (!is_first && column + 1 + width > limit) {
            fputs("\n  ", page->f);
            column = 2;
        } else if (!is_first) {
            fputc(' ', page->f);
            column++;
        }
        is_first = false;
        column += pdump_report_text_put(page->f, text, len,
                                        limit > column ? limit - column : 1,
                                        page->is_utf8);
        text += len;
        text += strspn(text, " ");
    }
    pdump_report_style(page, PDUMP_REPORT_PLAIN);
    fputc('\n', page->f);
}

static void put_note(const struct pdump_report_page *page, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void put_note(const struct pdump_report_page *page, const char *fmt, ...)
{
    char text[1024];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    pdump_report_style(page, PDUMP_REPORT_DIM);
    put_paragraph(page, text);
}

static const char *fact(const struct pdump_dump *dump, const char *key)
{
    const char *value = pdump_dump_metadata(dump, key);

    return value ? value : "";
}

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

static void put_command(const struct pdump_report_page *page)
{
    const struct pdump_dump *dump = page->view->dump;
    const char *command = fact(dump, "command");

    if (command[0] == '\0' && dump->n_processes > 0)
        command = dump->processes[0].command;
    if (command[0] == '\0')
        return;
    pdump_report_style(page, PDUMP_REPORT_BOLD);
    pdump_report_text_put(page->f, command, strlen(command),
                          page->width > 0 ? page->width : COMMAND_MAX,
                          page->is_utf8);
    pdump_report_style(page, PDUMP_REPORT_PLAIN);
    fputc('\n', page->f);
}

static const char *find_host(const struct pdump_dump *dump)
{
    const char *host = fact(dump, "host");

    for (int i = 0; i < dump->n_processes; i++) {
        if (i > 0 &&
            strcmp(dump->processes[i].host, dump->processes[i - 1].host) != 0)
            return "several hosts";
        if (host[0] == '\0')
            host = dump->processes[i].host;
    }
    return host;
}

/* Where, when, how much; each only if it is known. */
static void put_facts(const struct pdump_report_page *page)
{
    const struct pdump_dump *dump = page->view->dump;
    const char *host = find_host(dump), *start = fact(dump, "start");
    double wall = strtod(fact(dump, "wall_time_ns"), NULL);
    char line[512], time[48];
    size_t n = 0;

    if (host[0] != '\0')
        n += (size_t)snprintf(line, sizeof(line), "%.100s, ", host);
    if (strlen(start) >= 19 && start[10] == 'T')
        n += (size_t)snprintf(line + n, sizeof(line) - n, "%.10s %.8s, ", start,
                              start + 11);
    else if (start[0] != '\0')
        n += (size_t)snprintf(line + n, sizeof(line) - n, "%.40s, ", start);
    n += (size_t)snprintf(line + n, sizeof(line) - n,
                          "%d process%s, %d thread%s", dump->n_processes,
                          dump->n_processes == 1 ? "" : "es", dump->n_threads,
                          plural(dump->n_threads));
    if (wall > 0)
        snprintf(line + n, sizeof(line) - n, ", %s of wall time",
                 pdump_report_number_text(wall, "ns", page->is_utf8, time));
    put_note(page, "%s", line);
}

static void put_warnings(const struct pdump_report_page *page)
{
    const struct pdump_dump *dump = page->view->dump;

    if (dump->n_warnings > 0)
        fputc('\n', page->f);
    for (int i = 0; i < dump->n_warnings; i++) {
        const struct pdump_dump_warning *warning = &dump->warnings[i];
        char text[1200], times[40] = "";

        if (warning->count > 1)
            snprintf(times, sizeof(times), " (%" PRId64 " times)",
                     warning->count);
        snprintf(text, sizeof(text), "warning: %.1100s%s", warning->text,
                 times);
        pdump_report_style(page, PDUMP_REPORT_WARM);
        put_paragraph(page, text);
    }
}

/* What the words and marks in the table mean, if they are there. */
static void note_marks(const struct pdump_report_page *page)
{
    const struct pdump_view *v = page->view;
    bool has_open = false, has_overflow = false;

    for (int i = 0; i < v->n_shown; i++) {
        const struct pdump_view_item *item = &v->items[v->shown[i]];

        has_open |= item->n_open > 0;
        has_overflow |=
            item->region >= 0 &&
            strcmp(v->dump->regions[item->region].group, "overflow") == 0;
    }
    if (has_open)
        put_note(page, "(open): had not ended when the dump was written; the "
                       "figures are those until then.");
    if (has_overflow)
        put_note(page, "<overflow>: regions beyond a limit (PDUMP_REGIONS_MAX, "
                       "PDUMP_MEMORY_MAX, PDUMP_DEPTH_MAX), counted together.");
    if (v->n_items > v->n_shown)
        put_note(page, "%d line%s left out by --depth or --min-percent.",
                 v->n_items - v->n_shown,
                 v->n_items - v->n_shown == 1 ? " was" : "s were");
}

static size_t append(char *list, size_t len, size_t n, const char *between,
                     const char *name, const char *about)
{
    int more = 0;

    if (n + 200 < len)
        more = snprintf(list + n, len - n, "%s%.64s%s", n > 0 ? between : "",
                        name, about);
    return n + (size_t)more;
}

static void note_columns(const struct pdump_report_page *page,
                         const struct pdump_report_table *t)
{
    const struct pdump_view *v = page->view;
    char meanings[900], missing[900];
    size_t n_meanings = 0, n_missing = 0;

    for (int i = 0; i < t->n_columns; i++) {
        const struct pdump_report_column *c = &t->columns[i];
        char about[120];

        if (c->kind == PDUMP_REPORT_DERIVED && c->is_shown) {
            snprintf(about, sizeof(about), ": %s",
                     v->derived[c->index].recipe->about);
            n_meanings = append(meanings, sizeof(meanings), n_meanings, "; ",
                                c->title, about);
        }
        if (!c->is_shown && c->title[0] != '\0')
            n_missing =
                append(missing, sizeof(missing), n_missing, ", ", c->title, "");
    }
    if (v->key >= 0 && strcmp(v->dump->metrics[v->key].name, "time") != 0)
        put_note(page, "%%: of %s.", v->dump->metrics[v->key].name);
    if (n_meanings > 0)
        put_note(page, "%s.", meanings);
    if (n_missing > 0)
        put_note(page, "No room for %s (see --width and --metric).", missing);
}

/* Our own part, where it is large enough to matter. */
static void note_overhead(const struct pdump_report_page *page)
{
    const struct pdump_dump *dump = page->view->dump;
    double cost = strtod(fact(dump, "overhead_ns_per_visit"), NULL);
    int time = pdump_dump_find_metric(dump, "time");
    double visits = 0, percent;

    if (cost <= 0 || time < 0 || page->view->totals[time] <= 0)
        return;
    for (int64_t r = 0; r < dump->n_rows; r++)
        visits += (double)dump->rows[r].visits;
    percent = 100 * cost * visits / (double)page->view->totals[time];
    if (percent >= 1)
        put_note(page,
                 "Measuring took about %.0f ns per visit, %.0f %% of the time: "
                 "short regions look longer than they are.",
                 cost, fmin(percent, 100));
}

static void note_sums(const struct pdump_report_page *page,
                      const struct pdump_report_table *table)
{
    const struct pdump_view *v = page->view;
    bool has_most = false;

    if (v->dump->n_threads < 2 || v->n_items == 0 || v->items[0].thread >= 0)
        return;
    for (int i = 0; i < table->n_columns; i++)
        has_most |= table->columns[i].kind == PDUMP_REPORT_MOST &&
                    table->columns[i].is_shown;
    put_note(page, "Times and counts are sums over %d threads%s.",
             v->dump->n_threads,
             has_most ? "; max/thread is the time of the one that has most"
                      : "");
}

static void put_notes(const struct pdump_report_page *page,
                      const struct pdump_report_table *table)
{
    fputc('\n', page->f);
    note_sums(page, table);
    note_columns(page, table);
    note_marks(page);
    note_overhead(page);
}

static int put_page(const struct pdump_report_page *page,
                    const struct pdump_report_options *options)
{
    struct pdump_report_table table;
    int err = pdump_report_table_make(page, options, &table);

    if (err < 0)
        return err;
    if (!options->totals) {
        put_command(page);
        put_facts(page);
        put_warnings(page);
        fputc('\n', page->f);
    }
    if (page->view->n_items == 0)
        fputs("No region was recorded.\n", page->f);
    else if (page->view->n_shown == 0)
        fputs("No region is large enough to be shown.\n", page->f);
    else
        pdump_report_table_print(page, &table);
    if (!options->totals)
        put_notes(page, &table);
    free(table.columns);
    return PDUMP_OK;
}

/* The locale of the user, not of the program: a program that never called
 * setlocale() still has a user with a UTF-8 terminal.  It holds for this
 * thread and this call only. */
int pdump_report_print(FILE *f, const struct pdump_view *view,
                       const struct pdump_report_options *options)
{
    locale_t theirs, ours = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    struct pdump_report_page page = {
        .f = f,
        .width = options->width,
        .has_color = options->has_color,
        .view = view,
        .totals = options->totals ? options->totals : view,
        .seconds = options->totals ? options->seconds : 0,
    };
    int err;

    if (!ours)
        return put_page(&page, options);
    page.is_utf8 = strcmp(nl_langinfo_l(CODESET, ours), "UTF-8") == 0;
    theirs = uselocale(ours);
    err = put_page(&page, options);
    uselocale(theirs);
    freelocale(ours);
    return err;
}
