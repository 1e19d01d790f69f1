/* SPDX-License-Identifier: MIT */
/* Windows: stretches of a context between two of its accesses that another must not come into. */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/inspect/race_watch.h"

static bool same_window(const race_window *a, const race_window *b)
{
    return a->kind == b->kind && a->over == b->over && a->by == b->by && a->first_pc == b->first_pc &&
           a->second_pc == b->second_pc && a->address == b->address;
}

static size_t window_slot(const race_watch *w, const race_window *one)
{
    uint64_t hash = ((uint64_t)one->first_pc << 32 | one->second_pc) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (uint64_t)one->address << 32 ^ (one->kind << 12 | one->over << 6 | one->by)) * 0xd6e8feb86659fd93u;
    size_t at = (hash ^ hash >> 32) & (w->slot_max - 1);
    while (w->slots[at] && !same_window(&w->all[w->slots[at] - 1], one))
        at = (at + 1) & (w->slot_max - 1);
    return at;
}

uint32_t race_window_add(race_watch *w, const race_window *one, bool seen)
{
    if (2 * w->count >= w->slot_max) {
        w->slot_max = w->slot_max ? 2 * w->slot_max : 256;
        free(w->slots);
        w->slots = memory_zero(w->slot_max, sizeof *w->slots);
        for (uint32_t i = 0; i < w->count; i++)
            w->slots[window_slot(w, &w->all[i])] = i + 1;
    }
    size_t at = window_slot(w, one);
    if (!w->slots[at]) {
        w->all = memory_room(w->all, w->count, &w->max, sizeof *w->all);
        w->all[w->count] = *one;
        w->slots[at] = (uint32_t)++w->count;
    }
    race_window *known = &w->all[w->slots[at] - 1];
    known->varies |= one->varies || known->value != one->value;
    known->locks &= one->locks;
    known->guards &= one->guards;
    known->count++;
    known->seen += seen;
    return w->slots[at] - 1;
}

void race_window_came(race_watch *w, uint32_t window, uint32_t by)
{
    uint32_t *link = &w->all[window].came;
    while (*link && w->came[*link - 1].by != by)
        link = &w->came[*link - 1].next;
    if (!*link) {
        w->came = memory_room(w->came, w->came_count, &w->came_max, sizeof *w->came);
        *link = (uint32_t)w->came_count + 1;
        w->came[w->came_count++] = (race_came){.window = window, .by = by};
    }
    w->came[*link - 1].seen++;
}

/* ---- lost updates: a load, and a store that follows from it ---- */

bool race_stored_since(const race_view *v, uint32_t from, uint32_t to, uint64_t time)
{
    for (uint32_t byte = from & 3; byte < 4 && from < to; byte++, from++)
        if (v->stored >> byte & 1 && v->stored_at[byte] > time)
            return true;
    return false;
}

static bool is_other_thread(const race_watch *w, uint32_t context)
{
    return context != w->p->context && w->share.kind[context] == RACE_THREADS;
}

/* A store that follows from a load of the same bytes. */
static void note_update(race_watch *w, race_watched *own, const flow_token *token, const full_access *a, uint32_t pc)
{
    uint32_t from = a->address > token->address ? a->address : token->address;
    uint32_t to =
        a->address + a->size < token->address + token->size ? a->address + a->size : token->address + token->size;
    uint32_t found = race_share_find(&w->share, from);
    if (from >= to || found == UINT32_MAX)
        return;
    const race_word *word = &w->share.word[found];
    uint64_t others = race_others(w, word, false) & race_open_since(own, token->time);
    for (; others; others &= others - 1) {
        race_window one = {.kind = RACE_LOST_UPDATE,
                           .over = w->p->context,
                           .by = (uint32_t)__builtin_ctzll(others),
                           .first_pc = token->pc,
                           .second_pc = pc,
                           .address = from,
                           .size = to - from,
                           .value = token->value,
                           .varies = token->unknown,
                           .locks = race_locks_held(own, token->locks, token->time),
                           .guards = race_guards_raised(w, token->time) | race_handovers_held(w, token->time)};
        if (one.by == RACE_THREADS) {
            uint32_t number = race_window_add(w, &one, false);
            uint32_t users = race_thread_stored(w, found, token->time) ? word->users : 0;
            for (uint32_t n = word->first; n < word->first + users; n++)
                if (is_other_thread(w, w->share.user[n].context) &&
                    race_stored_since(&w->views[n], from, to, token->time))
                    race_window_came(w, number, w->share.user[n].context);
            continue;
        }
        const race_view *by = race_view_of(w, word, w->share.context_of[one.by]);
        race_window_add(w, &one, race_stored_since(by, from, to, token->time));
    }
}

