/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdump run: measures a command that does not know libpdump.
 *
 * This process is the first of the run: its session has no records, but its
 * store shows the other processes that their stores will be collected.  It
 * outlives the command, whatever the command does to itself, so it can always
 * write the file; and it needs nothing from the command for that.
 */
#include "command.h"
#include "run/run_child.h"
#include "run/run_notes.h"
#include "run/run_setup.h"
#include "run/run_summary.h"

#include "job/job.h"
#include "probe/run_join.h"
#include "system/env.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum option {
    EVENTS,
    OUTPUT,
    OUTPUT_MORE,
    FORMAT,
    EXPERIMENT,
    MPI,
    MPI_MORE,
    IO,
    FUNCTIONS,
    FILTER,
    INCLUDE,
    EXCLUDE,
    MEMORY,
    STACKS,
    NO_STACKS,
    HEAP,
    STORE,
    REPORT,
    QUIET,
    NO_REPORT,
};

static const struct command_option options[] = {
    [EVENTS] = { "events", "LIST", "what to count (PDUMP_EVENTS)" },
    [OUTPUT] = { "output", "NAME", "name of the file, with a folder and an" },
    [OUTPUT_MORE] = { NULL, NULL, "ending if wanted (PDUMP_FILENAME)" },
    [FORMAT] = { "format", "FORMAT[,FORMAT]", "formats (PDUMP_OUTPUT_FORMAT)" },
    [EXPERIMENT] = { "experiment", "DIR",
                     "the run as a folder (PDUMP_EXPERIMENT_DIR)" },
    [MPI] = { "mpi", "[=CLASSES]", "MPI calls as regions; CLASSES and names" },
    [MPI_MORE] = { NULL, NULL, "of calls choose which (PDUMP_MPI)" },
    [IO] = { "io", NULL, "calls that read and write, as regions" },
    [FUNCTIONS] = { "functions", NULL,
                    "functions, if built with "
                    "-finstrument-functions" },
    [FILTER] = { "filter", "FILE", "what to leave out (PDUMP_FILTER)" },
    [INCLUDE] = { "include", "PATTERN",
                  "regions, calls and functions to record" },
    [EXCLUDE] = { "exclude", "PATTERN", "and not to; the last match decides" },
    [MEMORY] = { "memory", "[=MS]", "memory over time (PDUMP_MEMORY)" },
    [STACKS] = { "stacks", "[=HZ]",
                 "call paths, 100 a second of CPU time (PDUMP_STACKS)" },
    [NO_STACKS] = { "no-stacks", NULL, "none, even if PDUMP_STACKS is set" },
    [HEAP] = { "heap", NULL, "what is allocated and freed, by region" },
    [STORE] = { "store", "DIR", "folder for records of the run (PDUMP_STORE)" },
    [REPORT] = { "report", NULL, "print the whole report at the end" },
    [QUIET] = { "quiet", NULL, "print nothing at the end" },
    [NO_REPORT] = { "no-report", NULL, "the same" },
    { NULL, NULL, NULL },
};

static void take_option(struct run_setup *s, enum option which,
                        const char *value)
{
    switch (which) {
    case EVENTS:
        s->events = value;
        break;
    case OUTPUT:
        s->output = value;
        break;
    case FORMAT:
        s->format = value;
        break;
    case EXPERIMENT:
        s->experiment = value;
        break;
    case MPI:
        s->mpi = value ? value : "";
        break;
    case IO:
        s->wants_io = true;
        break;
    case FUNCTIONS:
        s->wants_functions = true;
        break;
    case FILTER:
        s->filter = value;
        break;
    case INCLUDE:
    case EXCLUDE:
        run_setup_rule(s, which == EXCLUDE, value);
        break;
    case MEMORY:
        s->memory = value ? value : "10";
        break;
    case STACKS:
        s->stacks = value ? value : "100";
        break;
    case NO_STACKS:
        s->stacks = "0";
        break;
    case HEAP:
        s->wants_heap = true;
        break;
    case STORE:
        s->store = value;
        break;
    case REPORT:
        s->wants_report = true;
        break;
    default:
        s->is_quiet = true;
    }
}

static int run_argument(struct command_arguments *args, int which, char *value)
{
    struct run_setup *s = args->data;

    if (which == ARGUMENT_OPERAND) {
        s->command = args->argv + args->at - 1;
        args->at = args->argc; /* the rest belongs to the command */
    } else {
        take_option(s, (enum option)which, value);
    }
    return -1;
}

