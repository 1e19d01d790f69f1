/* SPDX-License-Identifier: MIT */
/* What of a context's values follows from which of its loads of shared memory: through registers, flags, words of the
 * stack, and conditional branches.
 *
 * A token stands for a load; sets of tokens are masks. The N-th load of an instruction replaces the token of its N-th
 * load before. When tokens or followed words run out, the oldest is forgotten.
 *
 *     ldr  r0, [r4]        loads `count`, which an interrupt writes: token a    r0: a
 *     adds r0, #1                                                               r0, flags: a
 *     str  r0, [sp, #4]                                                         the word at sp + 4: a
 *     cmp  r0, #9                                                               flags: a
 *     bne  1f              all that follows is decided by a, until the function returns, and its r0 then
 *     ldr  r1, [sp, #4]                                                         r1: a
 *     str  r1, [r4]        stores what follows from a: an update of `count` that the interrupt may get into */
#ifndef WEFT_TOOLS_LIB_INSPECT_RACE_FLOW_H
#define WEFT_TOOLS_LIB_INSPECT_RACE_FLOW_H

#include "tools/lib/machine/decode.h"
#include "tools/lib/recording/full.h"

enum {
    FLOW_TOKENS = 64,
    FLOW_WORDS = 32,
    FLOW_REACH = 64 /* bytes of an element that are looked at */
};

/* A store of the same bytes after the load, of what does not follow from any load of them. */
typedef struct flow_cleared {
    uint32_t pc;                          /* 0: none yet */
    uint64_t others, seen, locks, guards; /* kinds of contexts that could come before it; exceptions that had stored */
    uint32_t *came;                       /* threads that had, ended by UINT32_MAX; malloc; NULL: none */
} flow_cleared;

typedef struct flow_token {
    uint32_t address, size, pc;
    uint64_t time, value;
    uint64_t locks;      /* that were held */
    bool unknown;        /* the value is not known */
    uint32_t control_sp; /* stack pointer at the branch that depends on it */
    int32_t control_depth;
    uint32_t order; /* among the accesses of the instruction */
    uint32_t sp;    /* stack pointer at the load */
    bool kept;      /* what follows from it was stored in memory that is no stack */
    flow_cleared cleared;
} flow_token;

/* Two loads of the same bytes that were compared, and how that is decided about. */
typedef struct flow_same {
    uint64_t first, second;          /* masks of one token; 0: none. Of what the flags are */
    bool loaded_plain, stored_plain; /* what the instruction loaded last, and what it stores, is what a load gave */
    bool asked, if_taken;            /* a branch asked: they are the same if it was, or was not, taken */
    uint32_t target;
} flow_same;

typedef struct flow {
    flow_token token[FLOW_TOKENS];
    uint64_t live;
    uint64_t of[64];  /* by location, as in recording/full.h */
    uint64_t control; /* tokens that decided where control went, in functions that have not returned */
    uint64_t result;  /* of `control`, that decided what r0 holds */
    int32_t depth;    /* calls less returns */
    uint64_t leaving; /* tokens that were of `control` until the stack pointer rose, before this function is left */
    struct {
        uint32_t address;
        bool plain;
        uint64_t tokens;
    } word[FLOW_WORDS]; /* of memory that was stored */
    uint64_t plain;     /* locations that hold what a load gave, unchanged */
    flow_same same;
    unsigned next_token, next_word;
} flow;

/* Nothing follows from anything. */
void flow_clear(flow *f);
void flow_free(flow *f);
/* What an instruction's results and stores follow from, by what it reads. */
uint64_t flow_sources(const flow *f, const thumb_insn *insn);
/* What its i-th store of `count` follows from: each of several registers that are stored together has its own word. */
uint64_t flow_stored(const flow *f, const thumb_insn *insn, uint32_t i, uint32_t count, uint64_t sources);
/* Before all else of an instruction: whether a comparison has shown that what was loaded first is still there when it
 * is loaded again (`look = n; mask(); if (n == look) n = look + 1;`). Then the first load counts as made by the
 * second. */
void flow_compare(flow *f, const thumb_insn *insn, bool passed);
/* After it. */
void flow_compared(flow *f, const thumb_insn *insn, const full_event *event, unsigned loads);
/* A conditional instruction decides where control goes. */
void flow_branch(flow *f, const thumb_insn *insn, uint32_t sp);
/* A load of shared memory: the mask of its new token. */
uint64_t flow_load(flow *f, const flow_token *token);
/* A load or a store of other memory. */
uint64_t flow_load_word(flow *f, uint32_t address);
void flow_store_word(flow *f, uint32_t address, uint64_t tokens);
/* What the words at a pointer follow from: a list whose head is loaded, put into a new element, and replaced by it. */
uint64_t flow_reached(const flow *f, uint32_t pointer);
/* What it wrote follows from `sources` and from loaded[i] of its i-th load. */
void flow_write(flow *f, const thumb_insn *insn, const full_event *event, uint64_t sources, const uint64_t *loaded,
                unsigned count);
/* A call, or a return of a function that may have no stack of its own. */
void flow_call(flow *f);
void flow_leave(flow *f, uint32_t sp);
/* The stack pointer rose: functions returned, or `insn` ends one that is about to be left. */
void flow_return(flow *f, const thumb_insn *insn, uint32_t sp);
/* The function is left by a jump into another, which then stands in its place: what decided on that still does. */
void flow_tail_call(flow *f, uint32_t sp);

#endif
