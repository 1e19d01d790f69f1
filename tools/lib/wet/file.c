/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/squeeze/squeeze.h"
#include "tools/lib/wet/statement.h"

const uint8_t wet_file_magic[8] = {'w', 'e', 'f', 't', 'w', 'e', 't', 1};

#define HEAD_SIZE 20u
#define DIRECTORY_MAX (UINT64_C(1) << 30)
#define DECODED_MAX (UINT64_C(2) << 30)

typedef struct opener {
    wet_file *f;
    weft_reader in;
    const uint8_t *data;
    size_t data_size, data_at;
    uint32_t node_first; /* stream 0 of the node */
} opener;

/* ---- the directory ---- */

static bool good(const opener *o)
{
    return o->in.status == WEFT_OK;
}

static void bad(opener *o)
{
    o->in.status = WEFT_CORRUPT;
}

static uint32_t number(opener *o)
{
    return weft_read_varint(&o->in);
}

/* A count of things that take at least one byte each. */
static uint32_t count_of(opener *o)
{
    uint32_t count = number(o);
    if (count <= weft_reader_left(&o->in))
        return count;
    bad(o);
    return 0;
}

/* A number below `limit`. */
static uint32_t below(opener *o, uint64_t limit)
{
    uint32_t value = number(o);
    if (value < limit)
        return value;
    bad(o);
    return 0;
}

static void read_strings(opener *o)
{
    uint32_t count = count_of(o);
    o->f->strings = memory_zero(count + 1, sizeof *o->f->strings);
    o->f->string_count = count;
    for (uint32_t i = 1; i <= count; i++) {
        uint32_t size = number(o);
        const uint8_t *bytes = size <= 65536 ? weft_read_bytes(&o->in, size) : NULL;
        if (!bytes) {
            bad(o);
            o->f->string_count = i - 1;
            return;
        }
        o->f->strings[i] = memory_zero(size + 1, 1);
        memcpy(o->f->strings[i], bytes, size);
    }
}

static void read_symbols(opener *o)
{
    wet_file *f = o->f;
    uint32_t count = count_of(o);
    f->symbols = memory_zero(count + 1, sizeof *f->symbols);
    for (uint32_t i = 0; i < count; i++) {
        f->symbols[i].address = number(o);
        f->symbols[i].size = number(o);
        f->symbols[i].function = below(o, 2);
        f->symbols[i].name = f->strings[below(o, f->string_count + UINT64_C(1))];
        if (!f->symbols[i].name)
            bad(o);
        if (!good(o))
            return;
        f->symbol_count = i + 1;
    }
}

static void read_static(opener *o, uint32_t at)
{
    wet_file *f = o->f;
    wet_static *s = &f->statics[at];
    uint64_t strings = f->string_count + UINT64_C(1);
    s->exception = (uint8_t)below(o, 4);
    if (s->exception) {
        s->from = (uint16_t)number(o);
        s->to = (uint16_t)number(o);
        s->insn = (thumb_insn){.pc = 0xfffff000u + 2 * at, .size = 2, .falls = true, .condition = THUMB_ALWAYS};
        return;
    }
    uint32_t pc = number(o), size = below(o, 5);
    const uint8_t *bytes = size == 2 || size == 4 ? weft_read_bytes(&o->in, size) : NULL;
    uint32_t condition = below(o, 15);
    s->place = (cfg_place){.procedure = number(o), .branch = CFG_NO_BRANCH};
    f->static_function[at] = below(o, strings);
    f->static_file[at] = below(o, strings);
    f->static_line[at] = number(o);
    if (!bytes)
        bad(o);
    if (good(o))
        thumb_decode(&s->insn, pc, bytes, size, condition);
}

static void read_statics(opener *o)
{
    wet_file *f = o->f;
    f->static_count = count_of(o);
    f->statics = memory_zero(f->static_count + 1, sizeof *f->statics);
    f->static_function = memory_zero(f->static_count + 1, sizeof(uint32_t));
    f->static_file = memory_zero(f->static_count + 1, sizeof(uint32_t));
    f->static_line = memory_zero(f->static_count + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < f->static_count && good(o); i++)
        read_static(o, i);
}

