/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/exception.h"

#include <string.h>

#include "tools/lib/image/vectors.h"
#include "tools/lib/machine/thumb.h"

#define ALIGNED (1u << 9) /* of the stacked xPSR: four bytes of padding */
#define THUMB_STATE (1u << 24)

/* ITSTATE as xPSR holds it: bits 15..10 and 26..25. */
static uint32_t block_bits(const rerun_core *core)
{
    unsigned left = core->conditional;
    if (!left)
        return 0;
    const uint8_t *conditions = &core->conditions[4 - left];
    uint32_t state = (uint32_t)conditions[0] << 4;
    for (unsigned i = 1; i < left; i++)
        state |= (conditions[i] & 1u) << (4 - i);
    state |= 1u << (4 - left);
    return thumb_xpsr_it(state);
}

static void set_block(rerun_core *core, uint32_t xpsr)
{
    uint32_t state = (xpsr >> 10 & 0x3f) << 2 | (xpsr >> 25 & 3);
    core->conditional = 0;
    if (!(state & 15))
        return;
    unsigned left = 4 - (unsigned)__builtin_ctz(state & 15);
    core->conditional = (uint8_t)left;
    for (unsigned i = 0; i < left; i++)
        core->conditions[4 - left + i] = (uint8_t)(i ? (state >> 4 & 14) | (state >> (4 - i) & 1) : state >> 4);
}

static void describe(const rerun_machine *m, full_event *event, uint32_t from, bool entry, uint32_t frame)
{
    const rerun_core *core = &m->core;
    *event = (full_event){
        .kind = FULL_EXCEPTION, .from = from, .to = core->exception, .entry = entry, .pc = core->pc, .frame = frame};
    for (unsigned i = 0; i < 15; i++)
        event->registers[i] = core->word[i];
    event->registers[15] = core->pc;
    event->xpsr = (core->word[THUMB_FLAGS] & RERUN_APSR) | THUMB_STATE | block_bits(core) | core->exception;
}

/* What a stacked frame holds, in order: locations; the pc and xPSR come after them. */
static const uint8_t stacked[6] = {0, 1, 2, 3, 12, RERUN_LR};

static uint32_t kept_at(const rerun_core *core, uint32_t frame)
{
    uint32_t at = 0;
    while (at < RERUN_FRAMES && core->stored[at].frame != frame)
        at++;
    return at;
}

static void keep_state(rerun_core *core, uint32_t frame, uint32_t xpsr)
{
    uint32_t at = kept_at(core, frame);
    if (at == RERUN_FRAMES)
        at = core->stored_count++ % RERUN_FRAMES;
    core->stored[at].frame = frame;
    core->stored[at].state = xpsr;
    core->stored[at].flags_known = core->flags_known;
}

static void store_frame(rerun_machine *m, uint32_t frame, uint32_t xpsr)
{
    rerun_core *core = &m->core;
    for (unsigned i = 0; i < 6; i++)
        rerun_store(m->space, frame + 4 * i, 4, core->word[stacked[i]], rerun_knows(core, RERUN_BIT(stacked[i])));
    rerun_store(m->space, frame + 24, 4, core->pc, true);
    rerun_store(m->space, frame + 28, 4, xpsr, (core->flags_known & RERUN_APSR) == RERUN_APSR);
    if ((core->flags_known & RERUN_APSR) != RERUN_APSR)
        keep_state(core, frame, xpsr);
    if (!core->floats_used)
        return;
    for (unsigned i = 0; i < 17; i++) {
        unsigned loc = i < 16 ? RERUN_FLOAT + i : RERUN_FPSCR;
        rerun_store(m->space, frame + RERUN_FRAME + 4 * i, 4, core->word[loc], rerun_knows(core, RERUN_BIT(loc)));
    }
}

static uint32_t handler_of(rerun_machine *m, uint32_t exception)
{
    uint64_t word;
    if (m->vectors)
        return rerun_load(m->space, m->vectors + 4 * exception, 4, &word) ? (uint32_t)word & ~1u : 0;
    return vectors_word(m->im, exception) & ~1u;
}

/* The main stack is in use from here on. */
static void use_main_stack(rerun_core *core, uint32_t sp)
{
    bool process = core->process_stack && !core->exception;
    uint32_t main = core->other_sp;
    bool known = core->other_sp_known;
    if (process) {
        core->other_sp = sp;
        core->other_sp_known = true;
        rerun_set(core, RERUN_SP, main, known);
    } else {
        rerun_set(core, RERUN_SP, sp, true);
    }
}

uint32_t rerun_stacked_state(const rerun_core *core)
{
    uint32_t padding = core->word[RERUN_SP] & 4 ? ALIGNED : 0;
    return (core->word[THUMB_FLAGS] & RERUN_APSR) | THUMB_STATE | block_bits(core) | padding | core->exception;
}

