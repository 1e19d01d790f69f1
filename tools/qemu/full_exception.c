/* SPDX-License-Identifier: MIT */
#include "tools/qemu/full.h"

#include <string.h>

#include "tools/lib/machine/thumb.h"

static uint32_t guest_word(uint32_t address)
{
    uint32_t word = 0;
    return machine_read(address, &word, sizeof word) ? word : 0;
}

/* The frame that the core has just stored: on the main stack, which the handler uses, or on the process stack. Cores of
 * ARMv8.1-M then clear what they stored. */
static uint32_t entry_frame(void)
{
    const uint32_t *now = full.m.registers;
    uint32_t frame = now[14] & 4 ? machine_other_stack(&full.m) : now[13];
    bool cleared = !(now[0] | now[1] | now[2] | now[3] | now[12]);
    return (cleared || guest_word(frame) == now[0]) && guest_word(frame + 28) & 1u << 24 ? frame : 0;
}

/* The frame that the core has just restored: it ends at the stack pointer, perhaps with padding, and holds the
 * registers. Not always the one that the handler's entry stored: a scheduler goes on with another thread. 0: none is
 * found. */
static uint32_t restored_frame(uint32_t pc)
{
    const uint32_t *now = full.m.registers;
    for (uint32_t shape = 0; shape < 4; shape++) {
        uint32_t padding = shape & 1 ? 4 : 0, frame = now[13] - (shape & 2 ? 0x68 : 0x20) - padding,
                 xpsr = guest_word(frame + 28);
        bool same = xpsr & 1u << 24 && !(xpsr & 1u << 9) == !padding && (guest_word(frame + 24) & ~1u) == pc;
        for (int i = 0; i < 4; i++)
            same &= guest_word(frame + 4 * (uint32_t)i) == now[i];
        if (same && guest_word(frame + 16) == now[12] && guest_word(frame + 20) == now[14])
            return frame;
    }
    return 0;
}

/* The frame that stays when a handler starts in place of another; a scheduler may have changed the process stack. 0:
 * none. */
static uint32_t kept_frame(void)
{
    uint32_t frame = full.m.registers[14] & 4 ? machine_other_stack(&full.m) : full.m.registers[13];
    return guest_word(frame + 28) & 1u << 24 ? frame : 0;
}

/* Registers as the interrupted instruction left them: the frame has what the entry overwrote. */
static void undo_entry(uint32_t frame, uint32_t *after, uint32_t *apsr)
{
    uint32_t xpsr = guest_word(frame + 28), size = after[14] & 16 ? 0x20 : 0x68;
    for (uint32_t i = 0; i < 4; i++)
        after[i] = guest_word(frame + 4 * i);
    after[12] = guest_word(frame + 16);
    after[14] = guest_word(frame + 20);
    after[13] = frame + size + (xpsr & 1u << 9 ? 4 : 0);
    *apsr = xpsr & 0xf80f0000u;
}

/* Registers as an exception return left them before the core restored the frame: only a load has written any. */
static void undo_return(const node *n, uint32_t *after)
{
    memcpy(after, full.before, sizeof full.before);
    uint32_t k = 0;
    for (uint32_t core = (uint32_t)n->writes & 0x5fff; core && k < full.access_count; core &= core - 1)
        after[__builtin_ctz(core)] = (uint32_t)full.accesses[k++].value;
    if (n->writes & FULL_REGISTER(13))
        after[13] += 4 * full.access_count;
}

static bool is_active(uint32_t exception)
{
    for (uint32_t i = 0; i < full.depth; i++)
        if (full.levels[i].exception == exception)
            return true;
    return false;
}

static void push_level(uint32_t exception, uint32_t frame)
{
    if (full.depth == LEVELS)
        full.depth--;
    full.levels[full.depth].exception = exception;
    full.levels[full.depth++].frame = frame;
}

static void note_exception(uint32_t from, uint32_t to, bool entry, const uint32_t *registers, uint32_t pc,
                           uint32_t xpsr, uint32_t frame)
{
    put_note(FULL_NOTE_EXCEPTION);
    put_varint(FULL_NOTES, from);
    put_varint(FULL_NOTES, to);
    put_byte(FULL_NOTES, entry);
    for (int r = 0; r < 15; r++)
        put_fixed(FULL_NOTES, registers[r], 4);
    put_fixed(FULL_NOTES, pc, 4);
    put_fixed(FULL_NOTES, xpsr, 4);
    put_fixed(FULL_NOTES, frame, 4);
    full.exception_total++;
}

static bool is_fault(uint32_t exception)
{
    return (exception >= 2 && exception <= 7) || exception == 12;
}

/* A handler that another one interrupted before its first instruction: what it started with. */
typedef struct unbegun {
    uint32_t exception;
    uint32_t registers[16], pc, xpsr, frame;
} unbegun;

