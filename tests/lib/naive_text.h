/* SPDX-License-Identifier: MIT */
/* A program as objdump and readelf print it: instructions, and where procedures start. It shares no code with
 * tools/lib, whose decoders are compared with it. */
#ifndef WEFT_TESTS_LIB_NAIVE_TEXT_H
#define WEFT_TESTS_LIB_NAIVE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

enum { NAIVE_TEXT_MAX = 96, NAIVE_PC_MAX = 0x40000 };

typedef struct naive_line {
    bool known;
    unsigned size;
    char name[16], operands[NAIVE_TEXT_MAX];
} naive_line;

extern naive_line *naive_text; /* by place: halfwords of the 512 KB with the program's entry, then one for all others */
extern bool *naive_starts;     /* of procedures; likewise */

/* To be called first. */
void naive_text_read(const char *elf);
uint32_t naive_place(uint32_t pc); /* NAIVE_PC_MAX: elsewhere */
uint32_t naive_pc(uint32_t place);
naive_line *naive_line_at(uint32_t pc);
bool naive_begins(const char *text, const char *with);
/* The core registers of a text, in order: 0..14, 16 for pc. */
int naive_registers_in(const char *s, int list[32]);

/* Locations besides the core registers; s0 is the first of 32 floats. */
enum { NAIVE_FLAGS = 15, NAIVE_FPSCR = 16, NAIVE_FLOAT = 32, NAIVE_MEMORY = 64 };

/* What an instruction reads (naive_reads.h). */
typedef struct naive_reads {
    uint64_t all;               /* of the instruction as a whole */
    uint64_t address;           /* base and index */
    int base;                   /* -1 */
    int moved[32], moved_count; /* locations loaded or stored, in order of the accesses; 16: pc */
    bool load, store, multiple;
} naive_reads;

/* The bit of a location that an operand names; 0: of the pc. */
static inline uint64_t naive_location(int at)
{
    return at < 15 || at >= 32 ? UINT64_C(1) << at : 0;
}

#endif
