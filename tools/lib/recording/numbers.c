/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/numbers.h"

#include <stdlib.h>
#include <string.h>

#include "core/format.h"
#include "tools/lib/base/memory.h"

bool numbers_bus_coding(uint8_t bus_coder, numbers_coding *coding)
{
    unsigned section = bus_coder & ~(unsigned)WEFT_BUS_TRE;
    *coding = section == WEFT_BUS_PLAIN ? NUMBERS_STRIDES : section == WEFT_BUS_BFCM ? NUMBERS_BFCM : NUMBERS_VARINTS;
    return section == WEFT_BUS_PLAIN || section == WEFT_BUS_BFCM || section == WEFT_BUS_VARINTS;
}

static void start_slots(numbers *n, size_t count)
{
    if (count > n->slots_max) {
        n->slots = memory_grow(n->slots, count, sizeof *n->slots);
        memset(n->slots + n->slots_max, 0, (count - n->slots_max) * sizeof *n->slots);
        n->slots_max = count;
    }
    n->mask = (uint32_t)count - 1;
}

static void start_predicted(numbers *n, uint8_t log2)
{
    size_t count = (size_t)1 << log2;
    if (n->all.shift == 32 - log2)
        return;
    n->all.site = memory_grow(n->all.site, count, sizeof *n->all.site);
    n->all.cell = memory_grow(n->all.cell, count, sizeof *n->all.cell);
    n->all.row = memory_grow(n->all.row, count, sizeof *n->all.row);
    memset(n->all.site, 0, count * sizeof *n->all.site);
    n->all.epoch = 0;
    n->all.mask = (uint32_t)count - 1;
    n->all.shift = (uint8_t)(32 - log2);
}

bool numbers_start(numbers *n, bool addresses, numbers_coding coding, uint8_t slots_log2, const uint8_t *bytes,
                   size_t size)
{
    weft_reader_init(&n->reader, bytes, size);
    n->addresses = addresses;
    n->coding = coding;
    n->flags = n->flags_left = 0;
    n->run = 0;
    if (coding == NUMBERS_BFCM && (slots_log2 < 1 || slots_log2 > WEFT_BFCM_SITES_BITS_MAX))
        return false;
    if (coding == NUMBERS_BFCM)
        start_predicted(n, slots_log2);
    else
        start_slots(n, (size_t)1 << slots_log2);
    numbers_restart(n);
    return true;
}

void numbers_restart(numbers *n)
{
    n->last = 0;
    if (n->coding == NUMBERS_BFCM) {
        weft_bfcm_sites_restart(&n->all);
        return;
    }
    if (++n->epoch == 0) {
        for (size_t i = 0; i < n->slots_max; i++)
            n->slots[i].epoch = 0;
        n->epoch = 1;
    }
}

static uint64_t read_varint(weft_reader *reader)
{
    if (reader->status == WEFT_OK && reader->at < reader->size && reader->bytes[reader->at] < 0x80)
        return reader->bytes[reader->at++];
    return weft_read_varint64(reader);
}

static uint64_t next_varint(numbers *n, uint32_t site)
{
    number_slot *s = &n->slots[site & n->mask];
    uint64_t from = s->epoch == n->epoch ? s->value : n->last, code = read_varint(&n->reader) - 1;
    uint64_t value = n->addresses ? (uint32_t)from + (uint32_t)weft_unzigzag((uint32_t)code)
                                  : from + (uint64_t)weft_unzigzag64(code);
    s->epoch = n->epoch;
    return n->last = s->value = n->addresses ? (uint32_t)value : value;
}

/* Whether the next address was predicted; else *difference is its distance from the last one of its slot. */
static bool read_stride(numbers *n, uint32_t *difference)
{
    if (n->run == 0) {
        uint32_t first = weft_read_u8(&n->reader), code = first & (WEFT_CODE_OTHER - 1);
        if (first & 0x80)
            code |= weft_read_varint(&n->reader) << 6;
        if (first & WEFT_CODE_OTHER) {
            *difference = (uint32_t)weft_unzigzag(code);
            return false;
        }
        n->run = first == WEFT_RUN_LONG ? weft_read_varint(&n->reader) : first;
        if (n->run == 0 || first & 0x80) {
            n->reader.status = WEFT_CORRUPT;
            n->run = 1;
        }
    }
    n->run--;
    return true;
}

