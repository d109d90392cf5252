/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads files into one dump. */
#include "common/load.h"
#include "common/guard.h"

#include "dump/merge.h"
#include "dump/stacks.h"
#include "read/csv_side.h"
#include "read/reader.h"

#include <stdlib.h>
#include <string.h>

/* Returns true if a main file with that stem is among the files. */
static bool has_main(char *const *files, int n, const char *side, size_t stem)
{
    for (int i = 0; i < n; i++)
        if (files[i] != side && pdump_csv_stem(files[i]) == stem &&
            strncmp(files[i], side, stem) == 0)
            return true;
    return false;
}

int load_leave_out_sides(char **files, int n)
{
    int kept = 0;

    for (int i = 0; i < n; i++) {
        char *file = files[i];
        size_t stem;

        if (pdump_csv_is_side(file, &stem) &&
            (has_main(files, kept, file, stem) ||
             has_main(files + i, n - i, file, stem)))
            continue;
        files[kept++] = file;
    }
    return kept;
}

/* Most messages of the library already begin with the file. */
static int cannot_read(const struct command *self, const char *file)
{
    const char *why = pdump_last_error();

    if (strncmp(why, file, strlen(file)) == 0)
        return command_fail(self, "%s", why);
    return command_fail(self, "%s: %s", file, why);
}

/* The dump is still private, so it may be changed. */
static int number_run(const struct command *self, const char *file, int run,
                      struct pdump_dump *dump)
{
    if (dump->stats && dump->n_rows == 0)
        return command_fail(self,
                            "%s has statistics over ranks only, of which no "
                            "run's figures can be made",
                            file);
    for (int i = 0; i < dump->n_processes; i++)
        dump->processes[i].rank = run;
    return COMMAND_OK;
}

static int load(const struct command *self, char *const *files, int n,
                bool are_runs, struct pdump_dump **out)
{
    struct pdump_dump **dumps = calloc((size_t)n, sizeof(*dumps));
    int code = COMMAND_OK;

    if (!dumps)
        return command_fail(self, "out of memory");
    for (int i = 0; i < n && code == COMMAND_OK; i++) {
        guard_tell("reading", i + 1, n);
        if (pdump_reader_load(files[i], &dumps[i]) < 0)
            code = cannot_read(self, files[i]);
        else if (are_runs)
            code = number_run(self, files[i], i + 1, dumps[i]);
    }
    if (code == COMMAND_OK && n == 1) {
        *out = dumps[0];
        dumps[0] = NULL;
    } else if (code == COMMAND_OK && pdump_merge(dumps, n, out) < 0) {
        code = command_fail(self, "%s", pdump_last_error());
    }
    for (int i = 0; i < n; i++)
        pdump_dump_free(dumps[i]);
    free(dumps);
    return code;
}

int load_files(const struct command *self, char *const *files, int n,
               struct pdump_dump **out)
{
    return load(self, files, n, false, out);
}

int load_regions(const struct command *self, char *const *files, int n,
                 struct pdump_dump **out)
{
    int code = load_files(self, files, n, out);

    if (code == COMMAND_OK && pdump_stacks_drop(out) < 0)
        code = command_fail(self, "%s", pdump_last_error());
    return code;
}

int load_runs(const struct command *self, char *const *files, int n,
              struct pdump_dump **out)
{
    return load(self, files, n, true, out);
}
