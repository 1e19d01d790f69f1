/* SPDX-License-Identifier: MIT */
#include "tools/lib/inspect/race_flow.h"

#include <stdlib.h>
#include <string.h>

void flow_free(flow *f)
{
    for (unsigned i = 0; i < FLOW_TOKENS; i++)
        free(f->token[i].cleared.came);
}

void flow_clear(flow *f)
{
    f->live = f->control = f->result = f->leaving = f->plain = 0;
    f->depth = 0;
    f->same = (flow_same){0};
    memset(f->of, 0, sizeof f->of);
    memset(f->word, 0, sizeof f->word);
}

uint64_t flow_sources(const flow *f, const thumb_insn *insn)
{
    uint64_t all = 0;
    /* What a vector instruction reads is not known: it may be any of the vectors. */
    for (uint64_t reads = insn->unknown ? UINT64_MAX << 32 : insn->reads; f->live && reads; reads &= reads - 1)
        all |= f->of[__builtin_ctzll(reads)];
    return all;
}

uint64_t flow_stored(const flow *f, const thumb_insn *insn, uint32_t i, uint32_t count, uint64_t sources)
{
    bool several = f->live && insn->multiple && insn->memory == THUMB_STORE && insn->base < 64;
    if (!several || count != (uint32_t)__builtin_popcountll(insn->list))
        return sources;
    uint64_t list = insn->list;
    for (uint32_t k = 0; k < i; k++)
        list &= list - 1; /* registers go out in ascending order */
    unsigned stored = insn->data[0] == THUMB_NONE ? (unsigned)__builtin_ctzll(list) : insn->data[i];
    return stored < 64 ? f->of[stored] | f->of[insn->base] : sources;
}

void flow_branch(flow *f, const thumb_insn *insn, uint32_t sp)
{
    bool branch = insn->flow == THUMB_BRANCH && insn->falls;
    if (!f->live || (!branch && insn->condition == THUMB_ALWAYS))
        return;
    /* A conditional branch reads what it depends on; of other conditional instructions that is the flags. */
    uint64_t depends = branch ? flow_sources(f, insn) : f->of[THUMB_FLAGS];
    for (uint64_t added = depends & ~f->control; added; added &= added - 1) {
        f->token[__builtin_ctzll(added)].control_sp = sp;
        f->token[__builtin_ctzll(added)].control_depth = f->depth;
    }
    f->control |= depends;
}

static void forget(flow *f, unsigned number)
{
    uint64_t rest = ~(UINT64_C(1) << number);
    for (unsigned i = 0; i < 64; i++)
        f->of[i] &= rest;
    for (unsigned i = 0; i < FLOW_WORDS; i++)
        f->word[i].tokens &= rest;
    f->control &= rest;
    f->result &= rest;
    f->leaving &= rest;
    f->live &= rest;
    f->same.first &= rest;
    f->same.second &= rest;
}

uint64_t flow_load(flow *f, const flow_token *token)
{
    unsigned number = FLOW_TOKENS;
    for (uint64_t left = f->live; left && number == FLOW_TOKENS; left &= left - 1)
        if (f->token[__builtin_ctzll(left)].pc == token->pc && f->token[__builtin_ctzll(left)].order == token->order)
            number = (unsigned)__builtin_ctzll(left);
    if (number == FLOW_TOKENS)
        number = ~f->live ? (unsigned)__builtin_ctzll(~f->live) : f->next_token++ % FLOW_TOKENS;
    forget(f, number);
    free(f->token[number].cleared.came);
    f->token[number] = *token;
    f->live |= UINT64_C(1) << number;
    f->same.loaded_plain = true;
    return UINT64_C(1) << number;
}

uint64_t flow_load_word(flow *f, uint32_t address)
{
    f->same.loaded_plain = false;
    for (unsigned i = 0; f->live && i < FLOW_WORDS; i++)
        if (f->word[i].address == address) {
            f->same.loaded_plain = f->word[i].plain;
            return f->word[i].tokens;
        }
    return 0;
}

uint64_t flow_reached(const flow *f, uint32_t pointer)
{
    uint64_t all = 0;
    for (unsigned i = 0; f->live && i < FLOW_WORDS; i++)
        if (f->word[i].address - pointer < FLOW_REACH)
            all |= f->word[i].tokens;
    return all;
}

void flow_store_word(flow *f, uint32_t address, uint64_t tokens)
{
    unsigned i = 0;
    if (!f->live)
        return;
    while (i < FLOW_WORDS && (f->word[i].address != address || !f->word[i].tokens))
        i++;
    if (i == FLOW_WORDS && !tokens)
        return;
    for (unsigned k = 0; i == FLOW_WORDS && k < FLOW_WORDS; k++)
        if (!f->word[k].tokens)
            i = k;
    if (i == FLOW_WORDS)
        i = f->next_word++ % FLOW_WORDS;
    f->word[i].address = address;
    f->word[i].tokens = tokens;
    f->word[i].plain = f->same.stored_plain;
}

void flow_write(flow *f, const thumb_insn *insn, const full_event *event, uint64_t sources, const uint64_t *loaded,
                unsigned count)
{
    uint64_t all = sources;
    unsigned load = 0;
    for (unsigned i = 0; i < count; i++)
        all |= loaded[i];
    if (!f->live)
        return;
    if (event->written & 1)
        f->result = f->control;
    for (uint64_t written = event->written; written; written &= written - 1) {
        unsigned at = (unsigned)__builtin_ctzll(written);
        bool base = insn->writeback && at == insn->base;
        if (insn->multiple && insn->memory == THUMB_LOAD && insn->list >> at & 1 && insn->data[0] == THUMB_NONE)
            f->of[at] = load < count ? loaded[load++] : 0; /* registers come in ascending order */
        else if (!base)
            f->of[at] = all;
    }
}

void flow_call(flow *f)
{
    f->depth++;
}

/* What decided on something in a function that has returned decides no more, but about the result in r0. */
static void end_control(flow *f, uint64_t tokens)
{
    f->control &= ~tokens;
    f->of[0] |= f->result & tokens;
    f->result &= ~tokens;
}

void flow_leave(flow *f, uint32_t sp)
{
    f->depth--;
    for (uint64_t left = f->control; left; left &= left - 1) {
        const flow_token *token = &f->token[__builtin_ctzll(left)];
        if (token->control_depth > f->depth && token->control_sp <= sp)
            end_control(f, left & -left);
    }
}

void flow_return(flow *f, const thumb_insn *insn, uint32_t sp)
{
    uint64_t before = f->control;
    for (uint64_t left = f->control; left; left &= left - 1)
        if (f->token[__builtin_ctzll(left)].control_sp < sp)
            end_control(f, left & -left);
    f->leaving = insn->flow == THUMB_NEXT ? f->leaving | (before & ~f->control) : 0;
}

void flow_tail_call(flow *f, uint32_t sp)
{
    for (uint64_t left = f->leaving; left; left &= left - 1)
        f->token[__builtin_ctzll(left)].control_sp = sp;
    f->control |= f->leaving;
}
