/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plant STORE OUT RUN ROOT EVENTS: copies a store, so that it seems to be one
 * of the run RUN that the process ROOT collects, with a file of events called
 * EVENTS ("": none).
 */
#include "store/store_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4096 }; /* for the name, behind the end */

int main(int argc, char **argv)
{
    FILE *in = argc == 6 ? fopen(argv[1], "rb") : NULL;
    FILE *out = in ? fopen(argv[2], "wb") : NULL;
    struct pdump_head *head;
    char *bytes;
    size_t size;

    if (!out || fseek(in, 0, SEEK_END) != 0)
        return 1;
    size = (size_t)ftell(in);
    rewind(in);
    bytes = calloc(1, size + ROOM);
    if (!bytes || fread(bytes, 1, size, in) != size)
        return 1;
    head = (void *)bytes;
    snprintf(head->run, sizeof(head->run), "%s", argv[3]);
    head->root = atoll(argv[4]);
    head->parent = head->root;
    head->event_file = *argv[5] ? (uint32_t)(size / 8) : 0;
    snprintf(bytes + size, ROOM, "%s", argv[5]);
    head->size = size + ROOM;
    head->checksum = pdump_head_checksum(head);
    return fwrite(bytes, 1, size + ROOM, out) != size + ROOM ||
           fclose(out) != 0;
}
