/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/checksum.h"

#include <zlib.h>

uint32_t checksum_crc32(uint32_t crc, const uint8_t *bytes, size_t size)
{
    return size ? (uint32_t)crc32_z(crc, bytes, size) : crc; /* zlib starts anew where there are no bytes */
}
