/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact counts of known loops, for a machine that counts instructions exactly:
 * one case per call, named by the argument; run by job.sh. */
#include <pdump.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 100000, VISITS = 5 };

static int n_failed;

static void expect(const char *what, int64_t value, int64_t wanted)
{
    if (value == wanted)
        return;
    printf("  %s: %lld, expected %lld\n", what, (long long)value,
           (long long)wanted);
    n_failed++;
}

static void expect_true(const char *what, int is_true)
{
    expect(what, is_true != 0, 1);
}

/* The same instructions wherever it is called from: the compiler may not make
 * versions for the arguments it knows. */
#define AS_IS __attribute__((noipa))

/* 2 * n instructions, and a constant number around them. */
static AS_IS void loop(uint64_t n)
{
#ifdef __aarch64__
    __asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n)::"cc");
#else
    __asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n)::"cc");
#endif
}

static AS_IS void touch(int n_pages)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t len = (size_t)n_pages * page;
    volatile char *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    madvise((void *)p, len, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < len; at += page)
        p[at] = 1;
    munmap((void *)p, len);
}

static struct pdump_stats query(const char *region, const char *metric)
{
    struct pdump_stats stats = { .size = sizeof(stats) };

    if (pdump_query(region, metric, &stats) < 0) {
        printf("  %s, %s: %s\n", region, metric, pdump_last_error());
        n_failed++;
    }
    return stats;
}

static int64_t sum(const char *region)
{
    return query(region, "PAPI_TOT_INS").sum;
}

static void start(const char *events)
{
    pdump_set("PDUMP_EVENTS", events);
    expect("pdump_init", pdump_init(), 0);
}

static AS_IS void visit(const char *name, uint64_t n)
{
    pdump_region_begin(name);
    loop(n);
    pdump_region_end(name);
}

/* What differs between a thread's first region and the others (symbols bound
 * at first use) is not of interest. */
static void warm_up(void)
{
    for (int i = 0; i < 3; i++)
        visit("warm", 1);
}

static void plain_regions(void)
{
    struct pdump_stats one;

    warm_up();
    for (int i = 0; i < VISITS; i++) {
        visit("one", 1);
        visit("short", N);
        visit("long", 2 * N);
    }
    one = query("one", "PAPI_TOT_INS");
    expect("visits", one.visits, VISITS);
    /* A node's first visit may take another way through the recorder. */
    expect_true("an empty region costs the same", one.max - one.min < 100);
    expect_true("an empty region costs little", one.min < 5000);
    expect("short", sum("short") - sum("one"), VISITS * 2 * (N - 1));
    expect("long", sum("long") - sum("short"), VISITS * 2 * N);
    expect("longest", query("long", "PAPI_TOT_INS").max - one.max,
           2 * (2 * N - 1));
    expect("shortest", query("long", "PAPI_TOT_INS").min - one.min,
           2 * (2 * N - 1));
}

static void exact(void)
{
    start("PAPI_TOT_INS,PAPI_TOT_CYC");
    plain_regions();
    expect_true("cycles", query("long", "PAPI_TOT_CYC").sum >
                                  query("short", "PAPI_TOT_CYC").sum &&
                              query("short", "PAPI_TOT_CYC").sum > N);
}

static AS_IS void visit_number(int id, uint64_t n)
{
    pdump_region_enter(id);
    loop(n);
    pdump_region_leave(id);
}

static void by_number(void)
{
    int a, b;

    start("PAPI_TOT_INS");
    a = pdump_region_id("a", __FILE__, __LINE__);
    b = pdump_region_id("b", __FILE__, __LINE__);
    for (int i = 0; i < VISITS + 1; i++) {
        visit_number(a, N);
        visit_number(b, 2 * N);
    }
    expect("minimum",
           query("b", "PAPI_TOT_INS").min - query("a", "PAPI_TOT_INS").min,
           2 * N);
}

static AS_IS void nest(const char *outer, const char *inner, uint64_t n)
{
    pdump_region_begin(outer);
    loop(1);
    visit(inner, n);
    visit(inner, n);
    pdump_region_end(outer);
}

static void nested(void)
{
    start("PAPI_TOT_INS");
    warm_up();
    nest("outer0", "inner0", 1);
    for (int i = 0; i < VISITS; i++) {
        nest("outer1", "inner1", 1);
        nest("outer2", "inner2", N);
    }
    expect("inner", sum("inner2") - sum("inner1"), VISITS * 4 * (N - 1));
    /* The first visit of an outer region makes its inner node. */
    expect("outer",
           query("outer2", "PAPI_TOT_INS").min -
               query("outer1", "PAPI_TOT_INS").min,
           4 * (N - 1));
    expect("outer without inner", query("outer2", "PAPI_TOT_INS").exclusive,
           sum("outer2") - sum("inner2"));
    expect_true("outer without inner is small",
                query("outer2", "PAPI_TOT_INS").exclusive < N);
}

static pthread_barrier_t together;

static void *count_in_thread(void *arg)
{
    static const char *const names[][2] = { { "one0", "many0" },
                                            { "one1", "many1" },
                                            { "one2", "many2" } };
    intptr_t k = (intptr_t)arg;

    warm_up();
    pthread_barrier_wait(&together);
    for (int i = 0; i < VISITS; i++) {
        visit(names[k][0], 1);
        visit(names[k][1], (uint64_t)(k + 1) * N);
        visit("shared", (uint64_t)(k + 1) * N);
    }
    return NULL;
}

