/* SPDX-License-Identifier: MIT */
/* Nests as bytes. All numbers are LEB128 varints, signed ones zigzag-coded first:
 *
 *     depth * 2 + whole, accesses
 *     depth 0: the values as differences, the first from 0
 *     else:    base, then per level: coefficient, lowers * 16 + uppers, the lower faces, the upper faces;
 *              a face: divisor, constant, one slope per outer level */
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/affine/binary.h"
#include "tools/lib/base/memory.h"

static void put(affine_bytes *out, uint64_t value)
{
    out->bytes = memory_room(out->bytes, out->size + WEFT_VARINT64_MAX - 1, &out->size_max, 1);
    weft_writer writer;
    weft_writer_init(&writer, out->bytes + out->size, out->size_max - out->size);
    weft_write_varint64(&writer, value);
    out->size += writer.size;
}

static void put_signed(affine_bytes *out, int64_t value)
{
    put(out, weft_zigzag64(value));
}

static void put_faces(affine_bytes *out, const affine_face *face, unsigned faces, unsigned outer)
{
    for (; faces; faces--, face++) {
        put(out, (uint64_t)face->divisor);
        put_signed(out, face->constant);
        for (unsigned l = 0; l < outer; l++)
            put_signed(out, face->slope[l]);
    }
}

void affine_encode(const affine_nest *nest, affine_bytes *out)
{
    uint64_t last = 0;
    put(out, 2 * nest->depth + nest->whole);
    put(out, nest->accesses);
    for (uint64_t i = 0; !nest->depth && i < nest->accesses; i++) {
        uint64_t value = (uint64_t)(nest->raw ? nest->raw[i] : nest->base);
        put_signed(out, (int64_t)(value - last));
        last = value;
    }
    if (nest->depth)
        put_signed(out, nest->base);
    for (unsigned l = 0; l < nest->depth; l++) {
        const affine_level *level = &nest->level[l];
        put_signed(out, level->coefficient);
        put(out, 16 * level->lowers + level->uppers);
        put_faces(out, level->lower, level->lowers, l);
        put_faces(out, level->upper, level->uppers, l);
    }
}

static int64_t get_signed(weft_reader *in)
{
    return weft_unzigzag64(weft_read_varint64(in));
}

static bool get_faces(weft_reader *in, affine_face *face, unsigned faces, unsigned outer)
{
    for (; faces; faces--, face++) {
        memset(face, 0, sizeof *face);
        face->divisor = (int64_t)weft_read_varint64(in);
        face->constant = get_signed(in);
        for (unsigned l = 0; l < outer; l++)
            face->slope[l] = get_signed(in);
        if (face->divisor < 1)
            return false;
    }
    return true;
}

static bool get_raw(weft_reader *in, affine_nest *nest)
{
    uint64_t last = 0;
    if (nest->accesses > weft_reader_left(in)) /* each value takes a byte at least */
        return false;
    nest->raw = malloc((nest->accesses + 1) * sizeof *nest->raw);
    for (uint64_t i = 0; nest->raw && i < nest->accesses; i++)
        nest->raw[i] = (int64_t)(last += (uint64_t)get_signed(in));
    nest->base = nest->raw && nest->accesses ? nest->raw[0] : 0;
    return nest->raw != NULL;
}

static bool get_levels(weft_reader *in, affine_nest *nest)
{
    nest->level = calloc(AFFINE_DEPTH, sizeof *nest->level);
    if (!nest->level)
        return false;
    nest->base = get_signed(in);
    for (unsigned l = 0; l < nest->depth; l++) {
        affine_level *level = &nest->level[l];
        level->coefficient = get_signed(in);
        uint64_t faces = weft_read_varint64(in);
        level->lowers = (unsigned)(faces / 16);
        level->uppers = (unsigned)(faces % 16);
        if (faces / 16 > AFFINE_FACES || level->uppers > AFFINE_FACES ||
            !get_faces(in, level->lower, level->lowers, l) || !get_faces(in, level->upper, level->uppers, l))
            return false;
    }
    return true;
}

bool affine_decode(affine_nest *nest, const uint8_t *bytes, size_t size, size_t *at)
{
    weft_reader in;
    weft_reader_init(&in, bytes + *at, size - *at);
    memset(nest, 0, sizeof *nest);
    uint64_t head = weft_read_varint64(&in);
    nest->accesses = weft_read_varint64(&in);
    nest->whole = head & 1;
    nest->depth = (unsigned)(head / 2);
    if (head / 2 <= AFFINE_DEPTH && (nest->depth ? get_levels(&in, nest) : get_raw(&in, nest)) &&
        in.status == WEFT_OK) {
        *at += in.at;
        return true;
    }
    affine_nest_free(nest);
    return false;
}
