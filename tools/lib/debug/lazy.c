/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/lazy.h"

#include "tools/lib/debug/running.h"
#include "tools/lib/debug/search.h"
#include "tools/lib/wet/core.h"

#define FPCCR 0xe000ef34u
#define FPCAR 0xe000ef38u
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

/* What FPCCR held when the program read or wrote it last, else at the reset. False: not known. */
static bool control_accessed(debug_run *r, debug_instant at, uint32_t *control)
{
    uint8_t bytes[4];
    bool accessed = debug_run_memory(r, at, FPCCR, bytes, 4) == 4;
    if (accessed)
        *control = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    else
        *control = ASPEN | LSPEN;
    return accessed || r->has_reset;
}

/* One of the two. False: not known. */
static bool word_at(debug_run *r, debug_instant at, uint32_t address, uint32_t *value)
{
    bool active = false;
    uint32_t control, time = debug_run_step(r, at)->time;
    const debug_exception *x = last_frame(r, debug_exceptions_before(&r->source.exceptions, time), &active);
    if (!x || !control_accessed(r, at, &control))
        return false;
    bool waits = active && control & LSPEN && !float_since(r, at, x->time);
    *value = address == FPCAR ? x->frame + WET_STACKED_FLOAT_AT : (control & ~LSPACT) | (waits ? LSPACT : 0);
    return true;
}

size_t debug_lazy_memory(debug_run *r, debug_instant at, uint32_t address, uint8_t *bytes, size_t size)
{
    if (address >= FPCAR + 4 || address + (uint64_t)size <= FPCCR)
        return debug_run_memory(r, at, address, bytes, size);
    for (size_t i = 0; i < size; i++) {
        uint32_t a = address + (uint32_t)i, word, value;
        word = a & ~3u;
        if ((word == FPCCR || word == FPCAR) && word_at(r, at, word, &value))
            bytes[i] = (uint8_t)(value >> 8 * (a & 3));
        else if (!debug_run_memory(r, at, a, bytes + i, 1))
            return i;
    }
    return size;
}
