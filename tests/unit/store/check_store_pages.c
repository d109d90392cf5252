/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests on a kernel with pages of 64 KiB.  It is imitated: the functions below
 * are called in place of those of the C library, and refuse addresses and
 * offsets that such a kernel refuses.
 */
#include "system/process_state.h"
#include "record/gate.h"
#include "store/store.h"
#include "store/store_file.h"
#include "suite.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LARGE = 64 * 1024, MIB = 1 << 20, WIPE = 18 };

/* While constructors run, the largest that this kind of machine has. */
static size_t page = PDUMP_PAGE_MAX;

static int n_refused;
static struct range {
    char *at;
    size_t len;
    int n;
} wiped, removed;

/* The linker has the library call the first ones (--wrap), which call the
 * others, those of the C library. */
long __wrap_sysconf(int name);
void *__wrap_mmap(void *at, size_t len, int protection, int flags, int fd,
                  off_t offset);
int __wrap_mprotect(void *at, size_t len, int protection);
int __wrap_madvise(void *at, size_t len, int advice);
long __real_sysconf(int name);
void *__real_mmap(void *at, size_t len, int protection, int flags, int fd,
                  off_t offset);
int __real_mprotect(void *at, size_t len, int protection);
int __real_madvise(void *at, size_t len, int advice);

long __wrap_sysconf(int name)
{
    return name == _SC_PAGESIZE ? (long)page : __real_sysconf(name);
}

static bool is_unaligned(const void *at, off_t offset)
{
    if ((uintptr_t)at % page == 0 && (size_t)offset % page == 0)
        return false;
    n_refused++;
    errno = EINVAL;
    return true;
}

/* Room that begins where a large page does. */
static void *reserve(size_t len)
{
    size_t all = (len + 2 * page - 1) / page * page, before;
    char *at = __real_mmap(NULL, all, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (at == MAP_FAILED)
        return at;
    before = -(uintptr_t)at % page;
    if (before)
        munmap(at, before);
    munmap(at + all - page + before, page - before);
    return at + before;
}

void *__wrap_mmap(void *at, size_t len, int protection, int flags, int fd,
                  off_t offset)
{
    if (is_unaligned(at, offset))
        return MAP_FAILED;
    if (!(flags & MAP_FIXED)) {
        at = reserve(len);
        flags |= MAP_FIXED;
    }
    return at == MAP_FAILED
               ? at
               : __real_mmap(at, len, protection, flags, fd, offset);
}

int __wrap_mprotect(void *at, size_t len, int protection)
{
    return is_unaligned(at, 0) ? -1 : __real_mprotect(at, len, protection);
}

int __wrap_madvise(void *at, size_t len, int advice)
{
    if (is_unaligned(at, 0))
        return -1;
    if (advice == WIPE)
        wiped = (struct range){ at, len, wiped.n + 1 };
    if (advice == MADV_REMOVE)
        removed = (struct range){ at, len, removed.n + 1 };
    return __real_madvise(at, len, advice);
}

static struct pdump_store *store;
static char path[32];

static void open_store(void)
{
    int fd;

    strcpy(path, "pages.XXXXXX");
    fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    pdump_store_file_lock(fd, path);
    ck_assert_int_eq(pdump_store_open_file(&store, 64 * MIB, 100, fd, path),
                     PDUMP_OK);
}

static void close_store(void)
{
    pdump_store_remove(store);
    pdump_store_close(store);
}

START_TEST(the_page_that_children_get_empty_has_nothing_else)
{
    char *begin = (char *)&pdump_wiped, *end = begin + sizeof(pdump_wiped);

    pdump_process_is_wiped(); /* so that it is linked, and its constructor runs
                               */
    ck_assert_int_eq(wiped.n, 1);
    ck_assert_uint_eq(wiped.len, PDUMP_PAGE_MAX);
    ck_assert(wiped.at >= begin && wiped.at + wiped.len <= end);
    ck_assert((char *)&pdump_wiped.gate >= wiped.at &&
              (char *)(&pdump_wiped.home + 1) <= wiped.at + wiped.len);
}
END_TEST

START_TEST(a_store_grows_by_whole_pages)
{
    for (size_t bytes = 100; bytes < 4 * MIB; bytes += bytes / 3) {
        uint32_t ref = pdump_store_alloc(store, bytes);

        ck_assert_uint_ne(ref, 0);
        memset(pdump_store_at(pdump_store_base(store), ref), 1, bytes);
    }
    ck_assert(pdump_store_is_whole(store));
    ck_assert_int_eq(n_refused, 0);
}
END_TEST

START_TEST(whole_pages_are_given_back)
{
    uint32_t ref = pdump_store_alloc(store, page);

    ck_assert_uint_ne(ref, 0);
    pdump_store_trim(store);
    ck_assert_int_eq(n_refused, 0);
    ck_assert_int_eq(removed.n, 1);
    ck_assert_ptr_eq(removed.at, pdump_store_base(store) + 2 * page);
    ck_assert_uint_gt(removed.len, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("pages");
    TCase *t = tcase_create("pages");

    page = LARGE;
    tcase_add_checked_fixture(t, open_store, close_store);
    tcase_add_test(t, the_page_that_children_get_empty_has_nothing_else);
    tcase_add_test(t, a_store_grows_by_whole_pages);
    tcase_add_test(t, whole_pages_are_given_back);
    suite_add_tcase(s, t);
    return suite_run(s);
}
