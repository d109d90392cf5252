/* SPDX-License-Identifier: BSD-3-Clause */
/* fork(), vfork(), exec and system() in measured programs. */
#include "kit.h"

#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGES = 2000, BURN_NS = 30000000 };

extern char **environ;

/* Fresh pages, one fault each. */
static void touch_pages(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    YES(pages != MAP_FAILED);
    madvise(pages, PAGES * page, MADV_NOHUGEPAGE);
    for (size_t i = 0; pages != MAP_FAILED && i < PAGES; i++)
        ((volatile char *)pages)[i * page] = 1;
    munmap(pages, PAGES * page);
}

static long long cpu_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void burn(void)
{
    long long start = cpu_ns();

    while (cpu_ns() - start < BURN_NS)
        ;
}

static void work(const char *name)
{
    OK(pdump_region_begin(name));
    touch_pages();
    burn();
    OK(pdump_region_end(name));
}

/* The metrics of the environment, which tell of the work above. */
static void check_work(const char *name)
{
    const char *faults = getenv("FAULTS"), *clock = getenv("CPU_TIME");

    if (faults)
        YES(sum_of(name, faults) >= PAGES);
    if (clock)
        YES(sum_of(name, clock) >= BURN_NS);
}

/* The exit code of a child, as a process that did not die. */
static int code_of(pid_t child)
{
    int status = 0;

    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static void *child_thread(void *unused)
{
    visit("thread of the child");
    return unused;
}

/* A child does everything, and nothing comes of it. */
static void unfollowed_child(void)
{
    struct pdump_stats stats = { .size = sizeof(stats) };
    pthread_t thread;

    IS(pdump_is_active(), 0);
    IS(pdump_region_id("child", NULL, 0), 0);
    OK(pdump_region_begin("child"));
    OK(pdump_counter_add("n", 1));
    OK(pdump_parameter_int("n", 1));
    touch_pages();
    OK(pdump_region_end("child"));
    OK(pdump_region_end("parent"));
    OK(pdump_start_region("child"));
    OK(pdump_metadata("child", "yes"));
    OK(pdump_disable_recording());
    PDUMP_REGION("child")
    visit("inner");
    IS(pdump_query("parent", NULL, &stats), PDUMP_ESTATE);
    if (!IS_THREAD_SANITIZED) { /* TSan allows no threads in children */
        IS(pthread_create(&thread, NULL, child_thread, NULL), 0);
        pthread_join(thread, NULL);
    }
    OK(pdump_flush());
    OK(pdump_finalize());
    exit(n_failed ? 1 : 51);
}

static void unfollowed(void)
{
    pid_t child;

    OK(pdump_init());
    OK(pdump_region_begin("parent"));
    work("before");
    child = fork();
    if (child == 0)
        unfollowed_child();
    IS(code_of(child), 51);
    IS(n_entries("."), 0);
    work("after");
    OK(pdump_region_end("parent"));
    check_work("before");
    check_work("after");
    IS(visits_of("child"), PDUMP_ENOENT);
    OK(pdump_finalize());
}

static void followed_child(void)
{
    pid_t child;

    IS(pdump_region_end("parent"), PDUMP_ESTATE);
    work("child");
    check_work("child");
    IS(visits_of("parent"), PDUMP_ENOENT);
    child = fork();
    if (child == 0) {
        visit("grandchild");
        exit(n_failed ? 1 : 52);
    }
    IS(code_of(child), 52);
    exit(n_failed ? 1 : 51);
}

static void followed(void)
{
    pid_t child;

    OK(pdump_region_begin("parent"));
    child = fork();
    if (child == 0)
        followed_child();
    IS(code_of(child), 51);
    work("after");
    OK(pdump_region_end("parent"));
    check_work("after");
}

static atomic_int is_over;

static void *recording_thread(void *unused)
{
    while (!is_over) {
        pdump_region_begin("thread");
        pdump_counter_add("n", 1);
        pdump_region_end("thread");
        pdump_flush();
    }
    return unused;
}

/* Forks while other threads are anywhere in the library. */
static void storm(void)
{
    enum { N = 3, FORKS = 100 };
    pthread_t threads[N];

    OK(pdump_init());
    for (int i = 0; i < N; i++)
        IS(pthread_create(&threads[i], NULL, recording_thread, NULL), 0);
    for (int i = 0; i < FORKS; i++) {
        pid_t child;

        OK(pdump_region_begin("fork"));
        child = fork();
        if (child == 0) {
            visit("child");
            pdump_region_end("none of ours");
            exit(51);
        }
        IS(code_of(child), 51);
        OK(pdump_region_end("fork"));
    }
    is_over = 1;
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    IS(visits_of("fork"), FORKS);
    OK(pdump_finalize());
}

/* How many files a child of ours has open. */
static int n_files_of_child(void)
{
    FILE *f = popen("exec ls /proc/self/fd | wc -l", "r");
    int n = -1;

    if (!f || fscanf(f, "%d", &n) != 1)
        n = -1;
    if (f)
        pclose(f);
    return n;
}

static void spawning(void)
{
    static char shell[] = "sh", option[] = "-c", text[] = "exit 5";
    static char *const arguments[] = { shell, option, text, NULL };
    int n_files = n_files_of_child();
    pid_t child;

    OK(pdump_init());
    OK(pdump_region_begin("parent"));
    work("before");
    IS(WEXITSTATUS(system("exit 3")), 3);
    child = vfork();
    if (child == 0) {
        execv("/bin/sh", arguments);
        _exit(127);
    }
    IS(code_of(child), 5);
    child = vfork();
    if (child == 0)
        _exit(4);
    IS(code_of(child), 4);
    IS(posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ), 0);
    IS(code_of(child), 5);
    IS(n_files_of_child(), n_files);
    work("after");
    OK(pdump_region_end("parent"));
    check_work("before");
    check_work("after");
    OK(pdump_finalize());
}

/* The program becomes another one in the middle of a region. */
static void replaced(void)
{
    OK(pdump_region_begin("parent"));
    execl("/bin/sh", "sh", "-c", "exit 9", (char *)NULL);
}

int main(int argc, char **argv)
{
    static const struct behaviour table[] = {
        { "unfollowed", unfollowed }, { "followed", followed },
        { "storm", storm },           { "spawning", spawning },
        { "replaced", replaced },     { NULL, NULL },
    };

    return run_behaviour(argc, argv, table);
}
