/* SPDX-License-Identifier: MIT */
#include "tools/weft/model_object.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/image/types.h"
#include "tools/lib/report/places.h"

enum { NAME = 200 };

struct model_objects {
    image_types *types;
    places places;
};

model_objects *model_objects_open(const image *im)
{
    model_objects *all = memory_zero(1, sizeof *all);
    all->types = types_open(im);
    all->places = places_of(im);
    return all;
}

void model_objects_close(model_objects *all)
{
    types_close(all->types);
    places_free(&all->places);
    free(all);
}

/* How much of two names is one variable: up to the first index or member where they differ. */
static size_t common(const char *a, const char *b)
{
    size_t same = 0, part = 0;
    while (a[same] && a[same] == b[same]) {
        same++;
        if (a[same] == '[' || a[same] == '.')
            part = same;
    }
    return a[same] == b[same] ? same : part;
}

/* table[0]..[63], by types. False: it is not known, or two variables. */
static bool typed_name(const model_objects *all, uint32_t low, uint32_t last, uint32_t size, char *name, size_t room)
{
    char first[NAME], end[NAME];
    if (types_at(all->types, low, size, first, sizeof first) == TYPES_UNKNOWN ||
        types_at(all->types, last, size, end, sizeof end) == TYPES_UNKNOWN)
        return false;
    size_t shared = common(first, end);
    if (!shared)
        return false;
    size_t used = text_safe(name, room, first);
    if (end[shared] && used + 2 < room) {
        memcpy(name + used, "..", 3);
        text_safe(name + used + 2, room - used - 2, end + shared);
    }
    return true;
}

/* heap+96, stack-96, 0x20001000 */
static size_t put_place(const places *all, uint32_t address, char *name, size_t room)
{
    heat_range range;
    places where = *all;
    if (!places_range(&where, address, &range))
        return (size_t)snprintf(name, room, "0x%" PRIx32, address);
    int64_t base = range.low + (range.kind == HEAT_STACK ? (int64_t)range.size : 0);
    size_t used = text_safe(name, room, range.name);
    return used + (size_t)snprintf(name + used, room - used, "%+" PRId64, address - base);
}

void model_objects_name(const model_objects *all, int64_t low, int64_t high, uint32_t size, char *name, size_t room)
{
    char end[NAME];
    uint32_t bytes = size ? size : 1, last = (uint32_t)high - (bytes - 1);
    if (typed_name(all, (uint32_t)low, last, bytes, name, room))
        return;
    size_t used = put_place(&all->places, (uint32_t)low, name, room);
    put_place(&all->places, (uint32_t)high, end, sizeof end);
    size_t name_size = strcspn(end, "+-");
    bool same = end[name_size] && !strncmp(name, end, name_size) && strchr("+-", name[name_size]);
    const char *rest = !same ? end : end + name_size + (end[name_size] == '+');
    if (used < room)
        snprintf(name + used, room - used, "..%s", rest);
}
