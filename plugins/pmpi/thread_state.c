/* SPDX-License-Identifier: BSD-3-Clause */
/* The state that each thread keeps between its calls of MPI. */
#include "thread_state.h"

#include <pthread.h>
#include <stdlib.h>

__thread struct pdump_state pdump_state_self;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_key(void)
{
    /* Without a key, the only harm is that a thread's buffer is leaked. */
    pthread_key_create(&key, free);
}

void *pdump_state_room(struct pdump_state *state, size_t size)
{
    void *room;

    if (size <= state->room_size)
        return state->room;
    pthread_once(&once, make_key);
    room = realloc(state->room, size);
    if (!room)
        return NULL;
    state->room = room;
    state->room_size = size;
    pthread_setspecific(key, room);
    return room;
}
