/* SPDX-License-Identifier: BSD-3-Clause */
/* Comma-separated values as RFC 4180 has them, with Unix line ends. */
#ifndef PDUMP_CSV_H
#define PDUMP_CSV_H

#include "base/error.h"

#include <locale.h>
#include <stdint.h>
#include <stdio.h>

/* One cell; the commas and line ends between cells are the caller's.  Text,
 * whole or in pieces, is quoted if it has to be.  PDUMP_MISSING and NAN are
 * empty cells; numbers have all their digits.  Errors stay in the stream. */
void pdump_csv_put_text(FILE *f, const char *text);
void pdump_csv_put_pieces(FILE *f, const char *const *pieces, int n);
void pdump_csv_put_int(FILE *f, int64_t value);
void pdump_csv_put_real(FILE *f, double value);

/* A file being read, record by record. */
struct pdump_csv {
    const char *path; /* borrowed */
    int64_t line;     /* where the record begins, from 1 */
    int n_cells;
    const char **cells; /* of the record, valid until the next one */

    /* For csv.c only. */
    int cells_size;
    FILE *file;
    int64_t next_line;
    char *buffer; /* whole records, the current one cut up in place */
    size_t size;
    size_t begin; /* of what was not read yet */
    size_t end;
    locale_t c_locale; /* a point is a point wherever we run */
};

/* PDUMP_EIO if it cannot be opened.  `path` must outlive the file. */
int pdump_csv_open(struct pdump_csv *csv, const char *path);
void pdump_csv_close(struct pdump_csv *csv);

/* Read the next record: 1, 0 at the end, or a pdump_error.  A byte order mark
 * at the start of the file and empty lines are skipped. */
int pdump_csv_next(struct pdump_csv *csv);

/* Start again with the first record. */
int pdump_csv_rewind(struct pdump_csv *csv);

/* The text of a cell as a number; an empty one gives PDUMP_MISSING or NAN.
 * `column` is for the message, whose line is that of the record. */
int pdump_csv_int(const struct pdump_csv *csv, const char *s,
                  const char *column, int64_t *out);
int pdump_csv_real(const struct pdump_csv *csv, const char *s,
                   const char *column, double *out);

/* PDUMP_EFORMAT with path and line in front of the text. */
int pdump_csv_fail(const struct pdump_csv *csv, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
