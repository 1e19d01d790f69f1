/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/kind.h"

#include <string.h>

static const struct {
    const char *head, *what;
} kinds[] = {
    {"weftwet", "it is a whole execution trace, for weft wet, gdb, functions, coverage, export and report"},
    {"WEFTPRF", "it is a merged profile: counts, and no order of events; for weft fleet, functions, coverage, paths"},
    {"weftsqz", "it is a squeezed stream, for weft unsqueeze"},
    {"\x7f"
     "ELF",
     "it is an ELF file; an image goes with --elf"},
};

const char *kind_of(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].head);
        if (size >= length && !memcmp(bytes, kinds[i].head, length))
            return kinds[i].what;
    }
    return NULL;
}
