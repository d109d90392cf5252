/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the sources: what the counters and clocks say is true. */
#include "source/clock.h"
#include "source_kit.h"
#include "suite.h"

#include <fcntl.h>
#include <stdlib.h>

START_TEST(faults_and_memory_are_seen)
{
    struct counters a, b;
    enum { N = 1000 };
    const int64_t page = sysconf(_SC_PAGESIZE);
    char *kept;

    ck_assert_int_eq(open_events("pdump::minor_faults,pdump::rss,"
                                 "pdump::peak_rss,pdump::major_faults"),
                     PDUMP_OK);
    ck_assert_uint_eq(src.gauges, 0xc);
    ck_assert_int_eq(attach(&a), PDUMP_OK);
    b = a;
    read_all(&a);
    kept = mmap(NULL, (size_t)(N * page), PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(kept, (size_t)(N * page), MADV_NOHUGEPAGE);
    memset(kept, 1, (size_t)(N * page));
    read_all(&b);
    ck_assert_int_ge(b.value[1] - a.value[1], N);
    /* The kernel counts resident pages in batches. */
    ck_assert_int_ge(b.value[2] - a.value[2], (N - 200) * page);
    ck_assert_int_ge(b.value[3], b.value[2] - 200 * page);
    munmap(kept, (size_t)(N * page));
    detach(&a);
    pdump_sources_close(&src);
}
END_TEST

START_TEST(cpu_time_follows_work_and_not_sleep)
{
    struct counters a, b;
    volatile double x = 1;

    ck_assert_int_eq(open_events("pdump::cpu_time,pdump::ctx_voluntary"),
                     PDUMP_OK);
    ck_assert_int_eq(attach(&a), PDUMP_OK);
    b = a;
    read_all(&a);
    usleep(100000);
    read_all(&b);
    ck_assert_int_lt(b.value[1] - a.value[1], 90000000);
    ck_assert_int_ge(b.value[2] - a.value[2], 1);
    for (int i = 0; i < 1000000; i++)
        x = x * 1.0000001;
    read_all(&a);
    ck_assert_int_gt(a.value[1], b.value[1]);
    detach(&a);
    pdump_sources_close(&src);
}
END_TEST

START_TEST(user_and_system_time_are_the_cpu_time)
{
    struct counters a, b;
    int64_t cpu, both;

    ck_assert_int_eq(open_events("pdump::cpu_time,pdump::user_time,"
                                 "pdump::system_time,pdump::blocks_read,"
                                 "pdump::blocks_written"),
                     PDUMP_OK);
    ck_assert_int_eq(attach(&a), PDUMP_OK);
    b = a;
    read_all(&a);
    do {
        getppid();
        read_all(&b);
        cpu = b.value[1] - a.value[1];
    } while (cpu < 50000000);
    both = b.value[2] + b.value[3] - a.value[2] - a.value[3];
    ck_assert_int_ge(both, cpu / 2);
    ck_assert_int_le(both, 2 * cpu);
    ck_assert_int_ge(b.value[4], a.value[4]);
    ck_assert_int_ge(b.value[5], a.value[5]);
    detach(&a);
    pdump_sources_close(&src);
}
END_TEST

START_TEST(io_is_counted_to_the_byte_and_ours_is_not)
{
    struct counters a, b;
    char bytes[1000];
    ssize_t n_read, n_written;
    int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);

    if (open_events("pdump::io_read,pdump::io_write,pdump::rss") < 0 ||
        metric("pdump::io_read") < 0)
        return; /* a kernel without I/O accounting */
    ck_assert_int_eq(attach(&a), PDUMP_OK);
    for (int i = 0; i < 5; i++)
        read_quietly(&a);
    b = a;
    n_read = read(zero, bytes, 1000);
    n_written = write(null, bytes, 700);
    read_quietly(&b);
    ck_assert_int_eq(n_read, 1000);
    ck_assert_int_eq(n_written, 700);
    /* Less than one more reading of ours; valgrind reads and writes a
     * little itself. */
    ck_assert_int_ge(b.value[1] - a.value[1], 1000);
    ck_assert_int_lt(b.value[1] - a.value[1], 1064);
    ck_assert_int_ge(b.value[2] - a.value[2], 700);
    ck_assert_int_le(b.value[2] - a.value[2],
                     getenv("UNDER_VALGRIND") ? 763 : 700);
    detach(&a);
    pdump_sources_close(&src);
    close(zero);
    close(null);
}
END_TEST

START_TEST(faults_come_from_where_they_are_cheap)
{
    ck_assert_int_eq(open_events("perf::PAGE-FAULTS,perf::CONTEXT-SWITCHES"),
                     PDUMP_OK);
    ck_assert_str_eq(src.metric[1].name, "perf::PAGE-FAULTS");
    ck_assert_str_eq(src.metric[1].source, "rusage");
    ck_assert_ptr_nonnull(strstr(src.metric[1].about, "getrusage"));
    pdump_sources_close(&src);
    if (!has_perf())
        return;
    ck_assert_int_eq(open_events("perf::PAGE-FAULTS,perf::TASK-CLOCK"),
                     PDUMP_OK);
    ck_assert_str_eq(src.metric[metric("perf::PAGE-FAULTS")].source, "papi");
    ck_assert_str_eq(src.metric[metric("perf::TASK-CLOCK")].unit, "ns");
    pdump_sources_close(&src);
}
END_TEST

START_TEST(perf_counts_what_getrusage_counts)
{
    struct counters c;

    if (!has_perf())
        return;
    ck_assert_int_eq(open_events("perf::PAGE-FAULTS,perf::TASK-CLOCK"),
                     PDUMP_OK);
    ck_assert_int_eq(attach(&c), PDUMP_OK);
    expect_agreement(&c, 100);
    expect_agreement(&c, 1000);
    detach(&c);
    pdump_sources_close(&src);
}
END_TEST

START_TEST(clocks_agree)
{
    static const char *const clocks[] = { "auto", "tsc", "monotonic" };
    struct pdump_moment from, to;

    pdump_log_set_quiet(true);
    for (int i = 0; i < 3; i++) {
        int64_t start, system, ticks;
        double scale;

        set.clock = (char *)clocks[i];
        ck_assert_ptr_nonnull(pdump_clock_open(&set));
        if (i == 2)
            ck_assert(!pdump_clock_is_cycles);
        from = pdump_clock_moment();
        to = pdump_clock_later(from);
        ck_assert_int_ge(to.ns - from.ns, 1000000);
        scale = pdump_clock_scale(from, to);
        system = pdump_clock_system();
        start = pdump_clock_now();
        usleep(50000);
        ticks = pdump_clock_now() - start;
        system = pdump_clock_system() - system;
        ck_assert_double_gt((double)ticks * scale, 49e6);
        ck_assert_double_lt((double)ticks * scale, (double)system * 1.01);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("source_count");
    TCase *counted = tcase_create("counted");

    tcase_add_test(counted, faults_and_memory_are_seen);
    tcase_add_test(counted, cpu_time_follows_work_and_not_sleep);
    tcase_add_test(counted, user_and_system_time_are_the_cpu_time);
    tcase_add_test(counted, io_is_counted_to_the_byte_and_ours_is_not);
    tcase_add_test(counted, faults_come_from_where_they_are_cheap);
    tcase_add_test(counted, perf_counts_what_getrusage_counts);
    tcase_add_test(counted, clocks_agree);
    suite_add_tcase(s, counted);
    return s;
}

int main(void)
{
    return suite_run(suite());
}
