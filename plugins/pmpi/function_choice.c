/* SPDX-License-Identifier: BSD-3-Clause */
/* PDUMP_MPI: the choice of functions that are recorded. */
#include "function_choice.h"
#include "mpi_call.h"
#include "system/log.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static const char *const classes[PDUMP_MPI_CLASSES] = {
    [PDUMP_MPI_P2P] = "p2p", [PDUMP_MPI_COLL] = "coll",
    [PDUMP_MPI_RMA] = "rma", [PDUMP_MPI_NONBLOCKING] = "nonblocking",
    [PDUMP_MPI_IO] = "io",   [PDUMP_MPI_COMM] = "comm",
    [PDUMP_MPI_ENV] = "env",
};

bool pdump_function_choice_is_sync, pdump_function_choice_is_bad;
static char bad_words[160];

static void choice_set_all(bool is_left_out)
{
    for (int i = 0; i < pdump_n_mpi_functions; i++)
        pdump_mpi_functions[i].is_left_out = is_left_out;
}

/* Sets all functions that match the word.  Returns false if the word is
 * unknown. */
static bool choice_set(const char *word, bool is_left_out)
{
    bool has_one = false;

    for (int i = 0; i < pdump_n_mpi_functions; i++) {
        struct pdump_mpi_function *f = &pdump_mpi_functions[i];

        if (strcmp(word, "all") != 0 && strcmp(word, classes[f->kind]) != 0 &&
            fnmatch(word, f->callee.name, 0) != 0)
            continue;
        f->is_left_out = is_left_out;
        has_one = true;
    }
    /* Any name of MPI is valid: not every MPI has it, and some are never
     * recorded. */
    return has_one || strncmp(word, "MPI_", 4) == 0;
}

static void note_bad(const char *word)
{
    size_t n = strlen(bad_words);

    pdump_function_choice_is_bad = true;
    snprintf(bad_words + n, sizeof(bad_words) - n, "%s%s", n ? ", " : "", word);
}

/* The first word without a minus starts from nothing; later words add to it. */
static void read_word(const char *word, bool *has_chosen)
{
    if (strcmp(word, "sync") == 0) {
        pdump_function_choice_is_sync = true;
    } else if (strcmp(word, "off") == 0) {
        choice_set_all(true);
        *has_chosen = true;
    } else if (*word == '-') {
        if (!choice_set(word + 1, true))
            note_bad(word);
    } else {
        bool is_first = !*has_chosen;

        if (is_first)
            choice_set_all(true);
        *has_chosen = true;
        if (!choice_set(word, false)) {
            note_bad(word);
            *has_chosen = !is_first;
            if (is_first)
                choice_set_all(false);
        }
    }
}

void pdump_function_choice_read(char *text)
{
    char *word;
    bool has_chosen = false;

    while (text && (word = strsep(&text, ", ")) != NULL)
        if (*word)
            read_word(word, &has_chosen);
}

void pdump_function_choice_warn(void)
{
    pdump_function_choice_is_bad = false;
    pdump_warn("PDUMP_MPI",
               "PDUMP_MPI: %s: it must be a list of p2p, coll, nonblocking, "
               "rma, io, comm, env, all, sync, off or names, also with -",
               bad_words);
}