static void read_statement(opener *o, wet_statement *s)
{
    full_event *event = memory_zero(1, sizeof *event);
    s->instruction = below(o, o->f->static_count);
    s->passed = event->passed = below(o, 2);
    s->written = event->written = weft_read_varint64(&o->in);
    event->access_count = below(o, FULL_ACCESSES_MAX + 1);
    if (__builtin_popcountll(s->written) > (int)FULL_VALUES_MAX)
        bad(o);
    for (uint32_t i = 0; i < event->access_count && good(o); i++) {
        uint32_t access = number(o);
        event->accesses[i].size = (uint8_t)(access / 2);
        event->accesses[i].store = access % 2;
        if (access / 2 != 1 && access / 2 != 2 && access / 2 != 4 && access / 2 != 8)
            bad(o);
    }
    /* An exception has all its eight accesses, or none when it is chained. */
    if (good(o) && o->f->statics[s->instruction].exception &&
        event->access_count != (o->f->statics[s->instruction].exception == 3 ? 0 : 8))
        bad(o);
    if (good(o))
        wet_statement_split(s, &o->f->statics[s->instruction], event);
    for (uint32_t i = 0; i < s->slot_count && good(o); i++)
        s->slots[i].computed = below(o, 2);
    free(event);
}

static void read_statements(opener *o)
{
    wet_file *f = o->f;
    f->statement_count = count_of(o);
    f->statements = memory_zero(f->statement_count + 1, sizeof *f->statements);
    for (uint32_t i = 0; i < f->statement_count && good(o); i++)
        read_statement(o, &f->statements[i]);
}

/* ---- streams ---- */

static void take_data(opener *o, wet_stream *s, uint64_t size)
{
    if (size > o->data_size - o->data_at) {
        bad(o);
        return;
    }
    s->data = o->data + o->data_at;
    s->size = (size_t)size;
    o->data_at += (size_t)size;
}

static void read_blocks(opener *o, wet_stream *s)
{
    uint32_t blocks = (s->count + WET_BLOCK - 1) / WET_BLOCK;
    if (blocks > weft_reader_left(&o->in)) {
        bad(o);
        return;
    }
    uint64_t total = 0;
    s->offsets = memory_zero(blocks + 1, sizeof *s->offsets);
    for (uint32_t i = 0; i < blocks; i++) {
        total += number(o);
        s->offsets[i + 1] = (uint32_t)total;
    }
    if (total > UINT32_MAX)
        bad(o);
    else
        take_data(o, s, total);
}

static uint32_t stream_add(opener *o, uint32_t count)
{
    wet_file *f = o->f;
    if (f->stream_count == f->stream_room) {
        f->stream_room = f->stream_room * 2 + 1024;
        f->streams = memory_grow(f->streams, f->stream_room, sizeof *f->streams);
    }
    f->streams[f->stream_count] = (wet_stream){.count = count, .kind = WET_INFERRED};
    return f->stream_count++;
}

/* `depth`: a pattern's parts are no patterns. */
static uint32_t read_stream(opener *o, uint32_t count, int depth)
{
    uint32_t at = stream_add(o, count);
    wet_stream s = o->f->streams[at];
    s.kind = (uint8_t)below(o, WET_KINDS);
    switch (s.kind) {
    case WET_CONSTANT:
        s.value = number(o);
        break;
    case WET_SAME:
        s.first = o->node_first + below(o, at - o->node_first);
        /* One that is still being read is INFERRED: no circles. */
        if (good(o) && (o->f->streams[s.first].count != count || o->f->streams[s.first].kind == WET_INFERRED))
            bad(o);
        break;
    case WET_RAW:
        take_data(o, &s, (uint64_t)count * 4);
        break;
    case WET_RAW8:
        take_data(o, &s, count);
        break;
    case WET_RAW16:
        take_data(o, &s, (uint64_t)count * 2);
        break;
    case WET_PACKED:
        read_blocks(o, &s);
        break;
    case WET_SMALL:
        if (count > WET_BLOCK)
            bad(o);
        take_data(o, &s, number(o));
        break;
    case WET_PATTERN: {
        uint32_t unique = number(o);
        if (depth || !good(o) || !unique || unique > count) {
            bad(o);
            break;
        }
        s.value = unique;
        s.first = read_stream(o, unique, 1);
        s.second = read_stream(o, count, 1);
        break;
    }
    default:
        break;
    }
    if (good(o))
        o->f->streams[at] = s;
    else
        free(s.offsets);
    return at;
}

/* ---- nodes ---- */

