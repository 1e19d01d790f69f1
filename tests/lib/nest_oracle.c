/* SPDX-License-Identifier: MIT */
#include "tests/lib/nest_oracle.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same(const int *a, const int *b, size_t size)
{
    return !memcmp(a, b, size * sizeof *a);
}

static bool is_primitive(const int *body, size_t size)
{
    for (size_t p = 1; p < size; p++)
        if (size % p == 0 && same(body, body + p, size - p))
            return false;
    return true;
}

/* Iterations of the PM-repeat with a body of `size` symbols at i; 0 if there is none. */
static size_t pm_repeat(const int *text, size_t length, size_t i, size_t size)
{
    size_t l = 1;
    while (i + (l + 1) * size <= length && same(text + i, text + i + l * size, size))
        l++;
    if (l < 2 || (i >= size && same(text + i - size, text + i, size)) || !is_primitive(text + i, size))
        return 0;
    return l;
}

static void spell(const int *text, size_t length, char **out)
{
    size_t best_i = 0, best_size = 0, best_l = 0;
    for (size_t size = length / 2; size > 0 && !best_size; size--)
        for (size_t i = 0; i + 2 * size <= length; i++) {
            size_t l = pm_repeat(text, length, i, size);
            if (l > best_l) {
                best_i = i;
                best_size = size;
                best_l = l;
            }
        }
    if (!best_size) {
        for (size_t i = 0; i < length; i++)
            *(*out)++ = (char)text[i];
        **out = 0;
        return;
    }
    size_t end = best_i + best_size * best_l;
    spell(text, best_i, out);
    *(*out)++ = '(';
    spell(text + best_i, best_size, out);
    *out += sprintf(*out, ")^%zu", best_l);
    spell(text + end, length - end, out);
}

void oracle_optimal(const char *text, size_t size, char *out)
{
    int symbols[ORACLE_MAX];
    for (size_t i = 0; i < size; i++)
        symbols[i] = (unsigned char)text[i];
    *out = 0;
    spell(symbols, size, &out);
}

/* ---- greedy ---- */

enum { LOOP = 256 };

static struct {
    int body[ORACLE_MAX];
    size_t size, l;
} loops[ORACLE_MAX];
static int loop_count;

static int intern(const int *body, size_t size, size_t l)
{
    for (int i = 0; i < loop_count; i++)
        if (loops[i].size == size && loops[i].l == l && same(loops[i].body, body, size))
            return LOOP + i;
    memcpy(loops[loop_count].body, body, size * sizeof *body);
    loops[loop_count].size = size;
    loops[loop_count].l = l;
    return LOOP + loop_count++;
}

static void spell_items(const int *items, size_t size, char **out)
{
    for (size_t i = 0; i < size; i++) {
        if (items[i] < LOOP) {
            *(*out)++ = (char)items[i];
            continue;
        }
        *(*out)++ = '(';
        spell_items(loops[items[i] - LOOP].body, loops[items[i] - LOOP].size, out);
        *out += sprintf(*out, ")^%zu", loops[items[i] - LOOP].l);
    }
    **out = 0;
}

/* The longest repeat of a period that no chosen one covers yet. Its iterations; 0: there is none. */
static size_t longest_repeat(const int *text, size_t length, size_t level, const int *reduced, size_t *best_i)
{
    size_t best_l = 0;
    for (size_t i = 0; i + 2 * level <= length; i++) {
        size_t l = pm_repeat(text, length, i, level);
        for (size_t k = i; k < i + l * level; k++)
            if (reduced[k])
                l = 0;
        if (l > best_l) {
            best_l = l;
            *best_i = i;
        }
    }
    return best_l;
}

/* One level; the new length. */
static size_t reduce_level(int *text, size_t length, size_t level)
{
    static int reduced[ORACLE_MAX]; /* at a chosen repeat's start: the loop; covered: -1; else 0 */
    memset(reduced, 0, sizeof reduced);
    size_t best_i = 0, best_l;
    while ((best_l = longest_repeat(text, length, level, reduced, &best_i)) > 0) {
        for (size_t k = best_i; k < best_i + best_l * level; k++)
            reduced[k] = -1;
        reduced[best_i] = intern(text + best_i, level, best_l);
    }
    size_t to = 0;
    for (size_t i = 0; i < length; i++)
        if (reduced[i] >= 0)
            text[to++] = reduced[i] ? reduced[i] : text[i];
    return to;
}

void oracle_greedy(const char *text, size_t size, char *out)
{
    static int current[ORACLE_MAX];
    for (size_t i = 0; i < size; i++)
        current[i] = (unsigned char)text[i];
    loop_count = 0;
    for (size_t level = 1; level <= size / 2;) {
        size_t after = reduce_level(current, size, level);
        level = after == size ? level + 1 : 1;
        size = after;
    }
    spell_items(current, size, &out);
}
