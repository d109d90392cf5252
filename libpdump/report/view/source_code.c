/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the current source of a program that was measured. */
#include "report/view/source_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { TAB = 8, SOURCE_MAX = 64 << 20 };

/* Returns the start time of the run, or 0. */
static time_t start_of(const struct pdump_dump *dump)
{
    struct tm tm = { 0 };

    for (int i = 0; i < dump->n_metadata; i++)
        if (strcmp(dump->metadata[i].key, "start") == 0 &&
            strptime(dump->metadata[i].value, "%Y-%m-%dT%H:%M:%SZ", &tm))
            return timegm(&tm);
    return 0;
}

static char *read_all(const char *file, size_t size)
{
    FILE *f = fopen(file, "r");
    char *text = f ? malloc(size + 1) : NULL;

    if (text)
        text[fread(text, 1, size, f)] = '\0';
    if (f)
        fclose(f);
    return text;
}

static void split_lines(struct pdump_source_code *s)
{
    char *rest = s->text, *line;
    int n = 1;

    for (const char *c = s->text; *c; c++)
        n += *c == '\n';
    s->lines = calloc((size_t)n, sizeof(*s->lines));
    while (s->lines && (line = strsep(&rest, "\n")) != NULL)
        s->lines[s->n_lines++] = line;
}

const char *pdump_source_code_read(struct pdump_source_code *s,
                                   const char *file,
                                   const struct pdump_dump *dump)
{
    time_t start = start_of(dump);
    struct stat is;

    if (stat(file, &is) == 0 && S_ISREG(is.st_mode) && is.st_size > 0 &&
        is.st_size <= SOURCE_MAX)
        s->text = read_all(file, (size_t)is.st_size);
    if (!s->text)
        return "its source is not there: only lines that were run";
    split_lines(s);
    return start && is.st_mtime > start ? "its source has changed since the "
                                          "run: the text may not be what was "
                                          "run"
                                        : NULL;
}

void pdump_source_code_free(struct pdump_source_code *s)
{
    free(s->lines);
    free(s->text);
}

const char *pdump_source_code_line(const struct pdump_source_code *s,
                                   int number, char *buf, size_t len)
{
    const char *from =
        number >= 1 && number <= s->n_lines ? s->lines[number - 1] : "";
    size_t n = 0;

    for (; *from && *from != '\r' && n + TAB + 1 < len; from++) {
        if (*from != '\t') {
            buf[n++] = *from;
            continue;
        }
        do
            buf[n++] = ' ';
        while (n % TAB);
    }
    buf[n] = '\0';
    return buf;
}

/* Returns the indentation of a line; -1 if it is empty. */
static int indentation(const struct pdump_source_code *s, int number)
{
    char buf[256];
    const char *line = pdump_source_code_line(s, number, buf, sizeof(buf));
    size_t n = strspn(line, " ");

    return line[n] ? (int)n : -1;
}

int pdump_source_code_end(const struct pdump_source_code *s, int first,
                          int last)
{
    int margin = indentation(s, first);

    for (int number = last + 1; number <= s->n_lines; number++) {
        int own = indentation(s, number);

        if (own >= 0 && own <= margin)
            break;
        if (own >= 0)
            last = number;
    }
    return last;
}
