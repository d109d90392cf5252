/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads: many, early ones, and those that outlive the session. */
#include "kit.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    MANY = 3000,
    BATCH = 10,
    KIB_PER_THREAD = 32,
    RECORDERS = 4,
    NEW_REGIONS = 8000,
};

static _Atomic int n_recorded, is_slow;

static long resident_kib(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    long size, pages = 0;

    if (f) {
        if (fscanf(f, "%ld %ld", &size, &pages) != 2)
            pages = 0;
        fclose(f);
    }
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void *short_thread(void *unused)
{
    pdump_region_begin("short");
    pdump_counter_add("threads", 1);
    visit("inner");
    pdump_region_end("short");
    return unused;
}

static void start_and_join(int n)
{
    pthread_t threads[BATCH];

    for (int done = 0; done < n; done += BATCH) {
        for (int i = 0; i < BATCH; i++)
            IS(pthread_create(&threads[i], NULL, short_thread, NULL), 0);
        for (int i = 0; i < BATCH; i++)
            pthread_join(threads[i], NULL);
    }
}

static void many(void)
{
    long before, after;
    int n_fds;

    OK(pdump_init());
    start_and_join(MANY / 3);
    n_fds = n_entries("/proc/self/fd");
    before = resident_kib();
    start_and_join(MANY - MANY / 3);
    after = resident_kib();
    IS(n_entries("/proc/self/fd"), n_fds);
    YES(IS_SANITIZED || after - before < (MANY - MANY / 3) * KIB_PER_THREAD);
    IS(visits_of("short"), MANY);
    IS(sum_of("short", "threads"), MANY);
    OK(pdump_finalize());
}

static pthread_barrier_t barrier;

static void meet(void)
{
    pthread_barrier_wait(&barrier);
}

static void *early_thread(void *unused)
{
    meet(); /* init */
    meet();
    visit("early");
    return unused;
}

static void early(void)
{
    pthread_t threads[3];

    pthread_barrier_init(&barrier, NULL, 4);
    for (int i = 0; i < 3; i++)
        IS(pthread_create(&threads[i], NULL, early_thread, NULL), 0);
    meet();
    OK(pdump_init());
    meet();
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    visit("late");
    OK(pdump_finalize());
}

/* Several sessions go by while this thread has a region open. */
static void *outliving_thread(void *unused)
{
    OK(pdump_region_begin("open in the first"));
    OK(pdump_disable_recording());
    OK(pdump_region_begin("off"));
    meet(); /* finalize */
    meet();
    IS(pdump_region_begin("between"), PDUMP_ESTATE);
    IS(pdump_region_end("open in the first"), PDUMP_ESTATE);
    IS(pdump_counter_add("n", 1), PDUMP_ESTATE);
    meet(); /* init */
    meet();
    IS(pdump_region_end("open in the first"), PDUMP_ESTATE);
    OK(pdump_region_begin("open in the second"));
    meet(); /* finalize, init */
    meet();
    OK(pdump_region_begin("in the third"));
    OK(pdump_region_end("in the third"));
    meet(); /* finalize, for good */
    meet();
    IS(pdump_region_begin("after"), PDUMP_ESTATE);
    return unused;
}

static void outliving(void)
{
    pthread_t thread;

    pthread_barrier_init(&barrier, NULL, 2);
    OK(pdump_init());
    IS(pthread_create(&thread, NULL, outliving_thread, NULL), 0);
    meet();
    OK(pdump_finalize());
    meet();
    meet();
    OK(pdump_init());
    meet();
    meet();
    OK(pdump_finalize());
    OK(pdump_init());
    meet();
    meet();
    OK(pdump_finalize());
    meet();
    pthread_join(thread, NULL);
}

/* The process ends while threads are in the middle of regions. */
static void *endless_thread(void *unused)
{
    for (;;) {
        pdump_region_begin("endless");
        pdump_counter_add("n", 1);
        visit("inner");
        pdump_region_end("endless");
    }
    return unused;
}

static void abandoned(void)
{
    pthread_t thread;

    for (int i = 0; i < 4; i++) {
        IS(pthread_create(&thread, NULL, endless_thread, NULL), 0);
        pthread_detach(thread);
    }
    while (visits_of("inner") < 1000)
        usleep(1000);
    visit("main");
}

/* The same, but the end is said, and said again. */
static void finalized(void)
{
    abandoned();
    OK(pdump_finalize());
    OK(pdump_init());
    visit("main");
    OK(pdump_finalize());
}

/* A region that is open here has no shortest visit yet; other threads' have. */
static void queried(void)
{
    struct pdump_stats stats = { .size = sizeof(stats) };

    OK(pdump_region_begin("short"));
    start_and_join(BATCH);
    OK(pdump_query("short", "time", &stats));
    IS(stats.visits, BATCH);
    YES(stats.min > 0 && stats.min <= stats.max);
    OK(pdump_region_end("short"));
}

/* Many threads want to be the first. */
static void *first_thread(void *unused)
{
    meet();
    OK(pdump_region_begin("first"));
    OK(pdump_region_end("first"));
    return unused;
}

static void all_first(void)
{
    enum { N = 16 };
    pthread_t threads[N];

    pthread_barrier_init(&barrier, NULL, N);
    for (int i = 0; i < N; i++)
        IS(pthread_create(&threads[i], NULL, first_thread, NULL), 0);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    IS(visits_of("first"), N);
}

/* Each is the work of a thread that is cancelled: at the first place where that
 * is possible, which must not be where the library holds a lock.  To read
 * counters is such a place. */
static void first_region(void)
{
    pdump_region_begin("cancelled");
    pdump_region_end("cancelled");
}

static void first_warning(void)
{
    pdump_region_end("nothing");
}

static void write_files(void)
{
    pdump_flush();
}

static void end_session(void)
{
    pdump_finalize();
}

static void *cancelled_thread(void *work)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    meet();
    meet();
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    (*(void (**)(void))work)();
    pthread_testcancel();
    return NULL;
}

