/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How preloaded libraries find the functions of libpdump.so.
 *
 * The loader refuses to start a program if a library that is preloaded, or
 * linked, needs a symbol that libpdump.so does not have.  So these libraries
 * bind only pdump_handshake(), which no release changes, and public functions.
 * The handshake compares the releases and returns the addresses of the others.
 * plugins/handshake calls it, and defines functions of the same names, which
 * jump to these addresses.
 */
#ifndef PDUMP_HANDSHAKE_H
#define PDUMP_HANDSHAKE_H

#include "probe/call_detail_hot.h"
#include "probe/function_probe.h"
#include "probe/program_region.h"
#include "probe/run_join.h"
#include "probe/signal_guard.h"
#include "probe/visit_cost.h"
#include "record/interpreter.h"
#include "record/symbols.h"
#include "record/timeline.h"
#include "system/env.h"
#include "system/library.h"
#include "system/log.h"
#include "system/private_thread.h"
#include "system/process_state.h"

#include <stdarg.h>

/* The functions: F(TYPE, NAME, PARAMETERS, ARGUMENTS) for each. */
/* clang-format off */
#define PDUMP_PROBE_FUNCTIONS(F)                                               \
    F(bool, pdump_call_begin,                                                  \
      (struct pdump_call *call, struct pdump_callee *callee), (call, callee))  \
    F(void, pdump_call_end, (struct pdump_call *call), (call))                 \
    F(void, pdump_call_end_other,                                              \
      (struct pdump_recorder *r, uint32_t node, int64_t now), (r, node, now))  \
    F(bool, pdump_call_here, (struct pdump_call *call), (call))                \
    F(struct pdump_session *, pdump_call_hold, (void), ())                     \
    F(void, pdump_call_let_go, (struct pdump_session *session), (session))     \
    F(int64_t, pdump_call_now, (void), ())                                     \
    F(bool, pdump_call_read, (struct pdump_call *call, int64_t *values),       \
      (call, values))                                                          \
    F(enum pdump_where, pdump_call_where, (struct pdump_call *call), (call))   \
    F(void, pdump_detail_done, (struct pdump_call *call), (call))              \
    F(uint32_t, pdump_detail_find,                                             \
      (struct pdump_recorder *r, uint32_t node,                                \
       struct pdump_detail_table *table, uint64_t key),                        \
      (r, node, table, key))                                                   \
    F(int64_t *, pdump_detail_row,                                             \
      (struct pdump_call *call, struct pdump_detail_table *table,              \
       uint64_t key),                                                          \
      (call, table, key))                                                      \
    F(int64_t *, pdump_detail_thread_row,                                      \
      (struct pdump_call *call, struct pdump_detail_table *table,              \
       uint64_t key),                                                          \
      (call, table, key))                                                      \
    F(const char *, pdump_env, (const char *name), (name))                     \
    F(void, pdump_function_probe_enter,                                        \
      (const void *function, const void *stack), (function, stack))            \
    F(void, pdump_function_probe_exit,                                         \
      (const void *function, const void *stack, bool is_tail),                 \
      (function, stack, is_tail))                                              \
    F(void, pdump_function_probe_unload, (void), ())                           \
    F(void, pdump_interpreter_set, (const struct pdump_interpreter *one),      \
      (one))                                                                   \
    F(bool, pdump_library_is_loaded, (const char *begin), (begin))             \
    F(const char *, pdump_library_of, (const void *address), (address))        \
    F(bool, pdump_private_thread_is_starting, (void), ())                      \
    F(int, pdump_private_thread_start,                                         \
      (pthread_t *id, const pthread_attr_t *attributes,                        \
       void *(*function)(void *), void *data),                                 \
      (id, attributes, function, data))                                        \
    F(void, pdump_process_in_child, (struct pdump_process_hook *hook), (hook)) \
    F(bool, pdump_process_is_known, (void), ())                                \
    F(bool, pdump_process_is_own, (void), ())                                  \
    F(bool, pdump_process_is_wiped, (void), ())                                \
    F(void, pdump_program_at_end, (void (*function)(void)), (function))        \
    F(int, pdump_program_begin, (const char *name), (name))                    \
    F(void, pdump_program_close, (void), ())                                   \
    F(int, pdump_program_drop, (void), ())                                     \
    F(int, pdump_program_end, (bool is_gone), (is_gone))                       \
    F(bool, pdump_program_is_sealed, (void), ())                               \
    F(void, pdump_program_keep, (void), ())                                    \
    F(void, pdump_program_keep_open, (void), ())                               \
    F(void, pdump_program_seal, (void), ())                                    \
    F(bool, pdump_program_stop_looking, (void), ())                            \
    F(void, pdump_program_unseal, (void), ())                                  \
    F(bool, pdump_program_void, (void), ())                                    \
    F(int, pdump_run_join_by, (const char *text), (text))                      \
    F(bool, pdump_run_join_is_open, (const char *text), (text))                \
    F(int, pdump_run_join_tell, (char *out, size_t len), (out, len))           \
    F(const char *, pdump_run_join_written, (void), ())                        \
    F(bool, pdump_signal_guard_action,                                         \
      (int number, const struct sigaction *action, struct sigaction *old),     \
      (number, action, old))                                                   \
    F(int, pdump_signal_guard_number, (void), ())                              \
    F(int, pdump_symbols_place, (uintptr_t address, char *buf, size_t len),    \
      (address, buf, len))                                                     \
    F(void, pdump_timeline_io,                                                 \
      (int64_t time, const char *name, int64_t value), (time, name, value))    \
    F(bool, pdump_timeline_may_come, (void), ())                               \
    F(void, pdump_timeline_message,                                            \
      (enum pdump_event_kind kind, int64_t time, int64_t peer, int64_t bytes,  \
       int64_t tag),                                                           \
      (kind, time, peer, bytes, tag))                                          \
    F(bool, pdump_visit_cost_begin, (void), ())                                \
    F(double, pdump_visit_cost_end, (void), ())                                \
    F(bool, pdump_visit_cost_is_known, (enum pdump_visit_kind kind), (kind))   \
    F(void, pdump_visit_cost_keep,                                             \
      (enum pdump_visit_kind kind, double ns, double inside),                  \
      (kind, ns, inside))                                                      \
    F(bool, pdump_visit_cost_measure,                                          \
      (enum pdump_visit_kind kind, void (*visits)(int n),                      \
       void (*bare)(int n)),                                                   \
      (kind, visits, bare))                                                    \
    F(void, pdump_warn_list,                                                   \
      (const char *cause, const char *fmt, va_list args), (cause, fmt, args))
/* clang-format on */

/* The address of each, in a member of its name. */
#define PDUMP_PROBE_MEMBER(type, name, params, args) type(*name) params;
struct pdump_probe {
    PDUMP_PROBE_FUNCTIONS(PDUMP_PROBE_MEMBER)
};

/* Returns a struct pdump_probe, static, for a caller of the same release, whose
 * struct has `size` bytes.  Otherwise returns NULL and warns once, with the
 * caller's name.  Its own name, parameters and result never change. */
PDUMP_API const void *pdump_handshake(const char *release, size_t size);

/* For preloaded libraries: makes the handshake, if there was none.  Returns
 * true if libpdump.so fits.  If not, all functions above do nothing, and return
 * false, NULL or 0.  They make the handshake themselves when they are first
 * called, so this is only for code that has other effects. */
bool pdump_probe_is_open(void);

#endif
