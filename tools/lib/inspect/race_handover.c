/* SPDX-License-Identifier: MIT */
/* Words by which a context and what interrupts it hand memory over to each other: a mailbox is full or empty.
 *
 *     main    if (full) { sum += mail.a + mail.b; full = 0; }
 *     handler if (!full) { mail.a = n; mail.b = n; full = 1; }
 *
 * Main's accesses depend on its load of `full`, which was not 0. Only main makes it 0, and has not yet. So it is not 0
 * when the handler comes in between, whose accesses all depend on its own load of `full`, which was 0: it makes none.
 * Likewise with 0 and not 0 exchanged. What depends on it is seen where the handler was recorded both ways. Each word
 * has two bits of the masks of guards, one for each way round. */
#include "tools/lib/inspect/race_watch.h"

enum { WAYS = 2 }; /* A owns it while it is 0; while it is not 0 */

static uint64_t bit_of(unsigned word, bool owned_if_set)
{
    return UINT64_C(1) << (GUARDS_MAX + WAYS * word + owned_if_set);
}

static bool may_be_one(const race_watch *w, uint32_t found)
{
    const race_word *word = found < w->share.shared ? &w->share.word[found] : NULL;
    return word && word->written & (word->written - 1) && word->read & (word->read - 1);
}

/* NULL: it is none, or there are too many. */
static race_handover *handover_at(race_watch *w, uint32_t address, uint32_t size)
{
    for (unsigned i = 0; i < w->handover_count; i++)
        if (w->handover[i].address == address && w->handover[i].size == size)
            return &w->handover[i];
    return NULL;
}

/* With its first load. What was stored before is not known. */
static void add_handover(race_watch *w, const full_access *a, uint32_t found)
{
    uint64_t kinds = w->stores[found].kinds;
    if (w->handover_count < HANDOVERS_MAX && !handover_at(w, a->address, a->size))
        w->handover[w->handover_count++] =
            (race_handover){.address = a->address, .size = a->size, .stored = {kinds, kinds}};
}

/* Whether its value may now be 0, or (`set`) another. */
static bool may_be(const race_handover *h, const full_access *a, bool known, bool set)
{
    uint32_t from = h->address - a->address;
    if (!known || h->address < a->address || from + h->size > a->size || h->size > 4)
        return true;
    uint64_t value = a->value >> 8 * from & ((UINT64_C(1) << 8 * h->size) - 1);
    return set == (value != 0);
}

static void note_store(race_handover *h, const full_access *a, bool known, uint32_t kind, uint64_t time)
{
    if (a->address >= h->address + h->size || h->address >= a->address + a->size)
        return;
    for (unsigned set = 0; set < WAYS; set++)
        h->stored[set] |= (uint64_t)may_be(h, a, known, set) << kind;
    h->last[kind] = time;
}

void race_handovers_note(race_watch *w, const full_access *a, bool known, uint64_t time)
{
    uint32_t kind = race_kind_now(w), last = a->address + a->size - 1;
    for (uint32_t at = a->address & ~3u; at <= (last & ~3u); at += 4) {
        uint32_t found = race_share_find(&w->share, at);
        if (a->store && found < w->share.shared)
            w->stores[found].kinds |= UINT64_C(1) << kind;
        else if (at == (last & ~3u) && at <= a->address && may_be_one(w, found))
            add_handover(w, a, found);
    }
    for (unsigned i = 0; a->store && i < w->handover_count; i++)
        note_store(&w->handover[i], a, known, kind, time);
    race_handover *h = a->store || !known ? NULL : handover_at(w, a->address, a->size);
    if (h)
        h->found[a->value != 0] |= UINT64_C(1) << kind;
}

/* Of the tokens that decided where the context that runs went. `held`: it owns what the word says; else what it says
 * that the other does not. */
static uint64_t asked(race_watch *w, const race_watched *own, uint64_t since, bool held)
{
    uint64_t all = 0;
    for (uint64_t left = own->flow.control; left; left &= left - 1) {
        const flow_token *token = &own->flow.token[__builtin_ctzll(left)];
        const race_handover *h = token->unknown ? NULL : handover_at(w, token->address, token->size);
        if (!h || (held && (token->time >= since || h->last[race_kind_now(w)] > token->time)))
            continue;
        all |= bit_of((unsigned)(h - w->handover), held == (token->value != 0));
    }
    return all;
}

uint64_t race_handovers_held(race_watch *w, uint64_t since)
{
    return asked(w, race_watched_of(w, w->p->context), since, true);
}

uint64_t race_handovers_asked(race_watch *w, const race_watched *own)
{
    return asked(w, own, 0, false);
}

/* Another thread could take what this one owns. */
static bool is_alone(const race_watch *w, uint32_t context, uint32_t address)
{
    const race_word *word = &w->share.word[race_share_find(&w->share, address)];
    return w->share.kind[context] != RACE_THREADS || word->writer == context || word->writer == RACE_NOBODY;
}

uint64_t race_handovers_between(const race_watch *w, uint32_t over, uint32_t by)
{
    uint64_t all = 0, others = ~(UINT64_C(1) << w->share.kind[over]);
    for (unsigned i = 0; i < w->handover_count && by != RACE_THREADS; i++) {
        const race_handover *h = &w->handover[i];
        for (unsigned set = 0; set < WAYS && is_alone(w, over, h->address); set++)
            all |= h->stored[!set] & others || !(h->found[set] >> by & 1) ? 0 : bit_of(i, set);
    }
    return all;
}
