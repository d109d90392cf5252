/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the starts of functions in .eh_frame_hdr: a sorted table of the
 * addresses of all functions, with an entry of .eh_frame for each. */
#include "starts.h"

#include <stdlib.h>
#include <string.h>

/* The form that all linkers write: counts of 4 bytes, and offsets of 4 bytes
 * from the table's own address. */
struct head {
    unsigned char version, frame_coding, count_coding, table_coding;
    int32_t frame;
    uint32_t n;
};
enum { COUNT_CODING = 0x03, TABLE_CODING = 0x3b, ENTRY = 8 };

struct table {
    const char *bytes; /* of the entries; NULL: there is none */
    uint32_t n;
    uint64_t address; /* base of the offsets */
};

static struct table table_make(const GElf_Phdr *part, const Elf_Data *data)
{
    struct head head;

    if (!data || data->d_size < sizeof(head))
        return (struct table){ 0 };
    memcpy(&head, data->d_buf, sizeof(head));
    if (head.version != 1 || head.count_coding != COUNT_CODING ||
        head.table_coding != TABLE_CODING ||
        head.n > (data->d_size - sizeof(head)) / ENTRY)
        return (struct table){ 0 };
    return (struct table){ (const char *)data->d_buf + sizeof(head), head.n,
                           part->p_vaddr };
}

static struct table find_table(Dwfl_Module *module, Dwarf_Addr *bias)
{
    Elf *elf = dwfl_module_getelf(module, bias);
    size_t n = 0;

    if (!elf || elf_getphdrnum(elf, &n) != 0)
        return (struct table){ 0 };
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr part;

        if (gelf_getphdr(elf, (int)i, &part) && part.p_type == PT_GNU_EH_FRAME)
            return table_make(&part,
                              elf_getdata_rawchunk(elf, (int64_t)part.p_offset,
                                                   part.p_filesz, ELF_T_BYTE));
    }
    return (struct table){ 0 };
}

static uint64_t start_at(const struct table *table, uint32_t i)
{
    int32_t distance;

    memcpy(&distance, table->bytes + (size_t)i * ENTRY, sizeof(distance));
    return table->address + (uint64_t)(int64_t)distance;
}

/* Returns true if a function contains the address: the table has no end
 * addresses. */
static bool is_covered(Dwfl_Module *module, uint64_t address)
{
    Dwarf_Addr bias;
    Dwarf_CFI *entries = dwfl_module_eh_cfi(module, &bias);
    Dwarf_Frame *frame = NULL;
    bool is_there =
        entries && dwarf_cfi_addrframe(entries, address - bias, &frame) == 0;

    free(frame);
    return is_there;
}

uint64_t pdump_starts_find(Dwfl_Module *module, uint64_t address)
{
    Dwarf_Addr bias = 0;
    struct table table = find_table(module, &bias);
    uint32_t low = 0, high = table.n;

    if (!table.bytes || !is_covered(module, address))
        return 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (start_at(&table, middle) <= address - bias)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? start_at(&table, low - 1) + bias : 0;
}
