/* SPDX-License-Identifier: MIT */
/* Second reading: 1 who could come now, for each context; 2 loads and stores of shared words, and what follows from
 * which load (race_flow.h): windows of lost updates; 3 runs of accesses that make one object: windows of torn ones; 4
 * at the end, what came of each window. */
#include "tools/lib/inspect/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/image/types.h"
#include "tools/lib/inspect/devices.h"
#include "tools/lib/inspect/race_flow.h"
#include "tools/lib/inspect/race_share.h"

enum {
    LOCKS_MAX = 64,    /* locks that are told apart; 0 is the one of all threads */
    OBJECT_MAX = 4096, /* bytes of an object that is accessed in parts */
    SPANS = 4,
    OBJECTS = 4096, /* answers that are kept */
    PAUSE_MAX = 64, /* instructions of the run between two parts of one access */
};

/* One context's use of a shared word. */
typedef struct view {
    uint64_t stored_at[4]; /* by byte; of the last store */
    uint32_t store_pc, load_pc;
    uint32_t stored_in[4], loaded_in[4]; /* by byte: the number of the activation, from 1 */
    uint8_t value[4], stored, varies;    /* stored, varies: a bit a byte */
    uint8_t derived;                     /* likewise: a store followed from a load of the same bytes */
    uint64_t locks;                      /* held at each store */
} view;

/* Accesses of one direction, each beside the one before. */
typedef struct span {
    uint32_t low, high, first_pc, last_pc, parts, line;
    uint64_t time, last;
    bool store;
    const char *file;
} span;

typedef struct watched {
    flow flow;
    span spans[SPANS];                   /* the last ones: loads and stores may alternate */
    uint64_t open;                       /* contexts that could come now */
    uint64_t open_at[RACE_CONTEXTS_MAX]; /* the last time that one could that cannot now, + 1; 0: never */
    uint32_t activation;
    uint64_t locks;
    uint32_t depth[LOCKS_MAX];
    uint64_t since[LOCKS_MAX];
} watched;

/* A window of A that B could come into. */
typedef struct window {
    race_kind kind;
    uint32_t over, by; /* indices of contexts */
    uint32_t first_pc, second_pc, address, size;
    uint64_t value, locks, count, seen;
    bool varies;
} window;

typedef struct known_lock {
    uint32_t take, give;
    bool global;
} known_lock;

/* Whether these bytes are one object, as found before. */
typedef struct object_answer {
    uint32_t low, size;
    bool is;
} object_answer;

typedef struct watch {
    processor *p;
    race_share share;
    view *views;
    watched *of[RACE_CONTEXTS_MAX];
    uint32_t context, version; /* for which `open` was found */
    window *all;
    size_t count, max;
    uint32_t *slots;
    size_t slot_max;
    known_lock *locks;
    size_t lock_count, lock_max;
    uint32_t lock_address[LOCKS_MAX];
    uint32_t lock_known;
    image_types *types;
    object_answer objects[OBJECTS];
} watch;

static watched *watched_of(watch *w, uint32_t context)
{
    if (!w->of[context])
        w->of[context] = memory_zero(1, sizeof *w->of[context]);
    return w->of[context];
}

static view *view_of(const watch *w, const race_word *word, uint32_t context)
{
    uint64_t users = word->read | word->written, bit = UINT64_C(1) << context;
    return users & bit ? &w->views[word->views + (uint32_t)__builtin_popcountll(users & (bit - 1))] : NULL;
}

/* ---- step 1 ---- */

static void find_open(watch *w, uint64_t time)
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
    watched *own = watched_of(w, p->context);
    for (uint64_t left = own->open & ~open; left; left &= left - 1)
        own->open_at[__builtin_ctzll(left)] = time + 1;
    own->open = open;
    w->context = p->context;
    w->version = p->version;
}

/* Those that could come after `since`. */
static uint64_t open_since(const watched *own, uint64_t since)
{
    uint64_t all = own->open;
    for (unsigned i = 0; i < RACE_CONTEXTS_MAX; i++)
        all |= (uint64_t)(own->open_at[i] > since + 1) << i;
    return all;
}

/* ---- locks ---- */

