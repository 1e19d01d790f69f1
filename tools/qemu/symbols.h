/* SPDX-License-Identifier: MIT */
/* What the emulator exports, by name. */
#ifndef WEFT_TOOLS_QEMU_SYMBOLS_H
#define WEFT_TOOLS_QEMU_SYMBOLS_H

#include <stddef.h>

typedef struct emulator_symbol {
    const char *name;
    void *to; /* the pointer to the function or variable, which is set */
} emulator_symbol;

/* Sets each. The name of the first one that this emulator does not export; NULL: it exports all. */
const char *emulator_find(const emulator_symbol *symbols, size_t count);

#endif
