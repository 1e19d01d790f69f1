/* SPDX-License-Identifier: MIT */
/* Steps 2 and 3 of orders_walk.c. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base.h"
#include "core/format.h"
#include "tests/lib/orders_parts.h"
#include "tools/lib/recording/control.h"

char orders_message[400];

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
            snprintf(orders_message, sizeof orders_message,
                     "event %" PRIu32 " of context %" PRIu32 ", %s, is in recording %u%s", number, context,
                     m->classes[i] == MUST ? "of another one" : "not to be recorded", recording,
                     s->got[i] ? " twice" : "");
            return false;
        }
        s->got[i] = true;
        s->at[s->count] = i;
        s->recording[s->count++] = recording;
        return true;
    }
    snprintf(orders_message, sizeof orders_message, "event %" PRIu32 " was not made", number);
    return false;
}

/* Events stand in the order in which they were made, but for those that came within others. */
static bool in_order(const model *m, const seen *s)
{
    for (size_t i = 1; i < s->count; i++) {
        const order_logged *a = &m->log->all[s->at[i - 1]], *b = &m->log->all[s->at[i]];
        if (s->recording[i] == s->recording[i - 1] && b->end < a->begin) {
            snprintf(orders_message, sizeof orders_message, "event %" PRIu32 " stands before %" PRIu32, a->number,
                     b->number);
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
        snprintf(orders_message, sizeof orders_message, "a frame cannot be read");
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
    snprintf(orders_message, sizeof orders_message, "recording %u: %s: %" PRIu64 " wanted, %" PRIu64 " said", recording,
             what, wanted, got);
    return false;
}

static bool check_run(const model *m, const container *file, const seen *s, unsigned recording)
{
    const orders_run *r = &m->run[recording];
    said all = said_of(file, recording);
    uint64_t missing[2] = {0, 0}, maybe[2] = {0, 0};
    for (size_t i = 0; i < m->log->count; i++) {
        const order_logged *entry = &m->log->all[i];
        if (!is_event(entry) || s->got[i])
            continue;
        missing[entry->what == ORDER_MARK] += m->classes[i] == MUST && m->runs[i] == recording;
        maybe[entry->what == ORDER_MARK] += m->classes[i] == EITHER;
        if (m->wanted[i] && m->runs[i] == recording && m->log->roomy && !m->log->cut)
            return wrong(recording, "an event right before the trigger is missing", entry->number, 0);
    }
    for (unsigned i = 0; i < 2; i++) {
        if (all.missing[i] < missing[i] || all.missing[i] > missing[i] + maybe[i])
            return wrong(recording, i ? "missing marks" : "missing paths", missing[i], all.missing[i]);
        if (m->log->strict && missing[i] && !r->held && !m->log->cut)
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

bool orders_compare(const model *m, const uint8_t *bytes, size_t size)
{
    char why[200];
    size_t count = m->log->count + 1;
    seen s = {calloc(count, sizeof *s.at), calloc(count, sizeof *s.recording), 0, calloc(count, sizeof *s.got)};
    container *file = container_open_bytes(bytes, size, "recording", why, sizeof why);
    bool right = file && container_recording_count(file) == m->count;
    if (!right)
        snprintf(orders_message, sizeof orders_message, "%u recordings wanted, %zu there: %s", m->count,
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