static void cancelled(void)
{
    void (*const works[])(void) = { first_region, first_warning, write_files,
                                    end_session };

    pthread_barrier_init(&barrier, NULL, 2);
    for (size_t i = 0; i < sizeof(works) / sizeof(works[0]); i++) {
        void (*work)(void) = works[i];
        void *result = NULL;
        pthread_t thread;

        IS(pthread_create(&thread, NULL, cancelled_thread, &work), 0);
        meet();
        IS(pthread_cancel(thread), 0);
        meet();
        pthread_join(thread, &result);
        YES(result == PTHREAD_CANCELED);
        if (work != end_session)
            visit("main");
    }
    OK(pdump_init());
    visit("again");
    OK(pdump_finalize());
}

static void *record_new_regions(void *unused)
{
    char name[128];

    for (int i = 0; i < NEW_REGIONS; i++) {
        snprintf(name, sizeof(name), "region %d with a name that is long", i);
        visit(name);
    }
    n_recorded++;
    return unused;
}

/* libpdump's call: a number that it takes is taken for long enough that the
 * other thread notices. */
int openat(int folder, const char *path, int flags, ...)
{
    int fd = (int)syscall(SYS_openat, folder, path, flags, 0600);

    if (is_slow)
        usleep(20000);
    return fd;
}

/* This thread counts on getting the lowest number while the store grows. */
static void numbers(void)
{
    pthread_t threads[RECORDERS];
    int fd = dup(STDERR_FILENO);

    OK(pdump_init());
    visit("main");
    is_slow = 1;
    for (int i = 0; i < RECORDERS; i++)
        IS(pthread_create(&threads[i], NULL, record_new_regions, NULL), 0);
    while (n_recorded < RECORDERS) {
        close(fd);
        IS(dup(STDERR_FILENO), fd);
    }
    for (int i = 0; i < RECORDERS; i++)
        pthread_join(threads[i], NULL);
    is_slow = 0;
    IS(visits_of("region 0 with a name that is long"), RECORDERS);
    OK(pdump_finalize());
}

int main(int argc, char **argv)
{
    static const struct behaviour table[] = {
        { "many", many },           { "early", early },
        { "outliving", outliving }, { "abandoned", abandoned },
        { "finalized", finalized }, { "all_first", all_first },
        { "queried", queried },     { "cancelled", cancelled },
        { "numbers", numbers },     { NULL, NULL },
    };

    return run_behaviour(argc, argv, table);
}
