/* SPDX-License-Identifier: MIT */
/* How an instruction splits into operations, and how the words of an operation follow from the registers it reads. */
#ifndef WEFT_TOOLS_LIB_WET_STATEMENT_H
#define WEFT_TOOLS_LIB_WET_STATEMENT_H

#include "tools/lib/wet/trace.h"

/* Fills operations, accesses and slots (from malloc) for an executed instruction or an exception. `floats_apart`: an
 * instruction that moves several floats has an operation for each access, not one for all (WET_VERSION_FLOATS). */
void wet_statement_split(wet_statement *statement, const wet_static *instruction, const full_event *event,
                         bool floats_apart);

void wet_statement_free(wet_statement *statement);

/* The locations that a slot's word is computed from. */
uint64_t wet_slot_reads(const thumb_insn *insn, const wet_slot *slot, unsigned order);
/* Computes it; false: it cannot be computed. `order` is that of the access in the instruction, `size` its size. */
bool wet_slot_compute(const thumb_insn *insn, const wet_slot *slot, unsigned order, unsigned size,
                      const thumb_state *state, uint32_t *word);

/* The static part of a node: begin, then each statement in order (`local` starts as all 255), which appends its
 * operations, slots, uses and loads. Parents are the caller's. */
void wet_node_begin(wet_node *node, const uint32_t *statements, uint32_t count);
void wet_node_statement(wet_node *node, const wet_statement *s, uint32_t index, uint8_t local[64]);
void wet_node_free(wet_node *node);

/* The node's slot with a word of an operation; WET_NONE: it has none. */
uint32_t wet_slot_find(const wet_node *node, const wet_statement *statements, uint32_t operation, unsigned kind,
                       unsigned loc);
/* What a node's slot, which is the operation's, is. */
const wet_slot *wet_slot_at(const wet_node *node, const wet_statement *statements, uint32_t operation, uint32_t slot);
/* What a load of `size` bytes gets from a stored word, `offset` bytes after the store's address. */
uint32_t wet_load_word(uint32_t data, uint32_t offset, unsigned size, bool sign);

#endif
