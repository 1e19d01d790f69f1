/* SPDX-License-Identifier: MIT */
/* Loads and stores by object and function, added up while the recording is read. Memory grows with the pairs of an
 * object and a function, not with the run. */
#ifndef WEFT_TOOLS_LIB_EXPORT_ACCESSES_H
#define WEFT_TOOLS_LIB_EXPORT_ACCESSES_H

#include "tools/lib/image/image.h"
#include "tools/lib/profile/functions.h"

typedef struct access_row {
    const char *object; /* a symbol's name, or what kind of memory it is: "(no object)", "(peripherals)", "(system)",
                           "(address lost)" */
    uint32_t function;
    uint64_t loads, stores, bytes_loaded, bytes_stored;
} access_row;

typedef struct access_table {
    const image *im;
    access_row *row;
    size_t count, max;
    uint32_t *slots; /* by hash: number of a row + 1 */
    size_t slot_max;
} access_table;

/* Start with {.im = im}. The listener's other functions are NULL. */
functions_listener access_table_listener(access_table *all);
void access_table_free(access_table *all);

#endif
