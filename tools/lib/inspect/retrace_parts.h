/* SPDX-License-Identifier: MIT */
/* What the steps of retrace.h share:
 *     retrace_run.c       1  paths, in the order of the recording
 *     retrace_contexts.c  2  activations and contexts: who runs, and what a function gives back
 *     retrace_static.c    3  an instruction of the image
 *     retrace_step.c      3  one instruction: what it reads and writes, which accesses are its own
 *     retrace_ahead.c     4  what a load gave, by the branch that follows */
#ifndef WEFT_TOOLS_LIB_INSPECT_RETRACE_PARTS_H
#define WEFT_TOOLS_LIB_INSPECT_RETRACE_PARTS_H

#include "tools/lib/base/numbering.h"
#include "tools/lib/inspect/retrace.h"
#include "tools/lib/machine/tracks.h"
#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/script.h"

#define RETRACE_SP (1u << 13)       /* as masks of registers */
#define RETRACE_CLOBBERED 0xd00fu   /* by a call: r0..r3, r12, lr, flags */
#define RETRACE_CALL_WRITES 0x500fu /* the same without the flags */

/* An announced access of the path that runs. */
typedef struct retrace_item {
    uint32_t address, size, id; /* id: the site */
    uint32_t done;              /* bytes that instructions were found for */
    uint64_t value;
    bool store, valued, exclusive;
} retrace_item;

/* A function that was entered. */
typedef struct retrace_activation {
    thumb_state entered; /* registers at its entry */
    uint32_t known;
    bool led;    /* the instructions up to its call were given */
    bool called; /* and something with probes was entered since */
} retrace_activation;

typedef struct retrace_context {
    uint32_t number; /* first: by_context */
    thumb_state state;
    uint32_t known; /* of its registers: r0..r14, bit 15 the flags */
    retrace_activation *calls;
    size_t depth, max;
    retrace_item *items;
    size_t item_count, item_max;
} retrace_context;

typedef struct retrace_word {
    uint32_t address, value;
    uint8_t known; /* one bit per byte */
} retrace_word;

/* An instruction of the image. */
typedef struct retrace_static {
    full_instruction i;
    thumb_insn insn;
} retrace_static;

/* One of its halfwords. */
static inline uint32_t retrace_half(const thumb_insn *insn, unsigned which)
{
    return insn->bytes[2 * which] | (uint32_t)insn->bytes[2 * which + 1] << 8;
}

struct retrace {
    const container *file;
    program *app;
    const image *im;
    tracks *code;
    scripts *scripts;
    struct retrace_paths *paths; /* their steps */
    replay *events;
    const processor *p;
    retrace_context *contexts;
    size_t context_count, context_max;
    uint32_t context; /* that the recording is in */
    /* what is given next */
    uint32_t wanted; /* the context's number; the processor is not there yet */
    bool masked;     /* after a gap nothing is known of the masks */
    track_step *steps;
    retrace_static **step_statics; /* their instructions, as far as they were looked up */
    size_t step_count, step_at;
    const replay_script *script; /* whose steps these are, or were */
    uint32_t last_pc;            /* its last step */
    uint32_t lead;               /* address of the next instruction up to a call; 0: none */
    const retrace_static *given;
    retrace_static extra; /* stands for an instruction that was not found */
    /* what is known */
    numbering statics_of; /* of address * 2, + 1: as a call of something without probes */
    retrace_static **statics;
    size_t static_max;
    numbering words_of;
    retrace_word *words;
    size_t word_max;
    uint64_t time;
    race_doubts doubts;
    functions_seen seen;
};

static inline retrace_context *retrace_here(retrace *r)
{
    return &r->contexts[r->context];
}

/* Memory. False: not all of the bytes are known. */
bool retrace_memory_load(retrace *r, uint32_t address, uint32_t size, uint64_t *value);
/* `known`: the value is. */
void retrace_memory_store(retrace *r, uint32_t address, uint32_t size, uint64_t value, bool known);

/* Step 2. Contexts by their index, and by number: a new one if it is new. */
void retrace_context_reset(retrace_context *c, uint32_t index);
void retrace_context_free(retrace_context *c);
uint32_t retrace_context_of(retrace *r, uint32_t number);
/* The context that the recording is in enters a function, or leaves one. */
retrace_activation *retrace_enter(retrace *r);
void retrace_leave(retrace *r);
/* The number of the context that the processor is in. */
uint32_t retrace_running(const processor *p);
/* One step nearer to the context that the recording is in. */
void retrace_exception(retrace *r, full_event *event);
/* After a gap it is not known what is masked: all is, until an interrupt comes. False: no change. */
bool retrace_mask(retrace *r, full_event *event);

/* The instruction at an address; `clobbers`: a call of something without probes. NULL: the image has none. */
retrace_static *retrace_static_at(retrace *r, uint32_t pc, unsigned condition, bool clobbers);
/* Step 3: executes it in a context and fills the event in. `calls`: block transfers are its own. False: accesses are
 * left, which the next event with the same instruction has. */
bool retrace_execute(retrace *r, retrace_context *c, retrace_static *s, bool calls, full_event *event);
/* The instruction of a step of the path that runs; looked up once. NULL: the image has none. */
retrace_static *retrace_step_static(retrace *r, size_t i);
/* What the load of the current step gives to a register, if the branch that the path takes after it leaves one value:
 * `if (!request) request = 7;`. */
bool retrace_ahead(retrace *r, const thumb_insn *load, unsigned reg, uint64_t *value);
/* Announced accesses of named objects that no instruction of the path was found for, on one that stores exclusively or
 * does nothing. (Those on stacks are at other addresses here.) False: there are none. */
bool retrace_leftover(retrace *r, retrace_context *c, full_event *event);

#endif
