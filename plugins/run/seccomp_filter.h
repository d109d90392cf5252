/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out what a seccomp filter does without installing it. */
#ifndef PDUMP_RUN_SECCOMP_FILTER_H
#define PDUMP_RUN_SECCOMP_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>

/* Returns true if the filter could kill the process for this system call with
 * any arguments. */
bool filter_kills(const struct sock_filter *code, size_t n, long call);

/* The same for any call that libpdump may make until the process has ended. */
bool filter_kills_ours(const struct sock_filter *code, size_t n);

#endif
