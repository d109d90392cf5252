/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of PAPI, called through pointers.
 *
 * libpdump does not link PAPI: loading libpapi and libpfm takes as long as a
 * small program runs, and most processes do not use them.  The library is
 * loaded when the first event needs it, by pdump_papi_load().
 */
#ifndef PDUMP_SOURCE_PAPI_CALLS_H
#define PDUMP_SOURCE_PAPI_CALLS_H

#include <papi.h>

#define PDUMP_PAPI_CALLS(X)      \
    X(add_event)                 \
    X(assign_eventset_component) \
    X(cleanup_eventset)          \
    X(create_eventset)           \
    X(destroy_eventset)          \
    X(enum_cmp_event)            \
    X(event_name_to_code)        \
    X(get_component_info)        \
    X(get_event_component)       \
    X(get_event_info)            \
    X(is_initialized)            \
    X(library_init)              \
    X(multiplex_init)            \
    X(num_components)            \
    X(read)                      \
    X(register_thread)           \
    X(set_multiplex)             \
    X(shutdown)                  \
    X(start)                     \
    X(stop)                      \
    X(strerror)                  \
    X(thread_init)               \
    X(unregister_thread)

struct pdump_papi_calls {
#define CALL(name) __typeof__(&PAPI_##name) name;
    PDUMP_PAPI_CALLS(CALL)
#undef CALL
};

/* Valid after pdump_papi_load() has returned PDUMP_OK. */
extern struct pdump_papi_calls pdump_papi;

/* Load PAPI, or return PDUMP_ESOURCE with the reason.  Waits for the loader, so
 * the caller must not hold a lock of the PAPI source. */
int pdump_papi_load(void);

/* Called in the child of a fork(). */
void pdump_papi_load_in_child(void);

#endif
