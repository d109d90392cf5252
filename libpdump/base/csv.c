/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes and parses comma-separated values. */
#include "base/csv.h"

#include "base/error.h"
#include "base/missing.h"
#include "base/regular_file.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUFFER_SIZE = 1 << 18,
    RECORD_MAX = 1 << 26, /* limits the cost of a lost quote */
    CELLS_MAX = 1 << 16,
};

static void put_doubled(FILE *f, const char *text)
{
    const char *quote;

    while ((quote = strchr(text, '"'))) {
        fwrite_unlocked(text, 1, (size_t)(quote - text + 1), f);
        putc_unlocked('"', f);
        text = quote + 1;
    }
    fwrite_unlocked(text, 1, strlen(text), f);
}

/* Returns true if a spreadsheet would execute the text, or if the text could be
 * taken for one that has a prefix. */
static bool is_formula(const char *text)
{
    text += strspn(text, "'");
    return *text && strchr("=+-@\t\r", *text);
}

static bool is_number(const char *text)
{
    const char *s = text + (*text == '-' || *text == '+');
    size_t whole = strspn(s, "0123456789"), fraction = 0;

    s += whole;
    if (*s == '.')
        fraction = strspn(++s, "0123456789");
    s += fraction;
    if (whole + fraction > 0 && (*s == 'e' || *s == 'E')) {
        s += 1 + (s[1] == '-' || s[1] == '+');
        s += strspn(s, "0123456789");
    }
    return whole + fraction > 0 && *s == '\0';
}

static void put_cell(FILE *f, const char *prefix, const char *const *pieces,
                     int n)
{
    bool is_plain = true;

    for (int i = 0; i < n; i++)
        is_plain = is_plain && !strpbrk(pieces[i], ",\"\r\n");
    if (!is_plain)
        putc_unlocked('"', f);
    fputs(prefix, f);
    for (int i = 0; i < n; i++)
        put_doubled(f, pieces[i]);
    if (!is_plain)
        putc_unlocked('"', f);
}

void pdump_csv_put_pieces(FILE *f, const char *const *pieces, int n)
{
    bool is_safe = !is_formula(pieces[0]) || (n == 1 && is_number(pieces[0]));

    put_cell(f, is_safe ? "" : "'", pieces, n);
}

void pdump_csv_put_bare(FILE *f, const char *text)
{
    put_cell(f, "", &text, 1);
}

void pdump_csv_put_text(FILE *f, const char *text)
{
    pdump_csv_put_pieces(f, &text, 1);
}

/* printf() would take most of the time of a large dump. */
void pdump_csv_put_int(FILE *f, int64_t value)
{
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    char digits[24];
    char *at = digits + sizeof(digits);

    if (value == PDUMP_MISSING)
        return;
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        *--at = '-';
    fwrite_unlocked(at, 1, (size_t)(digits + sizeof(digits) - at), f);
}

void pdump_csv_put_real(FILE *f, double value)
{
    const double exact = 9.2e18; /* smaller whole numbers fit into an int64_t */

    if (isnan(value))
        return;
    if (fabs(value) < exact && value == (double)(int64_t)value &&
        !(value == 0 && signbit(value)))
        pdump_csv_put_int(f, (int64_t)value);
    else
        fprintf(f, "%.17g", value);
}

int pdump_csv_fail(const struct pdump_csv *csv, const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    return pdump_fail(PDUMP_EFORMAT, "%s:%lld: %s", csv->path,
                      (long long)csv->line, text);
}

static int io_failed(const struct pdump_csv *csv)
{
    return pdump_fail(PDUMP_EIO, "%s: %s", csv->path, strerror(errno));
}

int pdump_csv_open(struct pdump_csv *csv, const char *path)
{
    int err;

    *csv = (struct pdump_csv){ .path = path, .size = BUFFER_SIZE };
    csv->file = pdump_regular_file_stream(path);
    if (!csv->file)
        return PDUMP_EIO;
    setvbuf(csv->file, NULL, _IONBF, 0); /* csv->buffer is the buffer */
    csv->buffer = malloc(csv->size);
    csv->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!csv->buffer || !csv->c_locale) {
        pdump_csv_close(csv);
        return pdump_no_memory();
    }
    err = pdump_csv_rewind(csv);
    if (err < 0)
        pdump_csv_close(csv);
    return err;
}

