/* SPDX-License-Identifier: MIT */
/* A model of a part's memory system and branch prediction, fed with a run. It says of each execution of a branch,
 * load, store and instruction whether it missed.
 *
 * The model as text: a preset, then parameters, with commas between; or parameters alone. A later one takes the place
 * of an earlier one; what is not given is not there, and never misses.
 *
 *   branch=not-taken | backward       predicted not taken; predicted taken where it leads backward
 *         =bimodal:B                  2^B counters, by the address
 *         =gshare:B:H                 2^B counters, by the address exclusive-or the last H outcomes
 *         =two-level:B:H              2^B histories of H outcomes, by the address; 2^H counters, by the history
 *   icache=SIZE:WAYS:LINE[:POLICY]    of instructions. SIZE and LINE in bytes, K for 1024; POLICY lru, fifo, random
 *   dcache=SIZE:WAYS:LINE[:POLICY][:around][:flash]
 *                                     of data: stores that miss fill no line (around); only for what is in flash
 *   flash=WAIT[:LINE][:prefetch]      wait states of the memory below 0x20000000, read by lines (16 bytes); the line
 *                                     after the one fetched is read ahead
 *   icache=none, dcache=none ...      removes that part of the preset
 *
 * Counters have two bits and start at 1; the upper half says taken. The address of an instruction counts in
 * halfwords.
 * A data cache holds memory below 0x40000000 and from 0x60000000 up to 0x9fffffff, as the default map of ARMv7-M
 * has it; accesses elsewhere do not miss. An access misses if one of the lines that it touches is not there.
 *
 * Time is a cycle for each instruction, and what it waits: a read of a line of flash takes 1 + WAIT cycles, and
 * the core waits for those after the first. The line that was read last is kept for fetches. A line is read
 * ahead from the moment when the line before it arrived. A fetch misses if it is not in the instruction cache
 * (where there is one) and has to wait, or there is no flash that would say how long. Loads from flash that are in
 * no cache wait; a cache that is filled from elsewhere misses without a known wait. */
#ifndef WEFT_TOOLS_LIB_MISSES_MODEL_H
#define WEFT_TOOLS_LIB_MISSES_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lib/misses/text.h"

typedef enum misses_kind { MISSES_BRANCH, MISSES_LOAD, MISSES_STORE, MISSES_FETCH, MISSES_KINDS } misses_kind;

typedef struct misses_model misses_model;

/* NULL and a message: the text is not a model. */
misses_model *misses_new(const char *text, char *message, size_t message_size);
void misses_free(misses_model *m);
/* The model in parameters alone: equal for equal models. */
const char *misses_text(const misses_model *m);

/* Each returns whether it missed. The first of an instruction is its fetch, which also moves time on. */
bool misses_fetch(misses_model *m, uint32_t pc, unsigned size);
/* A branch that may be taken or not; `backward`: it leads to an address that is not above its own. */
bool misses_branch(misses_model *m, uint32_t pc, bool backward, bool taken);
bool misses_access(misses_model *m, uint32_t address, unsigned size, bool store);

/* Cycles waited so far. */
uint64_t misses_waited(const misses_model *m, misses_kind kind);

#endif
