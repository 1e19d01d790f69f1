/* SPDX-License-Identifier: MIT */
/* Making columns. How they get into the file: column_write.c. */
#include "tools/lib/wet/column.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

#define SMALL_MAX 512u  /* longer streams are always blocks */
#define PATTERN_MIN 64u /* executions from which a pattern may pay */
#define UNIQUE_PART 4u  /* at most a fourth of the values is unique */
#define SAMPLE 4096u    /* numbers that stand for a column. More: better choices, slower */
#define LATER_MIN 8192u /* a column from which estimating it first may pay */

static uint32_t column_new(wet_columns *c, uint32_t *words, uint32_t count)
{
    c->all = memory_room(c->all, c->count, &c->max, sizeof *c->all);
    c->all[c->count] = (wet_column){.words = words, .count = count, .kind = {WET_RAW, WET_RAW}};
    return c->count++;
}

static bool all_equal(const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (words[i] != words[0])
            return false;
    return true;
}

/* 128 bits of check sum: columns that agree in them are the same. */
static void sums_make(wet_column *column)
{
    uint64_t a = column->count, b = 1;
    for (uint32_t i = 0; i < column->count; i++) {
        a = (a ^ column->words[i]) * UINT64_C(0x9e3779b97f4a7c15);
        a ^= a >> 32;
        b = (b + column->words[i]) * UINT64_C(0xd6e8feb86659fd93);
        b ^= b >> 29;
    }
    column->sums[0] = a;
    column->sums[1] = b;
}

/* The first column with the same numbers. A part of a pattern is not described by a pattern. */
static uint32_t find_same(const wet_columns *c, uint32_t index, bool part)
{
    const wet_column *column = &c->all[index];
    for (uint32_t i = 0; i < index; i++) {
        const wet_column *other = &c->all[i];
        if (part && (other->kind[0] == WET_PATTERN || other->kind[1] == WET_PATTERN))
            continue;
        if (!other->hidden && other->kind[0] != WET_SAME && other->count == column->count &&
            other->sums[0] == column->sums[0] && other->sums[1] == column->sums[1])
            return i;
    }
    return WET_NONE;
}

static void small_pack(squeeze_bytes *out, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0, last = 0; i < count; last = words[i++])
        squeeze_bytes_varint(out, weft_zigzag((int32_t)(words[i] - last)));
}

static void blocks_pack(wet_column *column, squeeze_coder *coder)
{
    for (uint32_t at = 0; at < column->count; at += WET_BLOCK) {
        uint32_t size = column->count - at < WET_BLOCK ? column->count - at : WET_BLOCK;
        size_t before = column->data.size;
        squeeze_encode(coder, &column->data, column->words + at, size);
        squeeze_bytes_varint(&column->sizes, column->data.size - before);
    }
}

/* Once: a column that has a form in tier 2 keeps it. */
static void tier2_pack(wet_column *column, squeeze_coder *coder)
{
    if (column->coded || column->kind[1] != WET_RAW)
        return;
    column->coded = true;
    column->kind[1] = WET_CODED;
    if (column->count <= SMALL_MAX) {
        squeeze_bytes small = {0};
        small_pack(&small, column->words, column->count);
        if (column->count > 16)
            blocks_pack(column, coder);
        if (column->count <= 16 || small.size <= column->data.size + column->sizes.size) {
            squeeze_bytes_free(&column->data);
            squeeze_bytes_free(&column->sizes);
            column->data = small;
            column->kind[1] = WET_SMALL;
            squeeze_bytes_varint(&column->sizes, small.size);
        } else {
            squeeze_bytes_free(&small);
        }
    } else {
        blocks_pack(column, coder);
    }
    column->bytes[1] = column->data.size + column->sizes.size;
}

/* Bytes that words take in tier 2, about: a sample stands for long columns. */
static uint64_t words_estimate(squeeze_coder *coder, const uint32_t *words, uint32_t count)
{
    squeeze_bytes bytes = {0};
    uint32_t part = count < SAMPLE ? count : SAMPLE;
    squeeze_encode(coder, &bytes, words + (count - part) / 2, part);
    uint64_t size = bytes.size;
    squeeze_bytes_free(&bytes);
    return size * count / part;
}

static void tier2_make(wet_column *column, squeeze_coder *coder, bool later)
{
    if (!later || column->count < LATER_MIN || column->coded || column->kind[1] != WET_RAW) {
        tier2_pack(column, coder);
        return;
    }
    column->coded = column->later = true;
    column->kind[1] = WET_CODED;
    column->bytes[1] = words_estimate(coder, column->words, column->count);
}

