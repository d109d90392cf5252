/* SPDX-License-Identifier: BSD-3-Clause */
/* The `pdump` command: what its commands share (options, help and errors). */
#ifndef PDUMP_COMMAND_H
#define PDUMP_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

/* Exit codes. */
enum {
    COMMAND_OK = 0,
    COMMAND_FAILED = 1, /* nothing found, or the work failed */
    COMMAND_USAGE = 2,
    COMMAND_WORSE = 3, /* pdump diff: a region is above the limit */
};

/* An option: "--name", "--name=value" or "--name value"; with a letter also
 * "-l", "-l value" or "-lvalue". */
struct command_option {
    const char *name;
    const char *value; /* placeholder for the help; NULL: takes none; "[=X]": it
                        * may have one, after a "=" */
    const char *help;  /* one line; a row with a NULL name continues it */
};

struct command {
    const char *name;
    const char *operands;                 /* "FILE..." */
    const char *about;                    /* one line */
    const char *more;                     /* paragraphs for the help, or "" */
    const struct command_option *options; /* ends with a NULL help */
    void (*put_more)(void); /* prints the end of the help, or NULL */
    const char *letters;    /* of the options in order, ' ' for none; or NULL */
    int (*run)(const struct command *self, int argc, char **argv);
};

/* The parser's position in the arguments after the command's name. */
struct command_arguments {
    const struct command *command;
    int argc;
    char **argv;
    int at;
    bool has_ended; /* "--" was seen */
    void *data;     /* of the command_take function */
};

/* Passed instead of the row of an option. */
enum { ARGUMENT_OPERAND = -2 };

/* Handles one argument: `which` is the row of an option and `value` its value
 * (borrowed, or NULL), or `which` is ARGUMENT_OPERAND and `value` the operand.
 * Returns an exit code, or -1 to go on. */
typedef int command_take(struct command_arguments *args, int which,
                         char *value);

/* Calls `take` for each argument, with `data` in args->data.  Handles --help
 * and unknown options itself.  Returns an exit code, or -1 to go on. */
int command_parse(const struct command *command, int argc, char **argv,
                  command_take *take, void *data);

void command_help(const struct command *command);

/* Prints a line on standard output, without control characters. */
void command_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Print "pdump NAME: ..." on standard error; the last two return the exit
 * code. */
void command_warn(const struct command *command, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
int command_fail(const struct command *command, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
int command_usage(const struct command *command, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns true if `text` is a number from `low` to `high` and nothing else. */
bool command_number(const char *text, double low, double high, double *out);

/* Returns the width of the terminal on standard output, from COLUMNS or from
 * the terminal itself; `fallback` if it is not a terminal. */
int command_width(int fallback);

/* Returns true if `when` is "auto", "always" or "never"; then sets *out to
 * whether standard output is coloured. */
bool command_color(const char *when, bool *out);

/* Returns the letter of an option, by its row; ' ' if it has none. */
char command_letter(const struct command *command, int option);

/* Returns row `index` of the commands, or NULL after the last (main.c). */
const struct command *command_at(int index);

/* Returns the command called `name`, or NULL (main.c). */
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
