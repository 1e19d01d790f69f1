/* SPDX-License-Identifier: MIT */
/* The record of a nest: tre_push.c says its form. */
#include "core/own.h"
#include "core/tre_parts.h"

/* Walks the nest from its first point, with all bounds known: `index` moves on to the next point. Returns the
 * stride. */
static uint32_t walk(const weft_tre *tre, int32_t *index)
{
    uint32_t stride = 0;
    for (unsigned l = tre->levels; l-- > 0;) {
        const weft_tre_level *level = &tre->level[l];
        int32_t bound = level->constant;
        for (unsigned m = 0; m < l; m++)
            bound += level->slope[m] * index[m];
        if (l == 0 || index[l] < bound) {
            index[l]++;
            return stride + (uint32_t)level->coefficient;
        }
        stride -= (uint32_t)level->coefficient * (uint32_t)index[l];
        index[l] = 0;
    }
    return stride;
}

static __attribute__((noinline)) void write_signed(weft_writer *out, int32_t value)
{
    weft_write_varint(out, weft_zigzag(value));
}

static void write(const weft_tre *tre, bool plain, weft_writer *out)
{
    int32_t index[WEFT_TRE_LEVELS_MAX] = {0};
    weft_write_varint(out, plain ? 0 : tre->levels);
    weft_write_varint(out, tre->count);
    weft_write_varint(out, tre->base);
    for (uint32_t i = 1; plain && i < tre->count; i++)
        write_signed(out, (int32_t)walk(tre, index));
    for (unsigned l = 0; !plain && l < tre->levels; l++) {
        const weft_tre_level *level = &tre->level[l];
        write_signed(out, level->coefficient);
        write_signed(out, level->constant);
        for (unsigned m = 0; m < l; m++)
            write_signed(out, level->slope[m]);
    }
}

weft_status weft_tre_write_record(weft_tre *tre, weft_writer *out)
{
    size_t before = out->size;
    weft_writer measure;
    if (out->status != WEFT_OK)
        return WEFT_FULL;
    for (unsigned l = 0; l < tre->levels; l++)
        weft_tre_end(tre, l, true); /* sets open bounds */
    weft_writer_init(&measure, NULL, 0);
    write(tre, false, &measure);
    size_t nest = measure.size;
    if (tre->count <= WEFT_TRE_PLAIN_MAX)
        write(tre, true, &measure);
    size_t plain = measure.size - nest;
    write(tre, plain && plain < nest, out);
    if (out->status == WEFT_OK)
        return WEFT_OK;
    weft_writer_rollback(out, before);
    return WEFT_FULL;
}
