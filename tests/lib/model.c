/* SPDX-License-Identifier: MIT */
#include "tests/lib/model.h"
#include "tests/lib/model_ranges.h"
#include "tools/lib/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void model_make(model *program, check_random *random, uint32_t accesses, uint32_t values)
{
    uint32_t site = 0;
    memset(program, 0, sizeof *program);
    for (uint32_t p = 0; p < MODEL_PATHS; p++) {
        replay_script *s = &program->script[p];
        s->path = p;
        s->function = p / 4;
        s->span = true; /* no structure of calls */
        s->items = program->item[p];
        uint32_t count = check_random_below(random, MODEL_ITEMS - 1);
        while (s->count + 2 < count) {
            replay_item *item = &s->items[s->count];
            if (check_random_below(random, 100) >= accesses) {
                item->kind = REPLAY_BLOCK;
                item->id = p * 100 + s->count++;
                continue;
            }
            *item = (replay_item){.kind = REPLAY_ACCESS, .id = site++, .size = 4, .store = site & 1};
            s->count++;
            s->accesses++;
            if (check_random_below(random, 100) < values) {
                item[1] = item[0];
                item[1].kind = REPLAY_VALUE;
                s->count++;
                s->values++;
            }
        }
        s->before_count = s->count;
    }
}

const replay_script *model_script(void *program, uint32_t path)
{
    model *m = program;
    return path < MODEL_PATHS ? &m->script[path] : NULL;
}

weft_status model_write(void *sink, const uint8_t *frame, size_t size)
{
    model_sink *s = sink;
    s->writes++;
    if (s->writes == s->refuse_nth || (s->refuse_percent && check_random_below(&s->random, 100) < s->refuse_percent))
        return WEFT_AGAIN;
    if (s->size + size > s->size_max) {
        s->size_max = 2 * (s->size + size);
        s->bytes = realloc(s->bytes, s->size_max);
    }
    memcpy(s->bytes + s->size, frame, size);
    s->size += size;
    return WEFT_OK;
}

static void note(run *r, truth event)
{
    r->events = memory_room(r->events, r->count, &r->count_max, sizeof *r->events);
    event.lost = r->recorder.waiting; /* only an open frame takes events: a waiting one means a loss */
    r->events[r->count++] = event;
}

/* Comes right after a path of its context, so that its place among the accesses does not matter. */
static void maybe_mark(run *r, uint32_t context)
{
    uint32_t what = check_random_below(&r->random, 60), value = check_random_next(&r->random);
    if (what == 0)
        (void)weft_recorder_stamp(&r->recorder, r->count);
    if (what != 1)
        return;
    (void)weft_recorder_event(&r->recorder, context, value % 7, &value, value % 2);
    note(r, (truth){.kind = REPLAY_MARK, .context = context, .id = value % 7, .value = value % 2 ? value : 0});
}

static void execute(run *r, uint32_t context, uint32_t depth);

/* An interrupt may come before any event. */
static void maybe_interrupt(run *r, uint32_t depth)
{
    if (r->recorder.config.spare && check_random_below(&r->random, 20) == 0)
        (void)weft_recorder_send(&r->recorder);
    if (depth < 4 && check_random_below(&r->random, r->calm ? 5000 : 100) < 4)
        for (uint32_t n = check_random_below(&r->random, 3) + 1; n && r->steps; n--)
            execute(r, 16 + depth, depth + 1);
}

/* Values that each way of prediction gets right now and then, and values that none does. */
static uint64_t value_of(run *r, uint32_t site, uint32_t instance)
{
    switch (check_random_below(&r->random, 8)) {
    case 0:
        return site; /* always the same */
    case 1:
        return instance % 4 * 1000; /* follows from the one before */
    case 2:
        return (uint64_t)(site % 3) << 32 | instance % 2; /* wide */
    case 3:
        return (uint64_t)check_random_next(&r->random) << check_random_below(&r->random, 33);
    default:
        return site % 2 ? 0xfffffff0u + instance * (site % 5)
                        : r->recorder.address; /* a stride that comes round, or one value per address */
    }
}

static void one_item(run *r, uint32_t context, const replay_item *item, uint32_t instance)
{
    truth event = {.kind = (replay_kind)item->kind, .context = context, .id = item->id, .instance = instance};
    if (item->kind == REPLAY_ACCESS) {
        event.address = check_random_below(&r->random, r->calm ? 50 : 4) ? item->id * 64 + instance * 4
                                                                         : check_random_next(&r->random);
        weft_recorder_access(&r->recorder, context, item->id, event.address);
        note(r, event);
    } else if (item->kind == REPLAY_VALUE) {
        event.value = value_of(r, item->id, instance);
        weft_recorder_value(&r->recorder, context, item->id, event.value);
        note(r, event);
    }
}

