/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the notes that the processes of a run left for `pdump run`. */
#include "run/run_notes.h"

#include "base/safe_text.h"
#include "system/owned_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *kind, *before, *after;
} kinds[] = {
    { "static", "", " is statically linked: it cannot be followed" },
    { "privileged", "",
      " runs with other rights (set-user-ID): it cannot be "
      "followed" },
    { "foreign", "", " is for another kind of machine: it cannot be followed" },
    { "heap", "allocations are not recorded in ",
      ", which has AddressSanitizer's own" },
    { "wrappers", "MPI calls are not recorded: no libpdump-pmpi.so fits ", "" },
};

enum { N_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* Returns true if the same line occurs earlier. */
static bool is_repeated(const struct run_notes *notes, const char *line)
{
    for (const char *at = notes->text; at < line; at += strlen(at) + 1)
        if (strcmp(at, line) == 0)
            return true;
    return false;
}

static const char *text_of(const char *line, const char *kind)
{
    size_t n = strlen(kind);

    return strncmp(line, kind, n) == 0 && line[n] == ' ' ? line + n + 1 : NULL;
}

/* Reads all texts, with an empty one after the last. */
static char *load(int fd)
{
    struct stat st;
    char *text;

    if (fd < 0 || fstat(fd, &st) != 0 || st.st_size == 0)
        return NULL;
    text = calloc((size_t)st.st_size + 2, 1);
    if (text && pread(fd, text, (size_t)st.st_size, 0) < 0)
        text[0] = '\0';
    return text;
}

void run_notes_read(int fd, struct run_notes *notes)
{
    *notes = (struct run_notes){ .text = load(fd) };
    for (char *line = notes->text; line && *line; line += strlen(line) + 1) {
        size_t n = (size_t)notes->n_files + 1;
        char **files;

        if (!text_of(line, "file") || is_repeated(notes, line))
            continue;
        files = realloc(notes->files, n * sizeof(*files));
        if (!files)
            return;
        notes->files = files;
        files[notes->n_files++] = line + strlen("file ");
    }
}

void run_notes_tell(const struct command *self, const struct run_notes *notes)
{
    for (char *line = notes->text; line && *line; line += strlen(line) + 1)
        for (int i = 0; i < N_KINDS; i++) {
            const char *text = text_of(line, kinds[i].kind);

            if (!text || is_repeated(notes, line))
                continue;
            fprintf(stderr, "pdump %s: %s", self->name, kinds[i].before);
            pdump_safe_text_put(stderr, text, 0);
            fprintf(stderr, "%s\n", kinds[i].after);
        }
}

void run_notes_trust(const struct run_notes *notes)
{
    for (char *line = notes->text; line && *line; line += strlen(line) + 1) {
        const char *user = text_of(line, "user");

        if (user && !is_repeated(notes, line))
            pdump_owned_file_also((uid_t)strtoul(user, NULL, 10));
    }
}

void run_notes_free(struct run_notes *notes)
{
    free(notes->text);
    free(notes->files);
}
