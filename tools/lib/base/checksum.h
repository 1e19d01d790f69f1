/* SPDX-License-Identifier: MIT */
/* CRC-32 of files: the sum of core/bytes.h, by zlib, which reads several words at a time. What the target writes and
 * the host reads (frames) has its sums from the core. */
#ifndef WEFT_TOOLS_LIB_BASE_CHECKSUM_H
#define WEFT_TOOLS_LIB_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Of `size` bytes, continued from `crc`; start with 0. */
uint32_t checksum_crc32(uint32_t crc, const uint8_t *bytes, size_t size);

#endif
