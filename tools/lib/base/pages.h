/* SPDX-License-Identifier: MIT */
/* A value for each number of a large range, as an address or the number of a word: zero until it is written. A page of
 * values is made when the first of them is written. What all of them take, in memory and in time to give it back,
 * follows from the pages that were made, not from the range.
 *
 *     const word *page = p->all[number >> BITS];                    NULL: none of its values was written
 *     word *page = pages_take(p, number >> BITS, 1u << BITS, sizeof *page);
 *     page[number & ((1u << BITS) - 1)] = value; */
#ifndef WEFT_TOOLS_LIB_BASE_PAGES_H
#define WEFT_TOOLS_LIB_BASE_PAGES_H

#include <stddef.h>
#include <stdint.h>

typedef struct pages {
    void **all;
    uint32_t *made; /* the numbers of those that were made */
    size_t made_count, made_max;
} pages;

void pages_init(pages *p, uint32_t count);
void *pages_make(pages *p, uint32_t number, size_t values, size_t size);
/* Page `number`, of `values` values of `size` bytes. */
static inline void *pages_take(pages *p, uint32_t number, size_t values, size_t size)
{
    void *page = p->all[number];
    return page ? page : pages_make(p, number, values, size);
}
/* All values are zero again. */
void pages_clear(pages *p);
void pages_free(pages *p);

#endif
