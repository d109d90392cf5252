/* SPDX-License-Identifier: BSD-3-Clause */
/* Suggests the words that a user who mistyped one may have meant. */
#ifndef PDUMP_NEAREST_H
#define PDUMP_NEAREST_H

enum { NEAREST_MAX = 3 };

/* The best candidates so far, best first; borrowed.  Starts with the word and
 * zeros. */
struct nearest {
    const char *word;
    const char *names[NEAREST_MAX];
    int distances[NEAREST_MAX];
    int n;
};

/* Keeps `name` if it is similar: a few letters differ, or one contains the
 * other. */
void nearest_offer(struct nearest *list, const char *name);

/* Returns "; did you mean a or b?", with `prefix` before each, or "". */
const char *nearest_text(const struct nearest *list, const char *prefix,
                         char buf[400]);

#endif