/* Returns an exit code, or -1 to go on. */
static int parse(struct run_setup *s, int argc, char **argv)
{
    int code = command_parse(s->self, argc, argv, run_argument, s);

    if (code >= 0)
        return code;
    if (!s->command)
        return command_usage(s->self, "no command to run");
    if (s->wants_report && s->is_quiet)
        return command_usage(s->self,
                             "--report and --quiet exclude each other");
    return -1;
}

/* If each rank has its own `pdump run`, only one prints the summary. */
static bool speaks(const struct run_setup *s, const struct run_child *child)
{
    return !s->is_quiet && (pdump_job_guess_rank() <= 0 || child->status != 0);
}

struct telling {
    const struct run_setup *setup;
    bool is_silent;
    bool has_dump;
};

static void look(const struct pdump_dump *dump, void *data)
{
    struct telling *t = data;

    t->has_dump = true;
    if (!t->is_silent)
        run_summary_dump(t->setup, dump);
}

/* Writes the stores of all processes to the file.  If ranks of a job have
 * written a file of their own, the rest goes into a second file beside it. */
static void collect(const struct run_setup *s, const struct run_notes *notes,
                    struct telling *t)
{
    const char *usual = pdump_env("PDUMP_FILENAME");
    char name[NAME_MAX + 1];

    snprintf(name, sizeof(name), "%.200s-others",
             usual && *usual ? usual : "perf_dump");
    if (pdump_run_join_end(notes->n_files > 0 ? name : NULL, look, t) >= 0 &&
        t->has_dump && !t->is_silent)
        run_summary_where(s, pdump_run_join_written());
}

static void finish(const struct run_setup *s, const struct run_child *child)
{
    struct telling t = { .setup = s, .is_silent = !speaks(s, child) };
    struct run_notes notes;

    /* Even if nobody reads the summary any more (`2>&1 | head`), the file must
     * be written. */
    signal(SIGPIPE, SIG_IGN);
    if (!t.is_silent)
        run_summary_head(s, child);
    run_notes_read(s->notes, &notes);
    run_notes_trust(&notes);
    for (int i = 0; i < notes.n_files && !t.is_silent; i++)
        run_summary_file(s, notes.files[i]);
    if (s->is_measured)
        collect(s, &notes, &t);
    if (!s->is_quiet)
        run_notes_tell(s->self, &notes);
    run_notes_free(&notes);
}

/* Says why the command did not start, and what may have been meant. */
static void tell_why(const struct run_setup *s, int why)
{
    const char *name = s->command[0], *dot = strrchr(name, '.');
    bool is_here = access(name, R_OK) == 0;
    char text[600] = "";

    if (is_here && !strchr(name, '/') && access(name, X_OK) == 0)
        snprintf(text, sizeof(text), "; it is here: ./%.250s", name);
    if (is_here && dot && strcmp(dot, ".py") == 0)
        snprintf(text + strlen(text), sizeof(text) - strlen(text),
                 "%spython -m pdump %.250s", *text ? ", or " : "; try ", name);
    command_fail(s->self, "%s: %s%s", name, strerror(why), text);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct run_setup s = { .self = self };
    struct run_child child = { 0 };
    int code = parse(&s, argc, argv);
    const char *quiet = getenv("PDUMP_QUIET");

    /* In a quiet run, only a command that was asked for a report prints one. */
    if (quiet && strcmp(quiet, "1") == 0)
        s.is_quiet |= !s.wants_report;
    if (code < 0)
        code = run_setup_settings(&s);
    free(s.rules);
    if (code != COMMAND_OK || !s.command)
        return code;
    run_setup_start(&s);
    code = run_child_run(&s, &child);
    if (code != COMMAND_OK)
        return code;
    if (child.why) {
        tell_why(&s, child.why);
        s.is_quiet = true;
    }
    finish(&s, &child);
    run_child_follow(&child);
    return run_child_code(&child);
}

const struct command command_run = {
    .name = "run",
    .operands = "[--] COMMAND [ARGUMENT]...",
    .about = "Measure a command and every process that it starts",
    .more =
        "Each process is a region named after its program, with the time and\n"
        "counters of all its threads; regions of the program are inside it.\n"
        "All processes are in one file, and so are all ranks of an MPI job:\n"
        "`pdump run mpirun -n 4 ./app` or `mpirun -n 4 pdump run "
        "./app`.\nThe exit code is the command's (127: not found, 126: not "
        "executable), and\na summary goes to standard error.",
    .options = options,
    .letters = "eo f              q",
    .run = run,
};
