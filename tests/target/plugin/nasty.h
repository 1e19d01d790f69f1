/* SPDX-License-Identifier: MIT */
/* Programs that path and access probes may get wrong, by what is nasty in them. Each mixes what it computes into one
 * checksum. */
#ifndef WEFT_TESTS_TARGET_PLUGIN_NASTY_H
#define WEFT_TESTS_TARGET_PLUGIN_NASTY_H

#include <stdint.h>

void mix(uint32_t x);

/* control.c */
void computed_goto(void);
void loops(void);
void jumps(void);
/* calls.c */
void calls(void);
void odd(void);
/* nasty_other.c */
uint32_t other_file(uint32_t x);
uint32_t weak_one(uint32_t x);
/* memory.c */
extern int matrix[6][7];
void bit_fields(void);
void structs(void);
void numbers(void);
void volatiles(void);
void arrays(int n);
void atomics(void);
void unused(void);

#endif
