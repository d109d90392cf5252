/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits the name of an output file that a user has given. */
#include "write/output_name.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char separators[] = ", \t";

int pdump_output_name_first(const char *formats, const struct pdump_sink **out)
{
    const char *word = formats + strspn(formats, separators);
    char first[80];

    snprintf(first, sizeof(first), "%.*s", (int)strcspn(word, separators),
             word);
    return pdump_sink_find(first, out);
}

/* Returns the length of `base` without its ending.  ".trace.json" is one ending
 * for the format of that name; for others it is ".json".  The dot of a hidden
 * file begins no ending. */
static size_t stem_of(const char *base, const struct pdump_sink *sink)
{
    size_t len = strlen(base), n = sink ? strlen(sink->parts[0].suffix) : 0;
    const char *dot = strrchr(base, '.');

    if (n > 0 && len > n &&
        strcasecmp(base + len - n, sink->parts[0].suffix) == 0)
        return len - n;
    return dot && dot > base + strspn(base, ".") ? (size_t)(dot - base) : len;
}

int pdump_output_name_split(const char *name, const char *formats,
                            struct pdump_output_name *out)
{
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    size_t folder = slash > name ? (size_t)(slash - name) : slash != NULL;
    const struct pdump_sink *sink = NULL;
    size_t len;

    if (folder >= sizeof(out->dir) || strlen(base) >= sizeof(out->stem))
        return pdump_fail(PDUMP_EINVAL, "%.60s...: name too long", name);
    out->by = pdump_sink_guess(base);
    if (!formats)
        sink = out->by;
    else if (pdump_output_name_first(formats, &sink) < 0)
        sink = NULL;
    len = stem_of(base, sink);
    snprintf(out->dir, sizeof(out->dir), "%.*s", (int)folder, name);
    snprintf(out->stem, sizeof(out->stem), "%.*s", (int)len, base);
    snprintf(out->ending, sizeof(out->ending), "%s", base + len);
    return PDUMP_OK;
}
