/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks the stack of the calling thread, in a signal handler: without locks,
 * without malloc(), and without faults, whatever the stack contains.
 */
#ifndef PDUMP_WALK_H
#define PDUMP_WALK_H

#include "stacks/unwind_row.h"

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

enum {
    PDUMP_WALK_FRAMES_MAX = 512,
    PDUMP_WALK_SCRIPTS_MAX = 1024, /* frames of an interpreter */
    PDUMP_WALK_SCRIPT = -2,
    PDUMP_WALK_ROWS = 2048,      /* a power of two */
    PDUMP_WALK_MODULES_MAX = 16, /* in one stack */
};

struct pdump_walk_frame {
    uintptr_t code; /* the instruction; of outer frames in the call */
    int module;     /* of module_table.h, or -1 */
    uintptr_t sp;   /* the stack pointer */
    /* Of an interpreter (script_frames.h): PDUMP_WALK_SCRIPT is the module, and
     * code is 1 + the number of script_table.h, and the place in it. */
};

/* A row that has been found before. */
struct pdump_walk_known {
    uintptr_t code;
    uint16_t module;
    /* Bit i: register i of PDUMP_ARCH_SAVED_LIST is in memory; and bits of
     * registers (is_known) that have not been changed. */
    uint16_t in_memory;
    uint32_t unchanged;
    struct pdump_unwind_row row;
};

/* The state of one thread, zero at first; about 160 KiB, most of which is never
 * used. */
struct pdump_walker {
    /* Set by pdump_walk(): */
    struct pdump_walk_frame
        frames[PDUMP_WALK_FRAMES_MAX +
               PDUMP_WALK_SCRIPTS_MAX]; /* innermost first */
    int n;
    bool is_finished; /* the outermost frame is the first of the thread */

    struct pdump_script_walk *script; /* of script_frames.c, or NULL */
    uintptr_t pc;
    uint64_t reg[PDUMP_ARCH_REGISTERS];
    uint32_t is_known;   /* bit i: reg[i] */
    bool is_interrupted; /* pc was not left by a call */
    int n_signals;

    uintptr_t low, high; /* of the stack: may be read directly */
    uintptr_t chunk_at;  /* a copy of other memory */
    uint32_t chunk_n;
    _Alignas(16) unsigned char chunk[2048];

    uint16_t modules[PDUMP_WALK_MODULES_MAX]; /* in this stack */
    int n_modules;
    struct pdump_unwind_buffer buffer;
    struct pdump_walk_known known[PDUMP_WALK_ROWS];
};

/* Walks the stack that was interrupted at `context`. */
void pdump_walk(struct pdump_walker *w, const ucontext_t *context);

#endif
