/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a filter file that excludes the costly regions. */
#include "score/score.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int put_region(FILE *f, const struct score *s,
                      const struct score_region *r)
{
    const char *name = s->dump->regions[r->region].name;
    size_t room = 2 * strlen(name) + 4;
    char *pattern = malloc(room);

    if (!pattern)
        return pdump_no_memory();
    pdump_filter_escape(name, pattern, room);
    fprintf(f, "    # %" PRId64 " visits of %.0f ns\n    %s\n", r->sum.visits,
            r->sum.whole / (double)r->sum.visits, pattern);
    free(pattern);
    return PDUMP_OK;
}

/* Writes a name into a comment, on one line. */
static void put_comment(FILE *f, const char *text)
{
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' ? '?' : *text, f);
}

static int put_all(FILE *f, const struct score *s, const char *run,
                   double threshold)
{
    int n = 0, err = PDUMP_OK;

    fprintf(f, "# Made by pdump score from ");
    put_comment(f, run);
    fprintf(f,
            ": regions whose visits take less than\n"
            "# %g times the %.0f ns that recording one takes.\n"
            "SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE\n",
            threshold, s->overhead);
    for (int i = 0; err >= 0 && i < s->n_regions; i++)
        if (s->regions[i].is_costly) {
            err = put_region(f, s, &s->regions[i]);
            n++;
        }
    fprintf(f, "SCOREP_REGION_NAMES_END\n");
    return err < 0 ? err : n;
}

int score_write_filter(const struct score *s, const char *run, double threshold,
                       const char *path)
{
    FILE *f = fopen(path, "wxe");
    int n, bad;

    if (!f && errno == EEXIST)
        return pdump_fail(PDUMP_EIO,
                          "%s: there is such a file; -o chooses another name",
                          path);
    if (!f)
        return pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
    n = put_all(f, s, run, threshold);
    bad = ferror(f);
    if ((fclose(f) != 0 || bad) && n >= 0)
        n = pdump_fail(PDUMP_EIO, "%s: write failed", path);
    if (n < 0)
        unlink(path);
    return n;
}
