/* SPDX-License-Identifier: MIT */
/* The machine code of one function that has probes, as a graph of instructions, with constants, and with what serves probes.
 *
 * Decoded from the ELF along its ways: fall through, branches, jump tables behind a compare; a computed goto leads to every
 * address inside the function that the image holds as a word. A call goes on behind itself. Constants are propagated along; the stack
 * pointer at the entry counts as one, CODE_STACK, so that words of the frame have known addresses: these are the slots.
 *
 *   related     what path numbers are made of: what the argument of a path probe depends on, by registers and slots
 *   own         calls of probes, and what serves only them: instructions whose results nothing else needs, as if the probes were
 *               not called (strongly live variables: what feeds what nothing needs is not needed either) */
#ifndef WEFT_TOOLS_LIB_MACHINE_ROUTINE_H
#define WEFT_TOOLS_LIB_MACHINE_ROUTINE_H

#include "tools/lib/image/image.h"
#include "tools/lib/machine/decode.h"

#define CODE_STACK 0xc0000000u
#define CODE_NONE UINT32_MAX
#define CODE_ANY_FLAGS 0xffffu

/* Slots that path numbers pass through; more are not followed. */
enum { CODE_SLOTS_MAX = 48, CODE_SLOT_BIT = 16, CODE_FRAME_MAX = 1 << 20 };

typedef enum code_call {
    CODE_NO_CALL,
    CODE_CALL,
    CODE_PROBE, /* of accesses, values, blocks */
    CODE_PATH,  /* a path ends: its number is in r0 */
} code_call;

/* What is known at a point. */
typedef struct code_state {
    uint64_t known;                       /* mask: r0..r14, slots from bit CODE_SLOT_BIT on */
    uint16_t flags;                       /* mask of what NZCV may be, 16 values */
    uint32_t r[15], slot[CODE_SLOTS_MAX]; /* 0 where not known */
} code_state;

typedef struct code_step {
    thumb_insn insn;
    uint64_t writes;
    uint8_t call;       /* code_call */
    uint8_t condition;  /* of its branch, or that an IT block gives it */
    uint8_t word_count; /* words of the frame that it loads or stores */
    uint8_t word_register[2];
    uint16_t word[2]; /* numbers of slots */
    bool leaves;      /* out of the function: a return, a tail call */
    bool away;        /* a computed goto */
    bool joined;      /* two ways or more lead here */
    uint8_t head;     /* from 1: a cycle without a path probe comes back here; 0: none */
    bool related, own;
    uint32_t more, more_own; /* instructions of the other rounds of a loop that it ended, all and own of them */
    uint64_t live; /* before it: mask of what path numbers depend on, as `known`; bit THUMB_FLAGS: the flags are read */
    uint32_t next, target; /* the step behind it, the step that it branches to; CODE_NONE: not so */
    uint32_t *table;       /* where else it may lead */
    uint32_t table_count;
    code_state before; /* what is always known */
} code_step;

typedef struct code_slot {
    uint32_t address;
    uint8_t number; /* among those that are related, from 1; 0: not */
    bool needed;    /* the program loads it */
} code_slot;

typedef struct code {
    code_step *steps; /* the entry is the first */
    uint32_t count;
    code_slot *slots;
    uint32_t slot_count, related_slots, heads;
    bool known; /* false: an instruction or a jump is not understood, or it is too large */
    const image *im;
    uint32_t start, end;
    uint32_t *index;    /* of each halfword: its step + 1 */
    uint32_t *landings; /* addresses; NULL: the function has no computed goto */
    uint32_t landing_count;
    uint32_t activation; /* 16 bytes that only probes use; 0: none */
} code;

/* The code at [start, end); `gotos`: it has computed gotos. */
code *code_new(const image *im, uint32_t start, uint32_t end, bool gotos);
void code_free(code *c);

/* Does a step that is conditional take effect? CODE_YES and CODE_NO together: either may be. */
enum { CODE_YES = 1, CODE_NO = 2 };
unsigned code_decide(const code_step *s, const code_state *state);
/* Takes over what follows from the condition's being so. */
void code_assume(const code_step *s, code_state *state, bool holds);
/* Forgets registers, slots, and the flags (bit THUMB_FLAGS). */
void code_forget(code_state *state, uint64_t what);
/* Executes it: its condition, if it has one, holds. */
void code_execute(const code *c, const code_step *s, code_state *state);

/* ---- for code.c ---- */

/* Takes the branches out that close loops of a known number of rounds (code_trips.c). */
void code_trips(code *c);

#endif
