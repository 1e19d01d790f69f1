/* SPDX-License-Identifier: MIT */
#include "tools/lib/export/drcov.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/export/names.h"

enum { BLOCK_MAX = 0xff00 }; /* a block's size has 16 bits */

typedef struct block {
    uint32_t start, end;
} block;

static bool is_of(const execution *run, const executed *e, const char *function)
{
    const image_symbol *s = function ? image_function(&run->im->symbols, e->insn.pc) : NULL;
    return !function || (s && !strcmp(s->name, function));
}

static block *make_blocks(const execution *run, const char *function, size_t *count)
{
    const executed **order = execution_by_address(run);
    block *all = memory_zero(run->count + 1, sizeof *all);
    bool open = false;
    for (size_t i = 0; i < run->count; i++) {
        if (!order[i]->count || !is_of(run, order[i], function))
            continue;
        const thumb_insn *insn = &order[i]->insn;
        block *last = *count ? &all[*count - 1] : NULL;
        if (!open || last->end != insn->pc || last->end - last->start > BLOCK_MAX) {
            last = &all[(*count)++];
            last->start = insn->pc;
        }
        last->end = insn->pc + insn->size;
        open = insn->flow == THUMB_NEXT;
    }
    free(order);
    return all;
}

/* The image as one module, from its lowest loaded byte to its highest. */
static uint32_t module_base(const image *im, uint32_t *end)
{
    uint32_t address, low = UINT32_MAX;
    size_t size;
    *end = 0;
    for (size_t i = 0; image_part(im, i, &address, &size); i++) {
        low = address < low ? address : low;
        *end = address + size > *end ? (uint32_t)(address + size) : *end;
    }
    return low;
}

static void put_little(FILE *file, uint32_t value, unsigned size)
{
    for (; size--; value >>= 8)
        fputc((int)(value & 0xff), file);
}

uint64_t export_drcov(const execution *run, const char *function, FILE *file, uint64_t *bytes)
{
    size_t count = 0;
    uint32_t end, base = module_base(run->im, &end);
    block *all = make_blocks(run, function, &count);
    fprintf(file, "DRCOV VERSION: 2\nDRCOV FLAVOR: weft\nModule Table: version 2, count 1\n");
    fprintf(file, "Columns: id, base, end, entry, checksum, timestamp, path\n");
    fprintf(file, " 0, 0x%08" PRIx32 ", 0x%08" PRIx32 ", 0x%08" PRIx32 ", 0x00000000, 0x00000000, ", base, end,
            run->im->entry & ~UINT32_C(1));
    export_path(file, run->im->path);
    fprintf(file, "\nBB Table: %zu bbs\n", count);
    *bytes = 0;
    for (size_t i = 0; i < count; i++) {
        put_little(file, all[i].start - base, 4);
        put_little(file, all[i].end - all[i].start, 2);
        put_little(file, 0, 2);
        *bytes += all[i].end - all[i].start;
    }
    free(all);
    return count;
}