static void take_lock(watch *w, watched *own, bool global, uint64_t time)
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

static void give_lock(watch *w, watched *own, bool global)
{
    uint32_t number = 0, address = w->p->registers[0];
    while (!global && number <= w->lock_known && (!number || w->lock_address[number] != address))
        number++;
    if (number > w->lock_known || number >= LOCKS_MAX || !own->depth[number])
        return;
    if (!--own->depth[number])
        own->locks &= ~(UINT64_C(1) << number);
}

static void note_locks(watch *w, watched *own, uint32_t pc, uint64_t time)
{
    for (size_t i = 0; i < w->lock_count; i++) {
        if (w->locks[i].take == pc)
            take_lock(w, own, w->locks[i].global, time);
        if (w->locks[i].give == pc)
            give_lock(w, own, w->locks[i].global);
    }
}

/* Those that were held without a break. */
static uint64_t held_since(const watched *own, uint64_t locks, uint64_t time)
{
    uint64_t held = 0;
    for (uint64_t left = own->locks & locks; left; left &= left - 1)
        held |= own->since[__builtin_ctzll(left)] <= time ? left & -left : 0;
    return held;
}

/* ---- windows ---- */

static bool same_window(const window *a, const window *b)
{
    return a->kind == b->kind && a->over == b->over && a->by == b->by && a->first_pc == b->first_pc &&
           a->second_pc == b->second_pc && a->address == b->address;
}

static size_t window_slot(const watch *w, const window *one)
{
    uint64_t hash = ((uint64_t)one->first_pc << 32 | one->second_pc) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (uint64_t)one->address << 32 ^ (one->kind << 12 | one->over << 6 | one->by)) * 0xd6e8feb86659fd93u;
    size_t at = (hash ^ hash >> 32) & (w->slot_max - 1);
    while (w->slots[at] && !same_window(&w->all[w->slots[at] - 1], one))
        at = (at + 1) & (w->slot_max - 1);
    return at;
}

static void add_window(watch *w, const window *one, bool seen)
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
    window *known = &w->all[w->slots[at] - 1];
    known->varies |= known->value != one->value;
    known->locks &= one->locks;
    known->count++;
    known->seen += seen;
}

/* ---- step 2 ---- */

/* Whether bytes from `from` up to `to`, as far as they are in the view's word, were stored. */
static bool is_stored_since(const view *v, uint32_t from, uint32_t to, uint64_t time)
{
    for (uint32_t byte = from & 3; byte < 4 && from < to; byte++, from++)
        if (v->stored >> byte & 1 && v->stored_at[byte] > time)
            return true;
    return false;
}

/* A store that follows from a load of the same bytes. */
static void note_update(watch *w, watched *own, const flow_token *token, const full_access *a, uint32_t pc)
{
    uint32_t from = a->address > token->address ? a->address : token->address;
    uint32_t to =
        a->address + a->size < token->address + token->size ? a->address + a->size : token->address + token->size;
    uint32_t found = race_share_find(&w->share, from);
    if (from >= to || found == UINT32_MAX)
        return;
    const race_word *word = &w->share.word[found];
    uint64_t others = word->written & open_since(own, token->time) & ~(UINT64_C(1) << w->p->context);
    for (; others; others &= others - 1) {
        window one = {.kind = RACE_LOST_UPDATE,
                      .over = w->p->context,
                      .by = (uint32_t)__builtin_ctzll(others),
                      .first_pc = token->pc,
                      .second_pc = pc,
                      .address = from,
                      .size = to - from,
                      .value = token->value,
                      .locks = held_since(own, token->locks, token->time)};
        const view *by = view_of(w, word, one.by);
        add_window(w, &one, is_stored_since(by, from, to, token->time));
    }
}

static void note_store(watch *w, watched *own, const full_access *a, uint32_t pc, uint64_t tokens)
{
    for (; tokens; tokens &= tokens - 1)
        note_update(w, own, &own->flow.token[__builtin_ctzll(tokens)], a, pc);
}

/* Whether what is stored follows from a load of the byte. */
static bool is_derived(const watched *own, uint64_t tokens, uint32_t address)
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
        if (p->contexts[i].number >= PROCESSOR_THREAD)
            return true;
    return false;
}

