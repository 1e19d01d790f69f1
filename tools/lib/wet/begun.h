/* SPDX-License-Identifier: MIT */
/* Blocks of coded streams that are decoded only as far as they were asked for: for a debugger, which jumps to an
 * instant and needs few numbers of many streams (`alone` of the file). A block that is asked for more numbers a second
 * time is decoded whole. */
#ifndef WEFT_TOOLS_LIB_WET_BEGUN_H
#define WEFT_TOOLS_LIB_WET_BEGUN_H

#include "tools/lib/wet/file.h"

/* At least the first `count` numbers of a block of a coded stream; valid until `drops` changes, or more are asked
 * for. */
const uint32_t *wet_begun_words(wet_file *f, uint32_t stream, uint32_t block, uint32_t count);

/* Numbers `from` to `to` (not included) of a stream of any kind. */
typedef struct wet_numbers {
    uint32_t stream, from, to;
} wet_numbers;

/* Numbers that will be asked for soon: they are decoded now, by as many threads as there are cores.
 * True: some were not there yet. */
bool wet_begun_ahead(wet_file *f, const wet_numbers *wanted, uint32_t count);

#endif
