/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the sources: threads, descriptors, fork. */
#include "source_kit.h"
#include "allocated.h"
#include "suite.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>

static void *count_faults(void *arg)
{
    struct counters c;

    (void)arg;
    ck_assert_int_eq(attach(&c), PDUMP_OK);
    expect_agreement(&c, 10);
    detach(&c);
    return NULL;
}

static void run_threads(int n)
{
    for (int i = 0; i < n; i++) {
        pthread_t t;

        ck_assert_int_eq(pthread_create(&t, NULL, count_faults, NULL), 0);
        pthread_join(t, NULL);
    }
}

START_TEST(short_threads_leave_nothing_behind)
{
    int fds;
    size_t bytes;

    open_events(has_perf() ? "perf::PAGE-FAULTS,perf::TASK-CLOCK,pdump::io_read"
                           : "perf::PAGE-FAULTS,pdump::io_read");
    run_threads(20);
    fds = n_fds();
    bytes = allocated();
    run_threads(500);
    ck_assert_int_eq(n_fds(), fds);
    ck_assert_uint_le(allocated(), bytes + 20000);
    pdump_sources_close(&src);
}
END_TEST

static pthread_barrier_t all_here;

static void *count_together(void *arg)
{
    struct counters c;

    (void)arg;
    ck_assert_int_eq(attach(&c), PDUMP_OK);
    for (int i = 0; i < 50; i++)
        read_all(&c);
    pthread_barrier_wait(&all_here);
    expect_agreement(&c, 50);
    detach(&c);
    return NULL;
}

START_TEST(many_threads_count_at_once)
{
    enum { N = 100 };
    pthread_t t[N];
    int fds;

    if (!has_perf())
        return;
    ck_assert_int_eq(open_events("perf::PAGE-FAULTS,perf::TASK-CLOCK"),
                     PDUMP_OK);
    fds = n_fds();
    pthread_barrier_init(&all_here, NULL, N);
    for (int i = 0; i < N; i++)
        ck_assert_int_eq(pthread_create(&t[i], NULL, count_together, NULL), 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    ck_assert_int_eq(n_fds(), fds);
    pdump_sources_close(&src);
}
END_TEST

START_TEST(a_thread_without_descriptors_fails_alone)
{
    struct rlimit old, low;
    struct counters c;

    if (!has_perf())
        return;
    ck_assert_int_eq(open_events("perf::PAGE-FAULTS,perf::TASK-CLOCK"),
                     PDUMP_OK);
    getrlimit(RLIMIT_NOFILE, &old);
    low = old;
    low.rlim_cur = 3;
    setrlimit(RLIMIT_NOFILE, &low);
    ck_assert_int_eq(attach(&c), PDUMP_ESOURCE);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "ulimit -n"));
    setrlimit(RLIMIT_NOFILE, &old);
    ck_assert_int_eq(attach(&c), PDUMP_OK);
    expect_agreement(&c, 10);
    detach(&c);
    pdump_sources_close(&src);
}
END_TEST

START_TEST(a_session_may_follow_one_that_was_not_detached)
{
    struct counters old, new;

    if (!has_perf())
        return;
    ck_assert_int_eq(open_events("perf::PAGE-FAULTS,perf::TASK-CLOCK"),
                     PDUMP_OK);
    ck_assert_int_eq(attach(&old), PDUMP_OK);
    pdump_sources_close(&src);
    ck_assert_int_eq(open_events("perf::TASK-CLOCK,perf::PAGE-FAULTS"),
                     PDUMP_OK);
    ck_assert_int_eq(n_warnings(), 0);
    ck_assert_int_eq(attach(&new), PDUMP_OK);
    src.source[0]->detach(old.state[0]);
    expect_agreement(&new, 10);
    detach(&new);
    pdump_sources_close(&src);
}
END_TEST

static void expect_cloexec(int fd, void *data)
{
    (void)data;
    ck_assert_msg(fcntl(fd, F_GETFD) & FD_CLOEXEC, "fd %d is inherited", fd);
}

/* For what was open before us. */
static void set_cloexec(int fd, void *data)
{
    (void)data;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
}

