/* SPDX-License-Identifier: MIT */
/* 1. Walk the log, and give each event a class and a run. 2. Compare that with what each recording holds. 3. Compare
 * what is missing, and how often nothing was recorded, with what the recording says of itself. */
#include "tests/lib/orders.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/format.h"
#include "tools/lib/recording/control.h"

enum { RUNS_MAX = 16, NAMED_MAX = 8 };

/* Events are MUST where they have to be recorded or counted as missing, OUT where they have to be counted as left out,
 * NEVER where nothing records. */
typedef enum class { NEVER, MUST, OUT, EITHER } class;
typedef enum mode { NONE, ON, PAUSED, SILENT, ENDED, UNKNOWN } mode;

typedef struct run {
    unsigned pauses; /* times that nothing was recorded */
    bool pauses_known, sampled, filtered;
    uint64_t out[2]; /* paths, marks */
    uint64_t out_activations;
    bool out_known;
    bool held; /* a trigger may give up frames */
} run;

typedef struct model {
    const order_log *log;
    class *classes;
    unsigned *runs; /* of events, from 1 */
    bool *wanted;   /* shortly before a trigger */
    run run[RUNS_MAX + 1];
    unsigned count; /* runs that were started */
    mode mode;
    bool armed, by_path; /* a trigger that has not come */
    uint32_t first, before, after, left;
    bool counts_down; /* the trigger came, and `left` paths more are recorded */
    uint32_t named[NAMED_MAX];
    unsigned named_count;
    bool only, filter_unknown;
    uint32_t keep, seen;
    bool seen_unknown;
} model;

static char message[400];

static bool is_event(const order_logged *entry)
{
    return entry->what < ORDER_EVENTS;
}

static bool changes(const order_logged *entry)
{
    return !is_event(entry) && entry->what != ORDER_POLL;
}

/* Whether another activation of the sampled function was at work at the same time. */
static bool overlaps_entry(const order_log *log, size_t number)
{
    const order_logged *entry = &log->all[number];
    for (size_t i = 0; !log->strict && i < log->count; i++) {
        const order_logged *other = &log->all[i];
        if (i != number && other->what == ORDER_ENTRY && other->begin < entry->end && entry->begin < other->end)
            return true;
    }
    return false;
}

/* Whether another one that changes what is recorded was at work at the same time. */
static bool overlaps(const order_log *log, size_t number)
{
    const order_logged *entry = &log->all[number];
    for (size_t i = 0; !log->strict && i < log->count; i++) {
        const order_logged *other = &log->all[i];
        if (i != number && changes(other) && other->begin < entry->end && entry->begin < other->end)
            return true;
    }
    return false;
}

/* ---- 1. what has to happen */

static bool passes(const model *m, uint32_t context)
{
    bool named = false;
    for (unsigned i = 0; i < m->named_count; i++)
        named |= m->named[i] == context;
    return m->named_count == 0 || named == m->only;
}

static run *present(model *m)
{
    return &m->run[m->count];
}

static void unknown(model *m)
{
    m->mode = UNKNOWN;
    m->armed = m->counts_down = false;
    present(m)->pauses_known = present(m)->out_known = false;
}

static void falls_silent(model *m, mode how)
{
    if (m->mode == ON)
        present(m)->pauses++;
    m->mode = how;
}

static void trigger_comes(model *m, size_t at)
{
    uint32_t left = m->before;
    m->armed = false;
    m->counts_down = m->after != 0;
    m->left = m->after;
    for (size_t i = at; m->mode == ON && i-- > 0 && left;) {
        const order_logged *entry = &m->log->all[i];
        bool ours = is_event(entry) && m->classes[i] == MUST && m->runs[i] == m->count;
        if (entry->what == ORDER_ARM)
            break;
        m->wanted[i] = ours;
        left -= ours && entry->what != ORDER_MARK;
    }
    m->mode = ON;
}

/* One activation in `keep` is recorded. */
static bool is_kept(model *m)
{
    if (m->keep <= 1)
        return true;
    bool kept = m->seen == 0 || m->seen >= m->keep;
    m->seen = m->seen + 1 >= m->keep ? 0 : m->seen + 1;
    if (!kept) {
        present(m)->out_activations++;
        present(m)->sampled |= m->mode == ON;
    }
    return kept;
}

