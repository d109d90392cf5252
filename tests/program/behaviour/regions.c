/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions as careless programs use them: names, ends, depth, numbers. */
#include "kit.h"

#include <string.h>

static const char *const odd_names[] = {
    "gr\303\266\303\237e \342\210\206",
    "a,b",
    "say \"hello\"",
    "two\nlines",
    "left/right",
    "back\\slash",
    "x;y",
    " blanks ",
    "\r",
    "\xff\xfe not UTF-8",
    "region=1",
    "=SUM(A1)",
    "%s%n%d",
};

static char *long_name(size_t len)
{
    char *name = calloc(1, len + 1);

    if (name)
        memset(name, 'n', len);
    return name;
}

static void names(void)
{
    const size_t n = sizeof(odd_names) / sizeof(odd_names[0]);
    char *longest = long_name(65535);

    for (size_t i = 0; i < n; i++) {
        OK(pdump_region_begin(odd_names[i]));
        OK(pdump_region_end(odd_names[i]));
    }
    OK(pdump_region_begin(longest));
    OK(pdump_region_end(longest));
    IS(visits_of(longest), 1);
    OK(pdump_region_begin_n("abcdef", 3));
    OK(pdump_region_end_n("abcxyz", 3));
    IS(visits_of("abc"), 1);
    IS(visits_of("/left\\/right"), 1);
    IS(visits_of("left/right"), 1);
    IS(visits_of("/left/right"), PDUMP_ENOENT);
    IS(visits_of("/back\\\\slash"), 1);
    OK(pdump_finalize());
    free(longest);
}

/* Names that cannot be: told, and nothing else changes. */
static void bad_names(void)
{
    char *too_long = long_name(65536), *longer = long_name(65537);

    OK(pdump_region_begin("outer"));
    IS(pdump_region_begin(NULL), PDUMP_EINVAL);
    YES(has_error("NULL"));
    IS(pdump_region_begin(""), PDUMP_EINVAL);
    YES(has_error("name"));
    IS(pdump_region_begin(too_long), PDUMP_EINVAL);
    YES(has_error("65536") && has_error("65535"));
    IS(pdump_region_begin(longer), PDUMP_EINVAL);
    IS(pdump_region_begin_n(too_long, 65536), PDUMP_EINVAL);
    IS(pdump_region_begin_n("x", 0), PDUMP_EINVAL);
    IS(pdump_region_begin_n(NULL, 3), PDUMP_EINVAL);
    IS(pdump_region_begin_n("nul\0byte", 8), PDUMP_EINVAL);
    YES(has_error("NUL"));
    IS(pdump_region_id(NULL, NULL, 0), PDUMP_EINVAL);
    IS(pdump_region_id("", NULL, 0), PDUMP_EINVAL);
    IS(pdump_region_id(too_long, NULL, 0), PDUMP_EINVAL);
    IS(pdump_start_region(""), PDUMP_EINVAL);
    IS(pdump_start_region(too_long), PDUMP_EINVAL);
    IS(pdump_end_region(), PDUMP_ESTATE);
    IS(pdump_rewind_begin(NULL), PDUMP_EINVAL);
    IS(pdump_rewind_begin(""), PDUMP_EINVAL);
    IS(pdump_thread_name(NULL), PDUMP_EINVAL);
    IS(pdump_metadata(NULL, "x"), PDUMP_EINVAL);
    IS(pdump_metadata("", "x"), PDUMP_EINVAL);
    IS(pdump_metadata("x", NULL), PDUMP_EINVAL);
    IS(pdump_counter_add(NULL, 1), PDUMP_EINVAL);
    IS(pdump_counter_add("", 1), PDUMP_EINVAL);
    IS(pdump_parameter_int(NULL, 1), PDUMP_EINVAL);
    IS(pdump_parameter_int("", 1), PDUMP_EINVAL);
    IS(pdump_parameter_int("a=b", 1), PDUMP_EINVAL);
    IS(pdump_parameter_string("p", NULL), PDUMP_EINVAL);
    IS(pdump_parameter_string("p", longer), PDUMP_EINVAL);
    IS(pdump_set(NULL, "x"), PDUMP_ESTATE);
    OK(pdump_region_end("outer"));
    OK(pdump_finalize());
    free(too_long);
    free(longer);
}

/* A program that ignores every return value, empty name included. */
static void careless(void)
{
    for (int i = 0; i < 100; i++) {
        pdump_region_begin("");
        visit("inside");
        pdump_region_end("");
    }
    IS(visits_of("inside"), 100);
    OK(pdump_finalize());
}

static void wrong_ends(void)
{
    for (int i = 0; i < 3; i++) {
        IS(pdump_region_end("never"), PDUMP_ESTATE);
        IS(pdump_region_end(NULL), PDUMP_ESTATE);
        OK(pdump_region_begin("outer"));
        OK(pdump_region_begin("inner"));
        IS(pdump_region_end("outer"), PDUMP_ESTATE);
        YES(has_error("'outer'") && has_error("'inner'"));
        IS(pdump_region_end_n("innermost", 9), PDUMP_ESTATE);
        IS(pdump_end_profile(), PDUMP_ESTATE);
        IS(pdump_rewind_end("inner", 1), PDUMP_ESTATE);
        OK(pdump_region_end("inner"));
        OK(pdump_region_end(NULL));
        IS(pdump_region_end("outer"), PDUMP_ESTATE);
    }
    OK(pdump_finalize());
}