START_TEST(executed_programs_inherit_no_counter)
{
    struct counters c;

    ck_assert(pdump_fds_each(set_cloexec, NULL));
    open_events(has_perf() ? "perf::PAGE-FAULTS,perf::TASK-CLOCK,pdump::rss"
                           : "pdump::rss,pdump::io_read");
    ck_assert_int_eq(attach(&c), PDUMP_OK);
    ck_assert(pdump_fds_each(expect_cloexec, NULL));
    detach(&c);
    pdump_sources_close(&src);
}
END_TEST

/* Exit status of a forked child that does work(). */
static int in_child(int (*work)(void))
{
    int status;
    pid_t pid = fork();

    ck_assert_int_ge(pid, 0);
    if (pid == 0)
        _exit(work()); /* the sources know of the fork: fork.c told them */
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return status;
}

static struct counters inherited;

/* A child that ends its inherited state and counts nothing. */
static int child_that_lets_go(void)
{
    detach(&inherited);
    return 0;
}

/* A child that opens files and then counts for itself. */
static int child_that_counts(void)
{
    int files[8], at;
    struct counters c;

    for (int i = 0; i < 8; i++)
        files[i] = open("/dev/null", O_RDWR);
    if (open_events("perf::PAGE-FAULTS,perf::TASK-CLOCK,pdump::rss") < 0 ||
        attach(&c) < 0)
        return 1;
    at = metric("perf::PAGE-FAULTS");
    if (read_quietly(&c) < 0 || c.value[at] > 500)
        return 2;
    fault(1000);
    if (read_quietly(&c) < 0 || c.value[at] < 1000)
        return 3;
    detach(&c);
    for (int i = 0; i < 8; i++)
        if (close(files[i]) != 0)
            return 4;
    return 0;
}

START_TEST(forked_children_leave_the_counters_of_the_parent_alone)
{
    if (!has_perf())
        return;
    ck_assert_int_eq(
        open_events("perf::PAGE-FAULTS,perf::TASK-CLOCK,pdump::rss"), PDUMP_OK);
    ck_assert_int_eq(attach(&inherited), PDUMP_OK);
    expect_agreement(&inherited, 100);
    ck_assert_int_eq(in_child(child_that_lets_go), 0);
    expect_agreement(&inherited, 100);
    ck_assert_int_eq(in_child(child_that_counts), 0);
    expect_agreement(&inherited, 100);
    detach(&inherited);
    pdump_sources_close(&src);
}
END_TEST

static pthread_barrier_t forked;

static void *count_around_fork(void *arg)
{
    struct counters c;

    (void)arg;
    ck_assert_int_eq(attach(&c), PDUMP_OK);
    pthread_barrier_wait(&all_here);
    pthread_barrier_wait(&forked);
    expect_agreement(&c, 100);
    detach(&c);
    return NULL;
}

START_TEST(a_child_of_many_threads_counts_for_itself)
{
    enum { N = 4 };
    pthread_t t[N];

    if (!has_perf())
        return;
    ck_assert_int_eq(
        open_events("perf::PAGE-FAULTS,perf::TASK-CLOCK,pdump::rss"), PDUMP_OK);
    pthread_barrier_init(&all_here, NULL, N + 1);
    pthread_barrier_init(&forked, NULL, N + 1);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, count_around_fork, NULL);
    pthread_barrier_wait(&all_here);
    ck_assert_int_eq(in_child(child_that_counts), 0);
    pthread_barrier_wait(&forked);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    pdump_sources_close(&src);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("source_process");
    TCase *process = tcase_create("process");

    tcase_add_test(process, short_threads_leave_nothing_behind);
    tcase_add_test(process, many_threads_count_at_once);
    tcase_add_test(process, a_thread_without_descriptors_fails_alone);
    tcase_add_test(process, a_session_may_follow_one_that_was_not_detached);
    tcase_add_test(process, executed_programs_inherit_no_counter);
    tcase_add_test(process,
                   forked_children_leave_the_counters_of_the_parent_alone);
    tcase_add_test(process, a_child_of_many_threads_counts_for_itself);
    suite_add_tcase(s, process);
    return s;
}

int main(void)
{
    return suite_run(suite());
}