/* Those found at one time. The handler that started last stands first; each interrupted the one after it. */
typedef struct unbegun_list {
    unbegun all[LEVELS];
    uint32_t count;
} unbegun_list;

/* Finds the handlers that started between `interrupted` and the entry whose frame is at `frame`. `after` holds the
 * registers as that entry found them; they become those from before the handlers found. There are several if the host
 * was slow: each came, more urgent, while the emulator entered the one before. */
static void find_unbegun(uint32_t frame, uint32_t interrupted, uint32_t *after, uint32_t *apsr, unbegun_list *found)
{
    found->count = 0;
    while (found->count < LEVELS) {
        unbegun u = {.exception = guest_word(frame + 28) & 0x1ff,
                     .pc = guest_word(frame + 24) & ~1u,
                     .xpsr = guest_word(frame + 28)};
        if (!u.exception || u.exception == interrupted || after[14] >> 24 != 0xff)
            return;
        memcpy(u.registers, after, sizeof u.registers);
        frame = u.frame = after[14] & 4 ? machine_other_stack(&full.m) : after[13];
        undo_entry(frame, after, apsr);
        found->all[found->count++] = u;
    }
}

/* The same where a handler returned: `frame` may be left from its own entry, and it interrupted the one below it. */
static void find_unbegun_in_chain(uint32_t frame, unbegun_list *found)
{
    uint32_t registers[16], apsr, below = full.depth ? full.levels[full.depth - 1].exception : 0;
    memcpy(registers, full.m.registers, sizeof registers);
    undo_entry(frame, registers, &apsr);
    find_unbegun(frame, below, registers, &apsr, found);
}

/* Notes that `from` was left for the first of them, and this one for the next; returns the last to start. */
static uint32_t note_unbegun(uint32_t from, const unbegun_list *found)
{
    for (uint32_t i = found->count; i-- > 0;) {
        const unbegun *u = &found->all[i];
        note_exception(from, u->exception, true, u->registers, u->pc, u->xpsr, u->frame);
        from = u->exception;
    }
    return from;
}

static void push_entered(const unbegun_list *found, uint32_t to, uint32_t frame)
{
    for (uint32_t i = found->count; i-- > 0;)
        push_level(found->all[i].exception, found->all[i].frame);
    push_level(to, frame);
}

/* Did the instruction fault? Its own exception is the one that was entered first. */
static bool has_faulted(const node *n, const unbegun_list *found, uint32_t to, uint32_t frame)
{
    const unbegun *first = found->count ? &found->all[found->count - 1] : NULL;
    return is_fault(first ? first->exception : to) && guest_word((first ? first->frame : frame) + 24) == n->pc;
}

/* xPSR at the first instruction after a return. The emulator has taken the bits of an IT block for what it translates
 * there, and shows them as 0. They are in the frame, unless the program ends its handlers in another way. */
static uint32_t returned_xpsr(uint32_t frame, uint32_t pc)
{
    bool whole = frame && (guest_word(frame + 24) & ~1u) == pc;
    return machine_xpsr(&full.m) | (whole ? guest_word(frame + 28) & THUMB_XPSR_IT : 0);
}

/* Step 1, when something happened between the current instruction and the one at `pc`. */
void full_finish_with_exception(uint32_t pc, bool returned)
{
    node *n = full.current;
    uint32_t after[16], apsr = machine_apsr(&full.m), frame = 0;
    uint32_t from = full.exception, to = *full.m.exception;
    bool entry = !returned && to != 0, completed = true;
    unbegun_list between;
    between.count = 0;
    memcpy(after, full.m.registers, sizeof after);
    if (entry) {
        frame = entry_frame();
        if (frame) {
            undo_entry(frame, after, &apsr);
            find_unbegun(frame, full.exception, after, &apsr, &between);
        }
        completed = !has_faulted(n, &between, to, frame);
        push_entered(&between, to, frame);
    } else if (returned) {
        undo_return(n, after);
        apsr = full.apsr;
        uint32_t stored = full.depth ? full.levels[--full.depth].frame : 0;
        entry = to != 0 && !is_active(to);
        frame = entry ? kept_frame() : restored_frame(pc);
        if (entry && frame)
            find_unbegun_in_chain(frame, &between);
        frame = frame ? frame : stored;
        if (entry)
            push_entered(&between, to, frame);
    } else {
        full.depth = 0; /* the core was reset */
    }
    full_append(n, after, apsr, 0, completed);
    from = note_unbegun(from, &between);
    uint32_t xpsr = returned && !entry ? returned_xpsr(frame, pc) : machine_xpsr(&full.m);
    note_exception(from, to, entry, full.m.registers, pc, xpsr, frame);
}