static void read_producers(opener *o, wet_edge *edge)
{
    uint32_t count = count_of(o), *producers = memory_zero(count + 1, sizeof *producers);
    for (uint32_t i = 0; i < count; i++)
        producers[i] = number(o);
    edge->producers = producers;
    edge->producer_count = count;
    if (!count)
        bad(o);
}

static void read_edge(opener *o, wet_edge *edge, uint32_t executions, bool timed, uint32_t address_slot)
{
    read_producers(o, edge);
    edge->which = below(o, 2) ? WET_NOBODY : read_stream(o, executions, 0);
    edge->when = edge->newest = WET_NOBODY;
    edge->mode = WET_BEFORE;
    if (!timed)
        return;
    edge->mode = (uint8_t)below(o, WET_MODES);
    edge->slot = address_slot;
    if (edge->mode == WET_BEFORE || (edge->mode >= WET_IN_STEP && address_slot == WET_NOBODY))
        bad(o);
    if (edge->mode != WET_LATEST)
        edge->when = read_stream(o, executions, 0);
    else if (edge->which == WET_NOBODY && edge->producer_count > 1)
        edge->newest = o->f->newest_count++;
}

static void read_load(opener *o, wet_load_edge *edge, const wet_load *load, uint32_t executions)
{
    uint32_t count = number(o);
    if (count > load->size) {
        bad(o);
        return;
    }
    if (!count) {
        edge->producer_count = count_of(o);
        edge->producers = memory_zero(edge->producer_count + 1, sizeof *edge->producers);
        for (uint32_t i = 0; i < edge->producer_count; i++)
            edge->producers[i] = number(o);
        return;
    }
    edge->parts = memory_zero(count, sizeof *edge->parts);
    for (uint32_t i = 0; i < count && good(o); i++) {
        edge->part_count = i + 1;
        edge->parts[i].byte = below(o, load->size);
        if (i + 1 == count && edge->parts[i].byte != 0) /* byte 0 stands last */
            bad(o);
        read_edge(o, &edge->parts[i].edge, executions, true, load->slot);
    }
}

/* The operations, from the statements. */
static bool node_statements(opener *o, wet_file_node *node, uint32_t count)
{
    uint32_t numbers[WET_OPERATIONS_MAX], operations = 0;
    uint8_t local[64];
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = below(o, o->f->statement_count);
        operations += good(o) ? o->f->statements[numbers[i]].operation_count : 0;
        if (operations > WET_OPERATIONS_MAX)
            bad(o);
    }
    if (!good(o))
        return false;
    wet_node_begin(&node->n, numbers, count);
    memset(local, 255, sizeof local);
    for (uint32_t i = 0; i < count; i++)
        wet_node_statement(&node->n, &o->f->statements[numbers[i]], i, local);
    return true;
}

static void read_parents(opener *o, wet_node *n)
{
    const uint8_t *parent = weft_read_bytes(&o->in, n->operation_count);
    const uint8_t *input = weft_read_bytes(&o->in, n->operation_count);
    if (!parent || !input) {
        bad(o);
        return;
    }
    memcpy(n->parent, parent, n->operation_count);
    memcpy(n->parent_input, input, n->operation_count);
    for (uint32_t i = 0; i < n->operation_count; i++)
        if ((parent[i] != 255 && parent[i] >= i) || (parent[i] == 255 && input[i] >= n->control_count))
            bad(o);
}

/* What the search for words needs often. */
static void node_index(wet_file *f, wet_file_node *node)
{
    wet_node *n = &node->n;
    node->slot_operation = memory_zero(n->slot_count + 1, 1);
    node->slot = memory_zero(n->slot_count + 1, sizeof *node->slot);
    node->use_first = memory_zero(n->operation_count + 1, sizeof *node->use_first);
    node->use_slot = memory_zero(n->use_count + 1, sizeof *node->use_slot);
    for (uint32_t i = 0; i < n->operation_count; i++)
        for (uint32_t k = n->slot_first[i]; k < (i + 1 < n->operation_count ? n->slot_first[i + 1] : n->slot_count);
             k++) {
            node->slot_operation[k] = (uint8_t)i;
            node->slot[k] = wet_slot_at(n, f->statements, i, k);
        }
    for (uint32_t i = 0; i < n->use_count; i++) {
        node->use_first[n->uses[i].operation + 1] = (uint16_t)(i + 1);
        if (n->uses[i].producer != 255)
            node->use_slot[i] =
                (uint16_t)wet_slot_find(n, f->statements, n->uses[i].producer, WET_VALUE, n->uses[i].loc);
    }
    for (uint32_t i = 1; i <= n->operation_count; i++)
        if (!node->use_first[i])
            node->use_first[i] = node->use_first[i - 1];
}

