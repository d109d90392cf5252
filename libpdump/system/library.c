/* SPDX-License-Identifier: BSD-3-Clause */
/* Which libraries are loaded.  Does not use dladdr(), which waits for a
 * dlopen() in another thread, whose constructors may wait for this thread. */
#include "system/library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

/* Without a lock if possible, because a forked child may inherit it locked. */
#ifdef DLFO_STRUCT_HAS_EH_DBASE /* glibc 2.35 */
static const char *path_of(const void *address)
{
    struct dl_find_object object;

    return _dl_find_object((void *)(uintptr_t)address, &object) == 0
               ? object.dlfo_link_map->l_name
               : "";
}
#else
struct place {
    uintptr_t address;
    const char *library;
};

static int object_holds(struct dl_phdr_info *object, size_t size, void *data)
{
    struct place *place = data;

    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t at = place->address - object->dlpi_addr - part->p_vaddr;

        if (part->p_type == PT_LOAD && at < part->p_memsz) {
            place->library = object->dlpi_name;
            return 1;
        }
    }
    return 0;
}

static const char *path_of(const void *address)
{
    struct place place = { (uintptr_t)address, "" };

    dl_iterate_phdr(object_holds, &place);
    return place.library;
}
#endif

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

const char *pdump_library_of(const void *address)
{
    return base_name(path_of(address));
}

static int object_begins(struct dl_phdr_info *object, size_t size, void *data)
{
    (void)size;
    return strncmp(base_name(object->dlpi_name), data, strlen(data)) == 0;
}

bool pdump_library_is_loaded(const char *begin)
{
    return dl_iterate_phdr(object_begins, (void *)(uintptr_t)begin) != 0;
}