static uint64_t next_stride(numbers *n, uint32_t site)
{
    number_slot *s = &n->slots[site & n->mask];
    bool stale = s->epoch != n->epoch;
    uint32_t from = (uint32_t)(stale ? n->last : s->value), difference;
    if (stale)
        s->stride = 0;
    s->epoch = n->epoch;
    if (read_stride(n, &difference))
        difference = (uint32_t)s->stride;
    else
        s->stride = stale || (uint32_t)(int16_t)difference != difference ? 0 : (int16_t)difference;
    return n->last = s->value = from + difference;
}

static bool read_flag(numbers *n)
{
    if (n->flags_left == 0) {
        n->flags = weft_read_u8(&n->reader);
        n->flags_left = 8;
    }
    bool flag = n->flags & 1;
    n->flags >>= 1;
    n->flags_left--;
    return flag;
}

/* The code of a number that was not predicted: the method that would have predicted it, or its difference from the last
 * number of its site. Before either, the upper half may stand. */
typedef struct miss {
    unsigned method;
    bool has_high;
    uint32_t high, difference;
} miss;

static miss read_miss(numbers *n)
{
    miss m = {.method = WEFT_SITE_METHODS};
    uint64_t code = read_varint(&n->reader), least = 1;
    m.has_high = code == WEFT_SITE_CODE_HIGH && !n->addresses;
    if (m.has_high) {
        m.high = weft_read_varint(&n->reader);
        code = read_varint(&n->reader);
        least = WEFT_SITE_CODE_DIFFERENCE;
    }
    if (code < least || code == WEFT_SITE_CODE_HIGH || code > (uint64_t)UINT32_MAX + WEFT_SITE_CODE_DIFFERENCE)
        n->reader.status = WEFT_CORRUPT;
    else if (code < WEFT_SITE_CODE_HIGH)
        m.method = (unsigned)code - 1;
    else
        m.difference = (uint32_t)weft_unzigzag((uint32_t)(code - WEFT_SITE_CODE_DIFFERENCE));
    return m;
}

static uint64_t next_predicted(numbers *n, uint32_t number, uint32_t address)
{
    const weft_bfcm_sites *all = &n->all;
    weft_bfcm_site *site = weft_bfcm_sites_slot(all, n->addresses, number, address);
    weft_bfcm_place place = {all, site, number, address, n->addresses};
    uint32_t low, high = site->high;
    if (read_flag(n)) {
        low = weft_bfcm_sites_predict(&place, site->method);
        weft_bfcm_sites_hit(&place, low);
    } else {
        miss m = read_miss(n);
        bool known = m.method < WEFT_SITE_METHODS;
        low = known ? weft_bfcm_sites_predict(&place, m.method) : site->low + m.difference;
        high = m.has_high ? m.high : high;
        weft_bfcm_sites_miss(&place, low, high, known ? m.method : site->method);
    }
    n->last = low;
    return (uint64_t)high << 32 | low;
}

uint64_t numbers_next(numbers *n, uint32_t site, uint32_t address)
{
    switch (n->coding) {
    case NUMBERS_STRIDES:
        return next_stride(n, site);
    case NUMBERS_BFCM:
        return next_predicted(n, site, n->addresses ? (uint32_t)n->last : address);
    default:
        return next_varint(n, site);
    }
}

uint32_t numbers_skip(numbers *n, uint32_t count)
{
    uint32_t hits = 0, difference;
    for (; count && n->reader.status == WEFT_OK; count--) {
        if (n->coding == NUMBERS_VARINTS)
            (void)read_varint(&n->reader);
        else if (n->coding == NUMBERS_STRIDES)
            hits += read_stride(n, &difference);
        else if (read_flag(n))
            hits++;
        else
            (void)read_miss(n);
    }
    return hits;
}

/* All flags that no number used are 1, and no run is left. */
bool numbers_done(const numbers *n)
{
    return n->reader.status == WEFT_OK && weft_reader_left(&n->reader) == 0 && n->run == 0 &&
           n->flags + 1u == 1u << n->flags_left;
}

void numbers_free(numbers *n)
{
    free(n->slots);
    free(n->all.site);
    free(n->all.cell);
    free(n->all.row);
}
