/* SPDX-License-Identifier: MIT */
/* The symbols of an ELF image: functions and objects by address, and where data stand among the code. Names are those
 * of the source, also of C++ (demangle.h). */
#ifndef WEFT_TOOLS_LIB_IMAGE_SYMBOLS_H
#define WEFT_TOOLS_LIB_IMAGE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Elf; /* of libelf */

typedef struct image_symbol {
    uint32_t address, size; /* the Thumb bit is clear */
    bool function;          /* else an object */
    bool loaded;            /* it lies in a section that is part of the memory */
    uint16_t section;       /* its number; of those that lie in none, one that no section has */
    uint32_t order;         /* its place in the file */
    uint32_t unit; /* of a local symbol: the number of its source file among all, from 1; 0: global, or unknown */
    const char *name;
} image_symbol;

/* Where something of the program is, as the linker wrote it beside the symbols. */
typedef struct image_name {
    const char *name;
    uint32_t address; /* the Thumb bit is clear */
} image_name;

/* Where data begin among the code, or code again (the mapping symbols $d and $t). */
typedef struct image_mark {
    uint32_t address;
    bool data;
} image_mark;

typedef struct image_symbols {
    image_symbol *all; /* by address; functions first at equal addresses */
    size_t count, max;
    image_mark *marks; /* by address */
    size_t mark_count, mark_max;
    const char **units; /* names of source files, in the order of the symbol table: that of unit n is units[n - 1] */
    size_t unit_count, unit_max;
    char **made; /* names that are not in the ELF */
    size_t made_count, made_max;
} image_symbols;

void image_symbols_read(image_symbols *symbols, struct Elf *elf);
void image_symbols_free(image_symbols *symbols);

/* The last function at or below an address, if its size (when it has one) reaches the address; NULL: none. */
const image_symbol *image_function(const image_symbols *symbols, uint32_t address);
/* Length of a function's name in the source. What follows it GCC appends to copies and parts of it: .isra.0, .part.0,
 * .constprop.0, .cold, .lto_priv.0, one or more of them (in descriptors without the number). */
size_t image_copied_name(const char *name);
/* Whether a symbol is a whole copy of a function of that name, as clamp.isra.0 is of clamp: no part, nor itself. */
bool image_is_copy(const char *symbol, const char *name);
/* The loaded object or function that holds an address, and the offset in it; NULL: none. */
const image_symbol *image_object(const image_symbols *symbols, uint32_t address, uint32_t *offset);
/* Where the data that hold an address end; 0: it holds code. */
uint32_t image_data_end(const image_symbols *symbols, uint32_t address);
/* Whether code begins at exactly this address: a loaded function, or a mark. */
bool image_code_begins(const image_symbols *symbols, uint32_t address);

/* The address (Thumb bit clear) and size of a symbol of any kind, by its name in the ELF or else in the source. False:
 * none of that name. */
bool image_find(struct Elf *elf, const char *name, uint32_t *address, uint32_t *size);

#endif
