/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/lazy.h"

#include "tools/lib/debug/running.h"
#include "tools/lib/debug/search.h"
#include "tools/lib/wet/core.h"

#define ASPEN 0x80000000u
#define LSPEN 0x40000000u
#define LSPACT 1u

/* Whether an entry's frame has room for floats, as lr says after it. */
static bool has_room(debug_run *r, const debug_exception *x)
{
    debug_window *w = run_window(r, (x->time - 1) / r->source.f->window);
    debug_window_go(w, run_step_of(w, x->time, 0) + 1);
    return !(w->registers[14] & WET_EXC_RETURN_BASIC);
}

/* The last such frame of those that were made before; NULL: none. *active: its handler has not returned. */
static const debug_exception *last_frame(debug_run *r, uint32_t before, bool *active)
{
    const debug_exceptions *e = &r->source.exceptions;
    uint32_t returns = 0;
    for (uint32_t i = before; i-- > 0;) {
        const debug_exception *x = &e->all[i];
        returns += x->kind == DEBUG_RETURN;
        if (x->kind != DEBUG_ENTRY)
            continue;
        *active = !returns;
        if (has_room(r, x))
            return x;
        returns -= returns > 0;
    }
    return NULL;
}

/* vldr to vselv, of coprocessors 10 and 11. */
static bool is_float(const debug_run *r, const wet_statement *s)
{
    uint32_t pc = r->source.f->statics[s->instruction].insn.pc;
    const uint8_t *code = s->passed ? image_bytes(r->im, pc, 4) : NULL;
    return code && (code[1] & 0xec) == 0xec && (code[3] & 0xe) == 0xa;
}

static bool float_since(debug_run *r, debug_instant at, uint32_t time)
{
    return debug_run_executed(r, at, is_float) > time;
}

bool debug_lazy_word(debug_run *r, debug_instant at, uint32_t address, const uint32_t *accessed, uint32_t *value)
{
    bool active = false;
    uint32_t time = debug_run_step(r, at)->time;
    const debug_exception *x = last_frame(r, debug_exceptions_before(&r->source.exceptions, time), &active);
    if (!x || (!accessed && !r->has_reset))
        return false;
    uint32_t control = accessed ? *accessed & ~LSPACT : ASPEN | LSPEN;
    if (address == LAZY_FPCAR)
        *value = x->frame + WET_STACKED_FLOAT_AT;
    else
        *value = control | (active && control & LSPEN && !float_since(r, at, x->time) ? LSPACT : 0);
    return true;
}
