/* SPDX-License-Identifier: MIT */
/* Comparisons of what two loads of the same bytes gave. */
#include "tools/lib/inspect/race_flow.h"
#include "tools/lib/machine/thumb.h"

enum { EQUAL = 0, DIFFERENT = 1 };

static bool is_one(uint64_t tokens)
{
    return tokens && !(tokens & (tokens - 1));
}

static flow_token *token_of(flow *f, uint64_t one)
{
    return &f->token[__builtin_ctzll(one)];
}

/* The earlier load is as good as the later one. */
static void is_same(flow *f)
{
    if (!f->same.first || !f->same.second)
        return;
    flow_token *a = token_of(f, f->same.first), *b = token_of(f, f->same.second);
    flow_token *early = a->time < b->time ? a : b, *late = early == a ? b : a;
    early->time = late->time;
    early->locks = late->locks;
}

/* The condition of a branch, or what an IT gave. */
static unsigned condition_of(const thumb_insn *insn)
{
    unsigned first = insn->bytes[0] | (unsigned)insn->bytes[1] << 8;
    if (insn->condition != THUMB_ALWAYS || insn->flow != THUMB_BRANCH || !insn->falls)
        return insn->condition;
    if (insn->size == 2)
        return first >> 12 == 0xd ? first >> 8 & 15 : THUMB_ALWAYS; /* not cbz */
    return first >> 6 & 15;
}

static void ask(flow *f, const thumb_insn *insn, bool passed)
{
    unsigned condition = condition_of(insn);
    if (!f->same.first || (condition != EQUAL && condition != DIFFERENT))
        return;
    if (insn->flow == THUMB_BRANCH && insn->falls) {
        f->same.asked = true;
        f->same.if_taken = condition == EQUAL;
        f->same.target = insn->target;
    } else if (passed == (condition == EQUAL))
        is_same(f);
}

void flow_compare(flow *f, const thumb_insn *insn, bool passed)
{
    if (f->same.asked && (insn->pc == f->same.target) == f->same.if_taken)
        is_same(f);
    f->same.asked = false;
    ask(f, insn, passed);
    unsigned stored = insn->memory == THUMB_STORE && !insn->multiple && is_one(insn->list)
                          ? (unsigned)__builtin_ctzll(insn->list)
                          : 64;
    f->same.stored_plain = stored < 64 && f->plain >> stored & 1;
    f->same.loaded_plain = false;
}

static bool is_plain(const flow *f, unsigned at)
{
    return at < 16 && f->plain >> at & 1 && is_one(f->of[at]);
}

static void note_flags(flow *f, const thumb_insn *insn)
{
    f->same.first = f->same.second = 0;
    if (insn->form != THUMB_CMP || !is_plain(f, insn->rn) || !is_plain(f, insn->rm) || insn->shift_amount)
        return;
    const flow_token *a = token_of(f, f->of[insn->rn]), *b = token_of(f, f->of[insn->rm]);
    if (a->address != b->address || a->size != b->size)
        return;
    f->same.first = f->of[insn->rn];
    f->same.second = f->of[insn->rm];
}

void flow_compared(flow *f, const thumb_insn *insn, const full_event *event, unsigned loads)
{
    if (event->written & FULL_REGISTER(THUMB_FLAGS))
        note_flags(f, insn);
    bool moved = insn->form == THUMB_MOV && !insn->memory && !insn->shift_amount && is_plain(f, insn->rm);
    bool loaded = insn->memory == THUMB_LOAD && !insn->multiple && loads == 1 && f->same.loaded_plain;
    uint64_t base = insn->writeback && insn->base < 64 ? UINT64_C(1) << insn->base : 0;
    f->plain &= ~event->written;
    if (moved || loaded)
        f->plain |= event->written & ~base & 0x7fff;
}