static void read_node(opener *o, wet_file_node *node)
{
    wet_file *f = o->f;
    wet_node *n = &node->n;
    uint32_t executions = number(o), count = below(o, WET_OPERATIONS_MAX + 1);
    if (!executions || executions > f->time || !count || !good(o) || !node_statements(o, node, count)) {
        bad(o);
        return;
    }
    n->count = executions;
    n->base = f->producer_count;
    n->procedure = number(o) - 1;
    n->control_count = below(o, WET_OPERATIONS_MAX + 1);
    read_parents(o, n);
    f->producer_count += n->operation_count;
    o->node_first = f->stream_count;
    node->slots = memory_zero(n->slot_count + 1, sizeof *node->slots);
    node->inputs = memory_zero(n->input_count + 1, sizeof *node->inputs);
    node->controls = memory_zero(n->control_count + 1, sizeof *node->controls);
    node->loads = memory_zero(n->load_count + 1, sizeof *node->loads);
    node->load_of = memory_zero(WET_OPERATIONS_MAX, sizeof *node->load_of);
    memset(node->load_of, 0xff, WET_OPERATIONS_MAX * sizeof *node->load_of);
    node->times = read_stream(o, executions, 0);
    for (uint32_t i = 0; i < n->slot_count && good(o); i++)
        node->slots[i] = read_stream(o, executions, 0);
    for (uint32_t i = 0; i < n->input_count && good(o); i++)
        read_edge(o, &node->inputs[i], executions, false, WET_NOBODY);
    for (uint32_t i = 0; i < n->control_count && good(o); i++)
        read_edge(o, &node->controls[i], executions, true, WET_NOBODY);
    node_index(f, node);
    for (uint32_t i = n->load_count; i-- > 0;)
        node->load_of[n->loads[i].operation] = (uint16_t)i;
    for (uint32_t i = 0; i < n->load_count && good(o); i++)
        read_load(o, &node->loads[i], &n->loads[i], executions);
}

static void edge_check(opener *o, const wet_edge *edge)
{
    for (uint32_t i = 0; i < edge->producer_count; i++)
        if (edge->producers[i] >= o->f->producer_count)
            bad(o);
}

/* Streams that are the same as others are not met any more. */
static void resolve(wet_file *f, uint32_t *stream)
{
    while (*stream != WET_NOBODY && f->streams[*stream].kind == WET_SAME)
        *stream = f->streams[*stream].first;
}

static void resolve_edge(wet_file *f, wet_edge *edge)
{
    resolve(f, &edge->which);
    resolve(f, &edge->when);
}

static void resolve_node(wet_file *f, wet_file_node *node)
{
    resolve(f, &node->times);
    for (uint32_t k = 0; k < node->n.slot_count; k++) {
        resolve(f, &node->slots[k]);
        if (f->streams[node->slots[k]].kind == WET_INFERRED) {
            f->streams[node->slots[k]].first = (uint32_t)(node - f->nodes);
            f->streams[node->slots[k]].second = k;
        }
    }
    for (uint32_t k = 0; k < node->n.input_count; k++)
        resolve_edge(f, &node->inputs[k]);
    for (uint32_t k = 0; k < node->n.control_count; k++)
        resolve_edge(f, &node->controls[k]);
    for (uint32_t k = 0; k < node->n.load_count; k++)
        for (uint32_t part = 0; part < node->loads[k].part_count; part++)
            resolve_edge(f, &node->loads[k].parts[part].edge);
}

/* The slot with a register's value in each of its producers. */
static void input_slots(opener *o, wet_edge *edge, unsigned loc)
{
    wet_file *f = o->f;
    edge->slots = memory_zero(edge->producer_count + 1, sizeof *edge->slots);
    for (uint32_t i = 0; i < edge->producer_count; i++) {
        if (!edge->producers[i])
            continue;
        const wet_node *n = &f->nodes[f->producer_node[edge->producers[i]]].n;
        uint32_t slot = wet_slot_find(n, f->statements, edge->producers[i] - n->base, WET_VALUE, loc);
        if (slot == WET_NOBODY)
            bad(o);
        edge->slots[i] = (uint16_t)slot;
    }
}

