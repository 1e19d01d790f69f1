/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/space.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

#define PAGE 1024u
#define PAGES_MAX (1u << 20) /* 1 GB: a program that stores more has gone astray; what it stores then is not kept */

typedef struct page {
    uint8_t bytes[PAGE], known[PAGE];
} page;

typedef struct change {
    uint32_t address;
    uint8_t byte, known;
} change;

struct rerun_space {
    const image *im;
    bool zero;
    page **slots; /* by page number, open addressing */
    uint32_t *numbers;
    size_t slot_max, count;
    unsigned marks; /* that are open: then changes are noted */
    change *changes;
    size_t change_count, change_max;
};

rerun_space *rerun_space_open(const image *im, bool zero)
{
    rerun_space *space = memory_zero(1, sizeof *space);
    space->im = im;
    space->zero = zero;
    space->slot_max = 256;
    space->slots = memory_zero(space->slot_max, sizeof *space->slots);
    space->numbers = memory_zero(space->slot_max, sizeof *space->numbers);
    return space;
}

void rerun_space_close(rerun_space *space)
{
    if (!space)
        return;
    for (size_t i = 0; i < space->slot_max; i++)
        free(space->slots[i]);
    free(space->slots);
    free(space->numbers);
    free(space->changes);
    free(space);
}

/* Where a page stands, or would. */
static size_t slot_of(const rerun_space *space, uint32_t number)
{
    size_t i = (number * 0x9e3779b1u) & (space->slot_max - 1);
    while (space->slots[i] && space->numbers[i] != number)
        i = (i + 1) & (space->slot_max - 1);
    return i;
}

static void grow(rerun_space *space)
{
    page **slots = space->slots;
    uint32_t *numbers = space->numbers;
    size_t old = space->slot_max;
    space->slot_max *= 2;
    space->slots = memory_zero(space->slot_max, sizeof *space->slots);
    space->numbers = memory_zero(space->slot_max, sizeof *space->numbers);
    for (size_t i = 0; i < old; i++) {
        if (!slots[i])
            continue;
        size_t to = slot_of(space, numbers[i]);
        space->slots[to] = slots[i];
        space->numbers[to] = numbers[i];
    }
    free(slots);
    free(numbers);
}

/* The byte that stands there at reset. False: it is not known. */
static bool first_byte(const rerun_space *space, uint32_t address, uint8_t *byte)
{
    *byte = 0;
    if (rerun_is_device(address))
        return false;
    const uint8_t *loaded = image_loaded(space->im, address, 1);
    if (loaded)
        *byte = *loaded;
    return loaded || space->zero;
}

static page *page_of(rerun_space *space, uint32_t address)
{
    uint32_t number = address / PAGE;
    size_t i = slot_of(space, number);
    if (space->slots[i])
        return space->slots[i];
    if (space->count >= PAGES_MAX)
        return NULL;
    if (2 * (space->count + 1) > space->slot_max) {
        grow(space);
        i = slot_of(space, number);
    }
    page *made = memory_zero(1, sizeof *made);
    for (uint32_t at = 0; at < PAGE; at++)
        made->known[at] = first_byte(space, number * PAGE + at, &made->bytes[at]);
    space->slots[i] = made;
    space->numbers[i] = number;
    space->count++;
    return made;
}

bool rerun_load(rerun_space *space, uint32_t address, unsigned size, uint64_t *value)
{
    uint64_t got = 0;
    bool known = true;
    for (unsigned i = 0; i < size && known; i++) {
        uint32_t at = address + i;
        const page *p = rerun_is_device(at) ? NULL : page_of(space, at);
        known = p && p->known[at % PAGE];
        if (known)
            got |= (uint64_t)p->bytes[at % PAGE] << (8 * i);
    }
    *value = known ? got : 0;
    return known;
}

void rerun_store(rerun_space *space, uint32_t address, unsigned size, uint64_t value, bool known)
{
    for (unsigned i = 0; i < size; i++) {
        uint32_t at = address + i;
        page *p = rerun_is_device(at) ? NULL : page_of(space, at);
        if (!p)
            continue;
        uint8_t *byte = &p->bytes[at % PAGE], *is_known = &p->known[at % PAGE];
        if (space->marks) {
            space->changes =
                memory_room(space->changes, space->change_count, &space->change_max, sizeof *space->changes);
            space->changes[space->change_count++] = (change){at, *byte, *is_known};
        }
        *byte = (uint8_t)(value >> (8 * i));
        *is_known = known;
    }
}

size_t rerun_mark(rerun_space *space)
{
    space->marks++;
    return space->change_count;
}

void rerun_back(rerun_space *space, size_t mark)
{
    while (space->change_count > mark) {
        const change *c = &space->changes[--space->change_count];
        page *p = page_of(space, c->address);
        p->bytes[c->address % PAGE] = c->byte;
        p->known[c->address % PAGE] = c->known;
    }
    space->marks--;
}
