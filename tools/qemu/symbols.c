/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/qemu/symbols.h"

#include <dlfcn.h>
#include <string.h>

const char *emulator_find(const emulator_symbol *symbols, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *symbol = dlsym(RTLD_DEFAULT, symbols[i].name);
        if (!symbol)
            return symbols[i].name;
        memcpy(symbols[i].to, &symbol, sizeof symbol);
    }
    return NULL;
}