static class class_of(model *m, size_t at)
{
    const order_logged *entry = &m->log->all[at];
    bool path = entry->what != ORDER_MARK;
    if (m->mode == NONE || m->mode == PAUSED)
        return NEVER;
    m->seen_unknown |=
        entry->what == ORDER_ENTRY && (m->mode == UNKNOWN || overlaps(m->log, at) || overlaps_entry(m->log, at));
    if (m->mode == UNKNOWN || m->filter_unknown || (entry->what == ORDER_ENTRY && m->seen_unknown && m->keep > 1)) {
        present(m)->out_known = false;
        return EITHER;
    }
    if (entry->what == ORDER_ENTRY && !is_kept(m))
        return NEVER;
    bool passed = passes(m, entry->context);
    if (passed && m->armed && m->by_path && path && entry->number - m->first < 3)
        trigger_comes(m, at);
    if (!passed || m->mode == SILENT || m->mode == ENDED) {
        present(m)->out[!path]++;
        present(m)->filtered |= !passed && m->mode == ON;
        return OUT;
    }
    if (m->counts_down && path && --m->left == 0) {
        m->counts_down = false;
        falls_silent(m, ENDED);
    }
    return MUST;
}

static void name_context(model *m, const order_logged *entry)
{
    bool only = entry->what == ORDER_ONLY;
    if (m->only != only || entry->what == ORDER_ALL)
        m->named_count = 0;
    m->only = only;
    for (unsigned i = 0; i < m->named_count; i++)
        if (m->named[i] == entry->number)
            return;
    if (entry->what != ORDER_ALL)
        m->named[m->named_count++] = entry->number;
}

static void filter(model *m, const order_logged *entry)
{
    if (entry->status != WEFT_OK) {
        unknown(m);
        return;
    }
    name_context(m, entry);
    present(m)->pauses += m->mode == ON; /* nothing goes on across the change */
}

static void arm(model *m, const order_logged *entry)
{
    m->counts_down = false;
    m->armed = true;
    m->by_path = entry->at_path;
    m->first = entry->number;
    m->before = entry->before;
    m->after = entry->after;
    if (entry->before)
        m->mode = ON;
    else
        falls_silent(m, SILENT);
    present(m)->held |= entry->before != 0;
}

static void start(model *m)
{
    m->count++;
    m->mode = ON;
    m->armed = m->counts_down = false;
    m->named_count = 0;
    m->filter_unknown = false;
    m->run[m->count] = (run){.pauses_known = true, .out_known = true};
}

/* What the contract promises as the status, where nothing stands in the way. */
static int promised(const model *m, const order_logged *entry)
{
    bool on = m->mode != NONE;
    switch (entry->what) {
    case ORDER_START:
        return on ? WEFT_AGAIN : WEFT_OK;
    case ORDER_PAUSE:
        return on && m->mode != PAUSED ? WEFT_OK : WEFT_AGAIN;
    case ORDER_RESUME:
        return on && m->mode != ON ? WEFT_OK : WEFT_AGAIN;
    case ORDER_ONLY:
    case ORDER_OUT:
    case ORDER_ALL:
    case ORDER_ARM:
        return on ? WEFT_OK : WEFT_AGAIN;
    default:
        return WEFT_OK;
    }
}

/* Where the sink refuses, the trigger may be given up or not. */
static void resume(model *m, bool done)
{
    m->armed = m->counts_down = false;
    if (!done && (m->mode == SILENT || m->mode == ENDED))
        unknown(m);
    m->mode = done ? ON : m->mode;
}

/* False: the status is not what the contract promises. */
static bool call(model *m, size_t at)
{
    const order_logged *entry = &m->log->all[at];
    bool overlap = overlaps(m->log, at);
    if (m->log->strict && m->mode != UNKNOWN && entry->status != promised(m, entry))
        return false;
    bool done = entry->status == WEFT_OK;
    if (entry->what == ORDER_START && done)
        start(m);
    if (entry->what == ORDER_KEEP)
        m->keep = entry->number;
    bool filters = entry->what == ORDER_ONLY || entry->what == ORDER_OUT || entry->what == ORDER_ALL;
    m->filter_unknown |= filters && (overlap || !done);
    if (overlap) {
        unknown(m);
        m->seen_unknown = true;
        return true;
    }
    if (m->mode == NONE || entry->what == ORDER_START)
        return true;
    if (entry->what == ORDER_STOP) {
        m->mode = done ? NONE : UNKNOWN;
        m->armed = m->counts_down = false;
    } else if (entry->what == ORDER_PAUSE && done) {
        m->armed = m->counts_down = false;
        falls_silent(m, PAUSED);
    } else if (entry->what == ORDER_RESUME) {
        resume(m, done);
    } else if (entry->what == ORDER_TRIGGER && m->armed) {
        trigger_comes(m, at);
        if (!m->log->strict)
            unknown(m); /* the sink may refuse its marks: then nothing is recorded yet */
    } else if (entry->what == ORDER_ARM && done) {
        arm(m, entry);
    } else if (entry->what == ORDER_ARM) {
        unknown(m);
    } else if (filters) {
        filter(m, entry);
    }
    return true;
}

