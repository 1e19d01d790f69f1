/* SPDX-License-Identifier: MIT */
/* The registers of a core that executes on the host. A plain value: a copy is a snapshot. */
#ifndef WEFT_TOOLS_LIB_RERUN_CORE_H
#define WEFT_TOOLS_LIB_RERUN_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/lib/machine/decode.h"

#define RERUN_BIT(n) (UINT64_C(1) << (n))
#define RERUN_SP 13u
#define RERUN_LR 14u
#define RERUN_FPSCR 16u
#define RERUN_FLOAT 32u /* s0; the locations of tools/lib/machine/decode.h */
#define RERUN_LOCATIONS 64u

#define RERUN_N 0x80000000u
#define RERUN_Z 0x40000000u
#define RERUN_C 0x20000000u
#define RERUN_V 0x10000000u
#define RERUN_Q 0x08000000u
#define RERUN_GE 0x000f0000u
#define RERUN_APSR (RERUN_N | RERUN_Z | RERUN_C | RERUN_V | RERUN_Q | RERUN_GE)

#define RERUN_FRAMES 16u

typedef struct rerun_core {
    uint32_t word[RERUN_LOCATIONS]; /* by location; what is not known is 0. [THUMB_FLAGS]: the APSR */
    uint64_t known;                 /* locations; that of the flags: all of them */
    uint32_t flags_known;           /* bits of the APSR */
    uint64_t spoiled;               /* registers that may hold something else on the target, since a probe was called */
    uint32_t flags_spoiled;         /* likewise, bits of the APSR */
    uint32_t pc;
    uint8_t conditions[4]; /* that an IT block gives the next instructions */
    uint8_t conditional;   /* how many of them are left */
    uint32_t exception;    /* IPSR */
    uint32_t other_sp;     /* the stack pointer that is not in use */
    bool other_sp_known;
    bool process_stack, unprivileged, floats_used; /* CONTROL */
    uint32_t primask, faultmask, basepri;
    bool exclusive; /* the monitor holds an address */
    /* Frames that were stored while some flags were unknown: their xPSR, and which of its flags are known. */
    struct {
        uint32_t frame, state, flags_known;
    } stored[RERUN_FRAMES];
    uint32_t stored_count;
} rerun_core;

static inline bool rerun_knows(const rerun_core *core, uint64_t locations)
{
    return (locations & ~core->known) == 0;
}

static inline void rerun_set(rerun_core *core, unsigned location, uint32_t value, bool known)
{
    core->word[location] = known ? value : 0;
    core->spoiled &= ~RERUN_BIT(location);
    core->known = known ? core->known | RERUN_BIT(location) : core->known & ~RERUN_BIT(location);
}

static inline void rerun_set_flags(rerun_core *core, uint32_t value, uint32_t mask, uint32_t known)
{
    core->word[THUMB_FLAGS] = (core->word[THUMB_FLAGS] & ~mask) | (value & mask & known);
    core->flags_known = (core->flags_known & ~mask) | (known & mask);
    core->flags_spoiled &= ~mask;
    bool all = (core->flags_known & RERUN_APSR) == RERUN_APSR;
    core->known = all ? core->known | RERUN_BIT(THUMB_FLAGS) : core->known & ~RERUN_BIT(THUMB_FLAGS);
}

#endif
