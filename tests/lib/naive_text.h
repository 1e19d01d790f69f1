/* SPDX-License-Identifier: MIT */
/* A program as objdump and readelf print it: instructions, where procedures start, what each instruction reads. It
 * shares no code with tools/lib, whose decoders are compared with it. */
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

extern naive_line *naive_text; /* by pc / 2, within the first 512 KB */
extern bool *naive_starts;     /* of procedures; likewise */

/* To be called first. */
void naive_text_read(const char *elf);
naive_line *naive_line_at(uint32_t pc);
bool naive_begins(const char *text, const char *with);

enum { NAIVE_FLAGS = 15, NAIVE_MEMORY = 64 }; /* locations besides the registers */

typedef struct naive_reads {
    uint64_t all;               /* of the instruction as a whole */
    uint64_t address;           /* base and index */
    int base;                   /* -1 */
    int moved[32], moved_count; /* registers loaded or stored, in order of the accesses; 16: pc */
    bool load, store, multiple;
} naive_reads;

naive_reads naive_reads_of(const naive_line *t, int condition);

#endif