/* Whether a later load, of those that the store follows from, read all that the store and this load have in common. */
static bool is_read_again(const flow *f, const flow_token *token, const full_access *a, uint64_t follows)
{
    uint32_t from = a->address > token->address ? a->address : token->address;
    uint32_t end = a->address + a->size, token_end = token->address + token->size;
    uint32_t to = end < token_end ? end : token_end;
    for (; from < to && follows; follows &= follows - 1) {
        const flow_token *later = &f->token[__builtin_ctzll(follows)];
        if (later->time > token->time && later->address <= from && to <= later->address + later->size)
            return true;
    }
    return false;
}

/* A load that only decided whether to store does not begin an update if the bytes were read again for it: then nothing
 * is lost of what came in between (`if (n) { mask(); n--; unmask(); }`). */
void race_note_store(race_watch *w, race_watched *own, const full_access *a, uint32_t pc, uint64_t data,
                     uint64_t control)
{
    for (uint64_t left = data | control; left; left &= left - 1) {
        const flow_token *token = &own->flow.token[__builtin_ctzll(left)];
        if (data & left & -left || !is_read_again(&own->flow, token, a, data | control))
            note_update(w, own, token, a, pc);
    }
}

/* Whether what is stored follows from a load of the byte. */
static bool is_derived(const race_watched *own, uint64_t tokens, uint32_t address)
{
    for (; tokens; tokens &= tokens - 1) {
        const flow_token *token = &own->flow.token[__builtin_ctzll(tokens)];
        if (address - token->address < token->size)
            return true;
    }
    return false;
}

/* Whether another thread than the one that runs has begun: what came before that, no thread comes in between with. */
static bool is_threaded(const processor *p)
{
    for (uint32_t i = 1; i < p->context_count; i++)
        if (p->contexts[i].number >= VECTORS_THREAD)
            return true;
    return false;
}

/* A thread stores a shared word. */
static void note_thread(race_watch *w, uint32_t found, uint64_t time)
{
    race_stores *s = &w->stores[found];
    if (race_kind_now(w) != RACE_THREADS)
        return;
    if (s->by != w->p->context)
        *s = (race_stores){.kinds = s->kinds, .by = w->p->context, .before = s->last};
    s->last = time;
}

/* What the end needs to know of the access, should its context come between two of another. */
void race_note_view(race_watch *w, const race_watched *own, const full_access *a, bool known, uint32_t pc,
                    uint64_t time, uint64_t sources)
{
    uint64_t guards = race_guards_asked(w, own) | race_handovers_asked(w, own);
    for (uint32_t i = 0; i < a->size && (w->p->depth || is_threaded(w->p)); i++) {
        uint32_t found = race_share_find(&w->share, a->address + i), byte = (a->address + i) & 3;
        if (found == UINT32_MAX)
            continue;
        race_view *v = race_view_of(w, &w->share.word[found], w->p->context);
        if (!v)
            continue;
        if (!a->store) {
            v->load_locks = v->load_pc ? v->load_locks & own->locks : own->locks;
            v->load_guards = v->load_pc ? v->load_guards & guards : guards;
            v->load_pc = pc;
            v->loaded_in[byte] = own->activation;
            continue;
        }
        uint8_t value = (uint8_t)(a->value >> 8 * i);
        v->varies |= (uint8_t)((!known || (v->stored >> byte & 1 && v->value[byte] != value)) << byte);
        v->locks = v->stored ? v->locks & own->locks : own->locks;
        v->guards = v->stored ? v->guards & guards : guards;
        v->derived |= (uint8_t)(is_derived(own, sources, a->address + i) << byte);
        v->stored |= (uint8_t)(1 << byte);
        v->value[byte] = value;
        note_thread(w, found, time);
        v->store_pc = pc;
        v->stored_at[byte] = time;
        v->stored_in[byte] = own->activation;
    }
}