/* What the end needs to know of the access, should its context come between two of another. */
static void note_view(watch *w, const watched *own, const full_access *a, uint32_t pc, uint64_t time, uint64_t sources)
{
    for (uint32_t i = 0; i < a->size && (w->p->depth || is_threaded(w->p)); i++) {
        uint32_t found = race_share_find(&w->share, a->address + i), byte = (a->address + i) & 3;
        if (found == UINT32_MAX)
            continue;
        view *v = view_of(w, &w->share.word[found], w->p->context);
        if (!v)
            continue;
        if (!a->store) {
            v->load_pc = pc;
            v->loaded_in[byte] = own->activation;
            continue;
        }
        uint8_t value = (uint8_t)(a->value >> 8 * i);
        v->varies |= (uint8_t)((v->stored >> byte & 1 && v->value[byte] != value) << byte);
        v->locks = v->stored ? v->locks & own->locks : own->locks;
        v->derived |= (uint8_t)(is_derived(own, sources, a->address + i) << byte);
        v->stored |= (uint8_t)(1 << byte);
        v->value[byte] = value;
        v->store_pc = pc;
        v->stored_at[byte] = time;
        v->stored_in[byte] = own->activation;
    }
}

/* ---- step 3 ---- */

static bool find_object(watch *w, uint32_t low, uint32_t size)
{
    char name[4];
    uint32_t offset;
    types_answer answer = types_at(w->types, low, size, name, sizeof name);
    if (answer != TYPES_UNKNOWN)
        return answer == TYPES_WHOLE;
    const image_symbol *symbol = image_object(&w->p->im->symbols, low, &offset);
    return (size == 8 && !(low & 7)) || (symbol && !offset && symbol->size == size);
}

static bool is_object(watch *w, uint32_t low, uint32_t size)
{
    object_answer *known = &w->objects[(low * 2654435761u ^ size * 40503u) >> 8 & (OBJECTS - 1)];
    if (known->size != size || known->low != low)
        *known = (object_answer){low, size, find_object(w, low, size)};
    return known->is;
}

static void note_span(watch *w, const watched *own, const span *s)
{
    if (!is_object(w, s->low, s->high - s->low))
        return;
    uint64_t users = 0;
    bool seen[RACE_CONTEXTS_MAX] = {0};
    for (uint32_t at = s->low & ~3u; at < s->high; at += 4) {
        uint32_t found = race_share_find(&w->share, at);
        if (found == UINT32_MAX)
            continue;
        const race_word *word = &w->share.word[found];
        users |= s->store ? word->written | word->read : word->written;
        for (uint64_t left = word->written; left; left &= left - 1) {
            const view *by = view_of(w, word, (uint32_t)__builtin_ctzll(left));
            seen[__builtin_ctzll(left)] |= is_stored_since(by, at < s->low ? s->low : at, s->high, s->time);
        }
    }
    for (users &= open_since(own, s->time) & ~(UINT64_C(1) << w->p->context); users; users &= users - 1) {
        window one = {.kind = s->store ? RACE_TORN_WRITE : RACE_TORN_READ,
                      .over = w->p->context,
                      .by = (uint32_t)__builtin_ctzll(users),
                      .first_pc = s->first_pc,
                      .second_pc = s->last_pc,
                      .address = s->low,
                      .size = s->high - s->low,
                      .locks = held_since(own, own->locks, s->time)};
        add_window(w, &one, seen[one.by]);
    }
}

/* An access goes on with a span: the same direction and source line, beside it, soon. */
static bool goes_on(const span *s, const full_access *a, uint32_t pc, const image_line *line, uint64_t time)
{
    bool same_line = s->last_pc == pc || (line && line->file && s->line == line->line && s->file == line->file);
    bool beside = a->address == s->high || a->address + a->size == s->low;
    return s->parts && s->store == a->store && same_line && beside && time - s->last <= PAUSE_MAX &&
           s->high - s->low + a->size <= OBJECT_MAX;
}

