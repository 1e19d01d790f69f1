/* SPDX-License-Identifier: MIT */
/* The model: a recorder that nothing interrupts is called for each event, in the order in which they happened. Its
 * sink must get, byte by byte, what the sinks of the interrupted recorders got. The place of the interrupt's deed is
 * known up to the probe that it interrupted, so each place within that is tried. */
#include "core/own.h"
#include "core/recorder_ksf.h"
#include "core/recorder_passes.h"
#include "tests/target/programs/instants/instants.h"

#include <string.h>

enum { HANDLER = 15, PIECE = 64 }; /* SysTick */
enum { PARTS = 24 };               /* of a path in the forest, at most */
enum { REST = 6 };                 /* path of all passes of a loop but the first: start + around */

/* The recordings made so far, to be compared with the real ones. */
typedef struct replay {
    const way *of;
    weft_recorder *model;
    unsigned recorder; /* the recorder in use: FIRST, OTHER; RECORDERS: none */
    bool right;
    weft_ksf_activation activation; /* of the main program */
    const happened *happened;
    bool lost;      /* the interrupt's path was counted as lost */
    unsigned parts; /* of the main program's path that come before the deed; 0: it is not in a path */
} replay;

static void start(replay *r, unsigned recorder)
{
    weft_recorder_config config = *configured(MODEL, r->of);
    config.run = recorders[recorder].config.run;
    config.identity = recorders[recorder].config.identity;
    config.build_id = recorders[recorder].config.build_id;
    config.build_id_size = recorders[recorder].config.build_id_size;
    if (config.profiler && recorder == OTHER)
        weft_ksf_restart(config.profiler_state, LATER_GENERATION);
    r->right &= weft_recorder_init(r->model, &config) == WEFT_OK;
    r->recorder = recorder;
}

static void stop(replay *r)
{
    if (r->recorder == RECORDERS)
        return;
    r->right &= weft_recorder_finish(r->model) == WEFT_OK;
    r->right &= memcmp(&tallies[MODEL], &tallies[r->recorder], sizeof(tally)) == 0;
    r->recorder = RECORDERS;
}

static void interrupt(replay *r, const step *s);

/* A part of a path in the forest was done (core/ksf.h). The deed may come here. */
static void part_done(replay *r)
{
    if (r->parts && --r->parts == 0)
        interrupt(r, &r->happened->interrupt);
}

static weft_status count_in_parts(replay *r, uint32_t path, weft_ksf_activation *activation)
{
    weft_ksf_place place;
    bool known = weft_recorder_kpath_known(r->model, path, activation);
    part_done(r);
    if (known || r->recorder == RECORDERS)
        return WEFT_OK;
    bool near = weft_recorder_kpath_near(r->model, path, activation);
    part_done(r);
    if (near || r->recorder == RECORDERS)
        return WEFT_OK;
    weft_status status = weft_ksf_look(r->model->config.profiler_state, &place);
    part_done(r);
    while (status == WEFT_AGAIN && r->recorder != RECORDERS) {
        weft_ksf_find(r->model->config.profiler_state, activation, path, &place);
        part_done(r);
        status = r->recorder == RECORDERS ? WEFT_OK : weft_recorder_kpath_take(r->model, activation, &place);
        part_done(r);
    }
    return status;
}

static void kpath(replay *r, const step *s, uint32_t context)
{
    weft_ksf_activation own = {0}, *activation = context ? &own : &r->activation;
    if (s->value)
        *activation = own;
    if (count_in_parts(r, s->id, activation) == WEFT_FULL) {
        r->right &= weft_recorder_profile(r->model) == WEFT_OK;
        part_done(r);
        r->right &= r->recorder == RECORDERS || count_in_parts(r, s->id, activation) == WEFT_OK;
    }
    if (r->recorder != RECORDERS && r->of->forest == FOREST_BESIDE)
        weft_recorder_path(r->model, context, s->id);
}

static void probe(replay *r, const step *s, uint32_t context)
{
    uint32_t number = (uint32_t)s->value;
    if (r->recorder == RECORDERS)
        return;
    if (s->what == KPATH)
        kpath(r, s, context);
    else if (s->what == ACCESS)
        weft_recorder_access(r->model, context, s->id, number);
    else if (s->what == VALUE)
        weft_recorder_value(r->model, context, s->id, s->value);
    else if (s->what == PACK)
        weft_recorder_packed(r->model, context, s->id, number);
    else if (s->what == EVENT)
        (void)weft_recorder_event(r->model, context, s->id, &number, 1);
    else
        weft_recorder_path(r->model, context, s->id);
}

