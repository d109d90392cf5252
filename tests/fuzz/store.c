/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reader of stores.  The input is a store and its file of events, as
 * sparse.h has them; their heads are made good, as nothing else would be read
 * behind one that is not.  Or it is a text, as those in corpus/store:
 *   #SEED
 *   RECORD.FIELD NUMBER
 * which changes fields of FUZZ_SEEDS/SEED, such an input, wherever they are
 * today.
 */
#include "target.h"

#include "store/store_event_file.h"
#include "source/source.h"
#include "sparse.h"

enum { ROOM = 1 << 20, SEGMENT = 256 * 1024, PAGE = 4096 };

static struct {
    char *bytes;
    size_t size;
} files[SPARSE_FILES];

/* The records that a text can change, the first of each kind. */
enum record {
    HEAD,
    METRIC,
    REGION,
    THREAD,
    NODE,
    SAMPLES,
    TABLE,
    THROTTLE,
    CHUNK,
    PIECE,
};

#define FIELD(record, name, type, field)                               \
    {                                                                  \
        name "." #field, record, offsetof(struct pdump_##type, field), \
            sizeof(((struct pdump_##type *)0)->field)                  \
    }

static const struct field {
    const char *name;
    enum record record;
    size_t at, size;
} fields[] = {
    FIELD(HEAD, "head", head, start.ns),
    FIELD(HEAD, "head", head, start.ticks),
    FIELD(HEAD, "head", head, settled.ns),
    FIELD(HEAD, "head", head, settled.ticks),
    FIELD(METRIC, "metric", metric, cost.counted),
    FIELD(HEAD, "head", head, is_subtracted),
    FIELD(HEAD, "head", head, n_metrics),
    FIELD(HEAD, "head", head, threads),
    FIELD(HEAD, "head", head, regions),
    FIELD(HEAD, "head", head, throttled),
    FIELD(HEAD, "head", head, ended),
    FIELD(HEAD, "head", head, event_chunks),
    FIELD(HEAD, "head", head, event_file),
    FIELD(HEAD, "head", head, events_mode),
    FIELD(METRIC, "metric", metric, scale),
    FIELD(REGION, "region", region_record, id),
    FIELD(REGION, "region", region_record, next),
    FIELD(THREAD, "thread", thread_record, number),
    FIELD(THREAD, "thread", thread_record, last),
    FIELD(THREAD, "thread", thread_record, root),
    FIELD(THREAD, "thread", thread_record, top),
    FIELD(THREAD, "thread", thread_record, lost_events),
    FIELD(THREAD, "thread", thread_record, unwritten_events),
    FIELD(THREAD, "thread", thread_record, void_events),
    FIELD(NODE, "node", node, visits),
    FIELD(NODE, "node", node, stat[0].sum),
    FIELD(NODE, "node", node, stat[0].min),
    FIELD(NODE, "node", node, stat[0].max),
    FIELD(NODE, "node", node, child),
    FIELD(NODE, "node", node, sibling),
    FIELD(SAMPLES, "samples", chunk, n),
    FIELD(SAMPLES, "samples", chunk, samples[2]), /* the start of the first */
    FIELD(TABLE, "table", table_record, n_fields),
    FIELD(TABLE, "table", table_record, n_values),
    FIELD(THROTTLE, "throttle", throttle_record, mean),
    FIELD(THROTTLE, "throttle", throttle_record, lost),
    FIELD(CHUNK, "chunk", event_chunk, n),
    FIELD(CHUNK, "chunk", event_chunk, room),
    FIELD(CHUNK, "chunk", event_chunk, first),
    FIELD(CHUNK, "chunk", event_chunk, start),
    FIELD(CHUNK, "chunk", event_chunk, next),
    FIELD(PIECE, "piece", event_piece, n),
    FIELD(PIECE, "piece", event_piece, first),
    FIELD(PIECE, "piece", event_piece, start),
    FIELD(PIECE, "piece", event_piece, thread),
    FIELD(PIECE, "piece", event_piece, sequence),
};

/* Changed seeds are good ones but for that: refs lead somewhere. */
static void *at(uint32_t ref)
{
    return files[SPARSE_STORE].bytes + (size_t)ref * SPARSE_WORD % (ROOM / 2);
}

static struct pdump_thread_record *first_thread(void)
{
    const struct pdump_head *head = at(0);
    struct pdump_thread_record *thread = at(head->threads);

    for (int i = 0; i < 100 && thread->next; i++)
        thread = at(thread->next);
    return thread;
}

static void *find_record(enum record record)
{
    const struct pdump_head *head = at(0);
    const struct pdump_node *root = at(first_thread()->root);

    switch (record) {
    case HEAD:
        return at(0);
    case METRIC:
        return at(head->metrics);
    case REGION:
        return at(head->regions);
    case THREAD:
        return first_thread();
    case NODE:
        return at(root->child);
    case SAMPLES:
        return at(first_thread()->samples);
    case TABLE:
        return at(head->tables);
    case THROTTLE:
        return at(head->throttled);
    case CHUNK:
        return at(head->event_chunks);
    case PIECE:
        break;
    }
    return files[SPARSE_EVENTS].bytes + sizeof(struct pdump_store_event_owner);
}

static void change(const char *name, int64_t value)
{
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (strcmp(fields[i].name, name) == 0) {
            char *record = find_record(fields[i].record);

            memcpy(record + fields[i].at, &value, fields[i].size);
            return;
        }
    target_unknown(name);
}

static void put(const struct sparse_part *part, const uint8_t *bytes, size_t n)
{
    size_t start = (size_t)part->at * SPARSE_WORD;
    int i = part->file % SPARSE_FILES;

    if (start > ROOM / 2 || n > ROOM / 2)
        return;
    memcpy(files[i].bytes + start, bytes, n);
    if (files[i].size < start + n)
        files[i].size = start + n;
}

static void fill(const uint8_t *data, size_t size)
{
    struct sparse_part part;

    while (size >= sizeof(part)) {
        size_t n;

        memcpy(&part, data, sizeof(part));
        data += sizeof(part);
        size -= sizeof(part);
        n = (size_t)part.n * SPARSE_WORD;
        n = n < size ? n : size;
        put(&part, data, n);
        data += n;
        size -= n;
    }
}

/* Returns its flags. */
static int fill_from(const char *name)
{
    static uint8_t seed[ROOM];
    const char *folder = getenv("FUZZ_SEEDS");
    char path[300];
    size_t n = 0;
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", folder ? folder : ".", name);
    f = fopen(path, "r");
    if (f) {
        n = fread(seed, 1, sizeof(seed), f);
        fclose(f);
    }
    if (n == 0) {
        target_unknown(path);
        return 0;
    }
    fill(seed + 1, n - 1);
    return seed[0];
}

static int fill_text(const uint8_t *data, size_t size)
{
    char text[1024], *line, *rest = text, name[64];
    long long value;
    int flags;

    size = size < sizeof(text) ? size : sizeof(text) - 1;
    memcpy(text, data, size);
    text[size] = '\0';
    line = strsep(&rest, "\n");
    if (strchr(line, '/'))
        return 0;
    flags = fill_from(line + 1);
    while ((line = strsep(&rest, "\n")))
        if (sscanf(line, "%63s %lld", name, &value) == 2)
            change(name, value);
        else if (*line)
            target_unknown(line);
    return flags;
}

static void make_heads_good(void)
{
    struct pdump_head *head = at(0);
    struct pdump_store_event_owner owner = { .magic = "pdumpev",
                                             .pid = head->pid,
                                             .start = head->start.ticks };
    size_t name = (size_t)head->event_file * SPARSE_WORD;

    memcpy(head->magic, PDUMP_STORE_MAGIC, sizeof(head->magic));
    head->version = PDUMP_STORE_VERSION;
    head->layout = pdump_store_layout();
    head->checksum = pdump_head_checksum(head);
    memcpy(files[SPARSE_EVENTS].bytes, &owner, sizeof(owner));
    if (name > 0 && name < files[SPARSE_STORE].size)
        strcpy(files[SPARSE_STORE].bytes + name, "x.events");
}

static void clear(void)
{
    for (int i = 0; i < SPARSE_FILES; i++) {
        if (!files[i].bytes && !(files[i].bytes = calloc(1, ROOM + PAGE)))
            target_fail("no memory");
        /* A head that was made good may reach beyond the size. */
        memset(files[i].bytes, 0, files[i].size + PAGE);
        files[i].size = 0;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t whole;
    int flags;

    if (size == 0)
        return 0;
    target_enter();
    clear();
    if (data[0] == '#') {
        flags = fill_text(data, size);
    } else {
        flags = data[0];
        fill(data + 1, size - 1);
    }
    if (!(flags & SPARSE_RAW) &&
        files[SPARSE_STORE].size >= sizeof(struct pdump_head))
        make_heads_good();
    whole = (files[SPARSE_STORE].size + SEGMENT - 1) / SEGMENT * SEGMENT;
    if (!(flags & SPARSE_CUT))
        files[SPARSE_STORE].size = whole;
    target_put("x.store", files[SPARSE_STORE].bytes, files[SPARSE_STORE].size);
    target_put("x.events", files[SPARSE_EVENTS].bytes,
               files[SPARSE_EVENTS].size);
    target_read("x.store");
    return 0;
}
