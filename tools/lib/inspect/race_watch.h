/* SPDX-License-Identifier: MIT */
/* What the steps of the second reading of races_find share (race_find.c):
 *     race_held.c      1  who could come now, and which locks are held, for each context
 *     race_guard.c     1  which words of threads keep handlers away
 *     race_handover.c  1  which words say whose turn it is
 *     race_windows.c   2  windows: between a load and a store that follows from it, between the parts of one object
 *     race_taken.c     2  windows: between a load whose value is kept and a store that does not follow from any load
 *     race_judge.c     3  at the end, what came of each window */
#ifndef WEFT_TOOLS_LIB_INSPECT_RACE_WATCH_H
#define WEFT_TOOLS_LIB_INSPECT_RACE_WATCH_H

#include "tools/lib/base/memory.h"
#include "tools/lib/image/types.h"
#include "tools/lib/inspect/race.h"
#include "tools/lib/inspect/race_flow.h"
#include "tools/lib/inspect/race_share.h"

enum {
    LOCKS_MAX = 64,     /* different locks; 0 is the one of all threads */
    TAKING_MAX = 4,     /* calls within each other */
    GUARDS_MAX = 32,    /* with two for each of these, bits of one mask: */
    HANDOVERS_MAX = 16, /* words */
    SPANS = 8,
    OBJECTS = 4096, /* answers that are kept */
    PLACES = 1024,  /* likewise */
    PAUSE_MAX = 64, /* instructions of the run between two parts of one access */
};

/* One context's use of a shared word. */
typedef struct race_view {
    uint64_t stored_at[4]; /* by byte; of the last store */
    uint32_t store_pc, load_pc;
    uint32_t stored_in[4], loaded_in[4]; /* by byte: the number of the activation, from 1 */
    uint8_t value[4], stored, varies;    /* stored, varies: one bit per byte */
    uint8_t derived;                     /* likewise: a store followed from a load of the same bytes */
    uint64_t locks, load_locks;          /* held at each store, at each load */
    uint64_t guards, load_guards;        /* found before each store, before each load, so that it may be made */
} race_view;

/* Stores of a shared word, and those by threads. */
typedef struct race_stores {
    uint64_t kinds;        /* of contexts that stored */
    uint64_t last, before; /* time of the last one, and of the last by another thread than that; 0: none */
    uint32_t by;           /* context of the last one */
} race_stores;

/* Accesses of one direction, each beside the one before. */
typedef struct race_span {
    uint32_t low, high, first_pc, last_pc, parts, line;
    uint64_t time, last;
    bool store;
    const char *file;
} race_span;

typedef struct race_known_lock {
    uint32_t take, take_size, give;
    bool global;
    race_result taken;
} race_known_lock;

/* A call of a function that takes a lock. It has returned where the stack pointer is as before, outside of it. */
typedef struct race_taking {
    const race_known_lock *lock;
    uint32_t number, sp;
} race_taking;

/* What is known of one context that ran: some 10 KB. */
typedef struct race_watched {
    flow flow;
    race_span spans[SPANS];             /* the last ones: loads and stores may alternate */
    uint64_t open;                      /* kinds of contexts that could come now (race_share.h) */
    uint64_t open_at[RACE_THREADS + 1]; /* the last time that one could that cannot now, + 1; 0: never */
    uint64_t came;                      /* the last note_span that found that it had stored */
    uint32_t activation;
    uint64_t locks;
    uint32_t depth[LOCKS_MAX];
    uint64_t since[LOCKS_MAX];
    race_taking taking[TAKING_MAX];
    unsigned taking_count;
} race_watched;

/* A window of A that B could come into. If one thread could, all could: so they are one B until the end. */
typedef struct race_window {
    race_kind kind;
    uint32_t over, by; /* index of a context; kind of context */
    uint32_t first_pc, second_pc, address, size;
    uint64_t value, locks, guards, count, seen;
    bool varies;
    uint32_t came; /* of threads: number + 1 in race_watch.came */
} race_window;