static void add_to_span(watch *w, watched *own, const full_access *a, uint32_t pc, uint64_t time)
{
    const image_line *line = image_line_at(w->p->im, pc);
    span *s = own->spans;
    for (unsigned i = 0; i < SPANS && !goes_on(s, a, pc, line, time); i++)
        s = i + 1 < SPANS ? &own->spans[i + 1] : NULL;
    if (s) {
        s->low = a->address < s->low ? a->address : s->low;
        s->high = a->address + a->size > s->high ? a->address + a->size : s->high;
        s->parts++;
    } else {
        s = own->spans;
        for (unsigned i = 1; i < SPANS; i++)
            s = own->spans[i].last < s->last ? &own->spans[i] : s;
        *s = (span){.low = a->address,
                    .high = a->address + a->size,
                    .first_pc = pc,
                    .parts = 1,
                    .time = time,
                    .store = a->store,
                    .line = line ? line->line : 0,
                    .file = line ? line->file : NULL};
        s->parts += (a->address & (a->size - 1u)) != 0; /* an access that is not aligned is made in parts */
    }
    s->last_pc = pc;
    s->last = time;
    if (s->parts > 1)
        note_span(w, own, s);
}

/* ---- the second reading ---- */

static void note_access(watch *w, watched *own, const full_event *event, uint32_t i, const thumb_insn *insn,
                        uint64_t sources, uint64_t *loaded)
{
    const full_access *a = &event->accesses[i];
    bool exclusive = thumb_is_store_exclusive((uint16_t)(insn->bytes[0] | insn->bytes[1] << 8),
                                              (uint16_t)(insn->bytes[2] | insn->bytes[3] << 8));
    uint32_t last = a->address + a->size - 1, pc = insn->pc;
    *loaded = 0;
    if (race_share_find(&w->share, a->address) == UINT32_MAX && race_share_find(&w->share, last) == UINT32_MAX) {
        if (a->store)
            flow_store_word(&own->flow, a->address, sources);
        else
            *loaded = flow_load_word(&own->flow, a->address);
        return;
    }
    if (a->store && !exclusive) {
        note_store(w, own, a, pc, sources | own->flow.control | flow_reached(&own->flow, (uint32_t)a->value));
        flow_store_word(&own->flow, a->address, sources);
    } else if (!a->store && !exclusive) {
        flow_token token = {a->address, a->size, pc, event->time, a->value, own->locks, 0};
        *loaded = flow_load(&own->flow, &token);
    }
    if (!exclusive)
        add_to_span(w, own, a, pc, event->time);
    note_view(w, own, a, pc, event->time, sources);
}

static void execute(watch *w, const full_event *event)
{
    processor *p = w->p;
    uint64_t loaded[FULL_ACCESSES_MAX];
    unsigned loads = 0;
    if (p->context >= RACE_CONTEXTS_MAX)
        return;
    watched *own = watched_of(w, p->context);
    if (w->lock_count)
        note_locks(w, own, event->instruction->pc, event->time);
    if (!own->flow.live && !event->access_count)
        return;
    const thumb_insn *insn = processor_insn(p, event->instruction);
    flow_branch(&own->flow, insn, p->registers[13]);
    uint64_t sources = flow_sources(&own->flow, insn);
    for (uint32_t i = 0; i < event->access_count; i++) {
        if (devices_is(event->accesses[i].address))
            continue;
        note_access(w, own, event, i, insn, sources, &loaded[loads]);
        loads += !event->accesses[i].store;
    }
    flow_write(&own->flow, insn, event, sources, loaded, loads);
    if (own->flow.control && event->written & FULL_REGISTER(13)) {
        uint32_t sp;
        if (processor_written(event, 13, &sp))
            flow_return(&own->flow, sp);
    }
}

static void begin_activation(watch *w)
{
    const processor *p = w->p;
    bool handler = p->change == PROCESSOR_ENTERED || p->change == PROCESSOR_CHAINED;
    if (p->context >= RACE_CONTEXTS_MAX || (!handler && p->depth))
        return;
    watched *own = watched_of(w, p->context);
    if (handler || p->switched)
        own->activation++;
    if (!handler)
        return;
    flow_clear(&own->flow);
    memset(own->spans, 0, sizeof own->spans);
}

