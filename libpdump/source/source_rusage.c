/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters that every Linux has: getrusage(), /proc, the thread's CPU clock. */
#include "base/metric_name.h"
#include "source/source.h"
#include "source/source_fds.h"
#include "source/source_other.h"
#include "system/private_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* The origin of a value: one system call each. */
enum {
    FROM_USAGE = 1,
    FROM_CPU = 2,
    FROM_STATM = 4,
    FROM_IO = 8,
};

/* The results of the system calls, from which the metrics are taken. */
struct reading {
    struct rusage usage;
    int64_t cpu;
    int64_t rss;
    int64_t io_read;
    int64_t io_write;
};

enum field {
    CPU_TIME,
    USER_TIME,
    SYSTEM_TIME,
    RSS,
    PEAK_RSS,
    MINOR,
    MAJOR,
    VOLUNTARY,
    INVOLUNTARY,
    BLOCKS_READ,
    BLOCKS_WRITTEN,
    IO_READ,
    IO_WRITE,
    FAULTS,
    SWITCHES,
};

#define AS_PERF "counted by getrusage(), which is faster and agrees"

/* The perf events in this list are served only when that is faster: see
 * serves_perf(). */
static const struct item {
    const char *name;
    const char *unit;
    enum pdump_metric_kind kind;
    int from;
    enum field field;
    const char *about;
} items[] = {
    { "pdump::cpu_time", "ns", PDUMP_COUNTER, FROM_CPU, CPU_TIME,
      "CPU time of the thread" },
    { "pdump::rss", "B", PDUMP_GAUGE, FROM_STATM, RSS,
      "memory of the process that is in RAM" },
    { PDUMP_RSS_GROWTH, "B", PDUMP_COUNTER, FROM_STATM, RSS,
      "by how much that grew; negative if it shrank" },
    { "pdump::peak_rss", "B", PDUMP_GAUGE, FROM_USAGE, PEAK_RSS,
      "most memory that the process had in RAM until now" },
    { "pdump::minor_faults", "1", PDUMP_COUNTER, FROM_USAGE, MINOR,
      "page faults served without I/O" },
    { "pdump::major_faults", "1", PDUMP_COUNTER, FROM_USAGE, MAJOR,
      "page faults that needed I/O" },
    { "pdump::ctx_voluntary", "1", PDUMP_COUNTER, FROM_USAGE, VOLUNTARY,
      "times the thread waited for something" },
    { "pdump::ctx_involuntary", "1", PDUMP_COUNTER, FROM_USAGE, INVOLUNTARY,
      "times the thread was made to wait" },
    { "pdump::user_time", "ns", PDUMP_COUNTER, FROM_USAGE, USER_TIME,
      "CPU time of the thread in the program itself" },
    { "pdump::system_time", "ns", PDUMP_COUNTER, FROM_USAGE, SYSTEM_TIME,
      "CPU time of the thread in the kernel" },
    { "pdump::blocks_read", "1", PDUMP_COUNTER, FROM_USAGE, BLOCKS_READ,
      "blocks of 512 bytes that the thread had read from a disk" },
    { "pdump::blocks_written", "1", PDUMP_COUNTER, FROM_USAGE, BLOCKS_WRITTEN,
      "blocks of 512 bytes that the thread is to have written to a disk" },
    { "pdump::io_read", "B", PDUMP_COUNTER, FROM_IO, IO_READ,
      "bytes the thread read by system calls, cached or not" },
    { "pdump::io_write", "B", PDUMP_COUNTER, FROM_IO, IO_WRITE,
      "bytes the thread wrote by system calls, cached or not" },
    { "perf::PAGE-FAULTS", "1", PDUMP_COUNTER, FROM_USAGE, FAULTS,
      "page faults; " AS_PERF },
    { "perf::MINOR-FAULTS", "1", PDUMP_COUNTER, FROM_USAGE, MINOR,
      "page faults served without I/O; " AS_PERF },
    { "perf::MAJOR-FAULTS", "1", PDUMP_COUNTER, FROM_USAGE, MAJOR,
      "page faults that needed I/O; " AS_PERF },
    { "perf::CONTEXT-SWITCHES", "1", PDUMP_COUNTER, FROM_USAGE, SWITCHES,
      "context switches; " AS_PERF },
};

enum { N_ITEMS = sizeof(items) / sizeof(items[0]) };

/* The metrics in order, and the system calls they need. */
struct plan {
    enum field field[N_ITEMS];
    int n;
    int from;
};

struct thread {
    struct plan plan;
    int statm;   /* or -1 */
    int io;      /* or -1 */
    int64_t own; /* bytes read by libpdump itself */
    int forks;
};

static struct plan plan;
static struct pdump_fds fds;
static atomic_int forks; /* between the first process and this one */

static const struct item *item_find(const char *name)
{
    for (int i = 0; i < N_ITEMS; i++)
        if (strcmp(items[i].name, name) == 0)
            return &items[i];
    return NULL;
}

static bool is_perf(const char *name)
{
    return strncmp(name, "perf::", 6) == 0;
}

