/* SPDX-License-Identifier: MIT */
/* Memory as the probes announced it. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_PROBES_WORDS_H
#define WEFT_TOOLS_LIB_DEBUG_PROBES_WORDS_H

#include "tools/lib/debug/probes_data.h"

/* A step announced an access; `value` NULL: what it moved is not known. In the order of time. */
void probes_word_add(probes_run *r, debug_instant at, uint32_t address, uint32_t size, bool store,
                     const uint64_t *value);
/* From an instant on nothing is known that was announced before. */
void probes_forget(probes_run *r, debug_instant at);

/* A word by its number; NULL: nothing was announced of it. */
probes_word *probes_word_find(const probes_run *r, uint32_t number);
/* The number of entries of a word before an instant. */
uint32_t probes_word_before(const probes_word *w, debug_instant at);
debug_instant probes_entry_at(const probes_entry *e);
/* The bytes (a mask) of which entry `i` is a load that announced another value than was known: code without probes
 * stored to them after the last entry that touched them. */
unsigned probes_entry_changed(const probes_word *w, uint32_t i);
/* The bytes of which entry `i` is the load that tells what the last store put there: a block, whose bytes are not
 * announced. */
unsigned probes_entry_learned(const probes_word *w, uint32_t i);
/* As memory of a subject. */
size_t probes_memory(const probes_run *r, debug_instant at, uint32_t address, uint8_t *bytes, size_t size);

#endif
