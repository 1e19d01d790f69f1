/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/lib/recording/blackbox.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/recording/blackbox_packed.h"

enum {
    HEAD_SIZE = sizeof(weft_blackbox),
    HEAD_SIZE_1 = HEAD_SIZE - 4, /* of version 1, which has no sum */
    MAGIC_SIZE = 8,
    CHECKED_SIZE = 24,
    HELD_AT = 32,
    HELD_SIZE = 8,
    SIZE_MIN = 16
};
#define SIZE_MAX_BITS 26 /* no box is larger than 64 MB */

_Static_assert(HEAD_SIZE == 48 && offsetof(weft_blackbox, check) == CHECKED_SIZE &&
                   offsetof(weft_blackbox, held_count) == HELD_AT,
               "the head has no gaps");

static bool read_head(weft_blackbox *head, const uint8_t *bytes, size_t size)
{
    weft_reader r;
    weft_reader_init(&r, bytes + MAGIC_SIZE, size - MAGIC_SIZE);
    memcpy(head->magic, bytes, MAGIC_SIZE);
    head->version = weft_read_u8(&r);
    head->form = weft_read_u8(&r);
    (void)weft_read_u16(&r);
    head->size = weft_read_u32(&r);
    head->identity = weft_read_u32(&r);
    head->run = weft_read_u32(&r);
    head->check = weft_read_u32(&r);
    head->mask = weft_read_u32(&r);
    head->held_count = weft_read_u32(&r);
    head->held_first = weft_read_u32(&r);
    head->held_sum = head->version > 1 ? weft_read_u32(&r) : 0;
    head->count = weft_read_u32(&r);
    bool packed = head->form == WEFT_BLACKBOX_PACKED, power = !(head->size & (head->size - 1));
    bool sized = head->size >= SIZE_MIN && (packed || power) && head->size <= 1u << SIZE_MAX_BITS;
    bool known = head->form == WEFT_BLACKBOX_PLAIN16 || head->form == WEFT_BLACKBOX_PLAIN32 || packed;
    return head->version >= 1 && head->version <= WEFT_BLACKBOX_VERSION && known && sized && r.status == WEFT_OK &&
           head->check == weft_crc32(0, bytes, CHECKED_SIZE);
}

size_t blackbox_find(blackbox *box, const uint8_t *image, size_t size, size_t from)
{
    const uint8_t *end = image + size, *at = image + from;
    *box = (blackbox){.path = NULL};
    while ((at = memmem(at, (size_t)(end - at), WEFT_BLACKBOX_MAGIC, MAGIC_SIZE)) &&
           (size_t)(end - at) >= HEAD_SIZE_1) {
        size_t left = (size_t)(end - at);
        if (read_head(&box->head, at, left < HEAD_SIZE ? left : HEAD_SIZE)) {
            box->head_size = box->head.version > 1 ? HEAD_SIZE : HEAD_SIZE_1;
            return (size_t)(at - image);
        }
        at++;
    }
    return size;
}

/* Entry `index`, as 32 bits. */
static uint32_t entry(const weft_blackbox *head, const uint8_t *entries, uint32_t index)
{
    bool narrow = head->form == WEFT_BLACKBOX_PLAIN16;
    size_t width = narrow ? 2 : 4;
    weft_reader r;
    weft_reader_init(&r, entries + index * width, width);
    uint32_t value = narrow ? weft_read_u16(&r) : weft_read_u32(&r);
    if (head->mask == 0 && index == 0)
        value = head->held_first;
    return narrow && (value & 0xffffu) >= WEFT_BLACKBOX_PATHS16 ? value | 0xffff0000u : value;
}

/* core/blackbox.c: weft_blackbox_sum. While it is running, the head has an old one. */
static blackbox_sum check_sum(const blackbox *box, const uint8_t *bytes)
{
    const weft_blackbox *head = &box->head;
    size_t first = head->form == WEFT_BLACKBOX_PLAIN16 ? 2 : 4;
    if (head->mask || !head->held_sum)
        return BLACKBOX_UNSUMMED;
    uint32_t sum = weft_crc32(0, bytes + HELD_AT, HELD_SIZE);
    sum = weft_crc32(sum, bytes + box->head_size + first, head->size - first);
    return head->held_sum == (sum ? sum : UINT32_MAX) ? BLACKBOX_UNCHANGED : BLACKBOX_CHANGED;
}

bool blackbox_read(blackbox *box, const uint8_t *bytes, size_t size, char *message, size_t message_size)
{
    const weft_blackbox *head = &box->head;
    if (head->form == WEFT_BLACKBOX_PACKED)
        return blackbox_unpack(box, bytes, size, message, message_size);
    const uint8_t *entries = bytes + box->head_size;
    uint32_t all = head->size / (head->form == WEFT_BLACKBOX_PLAIN16 ? 2 : 4);
    uint32_t newest = head->mask ? head->count : head->held_count;
    if (size < box->head_size + head->size) {
        snprintf(message, message_size, "the dump ends %zu bytes before the black box does",
                 box->head_size + head->size - size);
        return false;
    }
    /* The entry that comes next may hold a path that is not counted yet. So it is not read: where the one after it was
     * never written, the ring has not been full. */
    bool full = entry(head, entries, (newest + 1) & (all - 1)) != WEFT_BLACKBOX_EMPTY;
    if ((head->mask && head->mask != all - 1) || (!full && newest >= all)) {
        snprintf(message, message_size, "the black box is damaged: its head contradicts its entries");
        return false;
    }
    box->count = full ? all - 1 : newest;
    box->overwritten = full ? (newest < all - 1 ? (uint64_t)1 << 32 : 0) + newest - (all - 1) : 0;
    box->total = newest;
    box->sum = check_sum(box, bytes);
    box->path = memory_zero(box->count + 1, sizeof *box->path);
    for (uint64_t i = 0; i < box->count; i++)
        box->path[i] = entry(head, entries, (newest - (uint32_t)box->count + (uint32_t)i) & (all - 1));
    return true;
}

void blackbox_each(const blackbox *box, void (*take)(void *own, uint32_t context, uint32_t path), void *own)
{
    if (!box->path)
        blackbox_unpack_each(box, take, own);
    for (uint64_t i = 0; box->path && i < box->count; i++)
        take(own, 0, box->path[i]);
}

void blackbox_free(blackbox *box)
{
    free(box->path);
    free(box->run);
    free(box->table);
}
