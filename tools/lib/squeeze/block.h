/* SPDX-License-Identifier: MIT */
/* The numbers of a block's head (squeeze.h), for its writer and its reader. */
#ifndef WEFT_TOOLS_LIB_SQUEEZE_BLOCK_H
#define WEFT_TOOLS_LIB_SQUEEZE_BLOCK_H

/* The first byte: bits 0..1 the method, bits 4..5 the version, bit 6: the values have 64 bits. */
#define SQUEEZE_VERSION 1u
#define SQUEEZE_METHODS 0x03u
#define SQUEEZE_VERSION_SHIFT 4
#define SQUEEZE_VERSION_MASK 0x30u
#define SQUEEZE_WIDE 0x40u
#define SQUEEZE_RESERVED 0x8cu /* 0 */

#define SQUEEZE_TABLE_BITS_MAX 16u /* log2 of the rows of a predictor's table */

#endif
