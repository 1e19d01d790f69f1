/* SPDX-License-Identifier: MIT */
/* Counts that are taken and cleared: `t = n; n = 0; sum += t;` loses what comes between the load and the store. The
 * load is the last one of the object before the store, by the same call of the same function. Whether what was loaded
 * is kept may be seen before the store or after it. */
#include "tools/lib/inspect/race_watch.h"

enum { STACK_REACH = 4096 }; /* bytes from the stack pointer on that are taken to be the stack */

static bool overlaps(const flow_token *token, const full_access *a)
{
    return a->address < token->address + token->size && token->address < a->address + a->size;
}

static void add_windows(race_watch *w, const flow_token *token)
{
    const flow_cleared *c = &token->cleared;
    for (uint64_t others = c->others; others; others &= others - 1) {
        race_window one = {.kind = RACE_TAKEN,
                           .over = w->p->context,
                           .by = (uint32_t)__builtin_ctzll(others),
                           .first_pc = token->pc,
                           .second_pc = c->pc,
                           .address = token->address,
                           .size = token->size,
                           .locks = c->locks,
                           .guards = c->guards};
        uint32_t number = race_window_add(w, &one, c->seen >> one.by & 1);
        for (const uint32_t *by = c->came; by && one.by == RACE_THREADS && *by != UINT32_MAX; by++)
            race_window_came(w, number, *by);
    }
}

static flow_token *last_load(race_watched *own, const full_access *a)
{
    flow_token *last = NULL;
    for (uint64_t left = own->flow.live; left; left &= left - 1) {
        flow_token *token = &own->flow.token[__builtin_ctzll(left)];
        if (overlaps(token, a) && (!last || token->time >= last->time))
            last = token;
    }
    return last;
}

static bool follows(const race_watched *own, const full_access *a, uint64_t tokens)
{
    for (; tokens; tokens &= tokens - 1)
        if (overlaps(&own->flow.token[__builtin_ctzll(tokens)], a))
            return true;
    return false;
}

/* The threads that stored the bytes since then, ended by UINT32_MAX; from malloc. */
static uint32_t *threads_since(const race_watch *w, const race_word *word, uint32_t from, uint32_t to, uint64_t time)
{
    size_t count = 0;
    uint32_t *came = memory_grow(NULL, word->users + (size_t)1, sizeof *came);
    for (uint32_t n = word->first; n < word->first + word->users; n++) {
        uint32_t context = w->share.user[n].context;
        if (context != w->p->context && w->share.kind[context] == RACE_THREADS &&
            race_stored_since(&w->views[n], from, to, time))
            came[count++] = context;
    }
    came[count] = UINT32_MAX;
    return came;
}

void race_note_cleared(race_watch *w, race_watched *own, const full_access *a, uint32_t pc, uint64_t tokens)
{
    flow_token *token = follows(own, a, tokens) ? NULL : last_load(own, a);
    uint32_t found = race_share_find(&w->share, a->address);
    if (!token || found == UINT32_MAX || token->cleared.pc || token->address != a->address || token->size != a->size ||
        token->sp != w->p->registers[13] ||
        image_function(&w->p->im->symbols, token->pc) != image_function(&w->p->im->symbols, pc))
        return;
    const race_word *word = &w->share.word[found];
    flow_cleared c = {.pc = pc,
                      .others = race_others(w, word, false) & race_open_since(own, token->time),
                      .locks = race_locks_held(own, token->locks, token->time),
                      .guards = race_guards_raised(w, token->time) | race_handovers_held(w, token->time)};
    uint32_t end = a->address + a->size;
    for (uint64_t left = c.others & ~RACE_THREADS_BIT; left; left &= left - 1) {
        const race_view *by = race_view_of(w, word, w->share.context_of[__builtin_ctzll(left)]);
        c.seen |= race_stored_since(by, a->address, end, token->time) ? left & -left : 0;
    }
    if (c.others & RACE_THREADS_BIT && race_thread_stored(w, found, token->time))
        c.came = threads_since(w, word, a->address, end, token->time);
    token->cleared = c;
    if (token->kept)
        add_windows(w, token);
}

/* Above the stack pointer, and in no object but one that is the stack. */
static bool is_on_stack(const race_watch *w, uint32_t address)
{
    uint32_t sp = w->p->registers[13], offset;
    const image_symbol *object = image_object(&w->p->im->symbols, address, &offset);
    if (object)
        return sp - object->address < object->size;
    return address + FLOW_REACH - sp < STACK_REACH; /* a push stores below it */
}

void race_note_kept(race_watch *w, race_watched *own, const full_access *a, uint64_t tokens)
{
    if (!tokens || is_on_stack(w, a->address))
        return;
    for (; tokens; tokens &= tokens - 1) {
        flow_token *token = &own->flow.token[__builtin_ctzll(tokens)];
        if (token->kept || overlaps(token, a))
            continue;
        token->kept = true;
        if (token->cleared.pc)
            add_windows(w, token);
    }
}