static bool walk(model *m)
{
    for (size_t i = 0; i < m->log->count; i++) {
        const order_logged *entry = &m->log->all[i];
        if (!is_event(entry)) {
            if (call(m, i))
                continue;
            snprintf(message, sizeof message, "call %zu, of kind %d, has status %d in mode %d", i, (int)entry->what,
                     entry->status, (int)m->mode);
            return false;
        }
        m->runs[i] = m->count;
        m->classes[i] = class_of(m, i);
        if (overlaps(m->log, i)) {
            m->classes[i] = EITHER;
            m->run[m->count].out_known = false;
            if (m->armed || m->counts_down || m->keep > 1)
                unknown(m);
        } else if (!m->log->strict && (m->armed || m->counts_down)) {
            unknown(m); /* which path is the last is not known where events overlap or are lost */
            m->classes[i] = EITHER;
        }
    }
    return true;
}

/* ---- 2. what did */

typedef struct seen {
    size_t *at; /* in the log, in recorded order */
    unsigned *recording;
    size_t count;
    bool *got; /* by place in the log */
} seen;

static bool take(const model *m, seen *s, uint32_t context, uint32_t number, unsigned recording)
{
    for (size_t i = 0; i < m->log->count; i++) {
        const order_logged *entry = &m->log->all[i];
        if (!is_event(entry) || entry->number != number)
            continue;
        bool run_known = m->classes[i] == MUST;
        if (s->got[i] || entry->context != context || m->classes[i] == NEVER || m->classes[i] == OUT ||
            (run_known && m->runs[i] != recording)) {
            snprintf(message, sizeof message, "event %" PRIu32 " of context %" PRIu32 ", %s, is in recording %u%s",
                     number, context, m->classes[i] == MUST ? "of another one" : "not to be recorded", recording,
                     s->got[i] ? " twice" : "");
            return false;
        }
        s->got[i] = true;
        s->at[s->count] = i;
        s->recording[s->count++] = recording;
        return true;
    }
    snprintf(message, sizeof message, "event %" PRIu32 " was not made", number);
    return false;
}

/* Events stand in the order in which they were made, but for those that came amid others. */
static bool in_order(const model *m, const seen *s)
{
    for (size_t i = 1; i < s->count; i++) {
        const order_logged *a = &m->log->all[s->at[i - 1]], *b = &m->log->all[s->at[i]];
        if (s->recording[i] == s->recording[i - 1] && b->end < a->begin) {
            snprintf(message, sizeof message, "event %" PRIu32 " stands before %" PRIu32, a->number, b->number);
            return false;
        }
    }
    return true;
}

static bool read_events(const model *m, const container *file, seen *s)
{
    control *events = control_open(file);
    bool right = true;
    for (control_event event; right && control_next(events, &event);) {
        if (event.kind == CONTROL_PATH)
            right = take(m, s, event.context, event.path, event.recording + 1);
        else if (event.kind == CONTROL_MARK && event.mark->kind == WEFT_MARK_EVENT)
            right = take(m, s, event.context, (uint32_t)event.mark->argument, event.recording + 1);
    }
    if (right && control_unread(events)) {
        snprintf(message, sizeof message, "a frame cannot be read");
        right = false;
    }
    control_close(events);
    return right && in_order(m, s);
}

/* ---- 3. what the recording says */

typedef struct said {
    uint64_t missing[2], out[2], activations;
    unsigned pauses;
    bool sampled, filtered, frames, other;
} said;