/* ---- torn objects: accesses that make one ---- */

static bool find_object(race_watch *w, uint32_t low, uint32_t size)
{
    char name[4];
    uint32_t offset;
    types_answer answer = types_at(w->types, low, size, name, sizeof name);
    if (answer != TYPES_UNKNOWN)
        return answer == TYPES_WHOLE;
    const image_symbol *symbol = image_object(&w->p->im->symbols, low, &offset);
    if (symbol && !offset && symbol->size == size)
        return true;
    if (symbol && size > symbol->size - offset)
        return false; /* of two neighbours: the compiler moves them by one instruction */
    return size == 8 && !(low & 7);
}

static bool is_object(race_watch *w, uint32_t low, uint32_t size)
{
    race_object_answer *known = &w->objects[(low * 2654435761u ^ size * 40503u) >> 8 & (OBJECTS - 1)];
    if (known->size != size || known->low != low)
        *known = (race_object_answer){low, size, find_object(w, low, size)};
    return known->is;
}

/* Where the span's object ends: a structure of six bytes is also loaded by two words. */
static uint32_t object_end(const race_watch *w, const race_span *s)
{
    uint32_t offset;
    const image_symbol *symbol = image_object(&w->p->im->symbols, s->low, &offset);
    uint32_t end = symbol ? symbol->address + symbol->size : s->high;
    return s->high - end < 4 && end > s->low + 4 ? end : s->high;
}

/* Threads that stored a part of the span's object since then: each came once. */
static void note_came(race_watch *w, uint32_t window, const race_span *s, uint32_t high)
{
    w->spans++;
    for (uint32_t at = s->low & ~3u; at < high; at += 4) {
        uint32_t found = race_share_find(&w->share, at);
        if (found == UINT32_MAX || !race_thread_stored(w, found, s->time))
            continue;
        const race_word *word = &w->share.word[found];
        for (uint32_t n = word->first; n < word->first + word->users; n++) {
            race_watched *by = w->of[w->share.user[n].context];
            if (!is_other_thread(w, w->share.user[n].context) || !by || by->came == w->spans ||
                !race_stored_since(&w->views[n], at < s->low ? s->low : at, high, s->time))
                continue;
            by->came = w->spans;
            race_window_came(w, window, w->share.user[n].context);
        }
    }
}

static void note_span(race_watch *w, const race_watched *own, const race_span *s)
{
    uint32_t high = object_end(w, s);
    if (!is_object(w, s->low, high - s->low))
        return;
    uint64_t users = 0, seen = 0;
    for (uint32_t at = s->low & ~3u; at < high; at += 4) {
        uint32_t found = race_share_find(&w->share, at);
        if (found == UINT32_MAX)
            continue;
        const race_word *word = &w->share.word[found];
        users |= race_others(w, word, s->store);
        for (uint64_t left = word->written & ~RACE_THREADS_BIT; left; left &= left - 1) {
            const race_view *by = race_view_of(w, word, w->share.context_of[__builtin_ctzll(left)]);
            seen |= race_stored_since(by, at < s->low ? s->low : at, high, s->time) ? left & -left : 0;
        }
    }
    for (users &= race_open_since(own, s->time); users; users &= users - 1) {
        race_window one = {.kind = s->store ? RACE_TORN_WRITE : RACE_TORN_READ,
                           .over = w->p->context,
                           .by = (uint32_t)__builtin_ctzll(users),
                           .first_pc = s->first_pc,
                           .second_pc = s->last_pc,
                           .address = s->low,
                           .size = high - s->low,
                           .locks = race_locks_held(own, own->locks, s->time),
                           .guards = race_guards_raised(w, s->time) | race_handovers_held(w, s->time)};
        uint32_t number = race_window_add(w, &one, seen >> one.by & 1);
        if (one.by == RACE_THREADS)
            note_came(w, number, s, high);
    }
}

