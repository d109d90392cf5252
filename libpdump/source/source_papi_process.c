/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts PAPI once in this process, and handles fork(). */
#include "source/source_fds.h"
#include "source/source_papi.h"
#include "source/source_papi_calls.h"
#include "system/lock.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * A forked child shares the counters of its parent: whatever PAPI does to them
 * in the child affects the parent.  So the child releases them at once, and
 * restarts PAPI (STALE) when it wants to count itself.  It cannot do so (LOST)
 * if another thread was in PAPI at the fork, if the descriptors could not be
 * listed, or if the program has closed some of them; nor if the child has
 * counters that libpdump did not open, which a restart would stop.
 */
static _Atomic enum { DOWN, UP, STALE, LOST } state;
static atomic_bool is_busy;
static atomic_bool is_blind; /* descriptors cannot be listed */
static atomic_int forks;
static bool is_ours; /* started by libpdump, not by the program */
static struct pdump_fds ours, before;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_held; /* the lock, by the thread that forks */

/* PAPI calls the loader when it starts, so it may wait for a constructor in
 * another thread, which may itself want counters.  After this time that thread
 * goes on without counters. */
enum { START_LIMIT = 5 }; /* seconds */

int pdump_papi_lock(void)
{
    static atomic_bool is_stuck; /* then there is no second wait */
    int limit = state == UP ? pdump_turn_limit : is_stuck ? 0 : START_LIMIT;

    is_stuck = !pdump_turn_take_until(&lock, pdump_turn_in(limit));
    if (is_stuck)
        return pdump_fail(PDUMP_ESTATE,
                          "another thread has not come back from PAPI");
    is_busy = true;
    return PDUMP_OK;
}

void pdump_papi_unlock(void)
{
    is_busy = false;
    pdump_turn_end(&lock);
}

int pdump_papi_forks(void)
{
    return forks;
}

static bool is_counter(int fd)
{
    char path[32], target[32];
    ssize_t n;

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    n = readlink(path, target, sizeof(target));
    return n == 23 && memcmp(target, "anon_inode:[perf_event]", 23) == 0;
}

static void fd_note(int fd, void *data)
{
    (void)data;
    if (!pdump_fds_add(&before, fd))
        is_blind = true;
}

void pdump_papi_watch_fds(void)
{
    pdump_fds_clear(&before);
    if (!pdump_fds_each(fd_note, NULL))
        is_blind = true;
}

struct found {
    int *fds;
    int n, max;
};

static void fd_keep(int fd, void *data)
{
    struct found *found = data;

    if (pdump_fds_has(&before, fd) || !is_counter(fd))
        return;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    if (found->n == found->max)
        return;
    found->fds[found->n++] = fd;
    if (!pdump_fds_add(&ours, fd))
        is_blind = true;
}

int pdump_papi_found_fds(int *fds, int max)
{
    struct found found = { fds, 0, max };

    if (!pdump_fds_each(fd_keep, &found))
        is_blind = true;
    return found.n;
}

void pdump_papi_forget_fds(const int *fds, int n)
{
    for (int i = 0; i < n; i++)
        pdump_fds_remove(&ours, fds[i]);
}

bool pdump_papi_has_fds(const int *fds, int n)
{
    for (int i = 0; i < n; i++)
        if (!is_counter(fds[i]))
            return false;
    return true;
}

static unsigned long thread_id(void)
{
    return (unsigned long)pthread_self();
}

/*
 * PAPI keeps its event sets in an array that moves when it grows, and reads it
 * without a lock: a thread that reads counters while the 65th set is made may
 * follow a stale pointer.  Growing the array beforehand costs a millisecond.
 * More sets than this would need more descriptors than most systems allow.
 */
static void papi_make_room(void)
{
    enum { ROOM = 1024 };
    static int id[ROOM];
    int n = 0;

    while (n < ROOM) {
        id[n] = PAPI_NULL;
        if (pdump_papi.create_eventset(&id[n]) != PAPI_OK)
            break;
        n++;
    }
    while (n-- > 0)
        pdump_papi.destroy_eventset(&id[n]);
}