/* How often a thread came into a window. */
typedef struct race_came {
    uint32_t window, by, next; /* by: index of a context; next: another of this window, as in race_window */
    uint64_t seen;
} race_came;

/* A word that only threads write and that handlers read. A thread that has stored another value than 0 is safe from
 * what a handler does only where it read 0: handlers are not interrupted by threads. What depends on it is seen where
 * the handler comes both ways: found it to be 0, and not. */
typedef struct race_guard {
    uint32_t address, by; /* by: the context that stored last */
    uint64_t found;       /* kinds of contexts that found it not to be 0 */
    bool raised;          /* it is not 0 */
    bool passed;          /* a thread began its turn while another had raised it: no lock of the scheduler */
    uint64_t since;       /* when that context raised it */
} race_guard;

/* A word that two kinds of contexts write, and ask before they use something. */
typedef struct race_handover {
    uint32_t address, size;
    uint64_t stored[2];              /* kinds of contexts that stored 0, and another value */
    uint64_t found[2];               /* kinds that loaded 0, and another value */
    uint64_t last[RACE_THREADS + 1]; /* time of the last store by each kind */
} race_handover;

/* Whether these bytes are one object, as found before. */
typedef struct race_object_answer {
    uint32_t low, size;
    bool is;
} race_object_answer;

/* What accesses of one object have in common: the source line, or the function that copies memory. */
typedef struct race_place {
    uint32_t pc, line;
    const char *file;
    bool known;
} race_place;

typedef struct race_watch {
    const race_source *source;
    processor *p;
    race_share share;
    race_view *views;          /* of each user of a shared word, as race_share.user */
    race_stores *stores;       /* of each shared word */
    race_watched **of;         /* each context of the first reading; NULL: it has not run yet */
    uint64_t spans;            /* calls of note_span */
    uint32_t context, version; /* for which `open` was found */
    race_window *all;
    size_t count, max;
    uint32_t *slots;
    size_t slot_max;
    race_came *came;
    size_t came_count, came_max;
    race_known_lock *locks;
    size_t lock_count, lock_max;
    uint32_t lock_address[LOCKS_MAX];
    uint32_t lock_known;
    uint32_t holders[LOCKS_MAX]; /* contexts that hold it */
    uint64_t no_locks;           /* of those: two contexts held them at once */
    bool many_locks;
    race_guard guard[GUARDS_MAX];
    unsigned guard_count;
    race_handover handover[HANDOVERS_MAX];
    unsigned handover_count;
    image_types *types;
    race_object_answer objects[OBJECTS];
    race_place places[PLACES];
} race_watch;

/* The kind of the context that runs; RACE_NO_KIND: it is not looked at. */
static inline uint32_t race_kind_now(const race_watch *w)
{
    return w->p->context < w->share.contexts ? w->share.kind[w->p->context] : RACE_NO_KIND;
}

static inline race_watched *race_watched_of(race_watch *w, uint32_t context)
{
    if (!w->of[context])
        w->of[context] = memory_zero(1, sizeof *w->of[context]);
    return w->of[context];
}

static inline race_view *race_view_of(const race_watch *w, const race_word *word, uint32_t context)
{
    uint32_t user = race_share_user(&w->share, word, context);
    return user == UINT32_MAX ? NULL : &w->views[user];
}

/* Whether another thread than the one that runs stored a shared word after `time`. */
static inline bool race_thread_stored(const race_watch *w, uint32_t found, uint64_t time)
{
    const race_stores *s = found < w->share.shared ? &w->stores[found] : NULL;
    return s && (s->by == w->p->context ? s->before : s->last) > time;
}

/* Kinds of other contexts than the one that runs that store a word, or (`loads`) use it. */
static inline uint64_t race_others(const race_watch *w, const race_word *word, bool loads)
{
    uint32_t kind = race_kind_now(w), me = w->p->context;
    uint64_t all = loads ? word->written | word->read : word->written;
    bool own = kind == RACE_THREADS && (word->writer == me || word->writer == RACE_NOBODY) &&
               (!loads || word->reader == me || word->reader == RACE_NOBODY);
    return kind != RACE_THREADS || own ? all & ~(UINT64_C(1) << kind) : all;
}

