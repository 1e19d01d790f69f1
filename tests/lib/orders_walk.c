/* SPDX-License-Identifier: MIT */
/* 1. Walk the log, and give each event a class and a run. 2. Compare that with what each recording holds. 3. Compare
 * what is missing, and how often nothing was recorded, with what the recording says of itself. Steps 2 and 3 are in
 * orders_said.c. */
#include <stdio.h>
#include <stdlib.h>

#include "core/base.h"
#include "tests/lib/orders_parts.h"

static bool changes(const order_logged *entry)
{
    return !is_event(entry) && entry->what != ORDER_POLL && entry->what != ORDER_FLUSH;
}

/* Whether another one, for which `counts` holds, was at work at the same time. */
static bool overlaps_with(const order_log *log, size_t number, bool (*counts)(const order_logged *entry))
{
    const order_logged *entry = &log->all[number];
    for (size_t i = 0; !log->strict && i < log->count; i++) {
        const order_logged *other = &log->all[i];
        if (i != number && counts(other) && other->begin < entry->end && entry->begin < other->end)
            return true;
    }
    return false;
}

static bool is_any(const order_logged *entry)
{
    (void)entry;
    return true;
}

static bool is_entry(const order_logged *entry)
{
    return entry->what == ORDER_ENTRY;
}

static bool overlaps(const order_log *log, size_t number)
{
    return overlaps_with(log, number, changes);
}

static bool passes(const model *m, uint32_t context)
{
    bool named = false;
    for (unsigned i = 0; i < m->named_count; i++)
        named |= m->named[i] == context;
    return m->named_count == 0 || named == m->only;
}

static orders_run *present(model *m)
{
    return &m->run[m->count];
}

static void unknown(model *m)
{
    if (m->mode == ENDING)
        return;
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

/* The `before` paths of a trigger. */
static void want_before(model *m, size_t at)
{
    uint32_t left = m->armed ? m->before : 0;
    for (size_t i = at; m->mode == ON && i-- > 0 && left;) {
        const order_logged *entry = &m->log->all[i];
        bool ours = is_event(entry) && m->classes[i] == MUST && m->runs[i] == m->count;
        if (entry->what == ORDER_ARM)
            break;
        m->wanted[i] = ours;
        left -= ours && entry->what != ORDER_MARK;
    }
}

static void trigger_comes(model *m, size_t at)
{
    want_before(m, at);
    m->armed = false;
    m->counts_down = m->after != 0;
    m->left = m->after;
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
    if (m->mode == NONE || m->mode == PAUSED || m->mode == ENDING)
        return NEVER;
    m->seen_unknown |= entry->what == ORDER_ENTRY &&
                       (m->mode == UNKNOWN || overlaps(m->log, at) || overlaps_with(m->log, at, is_entry));
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
    m->run[m->count] = (orders_run){.pauses_known = true, .out_known = true};
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
    case ORDER_FLUSH:
        return on && m->mode != PAUSED ? WEFT_OK : WEFT_AGAIN;
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
    if (m->mode == ENDING && entry->what != ORDER_STOP && !overlap && entry->status == WEFT_OK && changes(entry) &&
        entry->what != ORDER_KEEP && entry->what != ORDER_TRIGGER)
        return false;
    bool done = entry->status == WEFT_OK;
    if (entry->what == ORDER_START && done)
        start(m);
    if (entry->what == ORDER_KEEP)
        m->keep = entry->number;
    bool filters = entry->what == ORDER_ONLY || entry->what == ORDER_OUT || entry->what == ORDER_ALL;
    m->filter_unknown |= filters && (overlap || !done);
    if (overlap && m->mode == ENDING)
        m->mode = UNKNOWN;
    if (overlap) {
        unknown(m);
        m->seen_unknown = true;
        return true;
    }
    if (m->mode == NONE || entry->what == ORDER_START || entry->going_on)
        return true;
    if (entry->what == ORDER_STOP) {
        m->mode = done ? NONE : overlaps_with(m->log, at, is_any) ? UNKNOWN : ENDING;
        m->armed = m->counts_down = false;
    } else if (entry->what == ORDER_PAUSE && done) {
        want_before(m, at);
        m->armed = m->counts_down = false;
        falls_silent(m, PAUSED);
    } else if (entry->what == ORDER_RESUME) {
        want_before(m, at);
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
            snprintf(orders_message, sizeof orders_message, "call %zu, of kind %d, has status %d in mode %d", i,
                     (int)entry->what, entry->status, (int)m->mode);
            return false;
        }
        m->runs[i] = m->count;
        m->classes[i] = class_of(m, i);
        if (overlaps(m->log, i)) {
            m->classes[i] = EITHER;
            m->run[m->count].out_known = false;
            if (m->armed || m->counts_down || m->keep > 1)
                unknown(m);
        } else if (!m->log->strict && ((m->armed && (m->mode != SILENT || m->by_path)) || m->counts_down)) {
            unknown(m); /* which path is the last is not known where events overlap or are lost */
            m->classes[i] = EITHER;
        }
    }
    return true;
}

const char *orders_check(const order_log *log, const uint8_t *bytes, size_t size)
{
    size_t count = log->count + 1;
    model m = {.log = log,
               .classes = calloc(count, sizeof *m.classes),
               .runs = calloc(count, sizeof *m.runs),
               .wanted = calloc(count, sizeof *m.wanted)};
    bool right = walk(&m) && (m.count == 0 || orders_compare(&m, bytes, size));
    free(m.classes);
    free(m.runs);
    free(m.wanted);
    return right ? NULL : orders_message;
}
