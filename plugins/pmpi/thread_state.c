/* SPDX-License-Identifier: BSD-3-Clause */
/* What each thread remembers between its calls of MPI. */
#include "thread_state.h"

#include <pthread.h>
#include <stdlib.h>

__thread struct pdump_state pdump_state_self;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_key(void)
{
    /* Without a key a thread's room stays when it ends, and no more. */
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
