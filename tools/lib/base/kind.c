/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/kind.h"

#include <stdbool.h>
#include <string.h>

static const struct {
    const char *head, *what;
    bool no_stream;
} kinds[] = {
    {"weftwet", "it is a whole execution trace, for what reads full recordings, and for weft wet and gdb", true},
    {"WEFTPRF",
     "it is a merged profile, which has counts but no order of events; it is for weft fleet, functions, coverage, "
     "paths",
     true},
    {"weftsqz", "it is a squeezed stream, for weft unsqueeze", false},
    {"\x7f"
     "ELF",
     "it is an ELF file; an image goes with --elf", false},
};

static const char *find(const uint8_t *bytes, size_t size, bool no_stream)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].head);
        if (size >= length && (kinds[i].no_stream || !no_stream) && !memcmp(bytes, kinds[i].head, length))
            return kinds[i].what;
    }
    return NULL;
}

const char *kind_of(const uint8_t *bytes, size_t size)
{
    return find(bytes, size, false);
}

const char *kind_no_stream(const uint8_t *bytes, size_t size)
{
    return find(bytes, size, true);
}
