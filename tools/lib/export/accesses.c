/* SPDX-License-Identifier: MIT */
#include "tools/lib/export/accesses.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

/* The architecture's memory map. */
static const char *object_at(const image *im, uint32_t address, bool known)
{
    uint32_t offset;
    if (!known)
        return "(address lost)";
    const image_symbol *s = image_object(&im->symbols, address, &offset);
    if (s)
        return s->name;
    if (address >= 0xe0000000u)
        return "(system)";
    return address >= 0x40000000u && address < 0x60000000u ? "(peripherals)" : "(no object)";
}

static size_t slot_of(const access_table *all, const char *object, uint32_t function)
{
    uint64_t hash = ((uint64_t)(uintptr_t)object * 0x9e3779b97f4a7c15u + function) * 0xd6e8feb86659fd93u;
    size_t at = (size_t)(hash ^ hash >> 32) & (all->slot_max - 1);
    for (uint32_t found; (found = all->slots[at]); at = (at + 1) & (all->slot_max - 1))
        if (all->row[found - 1].object == object && all->row[found - 1].function == function)
            break;
    return at;
}

static void widen(access_table *all)
{
    all->slot_max = all->slot_max ? 2 * all->slot_max : 1024;
    free(all->slots);
    all->slots = memory_zero(all->slot_max, sizeof *all->slots);
    for (uint32_t i = 0; i < all->count; i++)
        all->slots[slot_of(all, all->row[i].object, all->row[i].function)] = i + 1;
}

/* Names are compared by address: a symbol's name always stands at the same one. */
static access_row *row_of(access_table *all, const char *object, uint32_t function)
{
    if (2 * all->count >= all->slot_max)
        widen(all);
    size_t at = slot_of(all, object, function);
    if (!all->slots[at]) {
        all->row = memory_room(all->row, all->count, &all->max, sizeof *all->row);
        all->row[all->count] = (access_row){.object = object, .function = function};
        all->slots[at] = (uint32_t)++all->count;
    }
    return &all->row[all->slots[at] - 1];
}

static void add(void *own, uint32_t function, uint32_t address, uint32_t size, bool store, bool known)
{
    access_table *all = own;
    access_row *row = row_of(all, object_at(all->im, address, known), function);
    *(store ? &row->stores : &row->loads) += 1;
    *(store ? &row->bytes_stored : &row->bytes_loaded) += size;
}

functions_listener access_table_listener(access_table *all)
{
    return (functions_listener){.own = all, .access = add};
}

void access_table_free(access_table *all)
{
    free(all->row);
    free(all->slots);
}
