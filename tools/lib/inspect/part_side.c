/* SPDX-License-Identifier: MIT */
#include "tools/lib/inspect/part_side.h"

#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"

uint64_t part_hash_number(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 31;
}

uint64_t part_hash(uint64_t hash, const char *text)
{
    for (; text && *text; text++)
        hash = (hash ^ (uint8_t)*text) * 0x100000001b3u;
    return part_hash_number(hash, 0xff);
}

void part_add_row(part_side *s, part_row row)
{
    row.name = memory_text(row.name ? row.name : "");
    s->row = memory_room(s->row, s->row_count, &s->row_max, sizeof *s->row);
    s->row[s->row_count++] = row;
}

part_step *part_collect(part_window **windows, size_t count, uint32_t context, uint64_t index)
{
    for (size_t i = 0; i < count; i++) {
        part_window *w = windows[i];
        if (w->context != context || index < w->from || index >= w->to)
            continue;
        w->step = memory_room(w->step, w->count, &w->max, sizeof *w->step);
        return &w->step[w->count++];
    }
    return NULL;
}
