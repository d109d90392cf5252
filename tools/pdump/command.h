/* SPDX-License-Identifier: BSD-3-Clause */
/* What the commands of `pdump` have in common: options, help and errors. */
#ifndef PDUMP_COMMAND_H
#define PDUMP_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

/* Exit codes. */
enum {
    COMMAND_OK = 0,
    COMMAND_FAILED = 1, /* nothing found, or it ran and failed */
    COMMAND_USAGE = 2,
    COMMAND_WORSE = 3, /* pdump diff: a region is above the limit */
};

/* An option, "--name" or "--name=value" or "--name value"; with a letter also
 * "-l", "-l value" or "-lvalue". */
struct command_option {
    const char *name;
    const char *value; /* placeholder for the help; NULL: takes none; "[=X]": it
                          may have one, behind a "=" */
    const char *help;  /* a line; the next row may go on with a NULL name */
};

struct command {
    const char *name;
    const char *operands;                 /* "FILE..." */
    const char *about;                    /* a line */
    const char *more;                     /* paragraphs for the help, or "" */
    const struct command_option *options; /* ends with a NULL help */
    void (*put_more)(void); /* prints the end of the help, or NULL */
    const char *letters; /* of the options in their order, ' ' for none; NULL */
    int (*run)(const struct command *self, int argc, char **argv);
};

/* Where the parser is in the arguments after the command's name. */
struct command_arguments {
    const struct command *command;
    int argc;
    char **argv;
    int at;
    bool has_ended; /* by "--" */
    void *data;     /* the taker's */
};

/* Instead of the row of an option. */
enum { ARGUMENT_OPERAND = -2 };

/* What a command does with an argument: the row of an option and its value
 * (borrowed, or NULL), or ARGUMENT_OPERAND and the operand itself.  Exit code,
 * or -1 to go on. */
typedef int command_take(struct command_arguments *args, int which,
                         char *value);

/* Have each argument taken, with `data` in the arguments.  --help and what is
 * no option are seen to.  Exit code, or -1 to go on. */
int command_parse(const struct command *command, int argc, char **argv,
                  command_take *take, void *data);

void command_help(const struct command *command);

/* "pdump NAME: ..." on standard error; the last two return the exit code. */
void command_warn(const struct command *command, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
int command_fail(const struct command *command, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
int command_usage(const struct command *command, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Print text that others wrote, in at most `max` columns (0: no limit), with
 * nothing in it that a terminal would obey. */
void command_put_text(FILE *f, const char *text, int max);

/* A number from `low` to `high`, and nothing else in `text`? */
bool command_number(const char *text, double low, double high, double *out);

/* Columns of the terminal that standard output is, from COLUMNS or by asking
 * it; `fallback` if it is none. */
int command_width(int fallback);

/* Is `when` "auto", "always" or "never"?  Then whether standard output is to be
 * coloured. */
bool command_color(const char *when, bool *out);

/* The letter of an option, by its row; ' ' if it has none. */
char command_letter(const struct command *command, int option);

/* Row `index` of the commands, or NULL after the last (main.c). */
const struct command *command_at(int index);

/* The row called `name`, or NULL (main.c). */
const struct command *command_find(const char *name);

extern const struct command command_completion; /* command_completion.c */
extern const struct command command_diff;       /* command_diff.c */
extern const struct command command_events;     /* command_events.c */
extern const struct command command_export;     /* command_export.c */
extern const struct command command_html;       /* command_html.c */
extern const struct command command_info;       /* command_info.c */
extern const struct command command_merge;      /* command_merge.c */
extern const struct command command_recover;    /* command_recover.c */
extern const struct command command_report;     /* command_report.c */
extern const struct command command_run;        /* command_run.c */
extern const struct command command_score;      /* command_score.c */
extern const struct command command_top;        /* command_top.c */

#endif