static void threads(void)
{
    pthread_t t[3];
    int64_t all = 0;

    start("PAPI_TOT_INS,PAPI_TOT_CYC");
    pthread_barrier_init(&together, NULL, 3);
    for (intptr_t k = 0; k < 3; k++)
        pthread_create(&t[k], NULL, count_in_thread, (void *)k);
    for (int k = 0; k < 3; k++)
        pthread_join(t[k], NULL);
    for (int k = 0; k < 3; k++) {
        char one[8], many[8];

        snprintf(one, sizeof(one), "one%d", k);
        snprintf(many, sizeof(many), "many%d", k);
        expect(many, sum(many) - sum(one), VISITS * 2 * ((k + 1) * N - 1));
        all += sum(many);
    }
    expect("all threads", sum("shared"), all);
    expect("visits", query("shared", "PAPI_TOT_INS").visits, 3 * VISITS);
}

static void faults(void)
{
    pdump_region_begin("pages0");
    touch(1);
    pdump_region_end("pages0");
    for (int i = 0; i < VISITS; i++) {
        pdump_region_begin("pages100");
        touch(100);
        pdump_region_end("pages100");
        pdump_region_begin("pages200");
        touch(200);
        pdump_region_end("pages200");
    }
    expect("page faults",
           query("pages200", "perf::PAGE-FAULTS").min -
               query("pages100", "perf::PAGE-FAULTS").min,
           100);
}

/* Hardware and software events in one set: read by a system call. */
static void mixed(void)
{
    start("perf::TASK-CLOCK,PAPI_TOT_INS,perf::PAGE-FAULTS,PAPI_TOT_CYC");
    plain_regions();
    faults();
    expect_true("task clock", query("long", "perf::TASK-CLOCK").sum >
                                  query("one", "perf::TASK-CLOCK").sum);
}

/* Hardware events, and software events that getrusage() gives. */
static void cheap(void)
{
    start("PAPI_TOT_INS,perf::PAGE-FAULTS");
    plain_regions();
    faults();
}

static void by_default(void)
{
    static const char *const names[] = { "time", "PAPI_TOT_CYC",
                                         "PAPI_TOT_INS" };
    struct pdump_metric_info info = { .size = sizeof(info) };
    struct pdump_dump *dump = NULL;

    unsetenv("PDUMP_EVENTS");
    expect("pdump_init", pdump_init(), 0);
    plain_regions();
    expect("pdump_snapshot", pdump_snapshot(&dump), 0);
    expect("metrics", pdump_dump_n_metrics(dump), 3);
    for (int i = 0; i < 3 && dump; i++) {
        expect(names[i], pdump_dump_metric(dump, i, &info), 0);
        expect_true(names[i], info.name && strcmp(info.name, names[i]) == 0);
    }
    pdump_dump_free(dump);
}

/* More events than the machine has counters. */
static void multiplexed(void)
{
    struct pdump_metric_info info = { .size = sizeof(info) };
    struct pdump_dump *dump = NULL;
    int64_t count;

    pdump_set("PDUMP_MULTIPLEX", "1");
    start("PAPI_TOT_INS,PAPI_TOT_CYC,PAPI_L1_DCM,PAPI_L1_ICM,PAPI_L2_DCM,"
          "PAPI_BR_MSP,PAPI_LD_INS,PAPI_SR_INS,PAPI_BR_INS");
    pdump_region_begin("estimated");
    loop(200 * N);
    pdump_region_end("estimated");
    count = sum("estimated");
    expect_true("an estimate of the right size",
                count > 300 * N && count < 500 * N);
    expect("pdump_snapshot", pdump_snapshot(&dump), 0);
    expect("metrics", pdump_dump_n_metrics(dump), 10);
    if (dump && pdump_dump_metric(dump, 1, &info) == 0)
        expect_true("said in the dump",
                    strstr(info.about, "multiplexed") != NULL);
    pdump_dump_free(dump);
}

/* A child that works, and ends as a program does. */
static void fork_and_wait(void)
{
    int status = -1;
    pid_t pid = fork();

    if (pid == 0) {
        visit("child", 50 * N);
        loop(50 * N);
        exit(0);
    }
    waitpid(pid, &status, 0);
    expect("exit status of the child", status, 0);
}

static void forking(void)
{
    start("PAPI_TOT_INS,PAPI_TOT_CYC");
    warm_up();
    pdump_region_begin("around");
    loop(N);
    for (int i = 0; i < 3; i++)
        fork_and_wait();
    loop(N);
    pdump_region_end("around");
    expect_true("the child's work is not the parent's",
                sum("around") >= 4 * N && sum("around") < 40 * N);
    plain_regions();
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    { "exact", exact },           { "by_number", by_number },
    { "nested", nested },         { "threads", threads },
    { "mixed", mixed },           { "cheap", cheap },
    { "by_default", by_default }, { "multiplexed", multiplexed },
    { "forking", forking },
};

/* Without an argument: the names of the cases. */
int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (argc < 2) {
            puts(cases[i].name);
        } else if (strcmp(argv[1], cases[i].name) == 0) {
            cases[i].run();
            pdump_finalize();
            return n_failed != 0;
        }
    }
    return argc < 2 ? 0 : 2;
}
