/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns: locks that may be held while foreign code runs. */
#include "system/lock.h"
#include "base/error.h"

#include <time.h>

_Atomic int pdump_turn_limit = 60;

struct timespec pdump_turn_in(int seconds)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    return until;
}

bool pdump_turn_take_until(pthread_mutex_t *turn, struct timespec until)
{
    return (pthread_mutex_timedlock)(turn, &until) == 0;
}

int pdump_turn_take(pthread_mutex_t *turn)
{
    int limit = pdump_turn_limit;

    if (pdump_turn_take_until(turn, pdump_turn_in(limit)))
        return PDUMP_OK;
    return pdump_fail(PDUMP_ESTATE,
                      "another thread has been starting, ending or writing a "
                      "session for %d seconds",
                      limit);
}

void pdump_turn_await(pthread_mutex_t *turn)
{
    (pthread_mutex_lock)(turn);
}

void pdump_turn_end(pthread_mutex_t *turn)
{
    (pthread_mutex_unlock)(turn);
}

void pdump_lock_renew(pthread_mutex_t *lock)
{
    (pthread_mutex_unlock)(lock);
    pthread_mutex_init(lock, NULL);
}