static void raw_pack(wet_column *column, unsigned width, bool keep)
{
    column->kind[0] = width == 4 ? WET_RAW : width == 2 ? WET_RAW16 : WET_RAW8;
    column->bytes[0] = (uint64_t)column->count * width;
    if (!keep)
        return;
    squeeze_bytes_add(&column->raw, NULL, (size_t)column->bytes[0]);
    for (uint32_t i = 0; i < column->count; i++)
        for (unsigned k = 0; k < width; k++)
            column->raw.data[(size_t)i * width + k] = (uint8_t)(column->words[i] >> (8 * k));
}

/* ---- unique values and pattern ---- */

typedef struct uniques {
    uint32_t *values, *pattern, count;
} uniques;

/* Values in order of appearance. False: too many. */
static bool uniques_find(uniques *u, const uint32_t *words, uint32_t count)
{
    uint32_t limit = count / UNIQUE_PART, slots = 64;
    while (slots < 2 * limit)
        slots *= 2;
    uint32_t *table = memory_zero(slots, sizeof *table);
    *u = (uniques){memory_zero(limit + 1, sizeof(uint32_t)), memory_zero(count, sizeof(uint32_t)), 0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = words[i] * 0x9e3779b1u;
        at = (at ^ at >> 15) & (slots - 1);
        while (table[at] && u->values[table[at] - 1] != words[i])
            at = (at + 1) & (slots - 1);
        if (!table[at]) {
            if (u->count == limit) {
                free(table);
                free(u->values);
                free(u->pattern);
                return false;
            }
            u->values[u->count++] = words[i];
            table[at] = u->count;
        }
        u->pattern[i] = table[at] - 1;
    }
    free(table);
    return true;
}

enum { PLAIN, VALUES, PART }; /* what a column is: VALUES may become a pattern */

static uint32_t column_add(wet_columns *c, squeeze_coder *coder, uint32_t *words, uint32_t count, int what, bool later);

static uint32_t most_of(const uint32_t *words, uint32_t count)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        most |= words[i];
    return most;
}

/* Adds unique values and pattern of a column, as columns of their own; the pattern not yet in tier 2. */
static void pattern_add(wet_columns *c, uint32_t index, squeeze_coder *coder, const uniques *u)
{
    uint32_t count = c->all[index].count;
    c->all[index].hidden = true; /* a pattern may look like the values, but must not be described by them */
    uint32_t pattern = column_add(c, coder, u->pattern, count, PART, false);
    uint32_t unique = column_add(c, coder, u->values, u->count, PART, false);
    unsigned width = u->count <= 256 ? 1 : u->count <= 65536 ? 2 : 4;
    if (c->all[pattern].kind[0] == WET_RAW && width < 4) {
        squeeze_bytes_free(&c->all[pattern].raw);
        raw_pack(&c->all[pattern], width, c->tier == 1);
    }
    c->all[index].hidden = false;
    c->all[index].unique = unique;
    c->all[index].pattern = pattern;
}

/* Whether tier 2 takes the pattern. Of few values it makes symbols; else both are estimated. */
static bool pattern_pays(const wet_columns *c, uint32_t index, squeeze_coder *coder)
{
    const wet_column *column = &c->all[index], *unique = &c->all[column->unique], *pattern = &c->all[column->pattern];
    bool shared = pattern->kind[1] == WET_SAME;
    if (!shared && unique->count <= 256)
        return most_of(column->words, column->count) >= 256;
    uint64_t parts = words_estimate(coder, unique->words, unique->count);
    if (!shared)
        parts += words_estimate(coder, pattern->words, pattern->count);
    return parts < words_estimate(coder, column->words, column->count);
}

static void words_free(wet_column *column)
{
    free(column->words);
    column->words = NULL;
}

/* Removes the columns from `before` on that no tier needs. */
static void columns_drop(wet_columns *c, uint32_t before)
{
    for (uint32_t i = before; i < c->count; i++) {
        free(c->all[i].words);
        squeeze_bytes_free(&c->all[i].raw);
        squeeze_bytes_free(&c->all[i].data);
        squeeze_bytes_free(&c->all[i].sizes);
    }
    c->count = before;
}

/* Section 3.2 of the paper; taken in each tier where it is smaller. */
static void pattern_try(wet_columns *c, uint32_t index, squeeze_coder *coder, bool later)
{
    uniques u;
    if (c->all[index].count < PATTERN_MIN || !uniques_find(&u, c->all[index].words, c->all[index].count))
        return;
    uint32_t before = c->count;
    pattern_add(c, index, coder, &u);
    wet_column *column = &c->all[index], *unique = &c->all[column->unique], *pattern = &c->all[column->pattern];
    bool used[2] = {unique->bytes[0] + pattern->bytes[0] < column->bytes[0], pattern_pays(c, index, coder)};
    if (used[0]) {
        column->kind[0] = WET_PATTERN;
        column->bytes[0] = 0;
        squeeze_bytes_free(&column->raw);
    }
    if (used[1]) {
        tier2_make(unique, coder, later);
        tier2_make(pattern, coder, later);
        column->kind[1] = WET_PATTERN;
        column->bytes[1] = 0;
        squeeze_bytes_free(&column->data);
        squeeze_bytes_free(&column->sizes);
    }
    words_free(unique);
    words_free(pattern);
    if (!used[0] && !used[1])
        columns_drop(c, before);
}

