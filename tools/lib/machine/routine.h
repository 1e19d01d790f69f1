/* SPDX-License-Identifier: MIT */
/* The machine code of one function that has probes, as a graph of instructions: what is known before each of them, and
 * what executing one changes. Filled in by tools/lib/machine/build.h.
 *
 * The stack pointer at the entry counts as a constant, ROUTINE_STACK, so that words of the frame have known addresses:
 * these are the slots.
 *
 *   related     what path numbers are made of: what the argument of a path probe depends on, through registers and
 *               slots
 *   own         calls of probes, and what serves only them: instructions whose results nothing else needs, as if the
 *               probes were not called (strongly live variables: what feeds only what is not needed is not needed
 *               either) */
#ifndef WEFT_TOOLS_LIB_MACHINE_ROUTINE_H
#define WEFT_TOOLS_LIB_MACHINE_ROUTINE_H

#include "tools/lib/image/image.h"
#include "tools/lib/machine/decode.h"

#define ROUTINE_STACK 0xc0000000u
#define ROUTINE_NONE UINT32_MAX
#define ROUTINE_ANY_FLAGS 0xffffu

/* Slots that path numbers pass through; more are not followed. */
enum { ROUTINE_SLOTS_MAX = 48, ROUTINE_SLOT_BIT = 16, ROUTINE_FRAME_MAX = 1 << 20 };

typedef enum routine_call {
    ROUTINE_NO_CALL,
    ROUTINE_CALL,
    ROUTINE_PROBE,     /* of accesses, values */
    ROUTINE_ASIDE,     /* of what is no event of the path: stamps, marks, sizes of strings */
    ROUTINE_LOOP,      /* passes of a loop end, __weft_loop (port/cortex-m/probes.h) */
    ROUTINE_PATH,      /* a path ends: its number is in r0 */
    ROUTINE_LOOP_PATH, /* both: __weft_loop_path */
    ROUTINE_PACK,      /* a path ends, alone or the last of a pack, which is in r1 */
    ROUTINE_PACK_FULL, /* the same, where the routine goes on without a call */
} routine_call;

/* What is known at a point. */
typedef struct routine_state {
    uint64_t known;                          /* mask: r0..r14, slots from bit ROUTINE_SLOT_BIT on */
    uint16_t flags;                          /* mask of what NZCV may be, 16 values */
    uint32_t r[15], slot[ROUTINE_SLOTS_MAX]; /* 0 where not known */
} routine_state;

typedef struct routine_step {
    thumb_insn insn;
    uint64_t writes;
    uint64_t covers;   /* of an IT block: what it writes if its condition holds, and a later step of the block if not */
    uint8_t call;      /* routine_call */
    uint8_t condition; /* of its branch, or that an IT block gives it */
    uint8_t word_count; /* words of the frame that it loads or stores */
    uint8_t word_register[2];
    uint16_t word[2]; /* numbers of slots */
    bool leaves;      /* out of the function: a return, a tail call */
    bool away;        /* a computed goto */
    bool joined;      /* two ways or more lead here */
    uint8_t head;     /* from 1: a cycle without a path probe comes back here, not counted; 0: none */
    bool within;      /* a call of __weft_loop in its loop */
    uint32_t counted; /* from 1: the head of a loop whose passes are recorded where it is left; 0: not */
    bool related, own;
    bool full; /* its branch asks whether a pack is full, and leads to what records it: the other way is left out */
    bool never, always;      /* of an IT block before such a branch: what is done where the pack is not full, or is */
    bool rare;               /* it runs only where a pack is full */
    uint32_t rare_count;     /* of a ROUTINE_PACK_FULL: such steps */
    uint32_t more, more_own; /* instructions of the other rounds of a loop that it ended, all and own of them */
    uint64_t live; /* before it: mask of what path numbers depend on, as `known`; bit THUMB_FLAGS: the flags are read */
    uint32_t not_full;     /* of `full`: the other way */
    uint32_t next, target; /* the step after it, the step that it branches to; ROUTINE_NONE: there is none */
    uint32_t *table;       /* where else it may lead */
    uint32_t table_count;
    size_t table_max;
    routine_state before; /* what is known whichever way led here */
} routine_step;

typedef struct routine_slot {
    uint32_t address;
    uint8_t number; /* among those that are related, from 1; 0: not */
    bool needed;    /* the program loads it */
} routine_slot;

typedef struct routine {
    routine_step *steps; /* the entry is the first */
    uint32_t count;
    routine_slot *slots;
    uint32_t slot_count, related_slots, heads, counted;
    size_t slot_max;
    bool known; /* false: an instruction or a jump is not understood, or it is too large */
    const image *im;
    uint32_t start, end;
    uint32_t *index;    /* of each halfword: its step + 1 */
    uint32_t *landings; /* addresses; NULL: the function has no computed goto */
    uint32_t landing_count;
    size_t landing_max;
    uint32_t activation; /* 16 bytes that only probes use; 0: none */
} routine;

static inline bool routine_ends_pack(const routine_step *s)
{
    return s->call == ROUTINE_PACK || s->call == ROUTINE_PACK_FULL;
}

static inline bool routine_ends_path(const routine_step *s)
{
    return s->call == ROUTINE_PATH || s->call == ROUTINE_LOOP_PATH || routine_ends_pack(s);
}

static inline bool routine_ends_loop(const routine_step *s)
{
    return s->call == ROUTINE_LOOP || s->call == ROUTINE_LOOP_PATH;
}

void routine_free(routine *r);

/* Does a step that is conditional take effect? ROUTINE_YES and ROUTINE_NO together: either may be. */
enum { ROUTINE_YES = 1, ROUTINE_NO = 2 };
unsigned routine_decide(const routine_step *s, const routine_state *state);
/* Takes over what follows from the condition's being so. */
void routine_assume(const routine_step *s, routine_state *state, bool holds);
/* Forgets registers, slots, and the flags (bit THUMB_FLAGS). */
void routine_forget(routine_state *state, uint64_t what);
/* Executes it: its condition, if it has one, holds. */
void routine_execute(const routine *r, const routine_step *s, routine_state *state);

/* cbz, cbnz: the register is the condition. */
bool routine_is_compare_branch(const thumb_insn *insn);
/* Four bytes, little-endian; and the halfword at an address of the image (0: the image has none there). */
uint32_t routine_word(const uint8_t *bytes);
uint32_t routine_half(const routine *r, uint32_t address);

/* A mask with one bit. */
#define ROUTINE_BIT(n) (UINT64_C(1) << (n))
#define ROUTINE_FLAGS ROUTINE_BIT(THUMB_FLAGS)
#define ROUTINE_REGISTERS UINT64_C(0x7fff)
#define ROUTINE_SLOT(number) ROUTINE_BIT(ROUTINE_SLOT_BIT + (number)-1)
/* What a call may change (the procedure call standard). */
#define ROUTINE_CLOBBERED (UINT64_C(0x500f) | ROUTINE_FLAGS | UINT64_C(0xffff) << 32)

#endif