static const char *read_again(watch *w, full_reader *reader)
{
    static full_event event;
    w->context = w->version = UINT32_MAX;
    find_open(w, 0);
    watched_of(w, 0)->activation = 1;
    while (full_next(reader, &event) > 0) {
        if (event.kind == FULL_EXECUTED)
            execute(w, &event);
        processor_feed(w->p, &event);
        if (event.kind == FULL_EXCEPTION)
            begin_activation(w);
        find_open(w, event.time);
        if (!(event.time & 0xfffff))
            progress_show(event.time, "instructions");
    }
    progress_end();
    return full_error(reader);
}

/* ---- step 4 ---- */

/* What B stores there was lost: unless it only sets the very bytes that A had loaded, whatever they were before. */
static bool is_lost(const watch *w, const window *one)
{
    for (uint32_t i = 0; i < one->size; i++) {
        uint32_t found = race_share_find(&w->share, one->address + i);
        const view *by = found == UINT32_MAX ? NULL : view_of(w, &w->share.word[found], one->by);
        unsigned byte = (one->address + i) & 3;
        if (by && by->stored >> byte & 1 &&
            (one->varies || (by->varies | by->derived) >> byte & 1 ||
             by->value[byte] != (uint8_t)(one->value >> 8 * i)))
            return true;
    }
    return false;
}

/* Two parts of the object that one activation of B used. */
static bool is_torn(const watch *w, const window *one, bool store)
{
    uint32_t first = 0, first_word = 0;
    for (uint32_t at = one->address; at < one->address + one->size; at++) {
        uint32_t found = race_share_find(&w->share, at);
        const view *by = found == UINT32_MAX ? NULL : view_of(w, &w->share.word[found], one->by);
        uint32_t in = !by ? 0 : store ? by->stored_in[at & 3] : by->loaded_in[at & 3];
        if (!in)
            continue;
        if (first == in && at >> 2 != first_word)
            return true;
        first = in;
        first_word = at >> 2;
    }
    return false;
}

static bool same_locks(const watch *w, const window *one)
{
    uint64_t threads = w->share.threads, both = one->locks;
    if (!(threads >> one->by & 1) || !(threads >> one->over & 1))
        return false;
    if (both & 1)
        return true; /* the scheduler's: no other thread runs */
    uint32_t found = race_share_find(&w->share, one->address);
    const view *by = found == UINT32_MAX ? NULL : view_of(w, &w->share.word[found], one->by);
    return by && both & by->locks;
}

static uint32_t step_pc(const watch *w, const window *one, bool store)
{
    for (uint32_t i = 0; i < one->size; i++) {
        uint32_t found = race_share_find(&w->share, one->address + i);
        const view *by = found == UINT32_MAX ? NULL : view_of(w, &w->share.word[found], one->by);
        if (by && (store ? by->store_pc : by->load_pc))
            return store ? by->store_pc : by->load_pc;
    }
    return 0;
}

static void name_object(const watch *w, const window *one, char *name, size_t size)
{
    uint32_t offset;
    if (types_at(w->types, one->address, one->size, name, size) != TYPES_UNKNOWN)
        return;
    const image_symbol *symbol = image_object(&w->p->im->symbols, one->address, &offset);
    if (symbol && offset)
        snprintf(name, size, "%s+%u", symbol->name, (unsigned)offset);
    else if (symbol)
        snprintf(name, size, "%s", symbol->name);
    else
        snprintf(name, size, "0x%08x", (unsigned)one->address);
}

static void give(races *out, const watch *w, const window *one, bool store)
{
    const processor_context *over = &w->p->contexts[one->over], *by = &w->p->contexts[one->by];
    race r = {.kind = one->kind, .address = one->address, .size = one->size, .windows = one->count, .seen = one->seen};
    name_object(w, one, r.object, sizeof r.object);
    processor_name(w->p->im, over->number, over->entry, r.over, sizeof r.over);
    processor_name(w->p->im, by->number, by->entry, r.by, sizeof r.by);
    r.step[0] = (race_step){over->number, one->first_pc, one->kind == RACE_TORN_WRITE};
    r.step[1] = (race_step){by->number, step_pc(w, one, store), store};
    r.step[2] = (race_step){over->number, one->second_pc, one->kind != RACE_TORN_READ};
    for (size_t i = 0; i < out->count; i++) {
        race *known = &out->all[i];
        if (known->kind != r.kind || known->step[0].context != over->number || known->step[1].context != by->number ||
            (strcmp(known->object, r.object) &&
             (known->step[0].pc != one->first_pc || known->step[2].pc != one->second_pc)))
            continue;
        known->windows += r.windows;
        known->seen += r.seen;
        return;
    }
    out->all = memory_room(out->all, out->count, &out->max, sizeof *out->all);
    out->all[out->count++] = r;
}

