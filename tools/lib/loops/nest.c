/* SPDX-License-Identifier: MIT */
#include "tools/lib/loops/nest.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

nest *nest_new(const uint32_t *symbols, uint32_t alphabet)
{
    nest *n = memory_zero(1, sizeof *n);
    n->symbols = memory_grow(NULL, alphabet, sizeof *n->symbols);
    if (alphabet)
        memcpy(n->symbols, symbols, alphabet * sizeof *symbols);
    n->alphabet = alphabet;
    return n;
}

void nest_free(nest *n)
{
    if (!n)
        return;
    free(n->symbols);
    free(n->loops);
    free(n->items);
    free(n->slots);
    free(n);
}

size_t nest_bytes(const nest *n)
{
    return n->loop_max * sizeof *n->loops + n->item_max * sizeof *n->items + n->slot_count * sizeof *n->slots;
}

static uint64_t hash_loop(const uint32_t *body, uint32_t size, uint32_t iterations)
{
    uint64_t hash = iterations;
    for (uint32_t i = 0; i < size; i++)
        hash = (hash ^ body[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
    return hash;
}

static bool loop_is(const nest *n, const nest_loop *loop, const uint32_t *body, uint32_t size, uint32_t iterations)
{
    return loop->size == size && loop->iterations == iterations &&
           !memcmp(n->items + loop->first, body, size * sizeof *body);
}

static void rehash(nest *n)
{
    n->slot_count = n->slot_count ? 2 * n->slot_count : 64;
    free(n->slots);
    n->slots = memory_zero(n->slot_count, sizeof *n->slots);
    for (uint32_t i = 0; i < n->loop_count; i++) {
        const nest_loop *loop = n->loops + i;
        size_t slot = hash_loop(n->items + loop->first, loop->size, loop->iterations) & (n->slot_count - 1);
        while (n->slots[slot])
            slot = (slot + 1) & (n->slot_count - 1);
        n->slots[slot] = i + 1;
    }
}

static void append(nest *n, const uint32_t *items, size_t size)
{
    if (size == 0)
        return;
    n->items = memory_room(n->items, n->item_count + size - 1, &n->item_max, sizeof *n->items);
    memcpy(n->items + n->item_count, items, size * sizeof *items);
    n->item_count += size;
}

uint32_t nest_intern(nest *n, const uint32_t *body, uint32_t size, uint32_t iterations)
{
    if (2 * (size_t)n->loop_count >= n->slot_count)
        rehash(n);
    size_t slot = hash_loop(body, size, iterations) & (n->slot_count - 1);
    for (; n->slots[slot]; slot = (slot + 1) & (n->slot_count - 1))
        if (loop_is(n, n->loops + n->slots[slot] - 1, body, size, iterations))
            return n->alphabet + n->slots[slot] - 1;
    n->loops = memory_room(n->loops, n->loop_count, &n->loop_max, sizeof *n->loops);
    n->loops[n->loop_count] = (nest_loop){n->item_count, size, iterations};
    append(n, body, size);
    n->slots[slot] = ++n->loop_count;
    return n->alphabet + n->loop_count - 1;
}

void nest_set_root(nest *n, const uint32_t *root, size_t size)
{
    n->root = n->item_count;
    append(n, root, size);
    uint64_t *body = nest_body_lengths(n);
    for (size_t i = 0; i < size; i++)
        n->length += nest_is_loop(n, root[i]) ? body[root[i] - n->alphabet] * nest_loop_of(n, root[i])->iterations : 1;
    free(body);
}

uint64_t *nest_body_lengths(const nest *n)
{
    uint64_t *lengths = memory_zero(n->loop_count, sizeof *lengths);
    for (uint32_t i = 0; i < n->loop_count; i++)
        for (uint32_t k = 0; k < n->loops[i].size; k++) {
            uint32_t item = n->items[n->loops[i].first + k];
            lengths[i] += nest_is_loop(n, item) ? lengths[item - n->alphabet] * nest_loop_of(n, item)->iterations : 1;
        }
    return lengths;
}

nest_stats nest_measure(const nest *n)
{
    nest_stats stats = {.length = n->length, .loops = n->loop_count};
    /* Symbols and loops written, and depth, of each loop; last the root. */
    nest_stats *each = memory_zero((size_t)n->loop_count + 1, sizeof *each);
    for (uint32_t i = 0; i <= n->loop_count; i++) {
        bool root = i == n->loop_count;
        size_t first = root ? n->root : n->loops[i].first;
        size_t end = root ? n->item_count : first + n->loops[i].size;
        for (; first < end; first++) {
            uint32_t item = n->items[first];
            if (!nest_is_loop(n, item)) {
                each[i].symbols++;
                continue;
            }
            const nest_stats *inner = each + (item - n->alphabet);
            each[i].symbols += inner->symbols;
            each[i].written += inner->written + 1;
            each[i].depth = inner->depth + 1 > each[i].depth ? inner->depth + 1 : each[i].depth;
        }
    }
    stats.symbols = each[n->loop_count].symbols;
    stats.written = each[n->loop_count].written;
    stats.depth = each[n->loop_count].depth;
    free(each);
    return stats;
}

/* A place in a body (or the root) that is being walked. */
typedef struct place {
    size_t at, end;
    uint32_t item;  /* the loop; unused for the root */
    uint64_t start; /* position of the loop's first symbol */
    uint32_t left;  /* iterations to come */
} place;

static place place_of(const nest *n, uint32_t item, uint64_t start)
{
    const nest_loop *loop = nest_loop_of(n, item);
    return (place){loop->first, loop->first + loop->size, item, start, loop->iterations - 1};
}

static void leave_loop(const nest_visitor *v, uint32_t loop, uint64_t start, unsigned depth)
{
    if (v->leave)
        v->leave(v->context, loop, start, depth);
}

static void enter_loop(const nest_visitor *v, uint32_t loop, uint64_t at, unsigned depth)
{
    if (v->enter)
        v->enter(v->context, loop, at, depth);
}

static void pass_symbol(const nest_visitor *v, uint32_t symbol, uint64_t at, unsigned depth)
{
    if (v->symbol)
        v->symbol(v->context, symbol, at, depth);
}

void nest_walk(const nest *n, const nest_visitor *v)
{
    uint64_t *body = nest_body_lengths(n), at = 0;
    place stack[NEST_DEPTH_MAX + 1] = {{.at = n->root, .end = n->item_count}};
    unsigned depth = 0;
    for (;;) {
        place *p = stack + depth;
        if (p->at < p->end) {
            uint32_t item = n->items[p->at++];
            if (nest_is_loop(n, item)) {
                enter_loop(v, item - n->alphabet, at, depth);
                stack[++depth] = place_of(n, item, at);
            } else {
                pass_symbol(v, n->symbols[item], at++, depth);
            }
        } else if (depth) {
            uint32_t loop = p->item - n->alphabet;
            at = p->start + body[loop] * n->loops[loop].iterations;
            depth--;
            leave_loop(v, loop, p->start, depth);
        } else {
            break;
        }
    }
    free(body);
}

bool nest_expand(const nest *n, bool (*take)(void *context, uint32_t symbol), void *context)
{
    place stack[NEST_DEPTH_MAX + 1] = {{.at = n->root, .end = n->item_count}};
    unsigned depth = 0;
    for (;;) {
        place *p = stack + depth;
        if (p->at < p->end) {
            uint32_t item = n->items[p->at++];
            if (nest_is_loop(n, item))
                stack[++depth] = place_of(n, item, 0);
            else if (!take(context, n->symbols[item]))
                return false;
        } else if (depth && p->left) {
            p->left--;
            p->at = nest_loop_of(n, p->item)->first;
        } else if (depth) {
            depth--;
        } else {
            return true;
        }
    }
}
