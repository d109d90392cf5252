/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of runs as folders: several processes and dumps of one run. */
#include "path_kit.h"

#include "write/run_folder.h"
#include "read/manifest.h"

enum { PROCESSES = 4, FILES = 20, RUNS = 15 };

static struct pdump_settings settings;
static struct pdump_dump dump; /* nothing: its texts are of no matter here */
static char main_file[PATH_MAX];

static void begin_run(struct pdump_run_folder *e, const char *run)
{
    ck_assert_int_eq(pdump_run_folder_begin(e, &settings, run), PDUMP_OK);
}

/* A file of that run. */
static void put_file(struct pdump_run_folder *e, const char *name)
{
    char path[2 * PATH_MAX];

    snprintf(path, sizeof(path), "%s/%s", e->dir, name);
    make_file(path, e->run);
    pdump_run_folder_note(e, "csv", path);
}

static int end_run(struct pdump_run_folder *e)
{
    return pdump_run_folder_end(e, &dump, main_file);
}

/* Everything that a process does with its run. */
static void write_run(const char *run, const char *name)
{
    struct pdump_run_folder e;

    begin_run(&e, run);
    do
        put_file(&e, name);
    while (end_run(&e) == PDUMP_ESTATE);
}

static const char *get(const char *name)
{
    return strcmp(name, "PDUMP_EXPERIMENT_DIR") == 0 ? "out/run" : NULL;
}

static void setup(void)
{
    clean();
    mkdir("out", 0777);
    ck_assert_int_eq(pdump_settings_load(&settings, get), PDUMP_OK);
}

static void teardown(void)
{
    pdump_settings_free(&settings);
}

START_TEST(parts_of_an_archive_are_found_beside_it)
{
    struct pdump_run_folder e;
    char path[2 * PATH_MAX];

    begin_run(&e, "r");
    put_file(&e, "traces.def");
    put_file(&e, "a.csv");
    snprintf(path, sizeof(path), "%s/a.otf2", e.dir);
    ck_assert_int_eq(mkdir(path, 0777), 0);
    strcat(path, "/traces.otf2");
    make_file(path, "the anchor");
    strcpy(strrchr(path, '/'), "/traces.def");
    make_file(path, "a part whose name is taken");
    *strrchr(path, '/') = '\0';
    pdump_run_folder_note(&e, "otf2", path);
    ck_assert_int_eq(end_run(&e), PDUMP_OK);
    ck_assert_str_eq(main_file, "out/run/a.csv");
    ck_assert_str_eq(text_of("out/run/traces.otf2"), "the anchor");
    ck_assert_str_eq(text_of("out/run/traces.def"), "r");
}
END_TEST

START_TEST(who_comes_second_takes_all_along)
{
    struct pdump_run_folder first, second;
    char folder[2 * PATH_MAX];

    begin_run(&first, "r");
    begin_run(&second, "r");
    put_file(&first, "a.csv");
    put_file(&second, "b.csv");
    snprintf(folder, sizeof(folder), "%s/b.otf2", second.dir);
    ck_assert_int_eq(mkdir(folder, 0777), 0);
    strcat(folder, "/traces.def");
    make_file(folder, "a part that is a folder");
    ck_assert_int_eq(end_run(&first), PDUMP_OK);
    ck_assert_int_eq(end_run(&second), PDUMP_ESTATE);
    put_file(&second, "b.csv");
    ck_assert_int_eq(end_run(&second), PDUMP_OK);
    ck_assert_str_eq(main_file, "out/run/b.csv");
    ck_assert_str_eq(text_of("out/run/a.csv"), "r");
    ck_assert_int_eq(n_files("out"), 1); /* nothing is left beside it */
}
END_TEST

START_TEST(earlier_runs_are_kept)
{
    write_run("1", "a.csv");
    write_run("2", "a.csv");
    write_run("2", "a.csv");
    write_run("3", "a.csv");
    ck_assert_str_eq(text_of("out/run/a.csv"), "3");
    ck_assert_str_eq(text_of("out/run.1/a.csv"), "1");
    ck_assert_str_eq(text_of("out/run.2/a.csv"), "2");
    ck_assert_int_eq(n_files("out"), 3);
}
END_TEST

START_TEST(a_second_dump_replaces_the_first_wherever_that_is)
{
    mkdir("out/run", 0777);
    make_file("out/run/mine", "precious");
    write_run("1", "a.csv");
    write_run("1", "a.csv");
    ck_assert_str_eq(main_file, "out/run.1/a.csv");
    write_run("2", "a.csv");
    write_run("1", "b.csv");
    ck_assert_str_eq(main_file, "out/run.1/b.csv");
    ck_assert_str_eq(text_of("out/run.2/a.csv"), "2");
    ck_assert_int_eq(n_files("out"), 3);
    ck_assert_int_eq(n_files("out/run"), 1);
}
END_TEST

START_TEST(a_run_that_was_renamed_meanwhile_stays_one)
{
    write_run("1", "a.csv");
    write_run("2", "a.csv");
    write_run("1", "a.csv");
    ck_assert_str_eq(main_file, "out/run.1/a.csv");
    ck_assert_str_eq(text_of("out/run/a.csv"), "2");
    ck_assert_int_eq(n_files("out"), 2);
}
END_TEST

