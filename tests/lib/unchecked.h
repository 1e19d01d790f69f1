/* SPDX-License-Identifier: MIT */
/* Check sums and compression switched off, so that a fuzzer's changes reach what they protect. Threads are off too,
 * so that a run repeats exactly. Nothing in the sources knows about it: the linker puts these functions in place of
 * others (tests/fuzz/fuzz.mk).
 *
 *   weft_crc32, checksum_crc32,
 *   weft_sum_end, weft_sum_of      always UNCHECKED_SUM
 *   ZSTD_compress and its like     the bytes as they are, after their number in 4 bytes
 *   ZSTD_decompress and its like   the way back
 *   pthread_create                 fails: the caller does the work itself
 *   mmap of a file, munmap         the file in memory from malloc: no byte after its last can be read unnoticed
 *
 * Such a build reads the files that it writes; seal.c makes such files from recordings. */
#ifndef WEFT_TESTS_LIB_UNCHECKED_H
#define WEFT_TESTS_LIB_UNCHECKED_H

#include <stddef.h>
#include <stdint.h>

#define UNCHECKED_SUM 0x20202020u /* without zeros: COBS leaves it where it is */
#define UNCHECKED_HEAD 4u         /* bytes before what is stored for compressed */

/* The function that was replaced. */
size_t __real_ZSTD_decompress(void *out, size_t room, const void *in, size_t size);

/* Bytes as they would be compressed: written to `out`, which has room for size + UNCHECKED_HEAD. The new size. */
size_t unchecked_store(uint8_t *out, const void *bytes, size_t size);

#endif