static void execute(run *r, uint32_t context, uint32_t depth)
{
    uint32_t path = check_random_below(&r->random, MODEL_PATHS);
    const replay_script *s = &r->program->script[path];
    uint32_t instance = r->instances++;
    r->steps -= r->steps > 0;
    for (uint32_t i = 0; i < s->before_count; i++) {
        maybe_interrupt(r, depth);
        one_item(r, context, &s->items[i], instance);
    }
    maybe_interrupt(r, depth);
    weft_recorder_path(&r->recorder, context, path);
    note(r, (truth){.kind = REPLAY_PATH, .context = context, .id = path, .instance = instance});
    maybe_mark(r, context);
}

/* Threads are switched between any two events: each has a path in progress. */
typedef struct thread {
    uint32_t context, path, item, instance;
} thread;

static void thread_step(run *r, thread *t)
{
    const replay_script *s = &r->program->script[t->path];
    maybe_interrupt(r, 0);
    if (t->item == 0)
        t->instance = r->instances++;
    if (t->item < s->before_count) {
        one_item(r, t->context, &s->items[t->item++], t->instance);
        return;
    }
    weft_recorder_path(&r->recorder, t->context, t->path);
    note(r, (truth){.kind = REPLAY_PATH, .context = t->context, .id = t->path, .instance = t->instance});
    maybe_mark(r, t->context);
    t->item = 0;
    if (!r->calm || check_random_below(&r->random, 30) == 0)
        t->path = check_random_below(&r->random, MODEL_PATHS);
    r->steps -= r->steps > 0;
}

/* The recorder's counters stand where long runs bring them. */
static void begin_late(run *r)
{
    weft_recorder *recorder = &r->recorder;
    recorder->before = r->earlier;
    recorder->sequence += r->earlier_frames;
    if (!r->earlier_frames)
        recorder->lost = r->earlier;
}

void run_program(run *r, const weft_recorder_config *config, uint32_t steps, uint32_t seed)
{
    enum { THREADS = 3 };
    thread threads[THREADS];
    weft_sink sink = {&r->sink, model_write};
    weft_recorder_config c = *config;
    c.sink = &sink;
    r->random.state = seed;
    r->sink.random.state = seed + 77;
    r->steps = steps;
    r->calm = seed & 1;
    if (weft_recorder_init(&r->recorder, &c) != WEFT_OK)
        return;
    begin_late(r);
    for (uint32_t i = 0; i < THREADS; i++)
        threads[i] = (thread){.context = i ? 511 + i : 0, .path = check_random_below(&r->random, MODEL_PATHS)};
    while (r->steps) {
        thread *t = &threads[check_random_below(&r->random, THREADS)];
        for (uint32_t n = check_random_below(&r->random, r->calm ? 1000 : 40); n && r->steps; n--)
            thread_step(r, t);
    }
    for (unsigned tries = 0; tries < 1000 && weft_recorder_finish(&r->recorder) != WEFT_OK; tries++)
        ;
    r->recorder.config.sink = NULL; /* the sink ends with this function */
}

void run_free(run *r)
{
    free(r->sink.bytes);
    free(r->events);
}

/* Whether a decoder can know the site of event `at`: its path's record must have been recorded, with no loss
 * between. */
static bool resolvable(const run *r, size_t at)
{
    for (size_t i = at; i < r->count; i++) {
        if (r->events[i].lost)
            return false;
        if (r->events[i].kind == REPLAY_PATH && r->events[i].instance == r->events[at].instance)
            return true;
    }
    return false;
}

typedef struct checker {
    const run *r;
    bool damaged;
    size_t at;
    weft_counts earlier; /* of the run, until a gap had them */
} checker;

static bool check_gap(checker *c, const replay_event *event)
{
    const weft_counts *earlier = &c->earlier;
    EXPECT(event->counted && event->paths >= earlier->paths && event->accesses >= earlier->accesses &&
           event->values >= earlier->values && event->marks >= earlier->marks);
    uint64_t left[4] = {event->paths - earlier->paths, event->accesses - earlier->accesses,
                        event->values - earlier->values, event->marks - earlier->marks};
    c->earlier = (weft_counts){0};
    while (left[0] + left[1] + left[2] + left[3]) {
        EXPECT(c->at < c->r->count);
        const truth *t = &c->r->events[c->at++];
        uint64_t *of = &left[t->kind == REPLAY_PATH     ? 0
                             : t->kind == REPLAY_ACCESS ? 1
                             : t->kind == REPLAY_VALUE  ? 2
                                                        : 3];
        EXPECT(t->lost || c->damaged);
        EXPECT(*of > 0);
        --*of;
    }
    return true;
}

static bool check_unresolved(checker *c, const replay_event *event)
{
    uint64_t left[2] = {event->accesses, event->values};
    while (left[0] + left[1]) {
        EXPECT(c->at < c->r->count);
        const truth *t = &c->r->events[c->at];
        EXPECT((t->kind == REPLAY_ACCESS || t->kind == REPLAY_VALUE) && !t->lost && t->context == event->context);
        EXPECT(left[t->kind == REPLAY_VALUE] > 0);
        EXPECT(c->damaged || !resolvable(c->r, c->at));
        left[t->kind == REPLAY_VALUE]--;
        c->at++;
    }
    return true;
}