/* Left open: a region, a profile, a step, a parameter, a rewind region. */
static void left_open(void)
{
    OK(pdump_start_step());
    OK(pdump_region_begin("outer"));
    OK(pdump_region_begin("inner"));
    OK(pdump_region_end("inner"));
    OK(pdump_region_begin("inner"));
    OK(pdump_parameter_int("n", 3));
    OK(pdump_start_region("profiled"));
    OK(pdump_start_profile());
    OK(pdump_rewind_begin("undecided"));
}

enum { DEPTH = 10000 };

static void deep(void)
{
    char name[32];

    for (int i = 0; i < DEPTH; i++) {
        snprintf(name, sizeof(name), "level %d", i);
        OK(pdump_region_begin(name));
    }
    OK(pdump_counter_add("bottom", 1));
    for (int i = DEPTH; i > 0; i--) {
        snprintf(name, sizeof(name), "level %d", i - 1);
        OK(pdump_region_end(name));
    }
    /* The same again, as a recursion of one function. */
    for (int i = 0; i < DEPTH; i++)
        OK(pdump_region_begin("recursive"));
    for (int i = 0; i < DEPTH; i++)
        OK(pdump_region_end("recursive"));
    IS(visits_of("recursive"), DEPTH);
    IS(sum_of("/level 0", "bottom"), 1);
    OK(pdump_finalize());
}

/* With PDUMP_DEPTH_MAX=10 the rest is balanced, and counted as lost. */
static void too_deep(void)
{
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 15; i++)
            OK(pdump_region_begin("down"));
        for (int i = 0; i < 15; i++)
            OK(pdump_region_end("down"));
        IS(pdump_region_end("down"), PDUMP_ESTATE);
    }
    visit("after");
    OK(pdump_finalize());
}

/* What a program does with names made of numbers. */
static void many_names(void)
{
    const char *number = getenv("N_NAMES");
    int n = number ? atoi(number) : 1000000;
    char name[32];

    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof(name), "name %d", i);
        OK(pdump_region_begin(name));
        OK(pdump_region_end(name));
    }
    visit("name 0");
    OK(pdump_finalize());
}

static void numbers(void)
{
    int solve = pdump_region_id("solve", "solver.c", 42);
    int again = pdump_region_id("solve", "other.c", 1);
    int dot = pdump_region_id("dot", NULL, 0);

    YES(solve > 0 && dot > 0 && solve != dot);
    IS(again, solve);
    OK(pdump_region_enter(solve));
    OK(pdump_region_enter(dot));
    IS(pdump_region_leave(solve), PDUMP_ESTATE);
    OK(pdump_region_leave(dot));
    OK(pdump_region_begin("dot"));
    OK(pdump_region_leave(dot));
    OK(pdump_region_enter(dot));
    OK(pdump_region_end("dot"));
    OK(pdump_region_leave(solve));
    OK(pdump_region_enter(0));
    OK(pdump_region_leave(0));
    OK(pdump_region_enter(PDUMP_ESTATE));
    IS(pdump_region_enter(1000000), PDUMP_EINVAL);
    IS(pdump_region_leave(1000000), PDUMP_EINVAL);
    IS(pdump_region_enter(2147483647), PDUMP_EINVAL);
    IS(visits_of("/solve/dot"), 3);
    OK(pdump_finalize());
}

/* Names built in one buffer: each is copied when seen. */
static void same_buffer(void)
{
    char name[16];

    for (int i = 0; i < 30; i++) {
        snprintf(name, sizeof(name), "part %d", i % 3);
        OK(pdump_region_begin(name));
        snprintf(name, sizeof(name), "scribble");
        OK(pdump_region_end(NULL));
    }
    IS(visits_of("part 0"), 10);
    IS(visits_of("part 1"), 10);
    IS(visits_of("part 2"), 10);
    IS(visits_of("scribble"), PDUMP_ENOENT);
    OK(pdump_finalize());
}

static int leave_by_return(void)
{
    PDUMP_REGION("returned")
    {
        PDUMP_REGION("within")
        {
            return 5;
        }
    }
    return 0;
}

static void scopes(void)
{
    int n = 0;

    PDUMP_REGION("plain")
    {
        n++;
    }
    PDUMP_REGION("broken")
    {
        n++;
        if (n)
            break;
        n = 1000;
    }
    for (int i = 0; i < 4; i++)
        PDUMP_REGION("continued")
        {
            n++;
            if (i < 2)
                continue;
            n += 10;
        }
    IS(leave_by_return(), 5);
    PDUMP_REGION("jumped")
    goto out;
out:
    PDUMP_REGION("")
    PDUMP_REGION("in an empty name") n++;
    IS(n, 27);
    IS(pdump_region_end(NULL), PDUMP_ESTATE);
    OK(pdump_finalize());
}

int main(int argc, char **argv)
{
    static const struct behaviour table[] = {
        { "names", names },         { "bad_names", bad_names },
        { "careless", careless },   { "wrong_ends", wrong_ends },
        { "left_open", left_open }, { "deep", deep },
        { "too_deep", too_deep },   { "many_names", many_names },
        { "numbers", numbers },     { "same_buffer", same_buffer },
        { "scopes", scopes },       { NULL, NULL },
    };

    return run_behaviour(argc, argv, table);
}
