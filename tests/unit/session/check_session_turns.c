/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that start, end and write a session while another one is stuck in
 * doing so: none of them waits forever, and nothing is lost. */
#include "system/lock.h"
#include "session/session.h"
#include "suite.h"

#include <pdump.h>

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "turns.XXXXXX";
static atomic_bool is_armed, is_stuck;

/* The foreign code that is called in a turn, and does not return. */
int fsync(int fd)
{
    if (is_armed) {
        is_stuck = true;
        while (is_armed)
            usleep(1000);
    }
    return (int)syscall(SYS_fsync, fd);
}

static void visit(const char *name)
{
    pdump_region_begin(name);
    pdump_region_end(name);
}

static void *flush(void *result)
{
    *(int *)result = pdump_flush();
    return NULL;
}

static void *finalize(void *result)
{
    *(int *)result = pdump_finalize();
    return NULL;
}

/* Start a thread, and wait until it is stuck. */
static pthread_t start_stuck(void *(*call)(void *), int *result)
{
    pthread_t thread;

    is_armed = true;
    ck_assert_int_eq(pthread_create(&thread, NULL, call, result), 0);
    while (!is_stuck)
        usleep(1000);
    return thread;
}

static void go_on(pthread_t thread)
{
    is_armed = is_stuck = false;
    pthread_join(thread, NULL);
}

static long long visits_of(const char *path)
{
    struct pdump_stats stats = { .size = sizeof(stats) };
    int err = pdump_query(path, NULL, &stats);

    return err < 0 ? err : (long long)stats.visits;
}

static void setup(void)
{
    pdump_turn_limit = 1;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    unsetenv("PDUMP_DUMP_DIR"); /* it would win */
    ck_assert_int_eq(pdump_set("PDUMP_DUMP_DIR", folder), PDUMP_OK);
    ck_assert_int_eq(pdump_set("PDUMP_STORE", folder), PDUMP_OK);
    ck_assert_int_eq(pdump_set("PDUMP_EVENTS", "none"), PDUMP_OK);
    ck_assert_int_eq(pdump_set("PDUMP_OUTPUT_FORMAT", "csv"), PDUMP_OK);
    ck_assert_int_eq(pdump_set("PDUMP_OVERWRITE", "1"), PDUMP_OK);
    ck_assert_int_eq(pdump_set("PDUMP_QUIET", "1"), PDUMP_OK);
}

/* The number of files in the folder whose name has `text`. */
static int n_files(const char *text)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int n = 0;

    while (dir && (entry = readdir(dir)))
        n += strstr(entry->d_name, text) != NULL;
    if (dir)
        closedir(dir);
    return n;
}

static void remove_files(void)
{
    char command[100];

    snprintf(command, sizeof(command), "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(nothing_waits_forever_for_a_dump)
{
    int result = 1;
    pthread_t thread;

    ck_assert_int_eq(pdump_init(), PDUMP_OK);
    visit("before");
    thread = start_stuck(flush, &result);
    visit("meanwhile");
    ck_assert_int_eq(pdump_init(), PDUMP_OK);
    ck_assert_int_eq(pdump_flush(), PDUMP_ESTATE);
    ck_assert_int_eq(pdump_finalize(), PDUMP_ESTATE);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "another thread"));
    visit("meanwhile");
    go_on(thread);
    ck_assert_int_eq(result, PDUMP_OK);
    ck_assert_int_eq(visits_of("meanwhile"), 2);
    ck_assert_int_eq(pdump_finalize(), PDUMP_OK);
    ck_assert_int_eq(n_files(".store"), 0);
    remove_files();
}
END_TEST

START_TEST(nothing_waits_forever_for_the_end)
{
    int result = 1;
    pthread_t thread;

    ck_assert_int_eq(pdump_init(), PDUMP_OK);
    visit("before");
    thread = start_stuck(finalize, &result);
    ck_assert_int_eq(pdump_init(), PDUMP_ESTATE);
    ck_assert_int_eq(pdump_finalize(), PDUMP_ESTATE);
    go_on(thread);
    ck_assert_int_eq(result, PDUMP_OK);
    ck_assert_int_eq(n_files("perf_dump.csv"), 1);
    ck_assert_int_eq(pdump_init(), PDUMP_OK);
    ck_assert_int_eq(pdump_finalize(), PDUMP_OK);
    remove_files();
}
END_TEST

START_TEST(the_end_does_not_wait_forever_for_a_signal_s_dump)
{
    ck_assert_int_eq(pdump_set("PDUMP_SIGNALS", "USR1"), PDUMP_OK);
    ck_assert_int_eq(pdump_init(), PDUMP_OK);
    visit("before");
    is_armed = true;
    raise(SIGUSR1);
    while (!is_stuck)
        usleep(1000);
    ck_assert_int_eq(pdump_finalize(), PDUMP_ESTATE);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "signal"));
    is_armed = is_stuck = false;
    pdump_turn_limit = 60;
    raise(SIGUSR1);
    visit("after");
    ck_assert_int_eq(visits_of("after"), 1);
    ck_assert_int_eq(pdump_finalize(), PDUMP_OK);
    remove_files();
}
END_TEST

/* A process that calls exit() while another thread is stuck in `call`. */
static void exit_beside(void *(*call)(void *))
{
    static int result;
    int status = -1;
    pid_t child = fork();

    if (child == 0) {
        pdump_set("PDUMP_QUIET", NULL);
        if (pdump_init() == PDUMP_OK)
            visit("before");
        start_stuck(call, &result);
        exit(7);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    ck_assert_int_eq(n_files(".store"), 1);
    remove_files();
}

START_TEST(exit_does_not_wait_forever_for_a_dump)
{
    exit_beside(flush);
}
END_TEST

START_TEST(exit_does_not_wait_forever_for_the_end)
{
    exit_beside(finalize);
}
END_TEST

START_TEST(fork_does_not_wait_forever)
{
    int result = 1, status = -1;
    pthread_t thread;
    pid_t child;

    ck_assert_int_eq(pdump_init(), PDUMP_OK);
    thread = start_stuck(flush, &result);
    child = fork();
    if (child == 0)
        _exit(7);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    go_on(thread);
    ck_assert_int_eq(result, PDUMP_OK);
    ck_assert_int_eq(pdump_finalize(), PDUMP_OK);
    remove_files();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("turns");
    TCase *t = tcase_create("turns");

    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_test(t, nothing_waits_forever_for_a_dump);
    tcase_add_test(t, nothing_waits_forever_for_the_end);
    tcase_add_test(t, the_end_does_not_wait_forever_for_a_signal_s_dump);
    tcase_add_test(t, exit_does_not_wait_forever_for_a_dump);
    tcase_add_test(t, exit_does_not_wait_forever_for_the_end);
    tcase_add_test(t, fork_does_not_wait_forever);
    suite_add_tcase(s, t);
    return suite_run(s);
}
