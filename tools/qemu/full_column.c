/* SPDX-License-Identifier: MIT */
#include "tools/qemu/full.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/qemu/output.h"

void put_fixed(int c, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        put_byte(c, (uint8_t)(value >> 8 * i));
}

void put_note(uint8_t kind)
{
    put_varint(FULL_NOTES, full.in_chunk - full.note_at);
    put_byte(FULL_NOTES, kind);
    full.note_at = full.in_chunk;
}

void full_end_run(void)
{
    if (!full.run_length)
        return;
    put_varint(FULL_RUNS, full.run_length);
    put_difference(FULL_RUNS, full.run_start, full.run_before);
    full.run_before = full.run_start + full.run_length;
    full.run_length = 0;
}

void full_write_chunk(void)
{
    full_end_run();
    if (!full.in_chunk)
        return;
    size_t size = (1 + FULL_COLUMNS) * WEFT_VARINT32_MAX;
    for (int c = 0; c < FULL_COLUMNS; c++)
        size += full.columns[c].size;
    uint8_t *bytes = malloc(size);
    if (!bytes) {
        fprintf(stderr, "weft_qemu: out of memory\n");
        exit(1);
    }
    weft_writer w;
    weft_writer_init(&w, bytes, size);
    weft_write_varint(&w, full.in_chunk);
    for (int c = 0; c < FULL_COLUMNS; c++)
        weft_write_varint(&w, full.columns[c].size);
    for (int c = 0; c < FULL_COLUMNS; c++) {
        weft_write_bytes(&w, full.columns[c].bytes, full.columns[c].size);
        full.columns[c].size = 0;
    }
    output_chunk(full.instructions, bytes, w.size);
    full.in_chunk = full.note_at = 0;
}

bool full_chunk_is_full(void)
{
    if (full.in_chunk >= CHUNK_INSTRUCTIONS)
        return true;
    for (int c = 0; c < FULL_COLUMNS; c++)
        if (full.columns[c].size + SLACK > full.columns[c].room)
            return true;
    return false;
}
