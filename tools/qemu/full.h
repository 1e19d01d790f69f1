/* SPDX-License-Identifier: MIT */
/* What the parts of mode full share: its state, and putting bytes into the columns of a chunk (FULL.md).
 *
 *     full.c              the callbacks
 *     full_instruction.c  an instruction that executed: its values and accesses go into the columns
 *     full_exception.c    what happened between two instructions: exceptions and returns from them
 *     full_node.c         static instructions, by address
 *     full_column.c       the columns, and chunks of them */
#ifndef WEFT_TOOLS_QEMU_FULL_H
#define WEFT_TOOLS_QEMU_FULL_H

#include "core/bytes.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/recording/full_format.h"
#include "tools/qemu/machine.h"
#include "tools/qemu/modes.h"

#define UNNUMBERED UINT32_MAX
#define BUCKETS (1u << 16)
#define LEVELS 64u
#define CHUNK_INSTRUCTIONS (1u << 17)
#define SLACK 8192u /* no instruction appends more than this to one column: LEVELS exceptions */
#define WATCHED 8u

/* How the branch to an exception return value looks. */
typedef enum leave {
    LEAVE_NOT,
    LEAVE_REGISTER, /* bx */
    LEAVE_LOADED,   /* pop, ldm, ldr into the pc */
} leave;

/* An access of an instruction, as it was when it last executed. */
typedef struct slot {
    uint64_t value;
    uint32_t address;
    uint8_t shape;
} slot;

/* A static instruction. */
typedef struct node {
    struct node *next; /* in its bucket */
    uint64_t writes;
    uint32_t pc, number;
    uint16_t first, second;
    uint8_t size, condition, leave, slot_count;
    bool store_exclusive;
    uint8_t watched; /* executions that all registers were read after, up to WATCHED */
    bool unnamed;    /* it may change registers that do not stand in it */
    uint32_t *last;  /* one per bit of writes */
    slot *slots;
    uint32_t few_last[4];
} node;

typedef struct access {
    uint64_t value;
    uint32_t address;
    uint8_t size;
    bool store, device;
} access;

typedef struct column {
    uint8_t *bytes;
    uint32_t size, room;
} column;

/* One emulator runs one program. */
extern struct full {
    const options *o;
    machine m;
    bool found, failed;
    node *buckets[BUCKETS];
    uint8_t *conditions; /* of the halfword at an address >> 1, plus 1; 0: not in an IT block */
    uint32_t numbered;

    node *current; /* the instruction that executes; NULL before the first */
    bool passed;
    access accesses[FULL_ACCESSES_MAX];
    uint32_t access_count;
    uint32_t before[16]; /* registers when it started */
    uint32_t apsr;
    uint32_t exception;
    struct {
        uint32_t exception, frame;
    } levels[LEVELS]; /* active handlers */
    uint32_t depth;

    column columns[FULL_COLUMNS];
    uint32_t in_chunk, run_start, run_length, run_before, note_at;
    uint64_t instructions, access_total, exception_total;
} full;

/* ---- full_column.c ---- */

/* Appends to a column; SLACK keeps room for what one instruction appends. */
static inline void put_byte(int c, uint8_t byte)
{
    full.columns[c].bytes[full.columns[c].size++] = byte;
}

static inline void put_varint(int c, uint64_t value)
{
    uint8_t *to = full.columns[c].bytes + full.columns[c].size;
    while (value >= 0x80) {
        *to++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *to++ = (uint8_t)value;
    full.columns[c].size = (uint32_t)(to - full.columns[c].bytes);
}

static inline void put_difference(int c, uint32_t value, uint32_t last)
{
    put_varint(c, weft_zigzag((int32_t)(value - last)));
}
void put_fixed(int c, uint64_t value, unsigned bytes);
/* A note about the instruction that is being appended. */
void put_note(uint8_t kind);
/* Writes the run of consecutive numbers; the chunk. */
void full_end_run(void);
void full_write_chunk(void);
bool full_chunk_is_full(void);

/* ---- full_node.c ---- */

/* Notes the conditions of the instructions after an IT. */
void full_note_it(uint32_t pc, uint16_t first);
/* The static instruction at `pc` with these halfwords; NULL: out of memory. */
node *full_find_node(uint32_t pc, uint16_t first, uint16_t second);
/* Gives it a number, and writes it. */
void full_define(node *n);
/* The decoder missed a register that changed: the mask grows. */
void full_learn(node *n, uint64_t more);

/* ---- full_instruction.c ---- */

/* Appends the current instruction. `after`: registers after it; `completed`: it did not fault. */
void full_append(node *n, const uint32_t *after, uint32_t apsr, uint64_t changed, bool completed);

/* ---- full_exception.c ---- */

/* Appends the current instruction when something happened between it and the one at `pc`: an exception, a return
 * (`returned`) or a reset. */
void full_finish_with_exception(uint32_t pc, bool returned);

#endif