static bool check_mark(checker *c, const replay_event *event)
{
    EXPECT(c->at < c->r->count);
    const truth *t = &c->r->events[c->at++];
    EXPECT(t->kind == REPLAY_MARK && !t->lost && t->context == event->context && t->id == event->mark->argument);
    EXPECT(event->mark->count ? t->value == event->mark->value[0] : t->value == 0);
    return true;
}

static bool check_event(checker *c, const replay_event *event)
{
    if (event->kind == REPLAY_BLOCK || event->kind == REPLAY_CONTEXT)
        return true;
    if (event->kind == REPLAY_MARK && event->mark->kind == WEFT_MARK_STAMP)
        return true; /* it may have been refused */
    if (event->kind == REPLAY_MARK)
        return check_mark(c, event);
    if (event->kind == REPLAY_GAP)
        return check_gap(c, event);
    if (event->kind == REPLAY_UNRESOLVED)
        return check_unresolved(c, event);
    EXPECT(c->at < c->r->count);
    const truth *t = &c->r->events[c->at++];
    EXPECT(!t->lost);
    EXPECT(t->kind == event->kind && t->context == event->context && t->id == event->id);
    EXPECT(t->kind != REPLAY_ACCESS || t->address == event->address);
    EXPECT(t->kind != REPLAY_VALUE || t->value == event->value);
    return true;
}

static void skip_kinds(replay *events, unsigned kinds, replay_event *event)
{
    while (replay_next(events, event) && kinds & REPLAY_KIND(event->kind))
        continue;
}

/* Without some kinds, the others are the same. */
static bool check_left_out(const run *r, const container *file, unsigned kinds)
{
    replay *some = replay_open(file, (replay_model){r->program, model_script});
    replay *all = replay_open(file, (replay_model){r->program, model_script});
    replay_event one, other;
    bool same = true;
    replay_leave_out(some, kinds);
    do {
        one = other = (replay_event){.kind = REPLAY_BASE};
        (void)replay_next(some, &one);
        skip_kinds(all, kinds, &other);
        if (kinds & REPLAY_KIND(other.kind))
            other.kind = REPLAY_BASE; /* the end */
        same =
            one.kind == other.kind &&
            (one.kind == REPLAY_BASE || (one.id == other.id && one.time == other.time && one.address == other.address));
    } while (same && one.kind != REPLAY_BASE);
    const replay_accesses a = replay_accesses_of(some), b = replay_accesses_of(all);
    same = same && !memcmp(&a, &b, sizeof a) && replay_unresolved(some) == replay_unresolved(all);
    replay_close(some);
    replay_close(all);
    return same;
}

/* All that is lost is known from the frames, if the recorder wrote its last one. */
static bool check_lost(const run *r, const container *file)
{
    const weft_counts said = container_lost(file), *of = &r->recorder.lost;
    weft_counts missing = r->earlier_frames ? r->earlier : (weft_counts){0};
    EXPECT(said.paths == of->paths + missing.paths && said.accesses == of->accesses + missing.accesses);
    EXPECT(said.values == of->values + missing.values && said.marks == of->marks + missing.marks);
    return true;
}

bool run_check(const run *r, const uint8_t *bytes, size_t size, bool damaged, uint64_t *unresolved)
{
    char message[200];
    replay_event event;
    checker c = {r, damaged, 0, r->earlier};
    container *file = container_open_bytes(bytes, size, "run", message, sizeof message);
    EXPECT(file != NULL);
    for (size_t i = 0; i < container_gap_count(file); i++)
        EXPECT(container_gap_at(file, i)->kind != GAP_OTHER && container_gap_at(file, i)->frames <= UINT32_MAX);
    replay *events = replay_open(file, (replay_model){r->program, model_script});
    bool good = true;
    while (good && replay_next(events, &event))
        good = check_event(&c, &event);
    if (replay_error(events)) {
        check_print("# ");
        check_print(replay_error(events));
        check_print("\n");
        good = false;
        check_fail(__FILE__, __LINE__, "the replay has no error");
    }
    *unresolved = replay_unresolved(events);
    EXPECT(!good || !c.earlier.paths);
    if (good && c.at != r->count) {
        good = false;
        check_fail_values(__FILE__, __LINE__, "all events are reported", (int64_t)c.at, (int64_t)r->count);
    }
    replay_close(events);
    if (good && !damaged)
        EXPECT(check_lost(r, file));
    if (r->count % 16 == 0)
        EXPECT(check_left_out(r, file, (unsigned)r->count / 16 << REPLAY_BLOCK & (REPLAY_KIND(REPLAY_GAP) - 1)));
    if (r->count % 8 == 1)
        EXPECT(ranges_agree(file, (replay_model){r->program, model_script}));
    container_close(file);
    return good;
}