rerun_status rerun_enter(rerun_machine *m, uint32_t exception, full_event *event)
{
    rerun_core *core = &m->core;
    uint32_t from = core->exception, size = core->floats_used ? RERUN_FRAME_FLOATS : RERUN_FRAME,
             sp = core->word[RERUN_SP];
    uint32_t handler = handler_of(m, exception);
    if (!rerun_knows(core, RERUN_BIT(RERUN_SP)))
        return RERUN_PLACE_UNKNOWN;
    if (!handler)
        return RERUN_NO_CODE;
    uint32_t frame = (sp - size) & ~7u;
    store_frame(m, frame, rerun_stacked_state(core));
    uint32_t kind = from ? 0xfffffff1u : core->process_stack ? 0xfffffffdu : 0xfffffff9u;
    use_main_stack(core, frame);
    rerun_set(core, RERUN_LR, core->floats_used ? kind & ~16u : kind, true);
    core->exception = exception;
    core->conditional = 0;
    core->floats_used = core->exclusive = false;
    core->pc = handler;
    describe(m, event, from, true, frame);
    return RERUN_DONE;
}

rerun_status rerun_chain(rerun_machine *m, uint32_t exception, full_event *event)
{
    rerun_core *core = &m->core;
    uint32_t from = core->exception, kind = core->pc, handler = handler_of(m, exception);
    if (!handler)
        return RERUN_NO_CODE;
    bool process = kind & 4;
    uint32_t frame = process ? core->other_sp : core->word[RERUN_SP];
    for (unsigned i = 0; i < 5; i++)
        rerun_set(core, stacked[i], 0, false);
    rerun_set_flags(core, 0, RERUN_APSR & ~(RERUN_Q | RERUN_GE), 0);
    rerun_set(core, RERUN_LR, kind, true);
    core->exception = exception;
    core->conditional = 0;
    core->floats_used = core->exclusive = false;
    core->pc = handler;
    describe(m, event, from, true, frame);
    return RERUN_DONE;
}

/* The xPSR of a frame; of its flags none need be known. */
static bool load_state(rerun_machine *m, uint32_t frame, uint32_t *xpsr, uint32_t *flags_known)
{
    const rerun_core *core = &m->core;
    uint64_t state;
    *flags_known = RERUN_APSR;
    if (rerun_load(m->space, frame + 28, 4, &state)) {
        *xpsr = (uint32_t)state;
        return true;
    }
    uint32_t at = kept_at(core, frame);
    if (at == RERUN_FRAMES)
        return false;
    *xpsr = core->stored[at].state;
    *flags_known = core->stored[at].flags_known;
    return true;
}

/* The registers of a frame. False: where it goes on is not known. */
static bool load_frame(rerun_machine *m, uint32_t frame, uint32_t *pc)
{
    uint64_t word;
    if (!rerun_load(m->space, frame + 24, 4, &word))
        return false;
    *pc = (uint32_t)word & ~1u;
    for (unsigned i = 0; i < 6; i++) {
        bool known = rerun_load(m->space, frame + 4 * i, 4, &word);
        rerun_set(&m->core, stacked[i], (uint32_t)word, known);
    }
    return true;
}

static void load_floats(rerun_machine *m, uint32_t frame)
{
    for (unsigned i = 0; i < 17; i++) {
        uint64_t word;
        bool known = rerun_load(m->space, frame + RERUN_FRAME + 4 * i, 4, &word);
        rerun_set(&m->core, i < 16 ? RERUN_FLOAT + i : RERUN_FPSCR, (uint32_t)word, known);
    }
}

rerun_status rerun_leave(rerun_machine *m, full_event *event)
{
    rerun_core *core = &m->core;
    uint32_t kind = core->pc, from = core->exception, pc, xpsr;
    bool thread = kind & 8, process = kind & 4, floats = !(kind & 16);
    uint32_t flags_known;
    if (!rerun_knows(core, RERUN_BIT(RERUN_SP)) || (process && !core->other_sp_known))
        return RERUN_PLACE_UNKNOWN;
    uint32_t frame = process ? core->other_sp : core->word[RERUN_SP];
    if (!load_state(m, frame, &xpsr, &flags_known) || !load_frame(m, frame, &pc))
        return RERUN_WAY_UNKNOWN;
    if (floats)
        load_floats(m, frame);
    uint32_t after = frame + (floats ? RERUN_FRAME_FLOATS : RERUN_FRAME) + (xpsr & ALIGNED ? 4 : 0);
    core->exception = thread ? 0 : xpsr & 0x1ff;
    if (thread)
        core->process_stack = process;
    if (process) {
        core->other_sp = core->word[RERUN_SP];
        core->other_sp_known = true;
    }
    rerun_set(core, RERUN_SP, after, true);
    rerun_set_flags(core, xpsr, RERUN_APSR, flags_known);
    set_block(core, xpsr);
    core->floats_used = floats;
    core->faultmask = core->exclusive = 0;
    core->pc = pc;
    describe(m, event, from, false, frame);
    return RERUN_DONE;
}