bool pdump_source_is_software(const char *name)
{
    static const char *const software[] = {
        "CPU-CLOCK",        "TASK-CLOCK",
        "CPU-MIGRATIONS",   "MIGRATIONS",
        "PAGE-FAULTS",      "FAULTS",
        "MINOR-FAULTS",     "MAJOR-FAULTS",
        "CONTEXT-SWITCHES", "CS",
        "CGROUP-SWITCHES",  "ALIGNMENT-FAULTS",
        "EMULATION-FAULTS", "PERF_COUNT_SW_",
    };

    for (size_t i = 0; i < sizeof(software) / sizeof(software[0]); i++)
        if (is_perf(name) &&
            strncmp(name + 6, software[i], strlen(software[i])) == 0)
            return true;
    return false;
}

/*
 * One software event in a perf event set makes every read of the set a system
 * call, and further software events cost nearly nothing.  So this source takes
 * the software events from perf only if it can take all of them.
 */
static bool serves_perf(const struct pdump_wishes *wishes)
{
    for (int i = 0; i < wishes->n; i++) {
        const char *name = wishes->wish[i].name;

        if (pdump_source_is_software(name) && !item_find(name))
            return false;
    }
    return true;
}

/* Returns the first number in `text`, skipping the characters before it. */
static int64_t next_number(const char *text, char **end)
{
    while (*text && (*text < '0' || *text > '9'))
        text++;
    return strtoll(text, end, 10);
}

static int read_file(struct thread *t, int fd, char *text, size_t len)
{
    ssize_t n = pread(fd, text, len - 1, 0);

    if (n <= 0)
        return pdump_fail(PDUMP_ESOURCE, "/proc: %s",
                          n ? strerror(errno) : "empty file");
    text[n] = '\0';
    t->own += n;
    return PDUMP_OK;
}

static int read_statm(struct thread *t, struct reading *r)
{
    char text[128], *at;
    int err = read_file(t, t->statm, text, sizeof(text));

    if (err < 0)
        return err;
    next_number(text, &at);
    r->rss = next_number(at, &at) * sysconf(_SC_PAGESIZE);
    return PDUMP_OK;
}

/* Subtracts the bytes that libpdump itself has read. */
static int read_io(struct thread *t, struct reading *r)
{
    int64_t own = t->own;
    char text[256], *at;
    int err = read_file(t, t->io, text, sizeof(text));

    if (err < 0)
        return err;
    r->io_read = next_number(text, &at) - own;
    r->io_write = next_number(at, &at);
    return PDUMP_OK;
}