/* Records passes of a loop from `done` on, at most `left`. Many passes are recorded at once: returns how many. 0:
 * they come one by one. */
static uint32_t passes_at_once(replay *r, const step *s, uint32_t done, uint32_t left)
{
    uint32_t lead = 2; /* the first pass is another path, the second shows which one follows */
    uint32_t many = s->what == LOOP && done >= lead && s->count - lead > WEFT_RECORDER_PASSES_FEW ? s->count - done : 0;
    uint32_t taken = many < left ? many : left;
    if (taken && r->recorder != RECORDERS)
        weft_recorder_passes(r->model, 0, REST, taken);
    return taken;
}

/* Makes the probes of the main program from number *i on until *made reaches `at`. Each pass counts. */
static void go_to(replay *r, uint32_t *i, uint32_t *passes, uint32_t *made, uint32_t at)
{
    while (*made < at) {
        step s = step_of(r->of, *i);
        uint32_t taken = passes_at_once(r, &s, *passes, at - *made);
        if (s.what == LOOP && *passes)
            s.id = REST;
        if (taken == 0)
            probe(r, &s, 0);
        *made += taken ? taken : 1;
        *passes += taken ? taken : 1;
        if (*passes < s.count)
            continue;
        *passes = 0;
        do
            ++*i;
        while (step_of(r->of, *i).count == 0);
    }
}

static void pause_and_resume(replay *r)
{
    if (r->recorder == RECORDERS)
        return;
    (void)weft_recorder_change(r->model, WEFT_CHANGE_PAUSE, 0);
    (void)weft_recorder_flush(r->model);
    (void)weft_recorder_change(r->model, WEFT_CHANGE_RESUME, 0);
}

static void interrupt(replay *r, const step *s)
{
    static const weft_counts one = {.paths = 1};
    if (r->lost && r->recorder != RECORDERS)
        weft_recorder_lost(r->model, &one);
    if (s->what < PROBES && !r->lost)
        probe(r, s, HANDLER);
    if (s->what == PAUSE_AND_RESUME)
        pause_and_resume(r);
    if (s->what == STOP || s->what == START_OTHER || s->what == STOP_AND_START)
        stop(r);
    if (s->what == START_OTHER || s->what == STOP_AND_START)
        start(r, OTHER);
}

/* The deed's place: after `at` events, and N parts of the next one; whether it is a lost path. */
typedef struct guess {
    uint32_t at;
    unsigned parts;
    bool effective, lost;
} guess;

/* Whether everything is as if the deed had come there, or not at all. */
static bool fits(const way *of, const happened *h, guess g)
{
    replay r = {of, &recorders[MODEL], RECORDERS, true, {0}, h, g.lost, 0};
    uint32_t i = 0, passes = 0, made = 0;
    start(&r, h->first);
    if (g.effective)
        go_to(&r, &i, &passes, &made, g.at);
    if (g.effective && !g.parts)
        interrupt(&r, &h->interrupt);
    if (g.parts) {
        r.parts = g.parts;
        go_to(&r, &i, &passes, &made, g.at + 1);
        r.right &= r.parts == 0;
    }
    go_to(&r, &i, &passes, &made, h->made);
    stop(&r);
    return r.right;
}

/* Within the path of the forest that was interrupted. */
static bool fits_within(const way *of, const happened *h)
{
    for (unsigned tries = 0; of->forest && tries < 2 * PARTS && h->from < h->to; tries++)
        if ((h->lost || tries < PARTS) && fits(of, h, (guess){h->from, tries % PARTS + 1, true, tries >= PARTS}))
            return true;
    return h->lost && (fits(of, h, (guess){h->to, 0, true, true}) || fits(of, h, (guess){h->from, 0, true, true}));
}

/* Coders take passes of a loop a PIECE at a time, after the first one. */
static uint32_t end_of_piece(const happened *h)
{
    uint32_t passes = h->likely - h->from - 1;
    return h->from + 1 + (passes + PIECE - 1) / PIECE * PIECE;
}

bool as_the_model(const way *of, const happened *h)
{
    if (h->without && fits(of, h, (guess){0}))
        return true;
    if (!h->effective)
        return false;
    uint32_t likely[] = {h->from, h->to, h->likely, h->likely + 1, end_of_piece(h)};
    for (uint32_t i = 0; i < WEFT_COUNT(likely); i++)
        if (likely[i] >= h->from && likely[i] <= h->to && fits(of, h, (guess){likely[i], 0, true, false}))
            return true;
    for (uint32_t at = h->from + 1; at < h->to; at++)
        if (fits(of, h, (guess){at, 0, true, false}))
            return true;
    return fits_within(of, h);
}
