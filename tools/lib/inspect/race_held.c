/* SPDX-License-Identifier: MIT */
/* Who could come now, and which locks are held. */
#include "tools/lib/inspect/race_watch.h"

void race_open_find(race_watch *w, uint64_t time)
{
    const processor *p = w->p;
    if (p->context >= RACE_CONTEXTS_MAX || (w->context == p->context && w->version == p->version))
        return;
    uint64_t open = 0;
    for (uint32_t i = 0; i < p->context_count && i < RACE_CONTEXTS_MAX; i++) {
        uint32_t number = p->contexts[i].number;
        if (number && number < PROCESSOR_EXCEPTIONS && i != p->context && processor_open(p, number))
            open |= UINT64_C(1) << i;
    }
    if (!p->depth && open & w->share.switchers)
        open |= w->share.threads & ~(UINT64_C(1) << p->context);
    race_watched *own = race_watched_of(w, p->context);
    for (uint64_t left = own->open & ~open; left; left &= left - 1)
        own->open_at[__builtin_ctzll(left)] = time + 1;
    own->open = open;
    w->context = p->context;
    w->version = p->version;
}

uint64_t race_open_since(const race_watched *own, uint64_t since)
{
    uint64_t all = own->open;
    for (unsigned i = 0; i < RACE_CONTEXTS_MAX; i++)
        all |= (uint64_t)(own->open_at[i] > since + 1) << i;
    return all;
}

/* ---- locks ---- */

void race_locks_add(race_watch *w, const race_lock *list)
{
    for (; list && list->take; list++) {
        race_known_lock lock = {.global = list->global};
        uint32_t size;
        if (!image_symbol_named(w->p->im, list->take, &lock.take, &size) ||
            !image_symbol_named(w->p->im, list->give, &lock.give, &size))
            continue;
        w->locks = memory_room(w->locks, w->lock_count, &w->lock_max, sizeof *w->locks);
        w->locks[w->lock_count++] = lock;
    }
}

static void take_lock(race_watch *w, race_watched *own, bool global, uint64_t time)
{
    uint32_t number = 0, address = w->p->registers[0];
    while (!global && number <= w->lock_known && (!number || w->lock_address[number] != address))
        number++;
    if (number >= LOCKS_MAX)
        return;
    if (number > w->lock_known)
        w->lock_address[w->lock_known = number] = address;
    if (!own->depth[number]++)
        own->since[number] = time;
    own->locks |= UINT64_C(1) << number;
}

static void give_lock(race_watch *w, race_watched *own, bool global)
{
    uint32_t number = 0, address = w->p->registers[0];
    while (!global && number <= w->lock_known && (!number || w->lock_address[number] != address))
        number++;
    if (number > w->lock_known || number >= LOCKS_MAX || !own->depth[number])
        return;
    if (!--own->depth[number])
        own->locks &= ~(UINT64_C(1) << number);
}

void race_locks_note(race_watch *w, race_watched *own, uint32_t pc, uint64_t time)
{
    for (size_t i = 0; i < w->lock_count; i++) {
        if (w->locks[i].take == pc)
            take_lock(w, own, w->locks[i].global, time);
        if (w->locks[i].give == pc)
            give_lock(w, own, w->locks[i].global);
    }
}

uint64_t race_locks_held(const race_watched *own, uint64_t locks, uint64_t time)
{
    uint64_t held = 0;
    for (uint64_t left = own->locks & locks; left; left &= left - 1)
        held |= own->since[__builtin_ctzll(left)] <= time ? left & -left : 0;
    return held;
}