/* PAPI ends the program if it runs out of descriptors. */
static bool has_descriptors(void)
{
    enum { SPARE = 8 };
    int fds[SPARE], n = 0;
    bool is_good;

    while (n < SPARE && (fds[n] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        n++;
    is_good = n == SPARE;
    while (n-- > 0)
        close(fds[n]);
    return is_good;
}

static int papi_init(void)
{
    int version;

    if (!has_descriptors())
        return pdump_fail(
            PDUMP_ESOURCE,
            "PAPI needs more file descriptors: raise `ulimit -n`");
    is_ours = pdump_papi.is_initialized() == PAPI_NOT_INITED;
    version = pdump_papi.library_init(PAPI_VER_CURRENT);
    if (version > 0 && version != PAPI_VER_CURRENT)
        return pdump_fail(PDUMP_ESOURCE,
                          "libpapi is version %d.%d, libpdump was built for "
                          "%d.%d",
                          PAPI_VERSION_MAJOR(version),
                          PAPI_VERSION_MINOR(version),
                          PAPI_VERSION_MAJOR(PAPI_VER_CURRENT),
                          PAPI_VERSION_MINOR(PAPI_VER_CURRENT));
    if (version < 0) {
        char why[160];

        pdump_papi_reason(version, why, sizeof(why));
        return pdump_fail(PDUMP_ESOURCE, "PAPI does not start: %s", why);
    }
    /* Fails if the program has called it before, which does no harm. */
    pdump_papi.thread_init(thread_id);
    papi_make_room();
    return PDUMP_OK;
}

static void look_for_counter(int fd, void *data)
{
    *(bool *)data |= is_counter(fd);
}

/* Restart PAPI in a forked child that wants to count. */
static int papi_restart(void)
{
    bool has_foreign = false;

    if (!pdump_fds_each(look_for_counter, &has_foreign) || has_foreign)
        return pdump_fail(PDUMP_ESOURCE,
                          "this forked process shares perf counters with its "
                          "parent that PAPI would stop");
    pdump_papi.shutdown();
    pdump_fds_release_all(&ours);
    return papi_init();
}

int pdump_papi_start(void)
{
    int err = pdump_papi_load();

    if (err < 0)
        return err;
    if (state == LOST)
        return pdump_fail(PDUMP_ESOURCE,
                          "this process was forked while another thread "
                          "was in PAPI, or after the program had closed the "
                          "descriptors of the counters");
    if (state == STALE)
        err = papi_restart();
    else if (state == DOWN)
        err = papi_init();
    if (err < 0)
        return err;
    state = UP;
    /* Querying an event crashes PAPI in a thread that was unregistered. */
    pdump_papi.register_thread();
    return PDUMP_OK;
}

/* Errors are reported by pdump_papi_start() when it is called again. */
void pdump_papi_start_early(void)
{
    if (state != DOWN || pdump_papi_load() < 0 || pdump_papi_lock() < 0)
        return;
    if (state == DOWN)
        pdump_papi_start();
    pdump_papi_unlock();
}

/* Does nothing in the first thread, because the program may use PAPI there
 * after the session, and it ends with the process; nor if the program started
 * PAPI before libpdump. */
void pdump_papi_leave_thread(void)
{
    if (is_ours && gettid() != getpid())
        pdump_papi.unregister_thread();
}

/* A child can count only if no thread is in PAPI at the fork.  The wait is
 * limited, because the fork matters more than the counters. */
void pdump_papi_before_fork(struct timespec until)
{
    is_held = pdump_turn_take_until(&lock, until);
}

void pdump_papi_in_parent(void)
{
    if (is_held)
        pdump_turn_end(&lock);
}

void pdump_papi_forked(void)
{
    atomic_fetch_add(&forks, 1);
    pdump_lock_renew(&lock);
    pdump_papi_load_in_child();
    if (is_busy || is_blind)
        state = LOST;
    else if (state == UP)
        state = STALE;
    is_busy = false;
    /* A restart closes the descriptors that PAPI believes to be its own. */
    if (pdump_fds_drop(&ours, is_counter) > 0)
        state = LOST;
    pdump_fds_disarm_all(&ours);
}
