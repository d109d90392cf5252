/* SPDX-License-Identifier: BSD-3-Clause */
/* Every way to begin and end a region, for a filter that excludes "tiny*". */
#include "program/behaviour/kit.h"

static void by_name(void)
{
    for (int i = 0; i < 10; i++) {
        OK(pdump_region_begin("main"));
        OK(pdump_region_begin("tiny"));
        OK(pdump_region_begin("inner"));
        OK(pdump_region_end("inner"));
        OK(pdump_region_end(i % 2 ? "tiny" : NULL));
        OK(pdump_region_begin_n("tiny2|", 5));
        OK(pdump_region_begin("inner"));
        OK(pdump_region_end(NULL));
        OK(pdump_region_end_n("tiny2|", 5));
        OK(pdump_region_end("main"));
    }
    IS(pdump_region_end("tiny"), PDUMP_ESTATE);
}

static void by_number(void)
{
    int tiny = pdump_region_id("tiny", NULL, 0);
    int lost = pdump_region_id("lost", "src/generated.c", 1);
    int inner = pdump_region_id("inner", "src/solve.c", 2);

    YES(tiny > 0 && lost > 0 && inner > 0);
    for (int i = 0; i < 10; i++) {
        OK(pdump_region_enter(tiny));
        OK(pdump_region_enter(lost));
        OK(pdump_region_enter(inner));
        OK(pdump_region_leave(inner));
        OK(pdump_region_leave(lost));
        OK(pdump_region_leave(tiny));
    }
    IS(pdump_is_excluded("tiny", NULL), 1);
    IS(pdump_is_excluded("inner", "src/solve.c"), 0);
    IS(pdump_is_excluded("inner", "src/generated.c"), 1);
    IS(pdump_is_excluded(NULL, NULL), PDUMP_EINVAL);
}

static void by_scope(void)
{
    for (int i = 0; i < 10; i++) {
        PDUMP_REGION("tiny")
        {
            PDUMP_REGION("inner")
            {
                if (i % 2)
                    continue;
            }
        }
    }
}

static void profiles(void)
{
    for (int i = 0; i < 2; i++) {
        OK(pdump_start_region(i ? "kept" : "tiny"));
        for (int j = 0; j < 5; j++) {
            OK(pdump_start_profile());
            OK(pdump_region_begin("inner"));
            OK(pdump_region_end("inner"));
            OK(pdump_end_profile());
        }
        OK(pdump_end_region());
    }
}

static void rewinds(void)
{
    for (int i = 0; i < 10; i++) {
        OK(pdump_rewind_begin("tiny"));
        OK(pdump_region_begin("inner"));
        OK(pdump_region_end("inner"));
        OK(pdump_rewind_end("tiny", i % 2));
    }
}

/* Steps and parameters have names that libpdump makes: they stay. */
static void others(void)
{
    for (int i = 0; i < 10; i++) {
        OK(pdump_start_step());
        OK(pdump_region_begin("main"));
        OK(pdump_parameter_int("tiny", 1));
        OK(pdump_region_begin("tiny"));
        OK(pdump_parameter_int("n", i)); /* of a region that is not there */
        OK(pdump_counter_add("lost", 1));
        OK(pdump_region_end("tiny"));
        OK(pdump_counter_add("kept", 1));
        OK(pdump_region_end("main"));
        OK(pdump_end_step());
    }
}

static void switched(void)
{
    OK(pdump_region_begin("tiny"));
    OK(pdump_disable_recording());
    OK(pdump_region_begin("off"));
    OK(pdump_region_begin("tiny"));
    OK(pdump_enable_recording());
    OK(pdump_region_begin("inner"));
    OK(pdump_region_end("inner"));
    OK(pdump_region_end("tiny"));
    OK(pdump_region_end("off"));
    OK(pdump_disable_recording());
    OK(pdump_region_end("tiny"));
    OK(pdump_enable_recording());
    IS(pdump_region_end(NULL), PDUMP_ESTATE);
}

/* A filter chosen by the program: a bad one is refused at once. */
static void chosen(void)
{
    IS(pdump_set("PDUMP_FILTER", "bad"), PDUMP_EINVAL);
    YES(has_error("bad:2:3: "));
    IS(pdump_set("PDUMP_FILTER", "nowhere"), PDUMP_EINVAL);
    OK(pdump_set("PDUMP_FILTER", "good"));
    by_name();
}

int main(int argc, char **argv)
{
    static const struct behaviour table[] = {
        { "by_name", by_name },   { "by_number", by_number },
        { "by_scope", by_scope }, { "profiles", profiles },
        { "rewinds", rewinds },   { "others", others },
        { "switched", switched }, { "chosen", chosen },
        { NULL, NULL },
    };

    return run_behaviour(argc, argv, table);
}
