/* SPDX-License-Identifier: MIT */
/* Words by which threads keep handlers away: a scheduler that is suspended, a list that is in use. */
#include "tools/lib/inspect/race_watch.h"

static bool is_thread(const race_watch *w)
{
    return race_kind_now(w) == RACE_THREADS;
}

/* FreeRTOS's. Its suspensions are short, so that a recording seldom shows a handler that comes in one. */
static const char usual_guard[] = "uxSchedulerSuspended";

void race_guards_find(race_watch *w)
{
    uint32_t address, size;
    if (image_symbol_named(w->p->im, usual_guard, &address, &size))
        w->guard[w->guard_count++] = (race_guard){.address = address, .found = UINT64_MAX};
    for (size_t i = 0; i < w->share.shared && w->guard_count < GUARDS_MAX; i++) {
        const race_word *word = &w->share.word[i];
        if (word->read & ~RACE_THREADS_BIT && !(word->written & ~RACE_THREADS_BIT))
            w->guard[w->guard_count++] = (race_guard){.address = word->address};
    }
}

void race_guards_store(race_watch *w, const full_access *a, bool known, uint64_t time)
{
    uint32_t context = w->p->context;
    for (unsigned i = 0; i < w->guard_count; i++) {
        race_guard *g = &w->guard[i];
        if (a->address >= g->address + 4 || a->address + a->size <= g->address)
            continue;
        bool raised = known && a->address == g->address && a->value;
        if (!raised || !g->raised || g->by != context)
            g->since = time;
        g->raised = raised;
        g->by = context;
    }
}

uint64_t race_guards_raised(const race_watch *w, uint64_t since)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < w->guard_count && is_thread(w); i++)
        all |= (uint64_t)(w->guard[i].raised && w->guard[i].by == w->p->context && w->guard[i].since < since) << i;
    return all;
}

uint64_t race_guards_asked(race_watch *w, const race_watched *own)
{
    uint64_t all = 0;
    for (uint64_t left = own->flow.control; left && !is_thread(w); left &= left - 1) {
        const flow_token *token = &own->flow.token[__builtin_ctzll(left)];
        for (unsigned i = 0; i < w->guard_count && !token->unknown; i++) {
            bool of = w->guard[i].address == token->address;
            all |= (uint64_t)(of && !token->value) << i;
            w->guard[i].found |= (uint64_t)(of && token->value) << race_kind_now(w);
        }
    }
    return all;
}

void race_guards_switched(race_watch *w)
{
    for (unsigned i = 0; i < w->guard_count; i++)
        w->guard[i].passed |= w->guard[i].raised && w->guard[i].by != w->p->context;
}

uint64_t race_guards_of_threads(const race_watch *w)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < w->guard_count; i++)
        all |= (uint64_t)(w->guard[i].found & w->share.switchers && !w->guard[i].passed) << i;
    return all;
}

uint64_t race_guards_at(const race_watch *w, uint32_t address)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < w->guard_count; i++)
        all |= (uint64_t)(w->guard[i].address == address) << i;
    return all;
}

uint64_t race_guards_of(const race_watch *w, uint32_t kind)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < w->guard_count; i++)
        all |= (w->guard[i].found >> kind & 1) << i;
    return all;
}
