/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions in functions.
 *
 * libdw has dwarf_getscopes() for this, which walks through the whole unit for
 * each address.  Stacks have thousands of addresses, so the functions of a unit
 * are sorted once, and only the one that contains the address is walked
 * through.
 */
#include "inlined.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_MAX = 64,        /* namespaces, types and functions in each other */
    STEPS_MAX = 100000000, /* a damaged file may have a circle */
    LINES_MAX = 100000000,
};

/* A walk through a unit. */
struct walk {
    struct pdump_inlined_unit *unit;
    int64_t n_steps;
};

static bool add_range(struct pdump_inlined_unit *unit, Dwarf_Addr start,
                      Dwarf_Addr end, const Dwarf_Die *function)
{
    if (unit->n == unit->room) {
        size_t room = unit->room ? unit->room * 2 : 64;
        struct pdump_inlined_range *list =
            realloc(unit->list, room * sizeof(*list));

        if (!list)
            return false;
        unit->list = list;
        unit->room = room;
    }
    unit->list[unit->n++] =
        (struct pdump_inlined_range){ start, end, *function };
    return true;
}

/* Returns true if the function has code. */
static bool add_function(struct walk *w, Dwarf_Die *function)
{
    Dwarf_Addr base, start, end;
    ptrdiff_t at = 0;
    bool has_code = false;

    while ((at = dwarf_ranges(function, at, &base, &start, &end)) > 0)
        if (end > start && add_range(w->unit, start, end, function))
            has_code = true;
    return has_code;
}

/* Fortran and nested functions of C have functions in functions. */
static void add_all(struct walk *w, Dwarf_Die *around, int depth)
{
    Dwarf_Die die;

    if (depth == DEPTH_MAX || dwarf_child(around, &die) != 0)
        return;
    do {
        switch (dwarf_tag(&die)) {
        case DW_TAG_subprogram:
            if (add_function(w, &die))
                add_all(w, &die, depth + 1);
            break;
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
        case DW_TAG_union_type:
            add_all(w, &die, depth + 1);
            break;
        default:
            break;
        }
    } while (++w->n_steps < STEPS_MAX && dwarf_siblingof(&die, &die) == 0);
}

