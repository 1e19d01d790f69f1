/* SPDX-License-Identifier: MIT */
/* Accesses by address and time. An address belongs to a row: a part of an object, of a device, or of a block of memory
 * without a name. Rows become coarser when there are too many, and in the end the coldest are one: memory is fixed. */
#ifndef WEFT_TOOLS_LIB_REPORT_HEAT_H
#define WEFT_TOOLS_LIB_REPORT_HEAT_H

#include <stdbool.h>

#include "tools/lib/report/matrix.h"

enum { HEAT_BINS = 1024, HEAT_ROWS = 1024 };

typedef enum heat_kind { HEAT_MEMORY, HEAT_OBJECT, HEAT_CODE, HEAT_STACK, HEAT_DEVICE, HEAT_REST } heat_kind;

/* What an address belongs to: [low, low + size). */
typedef struct heat_range {
    const char *name; /* NULL: it has none */
    uint32_t low, size;
    heat_kind kind;
} heat_range;

/* False: nothing that has a name. Names live as long as the heat. */
typedef struct heat_namer {
    void *own;
    bool (*range)(void *own, uint32_t address, heat_range *range);
} heat_namer;

typedef struct heat_row {
    heat_range of;
    uint32_t low, size; /* the part of `of` */
    uint64_t loads, stores;
} heat_row;

typedef struct heat heat;

heat *heat_new(heat_namer namer);
void heat_free(heat *h);
void heat_access(heat *h, uint64_t bin, uint32_t address, uint32_t size, bool store);
void heat_fold(heat *h);
/* Ends the counting with at most `most` rows, by address; the last may be HEAT_REST. */
void heat_finish(heat *h, size_t most);
size_t heat_rows(const heat *h);
const heat_row *heat_row_at(const heat *h, size_t i);
/* As in matrix.h, of row i; the form's scale comes from heat_most. */
void heat_json(const heat *h, size_t i, matrix_form form, json *j);
uint64_t heat_most(const heat *h, uint32_t used, unsigned fold);
/* Accesses counted, each once. */
uint64_t heat_loads(const heat *h);
uint64_t heat_stores(const heat *h);

#endif
