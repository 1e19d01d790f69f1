/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/tre.h"

#include <stdlib.h>
#include <string.h>

#include "core/tre.h"

static bool decode_plain(affine_nest *nest, weft_reader *in)
{
    if (nest->accesses > WEFT_TRE_PLAIN_MAX || !nest->accesses)
        return false;
    nest->raw = malloc(nest->accesses * sizeof *nest->raw);
    uint32_t address = weft_read_varint(in);
    for (uint64_t i = 0; nest->raw && i < nest->accesses; i++) {
        address += i ? (uint32_t)weft_unzigzag(weft_read_varint(in)) : 0;
        nest->raw[i] = address;
    }
    nest->base = nest->raw ? nest->raw[0] : 0;
    nest->whole = true;
    return nest->raw != NULL;
}

static bool decode_levels(affine_nest *nest, weft_reader *in)
{
    nest->level = calloc(nest->depth, sizeof *nest->level);
    nest->base = weft_read_varint(in);
    for (unsigned l = 0; nest->level && l < nest->depth; l++) {
        affine_level *level = &nest->level[l];
        level->coefficient = weft_unzigzag(weft_read_varint(in));
        level->uppers = 1;
        level->upper[0].divisor = 1;
        level->upper[0].constant = weft_unzigzag(weft_read_varint(in));
        for (unsigned m = 0; m < l; m++)
            level->upper[0].slope[m] = weft_unzigzag(weft_read_varint(in));
    }
    return nest->level != NULL;
}

bool tre_decode(affine_nest *nest, const uint8_t *bytes, size_t size, size_t *at)
{
    weft_reader in;
    weft_reader_init(&in, bytes + *at, size - *at);
    memset(nest, 0, sizeof *nest);
    uint32_t levels = weft_read_varint(&in);
    nest->accesses = weft_read_varint(&in);
    nest->depth = levels;
    if (levels <= WEFT_TRE_LEVELS_MAX && (levels ? decode_levels(nest, &in) : decode_plain(nest, &in)) &&
        in.status == WEFT_OK) {
        *at += in.at;
        return true;
    }
    affine_nest_free(nest);
    return false;
}