void pdump_csv_close(struct pdump_csv *csv)
{
    if (csv->file)
        fclose(csv->file);
    if (csv->c_locale)
        freelocale(csv->c_locale);
    free(csv->buffer);
    free(csv->cells);
    *csv = (struct pdump_csv){ .path = csv->path };
}

/* Read more bytes behind those in the buffer.  Returns 1, 0 at the end of the
 * file, or an error.  A record that fills the buffer doubles it, so each byte
 * is scanned only a few times. */
static int buffer_refill(struct pdump_csv *csv)
{
    size_t n;

    memmove(csv->buffer, csv->buffer + csv->begin, csv->end - csv->begin);
    csv->end -= csv->begin;
    csv->begin = 0;
    if (csv->end == csv->size) {
        char *buffer;

        if (csv->size >= RECORD_MAX)
            return pdump_csv_fail(csv, "a record of more than %d bytes",
                                  RECORD_MAX);
        buffer = realloc(csv->buffer, 2 * csv->size);
        if (!buffer)
            return pdump_no_memory();
        csv->buffer = buffer;
        csv->size *= 2;
    }
    n = fread(csv->buffer + csv->end, 1, csv->size - csv->end, csv->file);
    if (ferror(csv->file))
        return io_failed(csv);
    csv->end += n;
    return n > 0;
}

int pdump_csv_rewind(struct pdump_csv *csv)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t len = sizeof(mark) - 1;
    int err;

    if (fseek(csv->file, 0, SEEK_SET) != 0)
        return io_failed(csv);
    csv->line = 0;
    csv->next_line = 1;
    csv->begin = 0;
    csv->end = 0;
    err = buffer_refill(csv);
    if (csv->end >= len && memcmp(csv->buffer, mark, len) == 0)
        csv->begin = len;
    return err < 0 ? err : PDUMP_OK;
}

/* Returns the line end of the record at csv->begin, or NULL if it is not in the
 * buffer.  Line ends inside quotes do not count. */
static char *record_end(const struct pdump_csv *csv, bool *has_quotes)
{
    char *from = csv->buffer + csv->begin;
    char *limit = csv->buffer + csv->end;
    char *end = memchr(from, '\n', (size_t)(limit - from));
    bool is_open = false;

    *has_quotes = end && memchr(from, '"', (size_t)(end - from));
    if (!end || !*has_quotes)
        return end;
    for (char *s = from; s < limit; s++) {
        if (*s == '"')
            is_open = !is_open;
        else if (*s == '\n' && !is_open)
            return s;
    }
    return NULL;
}

static int find_record(struct pdump_csv *csv, bool *has_quotes, char **end)
{
    while (!(*end = record_end(csv, has_quotes))) {
        int more = buffer_refill(csv);

        if (more < 0)
            return more;
        if (more == 0 && csv->begin == csv->end)
            return 0;
        if (more == 0)
            return pdump_csv_fail(csv, *has_quotes
                                           ? "a quote that is never closed"
                                           : "the file ends inside of a line");
    }
    return 1;
}

static int add_cell(struct pdump_csv *csv, const char *cell)
{
    if (csv->n_cells == csv->cells_size) {
        int size = csv->cells_size ? 2 * csv->cells_size : 64;
        const char **cells;

        if (size > CELLS_MAX)
            return pdump_csv_fail(csv, "more than %d columns", CELLS_MAX);
        cells = realloc(csv->cells, (size_t)size * sizeof(*cells));
        if (!cells)
            return pdump_no_memory();
        csv->cells = cells;
        csv->cells_size = size;
    }
    csv->cells[csv->n_cells++] = cell;
    return PDUMP_OK;
}

/* Unquote a cell in place; `s` points behind its first quote.  Returns a
 * pointer behind its last quote. */
