/* SPDX-License-Identifier: MIT */
/* Who runs after each exception, against a model of a core with threads. The model knows which thread it switched to;
 * what is followed sees frames only. */
#include "tests/lib/check.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/machine/who_runs.h"

enum { THREADS = 12, STACK = 0x400, MAIN = 0x20008000, DEEPEST = 6, TO_THREAD = 0xfffffffd, TO_HANDLER = 0xfffffff1 };

typedef struct model {
    uint32_t frame[THREADS]; /* of each thread that waits */
    uint32_t stack[THREADS]; /* which one it has */
    bool ended[THREADS];
    uint32_t threads, stacks, running;
    uint32_t pending;            /* a new thread that was switched to and has not run; 0: none */
    who_handler active[DEEPEST]; /* the innermost last */
    uint32_t depth;
} model;

static check_random dice = {20261125};

static uint32_t below(uint32_t bound)
{
    return check_random_below(&dice, bound);
}

/* A frame somewhere on a thread's stack; few places, so that one that was given to another has the same. */
static uint32_t place(const model *m, uint32_t thread)
{
    return 0x20000000 + m->stack[thread] * STACK + 64 * below(4);
}

static uint32_t innermost(const model *m)
{
    return m->depth ? m->active[m->depth - 1].number : 0;
}

static uint32_t a_handler(const model *m)
{
    for (;;) {
        uint32_t number = 2 + below(60);
        bool active = false;
        for (uint32_t i = 0; i < m->depth; i++)
            active |= m->active[i].number == number;
        if (!active)
            return number;
    }
}

static full_event enter(model *m)
{
    full_event e = {.kind = FULL_EXCEPTION, .from = innermost(m), .to = a_handler(m), .entry = true};
    e.registers[14] = m->depth ? TO_HANDLER : TO_THREAD;
    e.frame = m->depth ? MAIN - 64 * m->depth : place(m, m->running);
    if (!m->depth)
        m->frame[m->running] = e.frame;
    m->active[m->depth++] = (who_handler){e.to, e.frame};
    return e;
}

/* A thread that is not the running one, and waits; the running one if there is none. */
static uint32_t another(const model *m)
{
    for (unsigned tries = 0; tries < 20; tries++) {
        uint32_t thread = below(m->threads);
        if (thread != m->running && !m->ended[thread])
            return thread;
    }
    return m->running;
}

/* A new thread, now and then on the stack of the running one, which has ended. Its frame is where the program made it:
 * no thread ever waited there. */
static uint32_t begin(model *m)
{
    uint32_t thread = m->threads++;
    m->ended[m->running] = below(3) == 0;
    m->stack[thread] = m->ended[m->running] ? m->stack[m->running] : m->stacks++;
    m->frame[thread] = 0x20000000 + m->stack[thread] * STACK + 512 + 8 * thread;
    return thread;
}

static full_event leave(model *m)
{
    full_event e = {.kind = FULL_EXCEPTION, .from = innermost(m), .frame = m->active[--m->depth].frame};
    e.to = innermost(m);
    if (m->depth)
        return e;
    if (m->pending)
        m->running = m->pending;
    else if (below(3) == 0)
        m->running = m->threads < THREADS && below(2) ? begin(m) : another(m);
    m->pending = 0;
    e.frame = m->frame[m->running];
    return e;
}

/* In place of the innermost. If that went back to thread mode, the switch may have been before. To a thread that is
 * known: then that one is interrupted. A new one is not known before it runs, and the frame is still the old one's. */
static full_event chain(model *m)
{
    who_handler ended = m->active[m->depth - 1];
    uint32_t kept = ended.frame;
    full_event e = {.kind = FULL_EXCEPTION, .from = ended.number, .to = a_handler(m), .entry = true, .frame = kept};
    e.registers[14] = m->depth > 1 ? TO_HANDLER : TO_THREAD;
    if (m->depth == 1 && m->pending) {
        e.frame = m->frame[m->pending];
    } else if (m->depth == 1 && m->threads < THREADS && below(4) == 0) {
        m->pending = begin(m);
        e.frame = m->frame[m->pending];
    } else if (m->depth == 1 && below(3) == 0) {
        m->running = another(m);
        e.frame = kept = m->frame[m->running];
    }
    m->active[m->depth - 1] = (who_handler){e.to, kept};
    return e;
}

static void who_runs_is_what_a_core_does(void)
{
    for (unsigned run = 0; run < check_amount(50, 400, 4000); run++) {
        model m = {.threads = 1, .stacks = 1};
        who_runs who = {0};
        for (unsigned step = 0; step < 300; step++) {
            full_event e = !m.depth || (m.depth < DEEPEST && below(3) == 0) ? enter(&m)
                           : below(4)                                       ? leave(&m)
                                                                            : chain(&m);
            who_runs_event(&who, &e);
            uint32_t thread = m.running ? VECTORS_THREAD + m.running - 1 : 0;
            CHECK_EQ(who.depth, m.depth);
            CHECK_EQ(who.thread, thread);
            CHECK_EQ(who.context, m.depth ? innermost(&m) : thread);
            CHECK_EQ(who_runs_frame(&who), m.depth ? m.active[m.depth - 1].frame : 0);
        }
        who_runs_free(&who);
    }
}

static void a_return_that_is_missing_ends_the_handlers_above_too(void)
{
    who_runs who = {0};
    const who_exception steps[] = {{5, 0x100, true, false}, {6, 0x80, true, false}, {7, 0x40, true, false}};
    for (unsigned i = 0; i < 3; i++)
        who_runs_exception(&who, &steps[i]);
    who_runs_exception(&who, &(who_exception){.to = 5, .frame = 0x80});
    CHECK_EQ(who.context, 5);
    CHECK_EQ(who.depth, 1);
    who_runs_exception(&who, &(who_exception){.to = 0, .frame = 0x100});
    CHECK_EQ(who.context, 0);
    who_runs_exception(&who, &(who_exception){.to = 0, .frame = 0x100}); /* nothing is active */
    CHECK_EQ(who.context, 0);
    who_runs_free(&who);
}

static void a_return_without_a_frame_names_the_thread(void)
{
    who_runs who = {0};
    who_runs_exception(&who, &(who_exception){14, 0, true, false});
    who_runs_exception(&who, &(who_exception){.to = VECTORS_THREAD + 2});
    CHECK_EQ(who.context, VECTORS_THREAD + 2);
    CHECK_EQ(who.thread, VECTORS_THREAD + 2);
    who_runs_free(&who);
}

static void more_handlers_than_there_are_priorities_are_survived(void)
{
    who_runs who = {0};
    for (uint32_t i = 0; i < 2 * WHO_NESTED_MAX; i++)
        who_runs_exception(&who, &(who_exception){1 + i % 500, 4 * i, true, false});
    CHECK_EQ(who.depth, WHO_NESTED_MAX);
    who_runs_exception(&who, &(who_exception){.to = 0, .frame = 0});
    CHECK_EQ(who.depth, 0);
    who_runs_free(&who);
}

int main(void)
{
    RUN(who_runs_is_what_a_core_does);
    RUN(a_return_that_is_missing_ends_the_handlers_above_too);
    RUN(a_return_without_a_frame_names_the_thread);
    RUN(more_handlers_than_there_are_priorities_are_survived);
    return check_failed();
}
