/* SPDX-License-Identifier: MIT */
#include "core/blackbox.h"

#include <string.h>

#include "core/bytes.h"
#include "core/own.h"

static uint32_t check_of(const weft_blackbox *box)
{
    return weft_crc32(0, (const uint8_t *)box, offsetof(weft_blackbox, check));
}

static uint32_t full_mask(const weft_blackbox *box)
{
    return box->size / (box->form == WEFT_BLACKBOX_PLAIN16 ? 2 : 4) - 1;
}

/* Entries are copied as bytes, since their type differs with the form. */
static void set_entry(weft_blackbox *box, uint32_t index, uint32_t value)
{
    uint8_t *entries = (uint8_t *)(box + 1);
    uint16_t half = (uint16_t)value;
    if (box->form == WEFT_BLACKBOX_PLAIN16)
        memcpy(entries + 2 * (size_t)index, &half, sizeof half);
    else
        memcpy(entries + 4 * (size_t)index, &value, sizeof value);
}

static uint32_t first_entry(const weft_blackbox *box)
{
    uint32_t word = 0;
    uint16_t half = 0;
    if (box->form == WEFT_BLACKBOX_PLAIN16) {
        memcpy(&half, box + 1, sizeof half);
        return half;
    }
    memcpy(&word, box + 1, sizeof word);
    return word;
}

static void next_run(weft_blackbox *box)
{
    box->run++;
    *(volatile uint32_t *)&box->check = check_of(box);
}

static void push(weft_blackbox *box, uint32_t value)
{
    set_entry(box, box->count++ & box->mask, value);
}

/* Whether memory that survived a reset is a box like `wanted`. */
static bool survived(const weft_blackbox *box, const weft_blackbox *wanted)
{
    return memcmp(box->magic, wanted->magic, sizeof box->magic) == 0 && box->version == wanted->version &&
           box->form == wanted->form && box->size == wanted->size && box->identity == wanted->identity &&
           box->check == check_of(box) && (box->mask == 0 || box->mask == full_mask(box));
}

weft_status weft_blackbox_begin(weft_blackbox *box, size_t bytes, weft_blackbox_form form, uint32_t identity,
                                weft_blackbox_found *found)
{
    weft_blackbox wanted = {
        .magic = WEFT_BLACKBOX_MAGIC, .version = WEFT_BLACKBOX_VERSION, .form = (uint8_t)form, .identity = identity};
    wanted.size = 16;
    if (bytes < sizeof *box + wanted.size)
        return WEFT_CONFIG;
    while (wanted.size <= (bytes - sizeof *box) / 2)
        wanted.size *= 2;
    *found = !survived(box, &wanted) ? WEFT_BLACKBOX_NOTHING : box->mask ? WEFT_BLACKBOX_WENT_ON : WEFT_BLACKBOX_HELD;
    if (*found == WEFT_BLACKBOX_NOTHING) {
        *box = wanted;
        weft_blackbox_empty(box);
    }
    if (*found == WEFT_BLACKBOX_WENT_ON)
        next_run(box);
    return WEFT_OK;
}

void weft_blackbox_open(weft_blackbox *box, weft_blackbox_found found)
{
    if (found == WEFT_BLACKBOX_NOTHING) {
        set_entry(box, 0, WEFT_BLACKBOX_EMPTY); /* which paths were written to meanwhile */
        box->count = 0;
        box->mask = full_mask(box);
    } else if (found == WEFT_BLACKBOX_WENT_ON) {
        push(box, WEFT_BLACKBOX_RESET);
    }
}

void weft_blackbox_hold(weft_blackbox *box)
{
    if (!box->mask)
        return;
    box->held_count = box->count;
    box->held_first = first_entry(box);
    box->held_sum = 0;
    box->mask = 0;
}

/* Entry 0 is where paths go while the ring is held. */
uint32_t weft_blackbox_sum(const weft_blackbox *box)
{
    const uint8_t *entries = (const uint8_t *)(box + 1);
    size_t first = box->form == WEFT_BLACKBOX_PLAIN16 ? 2 : 4;
    uint32_t sum = weft_crc32(0, (const uint8_t *)&box->held_count, sizeof box->held_count + sizeof box->held_first);
    sum = weft_crc32(sum, entries + first, box->size - first);
    return sum ? sum : UINT32_MAX;
}

void weft_blackbox_keep_sum(weft_blackbox *box, uint32_t held_count, uint32_t sum)
{
    if (!box->mask && !box->held_sum && box->held_count == held_count)
        box->held_sum = sum;
}

void weft_blackbox_resume(weft_blackbox *box)
{
    if (box->mask)
        return;
    box->count = box->held_count;
    set_entry(box, 0, box->held_first);
    box->mask = full_mask(box);
    push(box, WEFT_BLACKBOX_PAUSE);
}

void weft_blackbox_empty(weft_blackbox *box)
{
    *(volatile uint32_t *)&box->check = ~box->check; /* until all is written */
    *(volatile uint32_t *)&box->mask = 0;
    memset(box + 1, 0xff, box->size);
    box->held_count = 0;
    box->held_first = WEFT_BLACKBOX_EMPTY;
    box->held_sum = 0;
    next_run(box);
}
