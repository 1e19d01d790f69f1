/* SPDX-License-Identifier: MIT */
/* Who could come now, and which locks are held. */
#include "tools/lib/inspect/race_watch.h"

void race_open_find(race_watch *w, uint64_t time)
{
    const processor *p = w->p;
    const race_share *s = &w->share;
    if (race_kind_now(w) == RACE_NO_KIND || (w->context == p->context && w->version == p->version))
        return;
    uint64_t open = 0;
    for (uint32_t kind = 0; kind < s->exceptions && s->context_of[kind] < p->context_count; kind++)
        if (s->context_of[kind] != p->context && processor_open(p, s->number[kind]))
            open |= UINT64_C(1) << kind;
    if (!p->depth && open & s->switchers)
        open |= RACE_THREADS_BIT;
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
    for (unsigned i = 0; i <= RACE_THREADS; i++)
        all |= (uint64_t)(own->open_at[i] > since + 1) << i;
    return all;
}

/* ---- locks ---- */

void race_locks_add(race_watch *w, const race_lock *list)
{
    for (; list && list->take; list++) {
        race_known_lock lock = {.global = list->global, .taken = list->taken};
        uint32_t size;
        if (!image_symbol_named(w->p->im, list->take, &lock.take, &lock.take_size) ||
            !image_symbol_named(w->p->im, list->give, &lock.give, &size))
            continue;
        w->locks = memory_room(w->locks, w->lock_count, &w->lock_max, sizeof *w->locks);
        w->locks[w->lock_count++] = lock;
    }
}

/* The number of the lock that r0 points to; LOCKS_MAX: it has none. */
static uint32_t lock_number(const race_watch *w, bool global)
{
    uint32_t number = 0, address = w->p->registers[0];
    while (!global && number <= w->lock_known && (!number || w->lock_address[number] != address))
        number++;
    return number;
}

/* The call begins. */
static void begin_taking(race_watch *w, race_watched *own, const race_known_lock *lock)
{
    uint32_t number = lock_number(w, lock->global);
    if (number >= LOCKS_MAX || own->taking_count == TAKING_MAX) {
        w->many_locks = true;
        return;
    }
    if (number > w->lock_known)
        w->lock_address[w->lock_known = number] = w->p->registers[0];
    own->taking[own->taking_count++] = (race_taking){lock, number, w->p->registers[13]};
}

/* With probes the order of two contexts is known to the path only, so that locks may seem to overlap. */
static void hold(race_watch *w, race_watched *own, uint32_t number, uint64_t time)
{
    uint32_t others = w->holders[number] - (own->depth[number] > 0);
    if (number && !w->source->probes && others)
        w->no_locks |= UINT64_C(1) << number;
    if (!own->depth[number]++) {
        own->since[number] = time;
        w->holders[number]++;
    }
    own->locks |= UINT64_C(1) << number;
}

/* The last call of this context has returned. With probes its result is not known. */
static void end_taking(race_watch *w, race_watched *own, uint64_t time)
{
    const race_taking *t = &own->taking[--own->taking_count];
    bool zero = !w->p->registers[0];
    if (t->lock->taken == RACE_ANY || w->source->probes || (t->lock->taken == RACE_ZERO) == zero)
        hold(w, own, t->number, time);
}

static bool has_returned(const race_watch *w, const race_watched *own, uint32_t pc)
{
    const race_taking *t = &own->taking[own->taking_count - 1];
    return pc - t->lock->take >= t->lock->take_size && w->p->registers[13] >= t->sp;
}

static void give_lock(race_watch *w, race_watched *own, bool global)
{
    uint32_t number = lock_number(w, global);
    if (number > w->lock_known || number >= LOCKS_MAX || !own->depth[number])
        return;
    if (--own->depth[number])
        return;
    own->locks &= ~(UINT64_C(1) << number);
    w->holders[number]--;
}

void race_locks_note(race_watch *w, race_watched *own, uint32_t pc, uint64_t time)
{
    while (own->taking_count && has_returned(w, own, pc))
        end_taking(w, own, time);
    for (size_t i = 0; i < w->lock_count; i++) {
        if (w->locks[i].take == pc)
            begin_taking(w, own, &w->locks[i]);
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