static void judge(races *out, const watch *w)
{
    for (size_t i = 0; i < w->count; i++) {
        const window *one = &w->all[i];
        if (same_locks(w, one))
            continue;
        if (one->kind == RACE_LOST_UPDATE) {
            if (is_lost(w, one))
                give(out, w, one, true);
        } else if (is_torn(w, one, true)) {
            give(out, w, one, true);
        } else if (one->kind == RACE_TORN_WRITE && is_torn(w, one, false)) {
            give(out, w, one, false);
        }
    }
    out->shared = 4 * w->share.count;
    out->many = w->share.many;
}

static int by_object(const void *a, const void *b)
{
    const race *x = a, *y = b;
    int order = strcmp(x->object, y->object);
    if (order)
        return order;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    order = strcmp(x->over, y->over);
    return order ? order : strcmp(x->by, y->by);
}

/* ---- locks by name ---- */

static const race_lock usual_locks[] = {
    {"xQueueSemaphoreTake", "xQueueGenericSend", false},
    {"xQueueTakeMutexRecursive", "xQueueGiveMutexRecursive", false},
    {"vTaskSuspendAll", "xTaskResumeAll", true},
    {"osMutexAcquire", "osMutexRelease", false},
    {"osMutexWait", "osMutexRelease", false},
    {"z_impl_k_mutex_lock", "z_impl_k_mutex_unlock", false},
    {"k_sched_lock", "k_sched_unlock", true},
    {"_tx_mutex_get", "_tx_mutex_put", false},
    {"chMtxLock", "chMtxUnlock", false},
    {NULL, NULL, false},
};

static void add_locks(watch *w, const race_lock *list)
{
    for (; list && list->take; list++) {
        known_lock lock = {.global = list->global};
        uint32_t size;
        if (!image_symbol_named(w->p->im, list->take, &lock.take, &size) ||
            !image_symbol_named(w->p->im, list->give, &lock.give, &size))
            continue;
        w->locks = memory_room(w->locks, w->lock_count, &w->lock_max, sizeof *w->locks);
        w->locks[w->lock_count++] = lock;
    }
}

static void free_watch(watch *w)
{
    for (size_t i = 0; i < RACE_CONTEXTS_MAX; i++)
        free(w->of[i]);
    types_close(w->types);
    processor_free(w->p);
    race_share_free(&w->share);
    free(w->views);
    free(w->all);
    free(w->slots);
    free(w->locks);
}

bool races_full(races *out, const char *path, const image *im, const race_lock *locks, const char **gap, char *message,
                size_t message_size)
{
    static char text[300];
    static watch w;
    w = (watch){0};
    *out = (races){0};
    *gap = NULL;
    full_reader *reader = full_open(path, message, message_size);
    if (!reader)
        return false;
    race_share_read(&w.share, reader, im);
    full_close(reader);
    reader = full_open(path, message, message_size);
    if (!reader) {
        race_share_free(&w.share);
        return false;
    }
    w.p = processor_new(im);
    w.types = types_open(im);
    w.views = memory_zero(w.share.view_count + 1, sizeof *w.views);
    add_locks(&w, usual_locks);
    add_locks(&w, locks);
    const char *error = read_again(&w, reader);
    if (error) {
        snprintf(text, sizeof text, "%s", error);
        *gap = text;
    }
    judge(out, &w);
    if (out->count)
        qsort(out->all, out->count, sizeof *out->all, by_object);
    full_close(reader);
    free_watch(&w);
    return true;
}

void races_free(races *out)
{
    free(out->all);
    *out = (races){0};
}