/* Describes a column as the same as an earlier one. In tier 2 too, if the earlier one has a form there. */
static void same_take(wet_columns *c, uint32_t index, uint32_t same)
{
    wet_column *column = &c->all[index];
    column->kind[0] = WET_SAME;
    column->same = same;
    if (c->all[same].coded || c->all[same].kind[1] == WET_PATTERN)
        column->kind[1] = WET_SAME;
}

static uint32_t column_add(wet_columns *c, squeeze_coder *coder, uint32_t *words, uint32_t count, int what, bool later)
{
    uint32_t index = column_new(c, words, count), same;
    wet_column *column = &c->all[index];
    if (!count || all_equal(words, count)) {
        column->kind[0] = column->kind[1] = WET_CONSTANT;
        column->value = count ? words[0] : 0;
        column->hidden = true;
    } else {
        sums_make(column);
        same = find_same(c, index, what == PART);
        if (same != WET_NONE)
            same_take(c, index, same);
        else
            raw_pack(column, 4, c->tier == 1);
        if (same == WET_NONE && what == VALUES)
            pattern_try(c, index, coder, later);
        if (what != PART)
            tier2_make(&c->all[index], coder, later);
    }
    if (what != PART)
        words_free(&c->all[index]);
    return index;
}

uint32_t wet_columns_add(wet_columns *c, squeeze_coder *coder, uint32_t *words, uint32_t count, bool values, bool later)
{
    return column_add(c, coder, words, count, values ? VALUES : PLAIN, later);
}

uint64_t wet_columns_estimate(wet_columns *c, squeeze_coder *coder, const uint32_t *words, uint32_t count)
{
    if (!count || all_equal(words, count))
        return 0;
    uint32_t index = column_new(c, (uint32_t *)(uintptr_t)words, count); /* for a moment */
    sums_make(&c->all[index]);
    bool same = find_same(c, index, false) != WET_NONE;
    c->count--;
    return same ? 0 : words_estimate(coder, words, count);
}

uint32_t wet_columns_infer(wet_columns *c)
{
    uint32_t index = column_new(c, NULL, 0);
    c->all[index].kind[0] = c->all[index].kind[1] = WET_INFERRED;
    return index;
}

uint64_t wet_column_bytes(const wet_columns *c, uint32_t index, int tier)
{
    const wet_column *column = &c->all[index];
    if (column->kind[tier - 1] != WET_PATTERN)
        return column->bytes[tier - 1];
    return wet_column_bytes(c, column->unique, tier) + wet_column_bytes(c, column->pattern, tier);
}

void wet_columns_free(wet_columns *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        squeeze_bytes_free(&c->all[i].raw);
        squeeze_bytes_free(&c->all[i].data);
        squeeze_bytes_free(&c->all[i].sizes);
    }
    free(c->all);
    *c = (wet_columns){0};
}

uint32_t wet_columns_written(const wet_columns *columns, uint32_t column, uint32_t written[2])
{
    written[0] = wet_column_same(columns, column);
    if (columns->all[written[0]].kind[1] != WET_PATTERN)
        return 1;
    written[1] = wet_column_same(columns, columns->all[written[0]].pattern);
    written[0] = wet_column_same(columns, columns->all[written[0]].unique);
    return 2;
}

bool wet_columns_waits(const wet_columns *columns, uint32_t column)
{
    uint32_t written[2];
    bool waits = false;
    for (uint32_t i = wet_columns_written(columns, column, written); i-- > 0;)
        waits |= columns->all[written[i]].later;
    return waits;
}

static void code_now(wet_columns *c, uint32_t index, squeeze_coder *coder, uint32_t *words)
{
    wet_column *column = &c->all[wet_column_same(c, index)];
    if (!column->later)
        return;
    column->later = column->coded = false;
    column->kind[1] = WET_RAW;
    column->words = words;
    tier2_pack(column, coder);
    column->words = NULL;
}

void wet_columns_code(wet_columns *c, squeeze_coder *coder, uint32_t index, uint32_t *words)
{
    const wet_column *column = &c->all[wet_column_same(c, index)];
    uniques u;
    if (column->kind[1] != WET_PATTERN) {
        code_now(c, index, coder, words);
    } else if (wet_columns_waits(c, index) && uniques_find(&u, words, column->count)) {
        code_now(c, column->unique, coder, u.values);
        code_now(c, column->pattern, coder, u.pattern);
        free(u.values);
        free(u.pattern);
    }
}
