/* SPDX-License-Identifier: MIT */
/* What a semihosting call (bkpt 0xab, r0 the request, r1 its parameters) changes in the target's memory: the host
 * writes there, and no recording sees it. */
#ifndef WEFT_TOOLS_LIB_WET_SEMIHOST_H
#define WEFT_TOOLS_LIB_WET_SEMIHOST_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/lib/machine/decode.h"

typedef struct wet_range {
    uint32_t address, size;
} wet_range;

/* Reads a word of memory. False: it is not known. */
typedef bool wet_word_reader(void *context, uint32_t address, uint32_t *value);

static inline bool wet_is_semihost(const thumb_insn *insn)
{
    return insn->size == 2 && insn->bytes[0] == 0xab && insn->bytes[1] == 0xbe;
}

/* The ranges that a request wrote, at most 2; `result` is r0 after it. */
unsigned wet_semihost_writes(uint32_t request, uint32_t parameters, uint32_t result, wet_word_reader *read,
                             void *context, wet_range ranges[2]);
/* The name of a request: "SYS_READ"; NULL: not known. */
const char *wet_semihost_name(uint32_t request);

#endif