/* Step 1. To be called after each event: kinds of contexts that could come. */
void race_open_find(race_watch *w, uint64_t time);
/* Kinds of those that could come after `since`. */
uint64_t race_open_since(const race_watched *own, uint64_t since);
/* Functions that take and give locks, ended by a NULL name; those that the image lacks are left out. */
void race_locks_add(race_watch *w, const race_lock *list);
/* To be called for each instruction. */
void race_locks_note(race_watch *w, race_watched *own, uint32_t pc, uint64_t time);
/* Of some locks those that have been held since then without a break. */
uint64_t race_locks_held(const race_watched *own, uint64_t locks, uint64_t time);

/* After the first reading. */
void race_guards_find(race_watch *w);
/* A store of a shared word. */
void race_guards_store(race_watch *w, const full_access *a, bool known, uint64_t time);
/* Guards that the thread that runs has kept raised from before `since` until now: a bit for each. */
uint64_t race_guards_raised(const race_watch *w, uint64_t since);
/* Guards that the handler that runs has found to be 0, before it decided where to go on. Takes note of the others. */
uint64_t race_guards_asked(race_watch *w, const race_watched *own);
/* Another thread goes on. */
void race_guards_switched(race_watch *w);
/* At the end: guards that a kind of context found both ways; that keep other threads away, since what switches them
 * asks. */
uint64_t race_guards_of(const race_watch *w, uint32_t kind);
uint64_t race_guards_of_threads(const race_watch *w);
/* Those at an address. */
uint64_t race_guards_at(const race_watch *w, uint32_t address);

/* An access of a shared word, after all else that is done for it. */
void race_handovers_note(race_watch *w, const full_access *a, bool known, uint64_t time);
/* Bits for the words by which the context that runs has owned what they guard since before `since`; that it asked, and
 * found that it owns it, so that one that it interrupts does not. */
uint64_t race_handovers_held(race_watch *w, uint64_t since);
uint64_t race_handovers_asked(race_watch *w, const race_watched *own);
/* At the end: those by which a context (its index) keeps a kind of contexts away. */
uint64_t race_handovers_between(const race_watch *w, uint32_t over, uint32_t by);

/* Step 2, for each access of a shared word. A store whose value or address follows from loads (`data`), or that others
 * decided about (`control`). */
void race_note_store(race_watch *w, race_watched *own, const full_access *a, uint32_t pc, uint64_t data,
                     uint64_t control);
/* What step 3 needs to know of the access (`known`: its value is), should its context come between two of another. */
void race_note_view(race_watch *w, const race_watched *own, const full_access *a, bool known, uint32_t pc,
                    uint64_t time, uint64_t sources);
/* An access that may be a part of that of an object; also of the object's words that are not shared. */
void race_note_part(race_watch *w, race_watched *own, const full_access *a, uint32_t pc, uint64_t time);

/* A store that does not follow from any load of its bytes may clear what was loaded last. `tokens`: the loads that it
 * follows from, and those that decided about it. */
void race_note_cleared(race_watch *w, race_watched *own, const full_access *a, uint32_t pc, uint64_t tokens);
/* A store of what follows from loads, of any memory: outside of the stack it keeps their values. */
void race_note_kept(race_watch *w, race_watched *own, const full_access *a, uint64_t tokens);
/* One occurrence of a window. Its number; valid as an index of w->all. */
uint32_t race_window_add(race_watch *w, const race_window *one, bool seen);
/* A thread came into that occurrence. */
void race_window_came(race_watch *w, uint32_t window, uint32_t by);
/* Whether bytes from `from` up to `to`, as far as they are in the view's word, were stored after `time`. */
bool race_stored_since(const race_view *v, uint32_t from, uint32_t to, uint64_t time);

/* Step 3. */
void race_judge(races *out, const race_watch *w);

#endif
