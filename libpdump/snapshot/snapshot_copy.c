/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies figures from the store while their thread may change them. */
#include "snapshot/snapshot_private.h"

/*
 * While `sequence` is odd, the thread is changing the words at undo_ref, and
 * `undo` has their old values.  Reads race with the writer on purpose; the
 * sequence says whether they were consistent.
 */
__attribute__((no_sanitize("thread"))) void pdump_snapshot_copy(
    char *base, struct pdump_thread_record *thread, uint32_t ref,
    uint32_t words, int64_t *out)
{
    uint64_t before, after;

    do {
        const volatile int64_t *from = pdump_store_at(base, ref);
        const volatile struct pdump_thread_record *undo = thread;
        uint32_t n_undo = 0, before_undo = 0;
        int n_others = 0;

        before = atomic_load_explicit(&thread->sequence, memory_order_acquire);
        if (before & 1) {
            n_undo = undo->undo_words & ~PDUMP_UNDO_OTHERS;
            n_others =
                undo->undo_words & PDUMP_UNDO_OTHERS ? PDUMP_OTHERS_MAX : 0;
            before_undo = undo->undo_ref - ref;
        }
        if (n_undo > PDUMP_UNDO_MAX) /* only in a truncated store */
            n_undo = 0;
        for (uint32_t i = 0; i < words; i++)
            out[i] = i - before_undo < n_undo ? undo->undo[i - before_undo]
                                              : from[i];
        for (int i = 0; i < n_others; i++) {
            uint32_t at = (uint32_t)undo->undo_others[i].at + before_undo;

            if (undo->undo_others[i].at >= 0 && at < words)
                out[at] = undo->undo_others[i].value;
        }
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&thread->sequence, memory_order_relaxed);
    } while (before != after);
}
