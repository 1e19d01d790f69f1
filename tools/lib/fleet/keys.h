/* SPDX-License-Identifier: MIT */
/* Two kinds of keys: sets of digests, and texts as numbers. */
#ifndef WEFT_TOOLS_LIB_FLEET_KEYS_H
#define WEFT_TOOLS_LIB_FLEET_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of digests. All zero: empty. */
typedef struct digests {
    uint64_t *slots; /* open addressing; 0: free. The digest 0 is held as 1 */
    size_t count, max;
} digests;

void digests_free(digests *all);
bool digests_has(const digests *all, uint64_t digest);
/* False: it was there. */
bool digests_add(digests *all, uint64_t digest);
/* All of them, ascending; from malloc. */
uint64_t *digests_sorted(const digests *all);

/* Distinct texts, numbered in the order of their first appearance. All zero: none. */
typedef struct texts {
    char **text; /* by number */
    uint32_t *slots;
    size_t count, text_max, slots_max;
} texts;

void texts_free(texts *all);
uint32_t texts_of(texts *all, const char *text, size_t size);

#endif