static char *cell_unquote(struct pdump_csv *csv, char *s)
{
    char *to = s;

    for (; *s != '"' || *++s == '"'; s++) {
        csv->next_line += *s == '\n';
        *to++ = *s;
    }
    *to = '\0';
    return s;
}

/* Only text that the prefix makes harmless has one. */
static bool has_prefix(const char *cell)
{
    return *cell == '\'' && is_formula(cell);
}

/* Split the record in place; `end` is where its line ends.  It has an even
 * number of quotes, so no cell extends beyond the end. */
static int record_split(struct pdump_csv *csv, char *s, char *end)
{
    if (end > s && end[-1] == '\r')
        end--;
    *end = '\0';
    for (;;) {
        bool is_quoted = *s == '"';
        char *cell = s + is_quoted;
        int err = add_cell(csv, cell + has_prefix(cell));
        char *next = is_quoted ? cell_unquote(csv, cell) : s;

        if (err < 0)
            return err;
        if (!is_quoted)
            while (*next != ',' && *next != '"' && *next != '\r' && *next)
                next++;
        if (next == end)
            return 1;
        if (*next != ',')
            return pdump_csv_fail(csv,
                                  "a quote or line end in the wrong place");
        *next = '\0';
        s = next + 1;
    }
}

int pdump_csv_next(struct pdump_csv *csv)
{
    for (;;) {
        bool has_quotes;
        char *begin, *end;
        int found;

        csv->line = csv->next_line;
        csv->n_cells = 0;
        found = find_record(csv, &has_quotes, &end);
        if (found <= 0)
            return found;
        begin = csv->buffer + csv->begin;
        csv->begin = (size_t)(end - csv->buffer) + 1;
        csv->next_line++;
        if (memchr(begin, '\0', (size_t)(end - begin)))
            return pdump_csv_fail(csv, "a NUL byte");
        if (begin < end && !(end - begin == 1 && *begin == '\r'))
            return record_split(csv, begin, end);
    }
}

/* The fast path for most numbers: only digits, at most 18, which always fit. */
static bool small_number(const char *s, int64_t *out)
{
    int64_t value = 0;
    int n = 0;

    for (; s[n] >= '0' && s[n] <= '9' && n < 18; n++)
        value = 10 * value + (s[n] - '0');
    *out = value;
    return n > 0 && s[n] == '\0';
}

/* Programs that know only one kind of number write 12 as 12.0. */
static bool is_zero_fraction(const char *s)
{
    return s[0] == '.' && s[1 + strspn(s + 1, "0")] == '\0';
}

static bool starts_number(const char *s)
{
    s += *s == '-';
    return *s >= '0' && *s <= '9';
}

int pdump_csv_int(const struct pdump_csv *csv, const char *s,
                  const char *column, int64_t *out)
{
    char *end;

    if (small_number(s, out))
        return PDUMP_OK;
    *out = PDUMP_MISSING;
    if (!*s)
        return PDUMP_OK;
    errno = 0;
    *out = strtoll(s, &end, 10);
    if (!starts_number(s) || (*end && !is_zero_fraction(end)))
        return pdump_csv_fail(csv, "column %.80s: '%.40s' is no whole number",
                              column, s);
    if (errno || *out == PDUMP_MISSING)
        return pdump_csv_fail(csv, "column %.80s: %.40s is too large", column,
                              s);
    return PDUMP_OK;
}

int pdump_csv_real(const struct pdump_csv *csv, const char *s,
                   const char *column, double *out)
{
    int64_t whole;
    char *end;

    if (small_number(s, &whole)) {
        *out = (double)whole;
        return PDUMP_OK;
    }
    *out = NAN;
    if (!*s)
        return PDUMP_OK;
    errno = 0;
    *out = strtod_l(s, &end, csv->c_locale);
    if (*end || (!starts_number(s) && strcmp(s + (*s == '-'), "inf") != 0))
        return pdump_csv_fail(csv, "column %.80s: '%.40s' is no number", column,
                              s);
    if (errno && isinf(*out))
        return pdump_csv_fail(csv, "column %.80s: %.40s is too large", column,
                              s);
    return PDUMP_OK;
}
