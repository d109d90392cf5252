/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs whose events timeline.sh looks at: CASE [N].  Most of them tell
 * their own lanes on standard output; "tell STORE [N]" those of a store, with
 * the first N events.
 */
#include "dump/event_lanes.h"
#include "read/reader.h"

#include <pdump.h>

#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const kinds[PDUMP_EVENT_KINDS] = {
    "enter", "leave",   "at",         "marker", "counter",
    "send",  "receive", "collective", "lost",   "io",
};

static const char *name_of(const struct pdump_dump *dump, int64_t node)
{
    return node < 0 ? "-" : dump->regions[dump->nodes[node].region].name;
}

static void tell_event(const struct pdump_dump *dump,
                       const struct pdump_event *event)
{
    printf("%s %s", kinds[event->kind], name_of(dump, event->node));
    if (event->kind == PDUMP_EVENT_MARKER)
        printf(" %s", dump->regions[event->what].name);
    if (event->kind >= PDUMP_EVENT_SEND &&
        event->kind <= PDUMP_EVENT_COLLECTIVE)
        printf(" %" PRId64 " %" PRId64 " %" PRId64, event->what, event->value,
               event->tag);
    printf("\n");
}

/* The first events of each lane, and how many there are of each kind. */
static int tell_dump(const struct pdump_dump *dump, int n_first)
{
    const char *wanted[] = { "events_mode", "events_lost", "events_dropped" };

    for (int i = 0; i < dump->n_lanes; i++) {
        int64_t n[PDUMP_EVENT_KINDS] = { 0 }, last = 0, n_lost = 0;
        struct pdump_lane_reader reader;
        struct pdump_event event = { .node = -1 };
        int got, n_told = 0;

        printf("lane %d\n", i);
        pdump_lane_open(&reader, dump, i);
        while ((got = pdump_lane_next(&reader, &event)) > 0) {
            if (event.time < last)
                printf("time goes back\n");
            last = event.time;
            n[event.kind]++;
            if (event.kind == PDUMP_EVENT_LOST)
                n_lost += event.value;
            if (n_told++ < n_first)
                tell_event(dump, &event);
        }
        if (got < 0)
            printf("bad: %s\n", pdump_last_error());
        printf("sum enter %" PRId64 " leave %" PRId64 " lost %" PRId64 "\n",
               n[PDUMP_EVENT_ENTER], n[PDUMP_EVENT_LEAVE], n_lost);
        printf("last %s %s\n", kinds[event.kind], name_of(dump, event.node));
    }
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
        if (pdump_dump_metadata(dump, wanted[i]))
            printf("%s %s\n", wanted[i], pdump_dump_metadata(dump, wanted[i]));
    for (int i = 0; i < dump->n_warnings; i++)
        printf("warning %s\n", dump->warnings[i].text);
    fflush(stdout);
    return 0;
}

static int tell(int n_first)
{
    struct pdump_dump *dump;

    if (pdump_snapshot(&dump) < 0) {
        printf("no snapshot: %s\n", pdump_last_error());
        return 1;
    }
    tell_dump(dump, n_first);
    pdump_dump_free(dump);
    return 0;
}

static int tell_store(const char *path, int n_first)
{
    struct pdump_dump *dump;

    if (pdump_reader_load(path, &dump) < 0) {
        printf("not read: %s\n", pdump_last_error());
        return 1;
    }
    tell_dump(dump, n_first);
    pdump_dump_free(dump);
    return 0;
}

static void visit(long n)
{
    for (long i = 0; i < n; i++) {
        pdump_region_begin("visit");
        pdump_region_end("visit");
    }
}

/* Everything that makes events, and what makes none. */
static int all(long n)
{
    (void)n;
    pdump_marker("start");
    pdump_region_begin("outer");
    pdump_parameter_int("n", 1);
    pdump_disable_recording();
    visit(3);
    pdump_marker("unseen");
    pdump_enable_recording();
    pdump_start_step();
    pdump_marker("middle");
    pdump_end_step();
    pdump_region_end("outer");
    return tell(100);
}

static int many(long n)
{
    pdump_region_begin("outer");
    visit(n);
    pdump_region_end("outer");
    return tell(0);
}

static void *in_thread(void *n)
{
    pdump_region_begin("thread");
    visit(*(long *)n);
    return NULL; /* and leaves it open */
}

static int threads(long n)
{
    pthread_t thread[4];

    pdump_region_begin("main");
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, in_thread, &n);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    pdump_region_end("main");
    return tell(0);
}

/* More threads than there would be room for if each kept its own. */
static int storm(long n)
{
    for (long i = 0; i < n; i++) {
        long one = 1;
        pthread_t thread;

        pthread_create(&thread, NULL, in_thread, &one);
        pthread_join(thread, NULL);
    }
    return tell(0);
}

static int forks(long n)
{
    pid_t child;
    int status;

    pdump_region_begin("parent");
    visit(n);
    child = fork();
    if (child == 0) {
        visit(n / 2);
        _exit(tell(0));
    }
    waitpid(child, &status, 0);
    visit(n);
    pdump_region_end("parent");
    return tell(0) || status;
}

static int killed(long n)
{
    pdump_region_begin("outer");
    visit(n);
    pdump_region_begin("last words");
    raise(SIGKILL);
    return 1;
}

/* Until there is a file of events beside the store. */
static void visit_and_wait(long n)
{
    char pattern[4096];
    glob_t found;
    int i = 0;

    snprintf(pattern, sizeof(pattern), "%s/*.events", getenv("PDUMP_STORE"));
    visit(n);
    while (glob(pattern, 0, NULL, &found) != 0) {
        globfree(&found);
        if (i++ == 1000)
            return;
        usleep(10000);
    }
    globfree(&found);
}

/* Ends without a descriptor that could be had. */
static int crowded(long n)
{
    visit_and_wait(n);
    while (open("/dev/null", O_RDONLY) >= 0)
        ;
    return 0;
}

/* As killed(), once there is a file of events. */
static int killed_late(long n)
{
    visit_and_wait(n / 2);
    pdump_region_begin("outer");
    visit(n);
    pdump_region_begin("last words");
    raise(SIGKILL);
    return 1;
}

/* A session after another one, the first without a dump that anybody reads. */
static int twice(long n)
{
    visit(n);
    pdump_finalize();
    pdump_init();
    visit(1);
    return tell(0);
}

static void *let_end(void *n)
{
    visit(*(long *)n);
    usleep(300000);
    return NULL;
}

/* The first thread ends before the others do. */
static int headless(long n)
{
    static long kept;
    pthread_t thread;

    kept = n;
    visit(1);
    pthread_create(&thread, NULL, let_end, &kept);
    pthread_detach(thread);
    pthread_exit(NULL);
    return 1;
}

static const struct {
    const char *name;
    int (*run)(long n);
} cases[] = {
    { "all", all },
    { "many", many },
    { "threads", threads },
    { "storm", storm },
    { "forks", forks },
    { "killed", killed },
    { "killed_late", killed_late },
    { "crowded", crowded },
    { "twice", twice },
    { "headless", headless },
};

int main(int argc, char **argv)
{
    long n = argc > 2 ? atol(argv[2]) : 0;

    if (argc > 2 && strcmp(argv[1], "tell") == 0)
        return tell_store(argv[2], argc > 3 ? atoi(argv[3]) : 0);
    for (size_t i = 0; argc > 1 && i < sizeof(cases) / sizeof(cases[0]); i++)
        if (strcmp(argv[1], cases[i].name) == 0)
            return cases[i].run(n);
    fprintf(stderr, "no such case\n");
    return 2;
}