static void searched_note(opener *o, const wet_load_edge *edge)
{
    wet_file *f = o->f;
    for (uint32_t i = 0; i < edge->producer_count; i++) {
        if (!edge->producers[i] || edge->producers[i] >= f->producer_count) {
            bad(o);
            return;
        }
        wet_file_node *node = &f->nodes[f->producer_node[edge->producers[i]]];
        node->searched |= UINT64_C(1) << (edge->producers[i] - node->n.base);
    }
}

/* Producers can be named before their node is read. */
static void producers_check(opener *o)
{
    wet_file *f = o->f;
    f->producer_node = memory_zero(f->producer_count + 1, sizeof *f->producer_node);
    for (uint32_t i = 0; i < f->node_count; i++) {
        const wet_file_node *node = &f->nodes[i];
        for (uint32_t k = 0; k < node->n.operation_count; k++)
            f->producer_node[node->n.base + k] = i;
        for (uint32_t k = 0; k < node->n.input_count; k++)
            edge_check(o, &node->inputs[k]);
        for (uint32_t k = 0; k < node->n.control_count; k++)
            edge_check(o, &node->controls[k]);
        for (uint32_t k = 0; k < node->n.load_count; k++)
            for (uint32_t part = 0; part < node->loads[k].part_count; part++)
                edge_check(o, &node->loads[k].parts[part].edge);
    }
    for (uint32_t i = 0; i < f->node_count && good(o); i++)
        resolve_node(f, &f->nodes[i]);
    for (uint32_t i = 0; i < f->stream_count && good(o); i++)
        if (f->streams[i].kind == WET_PATTERN) {
            resolve(f, &f->streams[i].first);
            resolve(f, &f->streams[i].second);
        }
    for (uint32_t i = 0; i < f->node_count && good(o); i++)
        for (uint32_t k = 0; k < f->nodes[i].n.input_count; k++)
            input_slots(o, &f->nodes[i].inputs[k], f->nodes[i].n.inputs[k]);
    for (uint32_t i = 0; i < f->node_count && good(o); i++)
        for (uint32_t k = 0; k < f->nodes[i].n.load_count; k++)
            searched_note(o, &f->nodes[i].loads[k]);
}

static void read_directory(opener *o)
{
    wet_file *f = o->f;
    f->tier = (int)below(o, 3);
    f->time = number(o);
    f->executed = weft_read_varint64(&o->in);
    f->producer_count = 1;
    read_strings(o);
    if (good(o))
        read_symbols(o);
    if (good(o))
        read_statics(o);
    if (good(o))
        read_statements(o);
    uint32_t count = good(o) ? count_of(o) : 0;
    f->nodes = memory_zero(count + 1, sizeof *f->nodes);
    for (uint32_t i = 0; i < count && good(o); i++) {
        f->node_count = i + 1;
        read_node(o, &f->nodes[i]);
    }
    if (good(o))
        producers_check(o);
    if (good(o) && (weft_reader_left(&o->in) || o->data_at != o->data_size))
        bad(o);
}

