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

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)bytes[i]) * 0x100000001b3u;
    return part_hash_number(hash, 0xff);
}

uint64_t part_hash(uint64_t hash, const char *text)
{
    return hash_bytes(hash, text, text ? strlen(text) : 0);
}

uint64_t part_hash_function(const part_side *s, uint64_t hash, const char *name)
{
    return hash_bytes(hash, name, s->by_lines ? image_copied_name(name) : strlen(name));
}

bool part_wants(const part_side *s, const char *name)
{
    if (!s->function || !strcmp(s->function, name))
        return true;
    size_t size = image_copied_name(name);
    return s->by_lines && image_copied_name(s->function) == size && !memcmp(s->function, name, size);
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
