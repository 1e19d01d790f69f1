/* SPDX-License-Identifier: MIT */
/* The words of an execution: from their stream; or, where they have none (WET_INFERRED), computed from what the
 * operation reads, or taken from the store that a load's edge names. Only this layer resolves what is inferred. */
#ifndef WEFT_TOOLS_LIB_WET_WORD_H
#define WEFT_TOOLS_LIB_WET_WORD_H

#include "tools/lib/wet/word_alone.h"

/* The word of a slot of an execution; or, quicker than one by one, those of `count` executions from `at`. */
uint32_t wet_word(wet_file *f, uint32_t node, uint32_t slot, uint32_t instance);
void wet_words(wet_file *f, uint32_t node, uint32_t slot, uint32_t at, uint32_t count, uint32_t *out);

#endif
