/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes existing dumps again, in any format. */
#include "export/export.h"
#include "common/guard.h"
#include "common/load.h"
#include "common/newest.h"

#include "write/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool export_is_piped(const struct export_request *q)
{
    return q->output && strcmp(q->output, "-") == 0;
}

static int choose_format(struct export_request *q)
{
    if (q->format)
        return pdump_sink_find(q->format, &q->sink) < 0
                   ? command_usage(q->self, "%s", pdump_last_error())
                   : -1;
    q->sink = pdump_sink_guess(q->output);
    return q->sink ? -1
                   : command_usage(q->self,
                                   "no format ends like \"%s\"; say -f FORMAT",
                                   q->output);
}

/* Chooses folder and name.  A name that is taken from an input file loses its
 * old suffix. */
static int choose_name(struct export_request *q)
{
    const char *name = q->output ? q->output : q->files[0];
    const char *base = strrchr(name, '/');
    struct pdump_output_name *to = &q->to;

    if (pdump_output_name_split(name, q->output ? q->sink->name : NULL, to) < 0)
        return command_usage(q->self, "%s", pdump_last_error());
    if (!q->output) {
        if (!to->by)
            snprintf(to->stem, sizeof(to->stem), "%s", base ? base + 1 : name);
        to->ending[0] = '\0';
    }
    if (!to->stem[0])
        return command_usage(q->self, "\"%s\" is no name for a file", name);
    if (!to->dir[0])
        strcpy(to->dir, ".");
    return -1;
}

/* An input file must not be overwritten. */
static int check_files(const struct export_request *q)
{
    char path[PATH_MAX + 2 * NAME_MAX + 32];
    struct stat to, from;

    snprintf(path, sizeof(path), "%s/%s%s", q->to.dir, q->to.stem,
             *q->to.ending ? q->to.ending : q->sink->parts[0].suffix);
    if (stat(path, &to) != 0)
        return -1;
    for (int i = 0; i < q->n_files; i++)
        if (stat(q->files[i], &from) == 0 && from.st_ino == to.st_ino &&
            from.st_dev == to.st_dev)
            return command_usage(q->self, "%s is to be read; say -o NAME",
                                 q->files[i]);
    return -1;
}

/* Only formats of one text file can go to standard output. */
static int check_pipe(const struct export_request *q)
{
    if (!q->sink->verify && !q->sink->parts[0].is_folder &&
        !q->sink->parts[1].suffix)
        return -1;
    return command_usage(q->self, "%s is not for standard output; say -o NAME",
                         q->sink->name);
}

/* A file is read back before it counts as written, which a pipe does not allow.
 * So the data goes to a file without a name first. */
static int write_pipe(const struct export_request *q, struct pdump_stream *in)
{
    FILE *f = tmpfile();
    struct pdump_stream *shown;
    struct pdump_new_file file = { .path = "temporary file" };
    char buf[16384];
    size_t n;
    int code = COMMAND_OK;

    if (!f)
        return command_fail(q->self, "no temporary file: %s", strerror(errno));
    if (pdump_sink_stream(q->sink, in, &shown) < 0) {
        fclose(f);
        return command_fail(q->self, "%s", pdump_last_error());
    }
    file.fd = fileno(f);
    if (q->sink->parts[0].write(shown, &file) < 0)
        code = command_fail(q->self, "%s", pdump_last_error());
    rewind(f);
    while (code == COMMAND_OK && (n = fread(buf, 1, sizeof(buf), f)) > 0)
        if (fwrite(buf, 1, n, stdout) != n)
            break; /* main() reports the error */
    pdump_sink_stream_end(in, shown);
    fclose(f);
    return code;
}

int export_write(struct export_request *q, struct pdump_stream *in)
{
    struct pdump_settings set = { .dir = (char *)q->to.dir,
                                  .filename = (char *)q->to.stem,
                                  .ending = (char *)q->to.ending,
                                  .format = (char *)q->sink->name };
    struct pdump_written written = { .before_names = guard_commit };
    char *where = q->where;

    if (export_is_piped(q))
        return write_pipe(q, in);
    if (pdump_output_file_write(&set, q->sink, in, &written, where,
                                sizeof(q->where)) < 0)
        return command_fail(q->self, "%s", pdump_last_error());
    command_say("wrote %s", where);
    /* The file is in the temporary folder, and a message has said why.  The
     * exit code must not pretend that the requested file exists. */
    return written.n > 0 && written.file[0].is_astray ? COMMAND_FAILED
                                                      : COMMAND_OK;
}

int export_write_dump(struct export_request *q, const struct pdump_dump *dump)
{
    struct pdump_stream *in;
    int code;

    if (pdump_stream_of(dump, &in) < 0)
        return command_fail(q->self, "%s", pdump_last_error());
    code = export_write(q, in);
    pdump_stream_free(in);
    return code;
}

static int export_argument(struct command_arguments *args, int which,
                           char *value)
{
    struct export_request *q = args->data;
    const char *name = which < 0 ? "" : q->self->options[which].name;

    if (which == ARGUMENT_OPERAND)
        q->files[q->n_files++] = value;
    else if (strcmp(name, "format") == 0)
        q->format = value;
    else if (strcmp(name, "sum") == 0)
        q->is_sum = true;
    else if (strcmp(name, "open") == 0)
        q->is_open = true;
    else if (strcmp(name, "compare") == 0)
        q->is_compare = true;
    else
        q->output = value;
    return -1;
}

/* Returns an exit code, or -1 to go on. */
static int parse(struct export_request *q, int argc, char **argv)
{
    int code = command_parse(q->self, argc, argv, export_argument, q);

    if (code >= 0)
        return code;
    q->n_files = load_leave_out_sides(q->files, q->n_files);
    if (q->wants_newest)
        code =
            newest_take(q->self, q->files, &q->n_files, q->is_compare ? 2 : 1);
    if (code >= 0)
        return code;
    if (q->n_files == 0)
        return command_usage(q->self, "which file?");
    if (q->is_compare && !q->output)
        q->output = "compare.html";
    if (!q->format && !q->output)
        return command_usage(q->self, "which format? -f csv, or -o NAME.csv");
    return -1;
}

int export_prepare(struct export_request *q, int argc, char **argv)
{
    int code;

    q->files = calloc((size_t)argc + 2, sizeof(*q->files));
    if (!q->files)
        return command_fail(q->self, "out of memory");
    code = parse(q, argc, argv);
    if (code < 0)
        code = choose_format(q);
    if (code < 0)
        code = choose_name(q);
    if (code < 0)
        code = export_is_piped(q) ? check_pipe(q) : check_files(q);
    return code;
}

static int export(void *data)
{
    struct export_request *q = data;
    struct pdump_dump *dump = NULL;
    int code = q->is_compare ? q->read_pair(q, &dump)
                             : load_files(q->self, q->files, q->n_files, &dump);

    guard_tell("writing", 0, 0);
    if (dump)
        code = export_write_dump(q, dump);
    pdump_dump_free(dump);
    return code;
}

int export_run_request(struct export_request *q, int argc, char **argv)
{
    int code = export_prepare(q, argc, argv);

    if (code < 0)
        code = guard_run(q->self, q->to.dir, export, q);
    free(q->files);
    return code;
}

int export_run(const struct command *self, int argc, char **argv,
               const char *format)
{
    struct export_request q = { .self = self, .format = format };

    return export_run_request(&q, argc, argv);
}
