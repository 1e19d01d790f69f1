/* SPDX-License-Identifier: MIT */
/* Frames by the rules of .debug_frame, from registers and memory of an instant; where the subject has recorded its
 * calls, by those. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/location.h"
#include "tools/lib/debug/names.h"

#define TO_THREAD 8u                 /* of such an address: to thread mode */
#define EXCEPTION_RETURN 0xffffff00u /* an address from here on says how to return from a handler */

void debug_names_open(debug_names *n, const image *im)
{
    *n = (debug_names){.im = im, .dwarf = image_dwarf(im)};
    n->rules = n->dwarf ? dwarf_getcfi(n->dwarf) : NULL;
}

static bool word_at(const debug_subject *s, debug_instant at, uint32_t address, uint32_t *word)
{
    uint8_t b[4];
    if (s->memory(s->own, at, address, b, 4) < 4)
        return false;
    *word = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    return true;
}

static void set(debug_frame *f, unsigned r, uint32_t value)
{
    f->r[r] = value;
    f->known |= 1u << r;
}

/* A register of the caller. False: it is not known. */
static bool caller_register(const debug_view *v, Dwarf_Frame *rules, int r, uint32_t *value)
{
    Dwarf_Op memory[3], *ops;
    size_t count;
    location l;
    if (dwarf_frame_register(rules, r, memory, &ops, &count))
        return false;
    if (!count) { /* the same as here; or not known */
        *value = v->frame.r[r];
        return ops != memory && v->frame.known >> r & 1;
    }
    if (!location_evaluate(v, ops, count, &l))
        return false;
    if (l.kind == LOCATION_MEMORY)
        return word_at(v->subject, v->at, l.value, value);
    *value = l.value;
    return l.kind == LOCATION_VALUE;
}

/* What the core stored at the entry of a handler. */
static bool exception_caller(const debug_view *v, debug_frame *caller)
{
    static const uint8_t order[8] = {0, 1, 2, 3, 12, 14, 15, 16};
    uint32_t word, xpsr = 0, sp = v->frame.r[13];
    bool floats = !(v->frame.pc & 0x10);
    if (!(v->frame.known >> 13 & 1))
        return false;
    for (unsigned i = 0; i < 8; i++) {
        bool known = word_at(v->subject, v->at, sp + 4 * i, &word);
        if (known && order[i] < 16)
            set(caller, order[i], word);
        else if (known)
            xpsr = word;
    }
    set(caller, 13, sp + (floats ? 0x68 : 0x20) + (xpsr & 0x200 ? 4 : 0));
    caller->pc = caller->r[15];
    caller->caller = false; /* it was interrupted there, not called from before there */
    return caller->known >> 15 & 1;
}

/* The rules of the view's frame, to be freed, and its address. NULL: not known. */
static Dwarf_Frame *rules_of(debug_view *v)
{
    Dwarf_Frame *rules;
    Dwarf_Op *ops;
    size_t count;
    location l;
    debug_frame *f = &v->frame;
    if (!v->names->rules || dwarf_cfi_addrframe(v->names->rules, f->pc - f->caller, &rules))
        return NULL;
    f->has_cfa =
        !dwarf_frame_cfa(rules, &ops, &count) && location_evaluate(v, ops, count, &l) && l.kind != LOCATION_REGISTER;
    f->cfa = f->has_cfa ? l.value : 0;
    if (f->has_cfa)
        return rules;
    free(rules);
    return NULL;
}

static void registers_get(debug_view *v, const debug_context *c)
{
    for (unsigned r = 0; r < 16; r++) {
        uint64_t value;
        if (v->subject->get(v->subject->own, v->at, c, r, &value))
            set(&v->frame, r, (uint32_t)value);
    }
    v->frame.pc = v->frame.r[15];
}

uint32_t debug_frame_address(const debug_names *n, const debug_subject *s, debug_instant at, const debug_context *c)
{
    debug_view v = {.names = n, .subject = s, .at = at};
    registers_get(&v, c);
    Dwarf_Frame *rules = rules_of(&v);
    free(rules);
    return rules ? v.frame.cfa : v.frame.known >> 13 & 1 ? v.frame.r[13] : 0;
}

/* The frame is on the other stack: it is the thread that the handlers interrupted, whose registers are known. */
static bool thread_caller(const debug_view *v, debug_frame *caller)
{
    debug_contexts c = v->subject->contexts(v->subject->own, v->at);
    debug_view thread = {.names = v->names, .subject = v->subject, .at = v->at};
    uint32_t i = 1; /* the current one is first, then those that it interrupted */
    while (i < c.count && c.all[i].id >= DEBUG_HANDLER_ID)
        i++;
    bool found = i < c.count;
    if (found)
        registers_get(&thread, &c.all[i]);
    debug_contexts_free(&c);
    *caller = thread.frame;
    return found && caller->known >> 15 & 1;
}

/* False: there is none, or it is not known. *handler: the frames so far are those of handlers. */
static bool caller_of(debug_view *v, debug_frame *caller, bool *handler)
{
    uint32_t value;
    debug_frame *f = &v->frame;
    Dwarf_Frame *rules = rules_of(v);
    bool good = rules != NULL;
    *caller = (debug_frame){.caller = true};
    for (int r = 4; good && r < 12; r++)
        if (caller_register(v, rules, r, &value))
            set(caller, (unsigned)r, value);
    good = good && caller_register(v, rules, 14, &value);
    free(rules);
    if (!good)
        return false;
    set(caller, 13, f->cfa);
    if (value >= EXCEPTION_RETURN) {
        bool interrupts = *handler; /* the first function of a thread has such a return address, too */
        if (value & 4) {
            *handler = false;
            return interrupts && thread_caller(v, caller);
        }
        if (value & TO_THREAD)
            *handler = false; /* a reset leaves such a return address in lr, too */
        debug_view left = *v;
        left.frame = *caller;
        left.frame.pc = value;
        return exception_caller(&left, caller);
    }
    caller->pc = value & ~1u;
    set(caller, 15, caller->pc);
    return caller->pc != 0 && image_function(&v->names->im->symbols, caller->pc);
}

size_t debug_frames_at(const debug_names *n, const debug_subject *s, debug_instant at, const debug_context *c,
                       debug_frame *frames, size_t max)
{
    debug_view v = {.names = n, .subject = s, .at = at};
    size_t count = 0;
    registers_get(&v, c);
    if (s->calls) {
        uint32_t *pcs = memory_zero(max, sizeof *pcs);
        count = s->calls(s->own, at, c, pcs, max);
        for (size_t i = 0; i < count; i++)
            frames[i] = (debug_frame){.pc = pcs[i], .caller = i > 0, .known = 1u << 15, .r[15] = pcs[i]};
        free(pcs);
        return count;
    }
    for (bool handler = c->id >= DEBUG_HANDLER_ID; count < max;) {
        debug_frame caller;
        bool more = caller_of(&v, &caller, &handler);
        frames[count++] = v.frame;
        if (!more)
            break;
        v.frame = caller;
    }
    return count;
}
