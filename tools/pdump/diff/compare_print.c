/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a comparison for programs, and as Markdown. */
#include "diff/compare_print.h"
#include "common/number_text.h"

#include "base/json.h"
#include "base/safe_text.h"

#include <math.h>
#include <stdio.h>

static double each(const struct compare_line *line, int side)
{
    return line->side[side].n ? line->side[side].each : NAN;
}

static void put_json_line(const struct compare *c,
                          const struct compare_line *line)
{
    char path[4096];

    pdump_dump_node_path(c->tree, line->node, path, sizeof(path));
    pdump_json_string(stdout, "{\"path\": ", path);
    pdump_json_real(stdout, ", \"before\": ", each(line, 0));
    pdump_json_real(stdout, ", \"after\": ", each(line, 1));
    pdump_json_real(stdout, ", \"change\": ", line->change);
    pdump_json_real(stdout, ", \"in_total\": ", line->impact);
    pdump_json_real(stdout, ", \"likely\": ", line->likely);
    pdump_json_string(stdout,
                      ", \"verdict\": ", compare_verdict_text(line->verdict));
    putchar('}');
}

void compare_json(const struct compare *c,
                  const struct pdump_dump_metric *metric, const int n_runs[2],
                  const struct compare_line *const *lines, int n)
{
    pdump_json_string(stdout, "{\n  \"format\": ", "pdump diff");
    fputs(",\n  \"version\": 1", stdout);
    pdump_json_string(stdout, ",\n  \"metric\": ", metric->name);
    pdump_json_string(stdout, ",\n  \"unit\": ", metric->unit);
    pdump_json_int(stdout, ",\n  \"runs\": [", n_runs[0]);
    pdump_json_int(stdout, ", ", n_runs[1]);
    pdump_json_real(stdout, "],\n  \"total\": [", c->total[0]);
    pdump_json_real(stdout, ", ", c->total[1]);
    fputs("],\n  \"lines\": [", stdout);
    for (int i = 0; i < n; i++) {
        fputs(i > 0 ? ",\n    " : "\n    ", stdout);
        put_json_line(c, lines[i]);
    }
    fputs("]\n}\n", stdout);
}

/* Writes a path as code; a bar would end the cell. */
static void put_path(const struct compare *c, int node)
{
    char path[4096];

    pdump_dump_node_path(c->tree, node, path, sizeof(path));
    putchar('`');
    for (const char *s = path; *s; s++) {
        if (*s == '|')
            putchar('\\');
        putchar(*s == '`' ? '\'' : (unsigned char)*s < ' ' ? '?' : *s);
    }
    fputs("` |\n", stdout);
}

static void put_line(const struct compare *c, const struct compare_line *line,
                     const char *unit)
{
    char before[48], after[48], impact[48], change[24] = "-";

    if (!isnan(line->change))
        snprintf(change, sizeof(change), "%+.1f %%", 100 * line->change);
    printf("| %s | %s | %s | %s | %s | ",
           number_text(each(line, 0), unit, before),
           number_text(each(line, 1), unit, after), change,
           number_text(line->impact, unit, impact),
           compare_verdict_text(line->verdict));
    put_path(c, line->node);
}

void compare_markdown(const struct compare *c,
                      const struct pdump_dump_metric *metric,
                      const int n_runs[2],
                      const struct compare_line *const *lines, int n)
{
    char before[48], after[48];

    pdump_safe_text_put(stdout, metric->name, 0);
    printf(": %s in %d run%s, then %s in %d run%s%s\n\n",
           number_text(c->total[0], metric->unit, before), n_runs[0],
           n_runs[0] == 1 ? "" : "s",
           number_text(c->total[1], metric->unit, after), n_runs[1],
           n_runs[1] == 1 ? "" : "s",
           n_runs[0] == 1 && n_runs[1] == 1 ? "; one run each: indicative only"
                                            : "");
    puts("| before | after | change | in total | | region |\n"
         "|---:|---:|---:|---:|:---|:---|");
    for (int i = 0; i < n; i++)
        put_line(c, lines[i], metric->unit);
}
