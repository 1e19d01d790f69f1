/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/attributes.h"

#include <string.h>

enum { OF_THE_FILE = 1, NAME_1 = 4, NAME_2 = 5, COMPATIBILITY = 32 }; /* names: strings */
enum { ARCH_V6M = 11, ARCH_V6SM = 12 };
enum { ARCH_V8M_BASE = 16, ARCH_V8M_MAIN = 17, ARCH_V8_1M_MAIN = 21 };

static bool read_uleb(const uint8_t **at, const uint8_t *end, uint32_t *value)
{
    *value = 0;
    for (unsigned shift = 0; *at < end && shift < 35; shift += 7) {
        uint8_t byte = *(*at)++;
        *value |= (uint32_t)(byte & 0x7f) << (shift & 31);
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

uint32_t attributes_get(const image *im, uint32_t wanted)
{
    size_t size;
    const uint8_t *bytes = image_section(im, ".ARM.attributes", &size);
    if (!bytes || size < 16)
        return 0;
    const uint8_t *end = bytes + size, *at = bytes + 5;
    at = memchr(at, 0, (size_t)(end - at)); /* 'A', size, vendor's name, then the file's tag and size */
    if (!at || end - at < 6 || at[1] != OF_THE_FILE)
        return 0;
    for (at += 6; at < end;) {
        uint32_t tag, value;
        if (!read_uleb(&at, end, &tag))
            return 0;
        if (tag == NAME_1 || tag == NAME_2 || tag == COMPATIBILITY || (tag > COMPATIBILITY && tag & 1)) {
            if (tag == COMPATIBILITY && !read_uleb(&at, end, &value))
                return 0;
            at = memchr(at, 0, (size_t)(end - at));
            if (!at)
                return 0;
            at++;
        } else if (!read_uleb(&at, end, &value)) {
            return 0;
        } else if (tag == wanted) {
            return value;
        }
    }
    return 0;
}

bool attributes_v6m(const image *im)
{
    uint32_t arch = attributes_get(im, ATTRIBUTES_ARCH);
    return arch == ARCH_V6M || arch == ARCH_V6SM;
}

bool attributes_v8m(const image *im)
{
    uint32_t arch = attributes_get(im, ATTRIBUTES_ARCH);
    return arch == ARCH_V8M_BASE || arch == ARCH_V8M_MAIN || arch == ARCH_V8_1M_MAIN;
}