static int by_start(const void *a, const void *b)
{
    const struct pdump_inlined_range *x = a, *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

/* Returns the unit, or where to put it. */
static size_t place_of(const struct pdump_inlined *in, Dwarf_Off offset)
{
    size_t low = 0, high = in->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (in->units[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct pdump_inlined_unit *unit_of(struct pdump_inlined *in,
                                                Dwarf_Die *die)
{
    Dwarf_Off offset = dwarf_dieoffset(die);
    size_t at = place_of(in, offset);
    struct pdump_inlined_unit *unit;

    if (at < in->n && in->units[at].offset == offset)
        return &in->units[at];
    if (in->n == in->room) {
        size_t room = in->room ? in->room * 2 : 64;

        unit = realloc(in->units, room * sizeof(*unit));
        if (!unit)
            return NULL;
        in->units = unit;
        in->room = room;
    }
    unit = &in->units[at];
    memmove(unit + 1, unit, (in->n++ - at) * sizeof(*unit));
    *unit = (struct pdump_inlined_unit){ .offset = offset };
    add_all(&(struct walk){ .unit = unit }, die, 0);
    if (unit->n)
        qsort(unit->list, unit->n, sizeof(*unit->list), by_start);
    return unit;
}

static const struct pdump_inlined_range *range_of(
    const struct pdump_inlined_unit *unit, Dwarf_Addr address)
{
    size_t low = 0, high = unit->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (unit->list[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address < unit->list[low - 1].end ? &unit->list[low - 1]
                                                        : NULL;
}

/* Finds the entry in `around` that contains the address: a block, or a function
 * that was put there. */
static bool find_inner(Dwarf_Die *around, Dwarf_Addr address, Dwarf_Die *out)
{
    int n_steps = 0;

    if (dwarf_child(around, out) != 0)
        return false;
    do {
        int tag = dwarf_tag(out);

        if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
             tag == DW_TAG_try_block || tag == DW_TAG_catch_block) &&
            dwarf_haspc(out, address) > 0)
            return true;
    } while (++n_steps < STEPS_MAX && dwarf_siblingof(out, out) == 0);
    return false;
}

int pdump_inlined_find(Dwfl_Module *module, struct pdump_units *units,
                       struct pdump_inlined *inlined, Dwarf_Addr address,
                       Dwarf_Die *out)
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *die = pdump_lines_unit(module, units, address, &bias), at;
    const struct pdump_inlined_unit *unit = die ? unit_of(inlined, die) : NULL;
    const struct pdump_inlined_range *range =
        unit ? range_of(unit, address - bias) : NULL;
    int n = 0;

    if (!range)
        return 0;
    out[n++] = at = range->function;
    for (int depth = 0; depth < DEPTH_MAX * 4 && n < PDUMP_INLINED_MAX;
         depth++) {
        Dwarf_Die inner;

        if (!find_inner(&at, address - bias, &inner))
            break;
        at = inner;
        if (dwarf_tag(&at) == DW_TAG_inlined_subroutine)
            out[n++] = at;
    }
    return n;
}

void pdump_inlined_free(struct pdump_inlined *inlined)
{
    for (size_t i = 0; i < inlined->n; i++)
        free(inlined->units[i].list);
    free(inlined->units);
    *inlined = (struct pdump_inlined){ 0 };
}

const char *pdump_inlined_name(Dwarf_Die *function)
{
    static const unsigned names[] = { DW_AT_linkage_name,
                                      DW_AT_MIPS_linkage_name, DW_AT_name };
    Dwarf_Attribute attribute;
    const char *name = NULL;

    for (size_t i = 0; !name && i < sizeof(names) / sizeof(names[0]); i++)
        name = dwarf_formstring(
            dwarf_attr_integrate(function, names[i], &attribute));
    return name;
}

/* Writes the path of a file whose number is in an attribute of a function or of
 * its origin, which may be in another unit.  Before DWARF 5, number 0 is no
 * file; dwarf_decl_file() takes it for that in DWARF 5, too. */
static bool put_path(Dwarf_Attribute *attribute, char *file, size_t len)
{
    Dwarf_Attribute folder;
    Dwarf_Files *files;
    Dwarf_Word number;
    Dwarf_Half version;
    Dwarf_Die unit;
    const char *path;

    if (dwarf_formudata(attribute, &number) != 0 ||
        !dwarf_cu_die(attribute->cu, &unit, &version, NULL, NULL, NULL, NULL,
                      NULL) ||
        (number == 0 && version < 5) ||
        dwarf_getsrcfiles(&unit, &files, NULL) != 0)
        return false;
    path = dwarf_filesrc(files, number, NULL, NULL);
    if (!path)
        return false;
    pdump_lines_path(
        path, dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &folder)),
        file, len);
    return true;
}

/* Writes what two attributes say. */
static bool put_place(Dwarf_Die *function, unsigned file_code,
                      unsigned line_code, char *file, size_t len, int *line)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number;

    if (!dwarf_attr_integrate(function, file_code, &attribute) ||
        !put_path(&attribute, file, len) ||
        dwarf_formudata(dwarf_attr_integrate(function, line_code, &attribute),
                        &number) != 0)
        return false;
    *line = number < LINES_MAX ? (int)number : 0;
    return true;
}

bool pdump_inlined_definition(Dwarf_Die *function, char *file, size_t len,
                              int *line)
{
    return put_place(function, DW_AT_decl_file, DW_AT_decl_line, file, len,
                     line);
}

bool pdump_inlined_call(Dwarf_Die *function, char *file, size_t len, int *line)
{
    return put_place(function, DW_AT_call_file, DW_AT_call_line, file, len,
                     line);
}
