/* SPDX-License-Identifier: MIT */
/* An ELF image as a debugger sees it: bytes at addresses, symbols, source lines. Any ARM executable, with or without
 * debug information. All strings live until listing_close. */
#ifndef WEFT_TOOLS_LIB_IMAGE_IMAGE_H
#define WEFT_TOOLS_LIB_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct listing_symbol {
    uint32_t address, size; /* the Thumb bit is clear */
    bool function;          /* else an object */
    const char *name;
} listing_symbol;

typedef struct listing_line {
    uint32_t address, line;
    const char *file; /* NULL: no line from here on */
} listing_line;

/* Where data begin among the code, or code again (the mapping symbols $d and $t). */
typedef struct listing_mark {
    uint32_t address;
    bool data;
} listing_mark;

typedef struct listing {
    listing_symbol *symbols; /* functions and objects, by address; functions first at equal addresses */
    size_t symbol_count;
    listing_line *lines; /* by address */
    size_t line_count;
    listing_mark *marks; /* by address */
    size_t mark_count;
    void *own;
} listing;

/* NULL and a message if it is no 32-bit ARM executable. */
listing *listing_open(const char *path, char *message, size_t message_size);
void listing_close(listing *im);

/* `size` loaded bytes at an address, or NULL. */
const uint8_t *listing_bytes(const listing *im, uint32_t address, size_t size);
/* Whether a part that the program cannot write has other bytes at an address. */
bool listing_differs(const listing *im, uint32_t address, const uint8_t *bytes, size_t size);
/* The bytes of the i-th part that is loaded, and where; NULL: there are no more. */
const uint8_t *listing_part(const listing *im, size_t i, uint32_t *address, size_t *size);
/* Where the data that hold an address end; 0: it holds code. */
uint32_t listing_data_end(const listing *im, uint32_t address);
/* The last function at or below an address, if its size (when it has one) reaches it; NULL: none. */
const listing_symbol *listing_function(const listing *im, uint32_t address);
/* The source line of an instruction; NULL: not known. */
const listing_line *listing_line_at(const listing *im, uint32_t address);

#endif
