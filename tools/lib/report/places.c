/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/places.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

/* What every Cortex-M has (Armv7-M Architecture Reference Manual, B3). */
static const heat_range core[] = {
    {"ITM", 0xe0000000, 0x1000, HEAT_DEVICE}, {"DWT", 0xe0001000, 0x1000, HEAT_DEVICE},
    {"FPB", 0xe0002000, 0x1000, HEAT_DEVICE}, {"SysTick", 0xe000e010, 0x10, HEAT_DEVICE},
    {"NVIC", 0xe000e100, 0xc00, HEAT_DEVICE}, {"SCB", 0xe000ed00, 0x90, HEAT_DEVICE},
    {"MPU", 0xe000ed90, 0x60, HEAT_DEVICE},   {"CoreDebug", 0xe000edf0, 0x10, HEAT_DEVICE},
};

enum { STACK_MOST = 256 << 10, WORD = 4 };

static uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* The stack of thread mode begins where the first word of the image says, and goes down to the next object. */
places places_of(const image *im)
{
    places p = {.image = im};
    uint32_t address, size, offset;
    size_t room;
    const uint8_t *table = image_part(im, 0, &address, &room);
    if (image_symbol_named(im, "weft_stack_top", &address, &size))
        p.stack_high = address;
    else if (table && room >= WORD)
        p.stack_high = word_at(table);
    p.stack_high &= ~(uint32_t)(WORD - 1);
    p.stack_low = p.stack_high;
    while (p.stack_low && p.stack_high - p.stack_low < STACK_MOST &&
           !image_object(&im->symbols, p.stack_low - WORD, &offset))
        p.stack_low -= WORD;
    if (!image_symbol_named(im, "weft_heap_start", &p.heap_low, &size) ||
        !image_symbol_named(im, "weft_heap_end", &p.heap_high, &size))
        p.heap_low = p.heap_high = 0;
    return p;
}

/* A register's name begins with its peripheral's. */
static void add_register(places *p, const svd_register *r)
{
    size_t length = strcspn(r->name, ".");
    heat_range *last = p->devices ? &p->device[p->devices - 1] : NULL;
    if (last && !strncmp(last->name, r->name, length) && !last->name[length] && r->address >= last->low) {
        uint32_t end = r->address + r->size - last->low;
        last->size = end > last->size ? end : last->size;
        return;
    }
    char *name = memory_text(r->name);
    name[length] = 0;
    p->device = memory_room(p->device, p->devices, &p->devices_max, sizeof *p->device);
    p->device[p->devices++] = (heat_range){name, r->address, r->size, HEAT_DEVICE};
}

void places_add_devices(places *p, const svd *names)
{
    for (size_t i = 0; i < names->count; i++)
        add_register(p, &names->all[i]);
}

void places_free(places *p)
{
    for (size_t i = 0; i < p->devices; i++)
        free((char *)p->device[i].name);
    free(p->device);
}

static bool find(const heat_range *all, size_t count, uint32_t address, heat_range *range)
{
    for (size_t i = 0; i < count; i++)
        if (address - all[i].low < all[i].size) {
            *range = all[i];
            return true;
        }
    return false;
}

bool places_range(void *own, uint32_t address, heat_range *range)
{
    const places *p = own;
    uint32_t offset;
    if (address - p->stack_low < p->stack_high - p->stack_low) {
        *range = (heat_range){"stack", p->stack_low, p->stack_high - p->stack_low, HEAT_STACK};
        return true;
    }
    if (address - p->heap_low < p->heap_high - p->heap_low) {
        *range = (heat_range){"heap", p->heap_low, p->heap_high - p->heap_low, HEAT_MEMORY};
        return true;
    }
    const image_symbol *symbol = image_object(&p->image->symbols, address, &offset);
    if (symbol) {
        *range = (heat_range){symbol->name, symbol->address, symbol->size, symbol->function ? HEAT_CODE : HEAT_OBJECT};
        return true;
    }
    return find(p->device, p->devices, address, range) || find(core, sizeof core / sizeof *core, address, range);
}
