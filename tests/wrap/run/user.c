/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that uses libpdump itself: `pdump run` must not be in its way. */
#include <pdump.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check(const char *what, int actual, int wanted)
{
    if (actual != wanted)
        fprintf(stderr, "%s: %d instead of %d\n", what, actual, wanted);
    return actual != wanted;
}

/* As it would be without. */
static int misuse(void)
{
    int bad = check("end", pdump_region_end(NULL), PDUMP_ESTATE);

    bad += check("end by name", pdump_region_end("user"), PDUMP_ESTATE);
    bad += check("parameter", pdump_parameter_int("n", 1), PDUMP_ESTATE);
    bad += check("counter", pdump_counter_add("n", 1), PDUMP_ESTATE);
    return bad;
}

static int settings(void)
{
    int bad = check("set", pdump_set("PDUMP_EVENTS", "none"), PDUMP_OK);

    setenv("PDUMP_SAMPLES_MAX", "7", 1);
    bad += check("init", pdump_init(), PDUMP_OK);
    bad += check("begin", pdump_region_begin("work"), PDUMP_OK);
    bad += check("set late", pdump_set("PDUMP_EVENTS", ""), PDUMP_ESTATE);
    bad += check("end", pdump_region_end("work"), PDUMP_OK);
    return bad;
}

static int sessions(void)
{
    int bad = check("init", pdump_init(), PDUMP_OK);

    for (int i = 0; i < 2; i++) {
        bad += check("begin", pdump_region_begin(i ? "two" : "one"), PDUMP_OK);
        bad += check("end", pdump_region_end(NULL), PDUMP_OK);
        bad += check("finalize", pdump_finalize(), PDUMP_OK);
        if (i == 0)
            bad += check("again", pdump_init(), PDUMP_OK);
    }
    return bad;
}

static int many(void)
{
    char name[32];
    int bad = 0;

    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof(name), "region %d", i);
        bad += check("begin", pdump_region_begin(name), PDUMP_OK);
        bad += check("end", pdump_region_end(name), PDUMP_OK);
    }
    return bad;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "misuse") == 0)
        return misuse();
    if (argc == 2 && strcmp(argv[1], "settings") == 0)
        return settings();
    if (argc == 2 && strcmp(argv[1], "sessions") == 0)
        return sessions();
    if (argc == 2 && strcmp(argv[1], "many") == 0)
        return many();
    return 95;
}