static const uint8_t *map(const char *path, size_t *size, char *message, size_t message_size)
{
    struct stat about;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &about)) {
        snprintf(message, message_size, "cannot read '%s': %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    *size = S_ISREG(about.st_mode) ? (size_t)about.st_size : 0;
    const uint8_t *bytes = *size ? mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (bytes == MAP_FAILED) {
        snprintf(message, message_size, "'%s' is no whole execution trace", path);
        return NULL;
    }
    return bytes;
}

/* The directory is small beside the data; it is unpacked here. */
static bool directory_open(wet_file *f, size_t size, char *message, size_t message_size)
{
    const uint8_t *packed = f->bytes + HEAD_SIZE;
    unsigned long long plain_size = ZSTD_getFrameContentSize(packed, size);
    uint8_t *plain = plain_size < DIRECTORY_MAX ? malloc((size_t)plain_size + 1) : NULL;
    opener o = {.f = f, .data = packed + size, .data_size = f->size - HEAD_SIZE - size};
    weft_reader_init(&o.in, plain, plain ? (size_t)plain_size : 0);
    if (!plain || ZSTD_decompress(plain, (size_t)plain_size, packed, size) != plain_size)
        bad(&o);
    else
        read_directory(&o);
    if (!good(&o))
        snprintf(message, message_size, "the directory of the whole execution trace is damaged near its byte %zu",
                 o.in.at);
    free(plain);
    return good(&o);
}

wet_file *wet_file_open(const char *path, char *message, size_t message_size)
{
    size_t size;
    const uint8_t *bytes = map(path, &size, message, message_size);
    if (!bytes)
        return NULL;
    wet_file *f = memory_zero(1, sizeof *f);
    f->bytes = bytes;
    f->size = size;
    f->decoded_max = DECODED_MAX;
    f->memo = memory_zero(1u << WET_MEMO_BITS, sizeof *f->memo);
    memset(f->memo, 0xff, sizeof *f->memo << WET_MEMO_BITS);
    weft_reader head;
    weft_reader_init(&head, bytes, size);
    const uint8_t *magic = weft_read_bytes(&head, 8);
    uint32_t crc = weft_read_u32(&head);
    uint64_t directory = weft_read_u64(&head);
    if (!magic || memcmp(magic, wet_file_magic, 8) || head.status != WEFT_OK) {
        snprintf(message, message_size, "'%s' is no whole execution trace", path);
    } else if (directory > size - HEAD_SIZE || weft_crc32(0, bytes + HEAD_SIZE, (size_t)directory) != crc) {
        snprintf(message, message_size, "'%s' is cut or damaged in its directory (bytes %u to %llu)", path, HEAD_SIZE,
                 (unsigned long long)(HEAD_SIZE + directory));
    } else if (directory_open(f, (size_t)directory, message, message_size)) {
        return f;
    }
    wet_file_close(f);
    return NULL;
}

static void blocks_drop(wet_file *f)
{
    for (uint32_t i = 0; i < f->stream_count; i++) {
        wet_stream *s = &f->streams[i];
        uint32_t blocks = (s->count + WET_BLOCK - 1) / WET_BLOCK;
        for (uint32_t b = 0; s->blocks && b < blocks; b++) {
            free(s->blocks[b]);
            s->blocks[b] = NULL;
        }
    }
    f->decoded = 0;
    f->drops++;
}

static void edge_free(wet_edge *edge)
{
    free((void *)(uintptr_t)edge->producers);
    free(edge->slots);
}

static void node_close(wet_file_node *node)
{
    for (uint32_t k = 0; node->inputs && k < node->n.input_count; k++)
        edge_free(&node->inputs[k]);
    for (uint32_t k = 0; node->controls && k < node->n.control_count; k++)
        edge_free(&node->controls[k]);
    for (uint32_t k = 0; node->loads && k < node->n.load_count; k++) {
        for (uint32_t part = 0; part < node->loads[k].part_count; part++)
            edge_free(&node->loads[k].parts[part].edge);
        free(node->loads[k].parts);
        free(node->loads[k].producers);
    }
    free(node->slots);
    free(node->inputs);
    free(node->controls);
    free(node->loads);
    free(node->load_of);
    free(node->slot_operation);
    free(node->slot);
    free(node->use_first);
    free(node->use_slot);
    wet_node_free(&node->n);
}

void wet_file_close(wet_file *f)
{
    blocks_drop(f);
    for (uint32_t i = 0; i < f->node_count; i++)
        node_close(&f->nodes[i]);
    for (uint32_t i = 0; i < f->stream_count; i++) {
        free(f->streams[i].offsets);
        free(f->streams[i].blocks);
    }
    for (uint32_t i = 0; i < f->statement_count; i++) {
        free(f->statements[i].operations);
        free(f->statements[i].accesses);
        free(f->statements[i].slots);
    }
    for (uint32_t i = 1; i <= f->string_count; i++)
        free(f->strings[i]);
    free(f->strings);
    free(f->symbols);
    free(f->statics);
    free(f->static_function);
    free(f->static_file);
    free(f->static_line);
    free(f->statements);
    free(f->nodes);
    free(f->producer_node);
    free(f->memo);
    free(f->streams);
    munmap((void *)(uintptr_t)f->bytes, f->size);
    free(f);
}

/* ---- numbers ---- */

static void decode_small(wet_file *f, const wet_stream *s, uint32_t *out)
{
    weft_reader in;
    uint32_t last = 0;
    weft_reader_init(&in, s->data, s->size);
    for (uint32_t i = 0; i < s->count; i++)
        out[i] = last += (uint32_t)weft_unzigzag(weft_read_varint(&in));
    if (in.status != WEFT_OK)
        f->damaged = true;
}

/* A cursor goes over the block once, forward. */
static void decode_packed(wet_file *f, const wet_stream *s, uint32_t block, uint32_t count, uint32_t *out)
{
    squeeze_cursor cursor;
    size_t used;
    memset(out, 0, count * sizeof *out);
    if (squeeze_open(&cursor, s->data + s->offsets[block], s->offsets[block + 1] - s->offsets[block], &used) !=
        WEFT_OK) {
        f->damaged = true;
        return;
    }
    if (cursor.wide || cursor.bfcm.count != count)
        f->damaged = true;
    else
        weft_bfcm_forward(&cursor.bfcm, out, count);
    squeeze_close(&cursor);
}

bool wet_stream_has_blocks(const wet_file *f, uint32_t stream)
{
    uint8_t kind = f->streams[stream].kind;
    return kind == WET_PACKED || kind == WET_SMALL || kind == WET_PATTERN || kind == WET_INFERRED;
}

static void decode_pattern(wet_file *f, const wet_stream *s, uint32_t at, uint32_t count, uint32_t *out)
{
    uint32_t unique = s->first, values = s->value;
    wet_stream_read(f, s->second, at, count, out);
    for (uint32_t i = 0; i < count; i++) {
        f->damaged |= out[i] >= values;
        out[i] = out[i] < values ? wet_stream_get(f, unique, out[i]) : 0;
    }
}

/* A word never needs itself: if it does the file is damaged. */
static void decode_inferred(wet_file *f, wet_stream *s, uint32_t at, uint32_t count, uint32_t *out)
{
    if (s->busy) {
        f->damaged = true;
        memset(out, 0, count * sizeof *out);
        return;
    }
    s->busy = true;
    wet_words_find(f, s->first, s->second, at, count, out);
    s->busy = false;
}

const uint32_t *wet_stream_block(wet_file *f, uint32_t stream, uint32_t block)
{
    wet_stream *s = &f->streams[stream];
    if (s->blocks && s->blocks[block])
        return s->blocks[block];
    uint32_t count = s->count - block * WET_BLOCK < WET_BLOCK ? s->count - block * WET_BLOCK : WET_BLOCK;
    uint32_t *words = memory_zero(count, sizeof *words);
    switch (s->kind) {
    case WET_SMALL:
        decode_small(f, s, words);
        break;
    case WET_PACKED:
        decode_packed(f, s, block, count, words);
        break;
    case WET_PATTERN:
        decode_pattern(f, s, block * WET_BLOCK, count, words);
        break;
    default:
        decode_inferred(f, s, block * WET_BLOCK, count, words);
        break;
    }
    if (f->decoded + count * sizeof(uint32_t) > f->decoded_max)
        blocks_drop(f);
    f->decoded += count * sizeof(uint32_t);
    if (!s->blocks)
        s->blocks = memory_zero((s->count + WET_BLOCK - 1) / WET_BLOCK + 1, sizeof *s->blocks);
    free(s->blocks[block]); /* a damaged file may need what it is part of */
    return s->blocks[block] = words;
}

uint32_t wet_stream_get(wet_file *f, uint32_t stream, uint32_t at)
{
    wet_stream *s = &f->streams[stream];
    if (s->blocks && s->blocks[at / WET_BLOCK])
        return s->blocks[at / WET_BLOCK][at % WET_BLOCK];
    switch (s->kind) {
    case WET_CONSTANT:
        return s->value;
    case WET_RAW8:
        return s->data[at];
    case WET_RAW16:
        return s->data[2 * (size_t)at] | (uint32_t)s->data[2 * (size_t)at + 1] << 8;
    case WET_RAW: {
        uint32_t word;
        memcpy(&word, s->data + 4 * (size_t)at, 4);
        return word;
    }
    case WET_PATTERN: {
        uint32_t which = wet_stream_get(f, s->second, at);
        if (which < s->value)
            return wet_stream_get(f, s->first, which);
        f->damaged = true;
        return 0;
    }
    case WET_PACKED:
    case WET_SMALL:
        return wet_stream_block(f, stream, at / WET_BLOCK)[at % WET_BLOCK];
    default:
        f->damaged = true;
        return 0;
    }
}

void wet_stream_read(wet_file *f, uint32_t stream, uint32_t at, uint32_t count, uint32_t *out)
{
    if (!wet_stream_has_blocks(f, stream)) {
        for (uint32_t i = 0; i < count; i++)
            out[i] = wet_stream_get(f, stream, at + i);
        return;
    }
    while (count) {
        uint32_t here = WET_BLOCK - at % WET_BLOCK, part = count < here ? count : here;
        memcpy(out, wet_stream_block(f, stream, at / WET_BLOCK) + at % WET_BLOCK, part * sizeof *out);
        out += part;
        at += part;
        count -= part;
    }
}

uint32_t wet_time(wet_file *f, uint32_t node, uint32_t instance)
{
    return wet_stream_get(f, f->nodes[node].times, instance);
}

/* From where the last search ended, with growing steps, then by halves. */
uint32_t wet_rank(wet_file *f, uint32_t node, uint32_t time)
{
    wet_file_node *n = &f->nodes[node];
    uint32_t count = n->n.count, low, high, step = 1, at = n->finger < count ? n->finger : count - 1;
    if (wet_time(f, node, at) <= time) {
        low = at + 1;
        high = low;
        while (high < count && wet_time(f, node, high) <= time) {
            low = high + 1;
            high = count - high > step ? high + step : count;
            step *= 2;
        }
    } else {
        high = at;
        low = at;
        while (low > 0 && wet_time(f, node, low - 1) > time) {
            high = low - 1;
            low = low > step ? low - step : 0;
            step *= 2;
        }
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (wet_time(f, node, middle) <= time)
            low = middle + 1;
        else
            high = middle;
    }
    n->finger = low ? low - 1 : 0;
    return low;
}

/* The place of the producer in the list. */
static uint32_t edge_choice(wet_file *f, const wet_edge *edge, uint32_t node, uint32_t instance, uint32_t time,
                            uint32_t *rank)
{
    uint32_t best = 0, latest = 0;
    *rank = 0;
    if (edge->which != WET_NOBODY) {
        uint32_t which = wet_stream_get(f, edge->which, instance);
        if (which < edge->producer_count)
            return which;
        f->damaged = true;
        return 0;
    }
    time -= edge->mode == WET_BEFORE;
    for (uint32_t i = 0; i < edge->producer_count; i++) {
        uint32_t from = f->producer_node[edge->producers[i]], before;
        if (!edge->producers[i])
            before = 0;
        else if (from == node)
            before = instance + (edge->mode != WET_BEFORE);
        else
            before = wet_rank(f, from, time);
        uint32_t when = before ? wet_time(f, from, before - 1) : 0;
        if (when > latest || (!edge->producers[i] && !latest)) {
            latest = when;
            best = i;
            *rank = before;
        }
    }
    return best;
}

wet_origin wet_edge_origin(wet_file *f, const wet_edge *edge, uint32_t node, uint32_t instance, uint32_t time)
{
    uint32_t choice;
    return wet_edge_choose(f, edge, node, instance, time, &choice);
}

wet_origin wet_edge_choose(wet_file *f, const wet_edge *edge, uint32_t node, uint32_t instance, uint32_t time,
                           uint32_t *choice)
{
    uint32_t rank;
    *choice = edge_choice(f, edge, node, instance, time, &rank);
    wet_origin origin = {edge->producers[*choice], 0};
    if (!origin.producer)
        return origin;
    uint32_t from = f->producer_node[origin.producer];
    uint32_t word = edge->when == WET_NOBODY ? 0 : wet_stream_get(f, edge->when, instance);
    if (edge->mode == WET_INSTANCES)
        origin.instance = word;
    else if (edge->mode >= WET_IN_STEP)
        origin.instance = word + (wet_word(f, node, edge->slot, instance) >> (edge->mode - WET_IN_STEP));
    else if (rank && edge->mode != WET_AGES)
        origin.instance = rank - 1;
    else if (from == node)
        origin.instance = instance - word - (edge->mode == WET_BEFORE);
    else
        origin.instance = wet_rank(f, from, time) - 1 - word;
    if (origin.instance >= f->nodes[from].n.count) {
        f->damaged = true;
        return (wet_origin){0, 0};
    }
    return origin;
}