static void reading_take_cpu(const struct thread *t, struct reading *r)
{
    struct timespec ts;

    if (!(t->plan.from & FROM_CPU))
        return;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    r->cpu = ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

/* CPU time is read last at the begin and first at the end, because the other
 * system calls add to it. */
static int reading_take(struct thread *t, struct reading *r, bool is_end)
{
    int err = PDUMP_OK;

    if (is_end)
        reading_take_cpu(t, r);
    if ((t->plan.from & FROM_USAGE) && getrusage(RUSAGE_THREAD, &r->usage) != 0)
        err = pdump_fail(PDUMP_ESOURCE, "getrusage: %s", strerror(errno));
    if (err == PDUMP_OK && (t->plan.from & FROM_STATM))
        err = read_statm(t, r);
    if (err == PDUMP_OK && (t->plan.from & FROM_IO))
        err = read_io(t, r);
    if (!is_end)
        reading_take_cpu(t, r);
    return err;
}

static int64_t ns_of(struct timeval t)
{
    return t.tv_sec * INT64_C(1000000000) + t.tv_usec * INT64_C(1000);
}

static int64_t reading_pick(const struct reading *r, enum field field)
{
    switch (field) {
    case CPU_TIME:
        return r->cpu;
    case USER_TIME:
        return ns_of(r->usage.ru_utime);
    case SYSTEM_TIME:
        return ns_of(r->usage.ru_stime);
    case RSS:
        return r->rss;
    case PEAK_RSS:
        return r->usage.ru_maxrss * INT64_C(1024);
    case MINOR:
        return r->usage.ru_minflt;
    case MAJOR:
        return r->usage.ru_majflt;
    case VOLUNTARY:
        return r->usage.ru_nvcsw;
    case INVOLUNTARY:
        return r->usage.ru_nivcsw;
    case BLOCKS_READ:
        return r->usage.ru_inblock;
    case BLOCKS_WRITTEN:
        return r->usage.ru_oublock;
    case IO_READ:
        return r->io_read;
    case IO_WRITE:
        return r->io_write;
    case FAULTS:
        return r->usage.ru_minflt + r->usage.ru_majflt;
    case SWITCHES:
        return r->usage.ru_nvcsw + r->usage.ru_nivcsw;
    }
    return 0;
}

static int read_by(struct thread *t, int64_t *values, bool is_end)
{
    struct reading r;
    int err = reading_take(t, &r, is_end);

    for (int i = 0; i < t->plan.n; i++)
        values[i] = err < 0 ? 0 : reading_pick(&r, t->plan.field[i]);
    return err;
}

static int usage_read(void *state, int64_t *values)
{
    return read_by(state, values, false);
}

static int usage_read_end(void *state, int64_t *values)
{
    return read_by(state, values, true);
}

/* The counters that the kernel provides for any thread of the process. */
static void usage_read_other(int64_t tid, int64_t *values)
{
    struct pdump_other_thread other = pdump_source_other(tid);

    for (int i = 0; i < plan.n; i++)
        switch (plan.field[i]) {
        case CPU_TIME:
            values[i] = other.cpu_time;
            break;
        case MINOR:
            values[i] = other.minor_faults;
            break;
        case MAJOR:
            values[i] = other.major_faults;
            break;
        case FAULTS:
            values[i] = other.faults;
            break;
        default:
            values[i] = PDUMP_UNREAD;
        }
}

static void close_fd(int fd)
{
    if (fd < 0)
        return;
    pdump_fds_remove(&fds, fd);
    close(fd);
}

static int open_fd(const char *path, int *out)
{
    *out = pdump_private_fd_raise(open(path, O_RDONLY | O_CLOEXEC));
    if (*out < 0)
        return pdump_fail(PDUMP_ESOURCE, "%s: %s", path, strerror(errno));
    if (!pdump_fds_add(&fds, *out)) {
        close(*out);
        *out = -1;
        return pdump_no_memory();
    }
    return PDUMP_OK;
}

static void usage_detach(void *state)
{
    struct thread *t = state;

    /* In a child, the parent's descriptor numbers refer to other files. */
    if (t && t->forks == forks) {
        close_fd(t->statm);
        close_fd(t->io);
    }
    free(t);
}

static int usage_start(const struct plan *what, struct thread **out)
{
    struct thread *t = calloc(1, sizeof(*t));
    int err = PDUMP_OK;

    if (!t)
        return pdump_no_memory();
    t->plan = *what;
    t->statm = t->io = -1;
    t->forks = forks;
    if (t->plan.from & FROM_STATM)
        err = open_fd("/proc/self/statm", &t->statm);
    if (err == PDUMP_OK && (t->plan.from & FROM_IO))
        err = open_fd("/proc/thread-self/io", &t->io);
    if (err < 0) {
        usage_detach(t);
        return err;
    }
    *out = t;
    return PDUMP_OK;
}

static int usage_attach(void **state)
{
    struct thread *t;
    int err = usage_start(&plan, &t);

    if (err == PDUMP_OK)
        *state = t;
    return err;
}

/* Try the metric by reading it once. */
static int item_try(const struct item *item)
{
    struct plan alone = { { item->field }, 1, item->from };
    struct thread *t;
    int64_t value;
    int err = usage_start(&alone, &t);

    if (err < 0)
        return err;
    err = usage_read(t, &value);
    usage_detach(t);
    return err;
}

static void item_describe(const struct item *item, struct pdump_metric *m)
{
    memset(m, 0, sizeof(*m));
    snprintf(m->name, sizeof(m->name), "%s", item->name);
    snprintf(m->unit, sizeof(m->unit), "%s", item->unit);
    snprintf(m->source, sizeof(m->source), "rusage");
    snprintf(m->about, sizeof(m->about), "%s", item->about);
    m->kind = item->kind;
    m->scale = 1.0;
}

static int usage_open(const struct pdump_settings *set,
                      struct pdump_wishes *wishes, struct pdump_metric *metrics,
                      int max)
{
    bool with_perf = serves_perf(wishes);

    (void)set;
    memset(&plan, 0, sizeof(plan));
    for (int i = 0; i < wishes->n && plan.n < max; i++) {
        struct pdump_wish *wish = &wishes->wish[i];
        const struct item *item = item_find(wish->name);

        if (!item || wish->is_claimed || (is_perf(wish->name) && !with_perf))
            continue;
        if (item_try(item) < 0) {
            snprintf(wish->refusal, sizeof(wish->refusal), "%s",
                     pdump_last_error());
            continue;
        }
        wish->is_claimed = true;
        item_describe(item, &metrics[plan.n]);
        plan.field[plan.n++] = item->field;
        plan.from |= item->from;
    }
    return plan.n;
}

static void usage_close(void) {}

static void usage_forked(void)
{
    atomic_fetch_add(&forks, 1);
    pdump_fds_close_all(&fds);
}

static int usage_names(pdump_each_name *each, void *data)
{
    int stop = 0;

    for (int i = 0; i < N_ITEMS && !stop; i++)
        if (!is_perf(items[i].name))
            stop = each(items[i].name, items[i].about, data);
    return stop;
}

const struct pdump_source pdump_source_rusage = {
    .name = "rusage",
    .open = usage_open,
    .attach = usage_attach,
    .read = usage_read,
    .read_end = usage_read_end,
    .read_other = usage_read_other,
    .detach = usage_detach,
    .close = usage_close,
    .forked = usage_forked,
    .names = usage_names,
};
