/* SPDX-License-Identifier: BSD-3-Clause */
/* The results, as a table and as JSON. */
#include "report.h"

#include <pdump.h>

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

static const char layout[] = "%-30s %8s %8s %6s %6s %6s %6s %-7s %s\n";

/* What is judged: a ratio, or a size. */
static double figure(const struct row *row, const struct result *result)
{
    return row->floor ? result->ratio : result->ours;
}

static const char *verdict(const struct row *row, const struct result *result)
{
    if (result->is_failed)
        return "FAILED";
    if (result->why[0])
        return "skipped";
    if (row->must == 0)
        return "-";
    if (figure(row, result) <= row->goal)
        return "goal";
    return figure(row, result) <= row->must ? "ok" : "MISSED";
}

bool report_is_missed(const struct row *row, const struct result *result)
{
    return strcmp(verdict(row, result), "MISSED") == 0;
}

/* The processor's name, as the system tells it. */
static void processor(char *out, size_t size)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    struct utsname system;
    char line[256];

    snprintf(out, size, "%s",
             uname(&system) == 0 ? system.machine : "unknown machine");
    while (f && fgets(line, sizeof(line), f)) {
        const char *name = strchr(line, ':');

        if (!name || strncmp(line, "model name", 10) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(out, size, "%s", name + 2);
        break;
    }
    if (f)
        fclose(f);
}

void report_head(const char *clock, int rounds)
{
    char name[256];

    processor(name, sizeof(name));
    printf("libpdump %s, %s, %d processors, clock: %s, %d rounds\n\n",
           pdump_version(), name, side_n_cpus(), clock, rounds);
    printf(layout, "work", "floor ns", "ours ns", "ratio", "median", "must",
           "goal", "verdict", "others");
}

static const char *number(char *buf, size_t size, double value)
{
    if (value == 0)
        return "-";
    snprintf(buf, size,
             value < 10     ? "%.2f"
             : value < 1000 ? "%.1f"
                            : "%.0f",
             value);
    return buf;
}

void report_row(const struct row *row, const struct result *result)
{
    char floor[32], ours[32], ratio[32], median[32], must[32], goal[32];
    bool is_done = !result->why[0];

    if (is_done)
        snprintf(ours, sizeof(ours), row->floor ? "%.1f" : "%.0f B",
                 result->ours);
    printf(layout, row->title, number(floor, sizeof(floor), result->floor),
           is_done ? ours : "-", number(ratio, sizeof(ratio), result->ratio),
           number(median, sizeof(median), result->median),
           number(must, sizeof(must), row->must),
           number(goal, sizeof(goal), row->goal), verdict(row, result),
           is_done ? row->others : result->why);
}

static void put_string(FILE *f, const char *key, const char *value)
{
    fprintf(f, "\"%s\": \"", key);
    for (; *value; value++)
        if ((unsigned char)*value < ' ')
            fprintf(f, "\\u%04x", (unsigned)*value);
        else
            fprintf(f, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
    fputc('"', f);
}

static void put_number(FILE *f, const char *key, double value, bool has_value)
{
    if (has_value)
        fprintf(f, ", \"%s\": %.6g", key, value);
    else
        fprintf(f, ", \"%s\": null", key);
}

static void put_row(FILE *f, const struct row *row, const struct result *result)
{
    bool is_done = !result->why[0], has_ratio = is_done && row->floor;

    fputs("    {", f);
    put_string(f, "id", row->id);
    fputs(", ", f);
    put_string(f, "title", row->title);
    fputs(", ", f);
    put_string(f, "floor", row->floor_title);
    fputs(", ", f);
    put_string(f, "unit", row->floor ? "ns" : "B");
    put_number(f, "floor_cost", result->floor, has_ratio);
    put_number(f, "our_cost", result->ours, is_done);
    put_number(f, "ratio", result->ratio, has_ratio);
    put_number(f, "median_ratio", result->median, has_ratio);
    put_number(f, "must", row->must, row->must > 0);
    put_number(f, "goal", row->goal, row->goal > 0);
    fputs(", ", f);
    put_string(f, "verdict", verdict(row, result));
    fputs(", ", f);
    put_string(f, "reason", result->why);
    fputs("}", f);
}

int report_json(const char *path, const char *clock, int rounds,
                const struct row *rows, const struct result *results, int n)
{
    FILE *f = fopen(path, "w");
    char name[256];
    int bad;

    if (!f)
        return -1;
    processor(name, sizeof(name));
    fputs("{\n  ", f);
    put_string(f, "pdump_version", pdump_version());
    fputs(",\n  ", f);
    put_string(f, "processor", name);
    fputs(",\n  ", f);
    put_string(f, "clock", clock);
    fprintf(f, ",\n  \"processors\": %d,\n  \"rounds\": %d,\n", side_n_cpus(),
            rounds);
    fprintf(f, "  \"time\": %lld,\n  \"rows\": [\n", (long long)time(NULL));
    for (int i = 0; i < n; i++) {
        put_row(f, &rows[i], &results[i]);
        fputs(i + 1 < n ? ",\n" : "\n", f);
    }
    fputs("  ]\n}\n", f);
    bad = ferror(f);
    return fclose(f) != 0 || bad ? -1 : 0;
}