static said said_of(const container *file, unsigned recording)
{
    said all = {0};
    for (size_t i = 0; i < container_gap_count(file); i++) {
        const container_gap *gap = container_gap_at(file, i);
        if (gap->recording + 1 != recording)
            continue;
        bool lost = gap->kind == GAP_LOST || gap->kind == GAP_FRAMES, out = gap->kind == GAP_OUT;
        uint64_t *to = out ? all.out : all.missing;
        if (lost || out) {
            to[0] += gap->paths;
            to[1] += gap->marks;
            all.activations += gap->events;
        }
        all.pauses += gap->kind == GAP_PAUSE || gap->kind == GAP_PAUSED || gap->kind == GAP_TRIGGER;
        all.pauses += gap->kind == GAP_PAUSES ? (unsigned)gap->events : 0;
        all.frames |= gap->kind == GAP_FRAMES;
        all.sampled |= gap->kind == GAP_SAMPLING;
        all.filtered |= gap->kind == GAP_FILTER;
        all.other |= gap->kind == GAP_OTHER || gap->kind == GAP_DAMAGE || gap->kind == GAP_END ||
                     gap->kind == GAP_MARK || gap->kind == GAP_VERSION || (gap->kind == GAP_FRAMES && !gap->counted);
    }
    return all;
}

static bool wrong(unsigned recording, const char *what, uint64_t wanted, uint64_t got)
{
    snprintf(message, sizeof message, "recording %u: %s: %" PRIu64 " wanted, %" PRIu64 " said", recording, what, wanted,
             got);
    return false;
}

static bool check_run(const model *m, const container *file, const seen *s, unsigned recording)
{
    const run *r = &m->run[recording];
    said all = said_of(file, recording);
    uint64_t missing[2] = {0, 0}, maybe[2] = {0, 0};
    for (size_t i = 0; i < m->log->count; i++) {
        const order_logged *entry = &m->log->all[i];
        if (!is_event(entry) || s->got[i])
            continue;
        missing[entry->what == ORDER_MARK] += m->classes[i] == MUST && m->runs[i] == recording;
        maybe[entry->what == ORDER_MARK] += m->classes[i] == EITHER;
        if (m->wanted[i] && m->runs[i] == recording && m->log->roomy)
            return wrong(recording, "an event right before the trigger is missing", entry->number, 0);
    }
    for (unsigned i = 0; i < 2; i++) {
        if (all.missing[i] < missing[i] || all.missing[i] > missing[i] + maybe[i])
            return wrong(recording, i ? "missing marks" : "missing paths", missing[i], all.missing[i]);
        if (m->log->strict && missing[i] && !r->held)
            return wrong(recording, "missing events", 0, missing[i]);
        if (r->out_known && r->out[i] != all.out[i])
            return wrong(recording, i ? "marks left out" : "paths left out", r->out[i], all.out[i]);
    }
    if (r->out_known && r->out_activations != all.activations)
        return wrong(recording, "activations left out", r->out_activations, all.activations);
    bool lossy = all.missing[0] || all.missing[1] || all.frames;
    if (r->pauses_known && (r->pauses > all.pauses || (m->log->strict && !lossy && r->pauses != all.pauses)))
        return wrong(recording, "pauses", r->pauses, all.pauses);
    if (m->log->strict && !lossy && ((r->sampled && !all.sampled) || (r->filtered && !all.filtered)))
        return wrong(recording, "what is recorded changes", r->sampled * 2 + r->filtered,
                     all.sampled * 2 + all.filtered);
    return !all.other || wrong(recording, "damage", 0, 1);
}

static bool compare(model *m, const uint8_t *bytes, size_t size)
{
    char why[200];
    size_t count = m->log->count + 1;
    seen s = {calloc(count, sizeof *s.at), calloc(count, sizeof *s.recording), 0, calloc(count, sizeof *s.got)};
    container *file = container_open_bytes(bytes, size, "recording", why, sizeof why);
    bool right = file && container_recording_count(file) == m->count;
    if (!right)
        snprintf(message, sizeof message, "%u recordings wanted, %zu there: %s", m->count,
                 file ? container_recording_count(file) : 0, file ? "" : why);
    right = right && read_events(m, file, &s);
    for (unsigned i = 1; right && i <= m->count; i++)
        right = check_run(m, file, &s, i);
    if (file)
        container_close(file);
    free(s.at);
    free(s.recording);
    free(s.got);
    return right;
}

const char *orders_check(const order_log *log, const uint8_t *bytes, size_t size)
{
    size_t count = log->count + 1;
    model m = {.log = log,
               .classes = calloc(count, sizeof *m.classes),
               .runs = calloc(count, sizeof *m.runs),
               .wanted = calloc(count, sizeof *m.wanted)};
    bool right = walk(&m) && (m.count == 0 || compare(&m, bytes, size));
    free(m.classes);
    free(m.runs);
    free(m.wanted);
    return right ? NULL : message;
}
