/* SPDX-License-Identifier: MIT */
/* A 64-bit digest of bytes: XXH64 (Y. Collet, "xxHash fast digest algorithm", version 0.1.1). It finds damage, and
 * differs for inputs that differ by chance. It is not a defence against inputs that are made to collide. */
#ifndef WEFT_TOOLS_LIB_BASE_DIGEST_H
#define WEFT_TOOLS_LIB_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* Of `size` bytes, continued from `seed`; start with 0. The same on every machine. */
uint64_t digest_of(uint64_t seed, const void *bytes, size_t size);

#endif
