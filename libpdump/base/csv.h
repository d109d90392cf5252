/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes comma-separated values as in RFC 4180, with Unix line ends.
 */
#ifndef PDUMP_CSV_H
#define PDUMP_CSV_H

#include "base/error.h"

#include <locale.h>
#include <stdint.h>
#include <stdio.h>

/* Write one cell.  The caller writes the commas and line ends between cells.
 * Text, whole or in pieces, is quoted if necessary.  PDUMP_MISSING and NAN
 * become empty cells; numbers are written with all their digits.  Errors stay
 * in the stream.
 *
 * Spreadsheets would execute a text like "=HYPERLINK(...)".  So text gets an
 * apostrophe in front if it begins with one of = + - @, tab or carriage return,
 * and is not a number; as does text that begins with apostrophes and one of
 * these.  The reader removes it.  The last function does none of that. */
void pdump_csv_put_text(FILE *f, const char *text);
void pdump_csv_put_pieces(FILE *f, const char *const *pieces, int n);
void pdump_csv_put_int(FILE *f, int64_t value);
void pdump_csv_put_real(FILE *f, double value);
void pdump_csv_put_bare(FILE *f, const char *text);

/* A file that is read record by record. */
struct pdump_csv {
    const char *path; /* borrowed */
    int64_t line;     /* first line of the record, from 1 */
    int n_cells;
    const char **cells; /* of the record; valid until the next record is read */

    /* For csv.c only. */
    int cells_size;
    FILE *file;
    int64_t next_line;
    char *buffer; /* whole records; the current one is split in place */
    size_t size;
    size_t begin; /* start of the bytes not read yet */
    size_t end;
    locale_t c_locale; /* for the decimal point */
};

/* Open a file for reading.  PDUMP_EIO if it cannot be opened.  `path` must
 * outlive the csv. */
int pdump_csv_open(struct pdump_csv *csv, const char *path);
void pdump_csv_close(struct pdump_csv *csv);

/* Read the next record: 1, 0 at the end, or a pdump_error.  A byte order mark
 * at the start of the file and empty lines are skipped. */
int pdump_csv_next(struct pdump_csv *csv);

/* Start again with the first record. */
int pdump_csv_rewind(struct pdump_csv *csv);

/* Convert the text of a cell to a number; an empty cell gives PDUMP_MISSING or
 * NAN.  The error message contains `column` and the line of the record. */
int pdump_csv_int(const struct pdump_csv *csv, const char *s,
                  const char *column, int64_t *out);
int pdump_csv_real(const struct pdump_csv *csv, const char *s,
                   const char *column, double *out);

/* Fails with PDUMP_EFORMAT; the message begins with path and line. */
int pdump_csv_fail(const struct pdump_csv *csv, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
