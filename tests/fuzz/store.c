/* SPDX-License-Identifier: BSD-3-Clause */
/* The reader of stores.  The head is made good, as nothing else would be read
 * behind one that is not; a first byte that is odd leaves it as it is. */
#include "target.h"

#include "layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char path[] = "x.store";
    struct pdump_head head;
    char *bytes;

    if (size == 0)
        return 0;
    target_enter();
    bytes = malloc(size);
    if (!bytes)
        return 0;
    size--;
    memcpy(bytes, data + 1, size);
    if (size >= sizeof(head) && data[0] % 2 == 0) {
        memcpy(&head, bytes, sizeof(head));
        memcpy(head.magic, PDUMP_STORE_MAGIC, sizeof(head.magic));
        head.version = PDUMP_STORE_VERSION;
        head.layout = pdump_store_layout();
        head.checksum = pdump_head_checksum(&head);
        memcpy(bytes, &head, sizeof(head));
    }
    target_put(path, bytes, size);
    free(bytes);
    target_read(path);
    return 0;
}