START_TEST(processes_beside_a_folder_that_is_no_run)
{
    struct pdump_run_folder first, second;

    mkdir("out/run", 0777);
    make_file("out/run/mine", "precious");
    begin_run(&first, "r");
    begin_run(&second, "r");
    put_file(&first, "a.csv");
    put_file(&second, "b.csv");
    ck_assert_int_eq(end_run(&first), PDUMP_OK);
    ck_assert_int_eq(end_run(&second), PDUMP_ESTATE);
    put_file(&second, "b.csv");
    ck_assert_int_eq(end_run(&second), PDUMP_OK);
    ck_assert_str_eq(main_file, "out/run.1/b.csv");
    ck_assert_int_eq(n_files("out"), 2);
}
END_TEST

/* The lines of the manifest that begin so. */
static int n_lines(const char *start)
{
    FILE *f = fopen("out/run/manifest.txt", "r");
    char line[PATH_MAX];
    int n = 0;

    ck_assert_ptr_nonnull(f);
    while (fgets(line, sizeof(line), f))
        n += strncmp(line, start, strlen(start)) == 0;
    fclose(f);
    return n;
}

/* Processes that write the run, each `n` files. */
static void race(const char *run, int n)
{
    for (int i = 0; i < PROCESSES; i++) {
        pid_t pid = fork();

        ck_assert_int_ge(pid, 0);
        for (int k = 0; pid == 0 && k < n; k++) {
            char name[40];

            snprintf(name, sizeof(name), "%d-%d.csv", i, k);
            write_run(run, name);
        }
        if (pid == 0)
            _exit(0);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;

        ck_assert_int_gt(wait(&status), 0);
        ck_assert_int_eq(status, 0);
    }
}

START_TEST(what_processes_write_at_once_is_in_one_manifest)
{
    race("r", FILES);
    ck_assert_int_eq(n_files("out"), 1);
    ck_assert_int_eq(n_lines("dump: "), PROCESSES * FILES);
    ck_assert_int_eq(n_files("out/run"), PROCESSES * FILES + 3);
}
END_TEST

/* Each but the first meets an earlier one, which is to be moved away once. */
START_TEST(runs_of_several_processes_are_one_folder_each)
{
    for (int i = 0; i < RUNS; i++) {
        char run[40];

        snprintf(run, sizeof(run), "%d", i);
        race(run, 1);
        ck_assert_int_eq(n_files("out"), i + 1);
        ck_assert_int_eq(n_lines("dump: "), PROCESSES);
    }
}
END_TEST

/* A process of the same number, on another host or before us. */
START_TEST(a_temporary_name_that_is_taken)
{
    char path[PATH_MAX];

    write_run("r", "a.csv");
    snprintf(path, sizeof(path), "out/run/.manifest.txt.%ld", (long)getpid());
    make_file(path, "");
    strcat(path, "-0");
    make_file(path, "");
    write_run("r", "b.csv");
    ck_assert_int_eq(warned_of(""), 0);
    ck_assert_int_eq(n_lines("dump: "), 2);
}
END_TEST

START_TEST(names_of_any_length)
{
    char name[NAME_MAX + 1], path[PATH_MAX];

    memset(name, 'a', sizeof(name) - 1);
    name[NAME_MAX] = '\0';
    write_run("r", name);
    ck_assert_uint_eq(strlen(main_file), strlen("out/run/") + NAME_MAX);
    ck_assert_int_eq(pdump_manifest_find("out/run", path), PDUMP_OK);
    ck_assert_str_eq(path, main_file);
}
END_TEST

/* Refused at once, whatever is read of the folder. */
static void expect_refusal(const char *why)
{
    struct pdump_dump *read;
    char path[PATH_MAX];

    ck_assert_int_eq(pdump_manifest_find("out/run", path), PDUMP_EIO);
    ck_assert_msg(strstr(pdump_last_error(), why) != NULL, "%s",
                  pdump_last_error());
    ck_assert_int_eq(pdump_load("out/run", &read), PDUMP_EIO);
}

START_TEST(what_no_run_makes_is_refused)
{
    write_run("r", "a.csv");
    ck_assert_int_eq(mkfifo("out/run/a.meta.csv", 0666), 0);
    expect_refusal("out/run/a.meta.csv is neither a file nor a folder");
    unlink("out/run/a.meta.csv");
    ck_assert_int_eq(symlink("/etc/passwd", "out/run/a.meta.csv"), 0);
    expect_refusal("leads out of the folder");
    unlink("out/run/a.meta.csv");
    ck_assert_int_eq(symlink("../other", "out/run/a.meta.csv"), 0);
    expect_refusal("leads out of the folder");
    unlink("out/run/a.meta.csv");
    unlink("out/run/manifest.txt");
    ck_assert_int_eq(mkfifo("out/run/manifest.txt", 0666), 0);
    expect_refusal("out/run/manifest.txt is neither");
    /* It is not the folder of a run any more, and stays. */
    write_run("s", "b.csv");
    ck_assert_str_eq(main_file, "out/run.1/b.csv");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("experiment");
    TCase *t = tcase_create("folders");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, parts_of_an_archive_are_found_beside_it);
    tcase_add_test(t, who_comes_second_takes_all_along);
    tcase_add_test(t, earlier_runs_are_kept);
    tcase_add_test(t, a_second_dump_replaces_the_first_wherever_that_is);
    tcase_add_test(t, a_run_that_was_renamed_meanwhile_stays_one);
    tcase_add_test(t, processes_beside_a_folder_that_is_no_run);
    tcase_add_test(t, what_processes_write_at_once_is_in_one_manifest);
    tcase_add_test(t, runs_of_several_processes_are_one_folder_each);
    tcase_add_test(t, a_temporary_name_that_is_taken);
    tcase_add_test(t, names_of_any_length);
    tcase_add_test(t, what_no_run_makes_is_refused);
    suite_add_tcase(s, t);
    return run_in_folder(s);
}
