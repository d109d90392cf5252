/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of output files that several processes write under one name. */
#include "path_kit.h"

enum { PROCESSES = 4, RUNS = 25 };

static void write_runs(int process)
{
    for (int i = 0; i < RUNS; i++) {
        char text[40];

        snprintf(text, sizeof(text), "%d.%d", process, i);
        if (put_anew(text) != PDUMP_OK)
            _exit(1);
    }
    _exit(0);
}

static void race(void)
{
    pid_t pids[PROCESSES];

    for (int i = 0; i < PROCESSES; i++) {
        pids[i] = fork();
        ck_assert_int_ge(pids[i], 0);
        if (pids[i] == 0)
            write_runs(i);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;

        ck_assert_int_eq(waitpid(pids[i], &status, 0), pids[i]);
        ck_assert_int_eq(status, 0);
    }
}

/* The number of files that end with `suffix`; each marks the run it is of. */
static int see(const char *suffix, int (*found)[RUNS])
{
    DIR *dir = opendir("out");
    const struct dirent *entry;
    int n = 0;

    ck_assert_ptr_nonnull(dir);
    while ((entry = readdir(dir))) {
        const char *dot = strstr(entry->d_name, suffix);
        char path[PATH_MAX];
        int process, run;

        if (!dot || strcmp(dot, suffix) != 0)
            continue;
        snprintf(path, sizeof(path), "out/%s", entry->d_name);
        ck_assert_int_eq(sscanf(text_of(path), "%d.%d", &process, &run), 2);
        found[process][run]++;
        n++;
    }
    closedir(dir);
    return n;
}

static void expect_each_once(int (*found)[RUNS])
{
    for (int i = 0; i < PROCESSES; i++)
        for (int j = 0; j < RUNS; j++)
            if (found[i][j] != 1)
                ck_abort_msg("run %d of process %d is there %d times", j, i,
                             found[i][j]);
}

START_TEST(nothing_is_lost)
{
    int found[PROCESSES][RUNS] = { 0 };

    has_more = false;
    race();
    ck_assert_int_eq(see(".txt", found), PROCESSES * RUNS);
    expect_each_once(found);
    ck_assert_int_eq(n_files("out"), PROCESSES * RUNS);
}
END_TEST

/* The other part of a file is named alike, and of the same run. */
static void expect_pair(const char *name)
{
    char path[PATH_MAX], more[PATH_MAX];

    snprintf(path, sizeof(path), "out/%s", name);
    snprintf(more, sizeof(more), "out/%.*s.more.txt", (int)strlen(name) - 4,
             name);
    ck_assert_str_eq(text_of(path), text_of(more));
}

START_TEST(parts_of_different_runs_do_not_mix)
{
    int found[PROCESSES][RUNS] = { 0 };
    DIR *dir;
    const struct dirent *entry;

    race();
    ck_assert_int_eq(see(".more.txt", found), PROCESSES * RUNS);
    expect_each_once(found);
    dir = opendir("out");
    while ((entry = readdir(dir)))
        if (strstr(entry->d_name, ".txt") && !strstr(entry->d_name, ".more"))
            expect_pair(entry->d_name);
    closedir(dir);
}
END_TEST

START_TEST(overwriting_at_once_leaves_one_whole_run)
{
    set.overwrite = true;
    race();
    ck_assert_int_eq(n_files("out"), 2);
    expect_pair("dump.txt");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("path_race");
    TCase *t = tcase_create("race");

    tcase_add_checked_fixture(t, clean, NULL);
    tcase_add_test(t, nothing_is_lost);
    tcase_add_test(t, parts_of_different_runs_do_not_mix);
    tcase_add_test(t, overwriting_at_once_leaves_one_whole_run);
    suite_add_tcase(s, t);
    return run_in_folder(s);
}
