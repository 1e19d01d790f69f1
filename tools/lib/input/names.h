/* SPDX-License-Identifier: MIT */
/* Texts as numbers: 0, 1, 2, ... in the order of their first appearance. */
#ifndef WEFT_TOOLS_LIB_INPUT_NAMES_H
#define WEFT_TOOLS_LIB_INPUT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: empty. */
typedef struct name_table {
    char *text; /* all of them, each with its zero */
    size_t size, size_max;
    size_t *start; /* of each one in text */
    uint32_t count;
    size_t count_max;
    uint32_t *table;     /* open addressing: number + 1, 0 free */
    uint32_t table_size; /* a power of two */
} name_table;

/* The number of a text; a new one if it is new. */
uint32_t names_number(name_table *n, const char *text);
/* The number of a text that has one. */
bool names_find(const name_table *n, const char *text, uint32_t *number);
/* Valid until the next call of names_number. */
const char *names_text(const name_table *n, uint32_t number);
void names_free(name_table *n);

#endif
