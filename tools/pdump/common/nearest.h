/* SPDX-License-Identifier: BSD-3-Clause */
/* What somebody who mistyped a word may have meant. */
#ifndef PDUMP_NEAREST_H
#define PDUMP_NEAREST_H

enum { NEAREST_MAX = 3 };

/* The best candidates so far, best first; borrowed.  Start with the word and
 * zeros. */
struct nearest {
    const char *word;
    const char *names[NEAREST_MAX];
    int distances[NEAREST_MAX];
    int n;
};

/* Keep `name` if it is near enough: a few letters off, or part of the other. */
void nearest_offer(struct nearest *list, const char *name);

/* "; did you mean a or b?", with `prefix` in front of each, or "". */
const char *nearest_text(const struct nearest *list, const char *prefix,
                         char buf[400]);

#endif
