/* SPDX-License-Identifier: MIT */
/* Arrays with one element per context, in the order in which the contexts first ran. Each element begins with the
 * number of its context, a uint32_t. */
#ifndef WEFT_TOOLS_LIB_RECORDING_BY_CONTEXT_H
#define WEFT_TOOLS_LIB_RECORDING_BY_CONTEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t by_context_number(const void *all, size_t size, size_t at)
{
    uint32_t number;
    memcpy(&number, (const uint8_t *)all + at * size, sizeof number);
    return number;
}

/* For by_context: it is not the element at *at. */
void *by_context_search(void *all, size_t *count, size_t *max, size_t size, uint32_t context, size_t *at);

/* Sets *at to the index of a context's element among *count elements of `size` bytes. Tries the old *at first, which
 * may be any number. A context without an element gets one at the end, zero but for its number, and *count grows.
 * Returns the array, which may have moved; it has room for *max elements.
 *
 *     list->all = by_context(list->all, &list->count, &list->max, sizeof *list->all, context, &list->last);
 *     element *e = &list->all[list->last];
 *
 * Inline: it runs for each path. */
static inline void *by_context(void *all, size_t *count, size_t *max, size_t size, uint32_t context, size_t *at)
{
    if (*at < *count && by_context_number(all, size, *at) == context)
        return all;
    return by_context_search(all, count, max, size, context, at);
}

#endif