/* Functions that copy or fill memory: they do so on several lines. */
static bool moves_memory(const char *name)
{
    static const char *const names[] = {"memcpy", "memmove", "memset", "mempcpy", "bcopy", "bzero"};
    if (!strncmp(name, "__aeabi_mem", 11))
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static const race_place *place_of(race_watch *w, uint32_t pc)
{
    race_place *place = &w->places[pc / 2 % PLACES];
    if (place->known && place->pc == pc)
        return place;
    const image_symbol *f = image_function(&w->p->im->symbols, pc);
    const image_line *line = image_line_at(w->p->im, pc);
    *place = (race_place){.pc = pc, .known = true};
    if (f && moves_memory(f->name))
        place->file = f->name;
    else if (line)
        *place = (race_place){pc, line->line, line->file, true};
    return place;
}

/* An access goes on with a span: the same direction and source line, beside it, soon. */
static bool goes_on(const race_span *s, const full_access *a, const race_place *place, uint64_t time)
{
    bool same_line = s->last_pc == place->pc || (place->file && s->line == place->line && s->file == place->file);
    bool beside = a->address == s->high || a->address + a->size == s->low;
    return s->parts && s->store == a->store && same_line && beside && time - s->last <= PAUSE_MAX &&
           s->high - s->low + a->size <= RACE_OBJECT_MAX;
}

static race_span *oldest_of(race_watched *own)
{
    race_span *s = own->spans;
    for (unsigned i = 1; i < SPANS; i++)
        s = own->spans[i].last < s->last ? &own->spans[i] : s;
    return s;
}

static void begin_span(race_span *s, const full_access *a, const race_place *place, uint64_t time)
{
    *s = (race_span){.low = a->address,
                     .high = a->address + a->size,
                     .first_pc = place->pc,
                     .last_pc = place->pc,
                     .parts = 1,
                     .time = time,
                     .last = time,
                     .store = a->store,
                     .line = place->line,
                     .file = place->file};
    s->parts += (a->address & (a->size - 1u)) != 0; /* an access that is not aligned is made in parts */
}

static void extend_span(race_span *s, const full_access *a, uint32_t pc, uint64_t time)
{
    s->low = a->address < s->low ? a->address : s->low;
    s->high = a->address + a->size > s->high ? a->address + a->size : s->high;
    s->parts++;
    s->last_pc = pc;
    s->last = time;
}

/* An access extends each span that it stands beside: an element may be torn, and the structure that it is in. If one of
 * them is an object already, the access may also begin the next one, as in a loop over an array. The new span then
 * replaces one that is not an object now, but never the one that began first: that may become all of the array. */
void race_note_part(race_watch *w, race_watched *own, const full_access *a, uint32_t pc, uint64_t time)
{
    const race_place *place = place_of(w, pc);
    race_span *extended[SPANS], *first = NULL, *spare = NULL;
    unsigned count = 0;
    bool next = false;
    for (race_span *s = own->spans; s < own->spans + SPANS; s++) {
        if (!goes_on(s, a, place, time))
            continue;
        next |= s->parts > 1 && is_object(w, s->low, s->high - s->low);
        first = !first || s->time < first->time ? s : first;
        extended[count++] = s;
    }
    for (unsigned i = 0; i < count && next; i++)
        if (extended[i] != first && !is_object(w, extended[i]->low, extended[i]->high - extended[i]->low))
            spare = extended[i];
    for (unsigned i = 0; i < count; i++) {
        extend_span(extended[i], a, pc, time);
        if (extended[i] != spare)
            note_span(w, own, extended[i]);
    }
    if (count && !next)
        return;
    race_span *s = spare ? spare : oldest_of(own);
    begin_span(s, a, place, time);
    if (s->parts > 1)
        note_span(w, own, s);
}
