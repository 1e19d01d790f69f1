/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/edges.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

static const char *const probe_names[] = {"__cyg_profile_func_exit", "__cyg_profile_func_enter",
                                          "__sanitizer_cov_trace_pc", "__sanitizer_cov_trace_pc_guard"};
enum { EXIT_PROBE, PROBES = sizeof probe_names / sizeof *probe_names, NO_PROBE = PROBES };

typedef struct probes {
    uint32_t address[PROBES]; /* 0: the image has none of that name */
} probes;

static probes probes_of(const image *im)
{
    probes p = {{0}};
    uint32_t size;
    for (int i = 0; i < PROBES; i++)
        if (!image_symbol_named(im, probe_names[i], &p.address[i], &size))
            p.address[i] = 0;
    return p;
}

/* Where a BL at `address` goes (ARMv7-M Architecture Reference Manual, A7.7.18); 0: it is not one. */
static uint32_t target_of(const uint8_t *code, uint32_t address)
{
    uint32_t first = code[0] | (uint32_t)code[1] << 8, second = code[2] | (uint32_t)code[3] << 8;
    if (first >> 11 != 0x1e || (second & 0xd000) != 0xd000)
        return 0;
    uint32_t s = first >> 10 & 1, i1 = !((second >> 13 & 1) ^ s), i2 = !((second >> 11 & 1) ^ s);
    uint32_t offset = i1 << 23 | i2 << 22 | (first & 0x3ff) << 12 | (second & 0x7ff) << 1;
    return address + 4 + offset - (s ? UINT32_C(1) << 24 : 0);
}

/* The probe that is called at `address`, or NO_PROBE. */
static int probe_at(const probes *p, const uint8_t *code, uint32_t address)
{
    uint32_t target = target_of(code, address);
    for (int i = 0; target && i < PROBES; i++)
        if (p->address[i] == target)
            return i;
    return NO_PROBE;
}

/* A function with probes: the addresses that its first and its last one return to. */
typedef struct found {
    const image_symbol *symbol;
    const uint8_t *code;
    uint32_t first, last;
} found;

static bool find(const image *im, const probes *p, const image_symbol *symbol, found *f)
{
    uint32_t size = symbol->size & ~UINT32_C(1);
    *f = (found){.symbol = symbol, .code = image_bytes(im, symbol->address, size)};
    for (uint32_t at = 0; f->code && at + 4 <= size; at += 2) {
        if (probe_at(p, f->code + at, symbol->address + at) == NO_PROBE)
            continue;
        f->last = symbol->address + at + 4;
        f->first = f->first ? f->first : f->last;
    }
    return f->first;
}

/* Each block is a path of its own: it begins at the entry, the others anywhere. */
static const ballarus *graph_of(uint32_t blocks)
{
    ballarus_edge *edge = memory_zero((size_t)blocks + 1, sizeof *edge);
    bool *starts = memory_zero(blocks, sizeof *starts);
    edge[0] = (ballarus_edge){.from = BALLARUS_ENTRY, .to = 0};
    for (uint32_t b = 0; b < blocks; b++) {
        edge[b + 1] = (ballarus_edge){.from = b, .to = BALLARUS_EXIT};
        starts[b] = b != 0;
    }
    ballarus *graph = ballarus_new(blocks, edge, blocks + 1, starts, BALLARUS_LIMIT);
    free(edge);
    free(starts);
    return graph;
}

/* False: out of memory. */
static bool add_blocks(const image *im, const probes *p, const found *in, record_memory *memory, descriptor_function *f)
{
    descriptor_block *block = record_take(memory, f->block_count, sizeof *block);
    descriptor_line *line = record_take(memory, f->block_count, sizeof *line);
    uint8_t *kind = record_take(memory, f->edge_count, 1);
    f->edge_goto = record_take(memory, f->edge_count, sizeof *f->edge_goto);
    if (!block || !line || !kind || !f->edge_goto)
        return false;
    for (uint32_t b = 0; b < f->block_count; b++) {
        uint32_t call = in->first + 2 * b - 4;
        int probe = probe_at(p, in->code + (call - in->symbol->address), call);
        const image_line *at = probe == NO_PROBE ? NULL : image_line_at(im, call);
        kind[b + 1] = probe == EXIT_PROBE ? DESCRIPTOR_EDGE_RETURN : DESCRIPTOR_EDGE_AWAY;
        block[b].flags = b ? DESCRIPTOR_BLOCK_LANDING : 0;
        block[b].landing = BALLARUS_NONE;
        if (!at || !at->file)
            continue;
        line[b] = (descriptor_line){.file = at->file, .line = at->line};
        block[b].line = &line[b];
        block[b].line_count = 1;
    }
    f->block = block;
    f->edge_kind = kind;
    return true;
}

static bool describe(const image *im, const probes *p, const found *in, record_memory *memory, descriptor_function *f)
{
    const image_line *line = image_function_line(im, in->symbol->address);
    uint32_t blocks = (in->last - in->first) / 2 + 1;
    *f = (descriptor_function){.version = DESCRIPTOR_VERSION,
                               .name = in->symbol->name,
                               .assembler_name = in->symbol->name,
                               .file = line && line->file ? line->file : "",
                               .first_line = line ? line->line : 0,
                               .last_line = line ? line->line : 0,
                               .address = in->symbol->address | 1,
                               .path_base = in->first / 2,
                               .path_count = blocks,
                               .block_base = in->first / 2,
                               .block_count = blocks,
                               .edge_count = blocks + 1,
                               .graph = graph_of(blocks)};
    return f->graph && add_blocks(im, p, in, memory, f);
}

descriptor_function *edges_functions(const image *im, record_memory *memory, size_t *count)
{
    size_t max = 0;
    uint32_t end = 0; /* of the function before; its other names are left out */
    probes p = probes_of(im);
    found in;
    descriptor_function *all = memory_room(NULL, 0, &max, sizeof *all);
    *count = 0;
    for (size_t i = 0; i < im->symbols.count; i++) {
        const image_symbol *symbol = &im->symbols.all[i];
        if (!symbol->function || !symbol->loaded || symbol->address < end || !find(im, &p, symbol, &in))
            continue;
        all = memory_room(all, *count, &max, sizeof *all);
        end = symbol->address + symbol->size;
        if (!describe(im, &p, &in, memory, &all[(*count)++])) {
            for (size_t k = 0; k < *count; k++)
                ballarus_free((ballarus *)all[k].graph);
            free(all);
            *count = 0;
            return NULL;
        }
    }
    return all;
}
