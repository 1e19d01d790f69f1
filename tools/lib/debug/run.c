/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/running.h"
#include "tools/lib/debug/window_make.h"
#include "tools/lib/image/attributes.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/wet/core.h"
#include "tools/lib/wet/open.h"
#include "tools/lib/wet/store.h"

#define DECODED_MAX (UINT64_C(64) << 20) /* bytes of decoded blocks held at once */
#define STORED_MAX (UINT64_C(160) << 20) /* bytes of those that are decoded in advance (wet/store.h) */
#define LIMIT_PART 8u                    /* of --memory-limit: for each of these, and for where edges lead */

/* ---- opening ---- */

static uint32_t word_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* A run that begins where a vector table of the image says that the core starts. That table gave it sp, too. */
static void reset_find(debug_run *r)
{
    uint32_t address, pc = debug_run_pc(r, debug_run_first(r));
    size_t size;
    for (size_t i = 0; image_part(r->im, i, &address, &size); i++) {
        const uint8_t *table = image_loaded(r->im, address, 8);
        if (!table || (word_at(table + 4) & ~1u) != pc)
            continue;
        r->has_reset = true;
        r->reset_sp = word_at(table) & ~3u;
        return;
    }
}

debug_run *debug_run_open(const char *wet, const char *elf, char *message, size_t message_size)
{
    char wrong[400];
    debug_run *r = memory_zero(1, sizeof *r);
    debug_source *s = &r->source;
    r->im = image_open(elf, message, message_size);
    s->f = r->im ? wet_file_open(wet, message, message_size) : NULL;
    if (s->f && wet_file_fits(s->f, r->im, message, message_size)) {
        s->past = wet_past_open(s->f, wrong, sizeof wrong);
        if (!s->past)
            snprintf(message, message_size, "'%s': %s", wet, wrong);
    }
    if (!s->f || !s->past) {
        debug_run_close(r);
        return NULL;
    }
    uint64_t most = memory_limit() ? memory_limit() / LIMIT_PART : UINT64_MAX;
    s->f->decoded_max = DECODED_MAX < most ? DECODED_MAX : most;
    s->f->log_max = s->f->log_max < most ? s->f->log_max : most;
    s->f->alone = true;
    s->order = debug_order_new(s->f);
    s->v8m = attributes_v8m(r->im);
    debug_exceptions_read(&s->exceptions, s->f);
    reset_find(r);
    wet_store_begin(s->f, STORED_MAX < most ? STORED_MAX : most);
    return r;
}

void debug_run_close(debug_run *r)
{
    for (unsigned i = 0; i < RUN_WINDOWS; i++)
        if (r->windows[i])
            debug_window_free(r->windows[i]);
    if (r->beyond)
        debug_making_free(r->beyond);
    if (r->source.order)
        debug_order_free(r->source.order);
    debug_exceptions_free(&r->source.exceptions);
    if (r->source.past)
        wet_past_close(r->source.past);
    if (r->source.f)
        wet_file_close(r->source.f);
    if (r->im)
        image_close(r->im);
    if (r->devices.close)
        r->devices.close(r->devices.own);
    free(r);
}

wet_file *debug_run_file(debug_run *r)
{
    return r->source.f;
}

const image *debug_run_image(const debug_run *r)
{
    return r->im;
}

void debug_run_name_devices(debug_run *r, debug_devices devices)
{
    r->devices = devices;
}

debug_devices debug_run_devices(const debug_run *r)
{
    return r->devices;
}

/* ---- instants ---- */

bool debug_run_next(debug_run *r, debug_instant *at)
{
    debug_instant next = {at->window, at->step + 1};
    for (;; next = (debug_instant){next.window + 1, 0}) {
        if (next.window >= run_windows(r))
            return false;
        const debug_window *w = run_window(r, next.window);
        while (next.step < w->step_count && w->steps[next.step].exception)
            next.step++;
        if (next.step < w->step_count)
            break;
    }
    *at = next;
    return true;
}

bool debug_run_previous(debug_run *r, debug_instant *at)
{
    for (debug_instant before = *at;;) {
        const debug_window *w = run_window(r, before.window);
        while (before.step > 0 && w->steps[before.step - 1].exception)
            before.step--;
        if (before.step > 0) {
            *at = (debug_instant){before.window, before.step - 1};
            return true;
        }
        if (!before.window)
            return false;
        before.window--;
        before.step = run_window(r, before.window)->step_count;
    }
}

debug_instant debug_run_first(debug_run *r)
{
    return debug_run_at(r, 1, 0);
}

debug_instant debug_run_last(debug_run *r)
{
    debug_instant at = {run_windows(r) - 1, 0};
    at.step = run_window(r, at.window)->step_count;
    debug_run_previous(r, &at);
    return at;
}

debug_instant debug_run_at(debug_run *r, uint32_t time, uint32_t statement)
{
    debug_instant at = {(time - 1) / r->source.f->window, 0};
    if (time > r->source.f->time)
        return debug_run_last(r);
    const debug_window *w = run_window(r, at.window);
    at.step = run_step_of(w, time, statement);
    if (at.step < w->step_count && !w->steps[at.step].exception)
        return at;
    if (at.step)
        at.step--;
    else if (w->step_count && !w->steps[0].exception)
        return at;
    return debug_run_next(r, &at) ? at : debug_run_last(r);
}

/* ---- the state at an instant ---- */

static debug_window *window_at(debug_run *r, debug_instant at)
{
    debug_window *w = run_window(r, at.window);
    debug_window_go(w, at.step);
    return w;
}

const debug_step *debug_run_step(debug_run *r, debug_instant at)
{
    return &run_window(r, at.window)->steps[at.step];
}

uint32_t debug_run_pc(debug_run *r, debug_instant at)
{
    return r->source.f->statics[debug_run_step(r, at)->instruction].insn.pc;
}

bool debug_run_register(debug_run *r, debug_instant at, unsigned loc, uint32_t *value)
{
    const debug_window *w = window_at(r, at);
    *value = w->registers[loc];
    if (w->known >> loc & 1)
        return true;
    if (r->has_reset && (loc == 13 || loc == 14)) { /* a reset sets lr to this */
        *value = loc == 13 ? r->reset_sp : UINT32_MAX;
        return true;
    }
    return false;
}

/* The state of the IT block that an instruction is in, as the IT bits of xPSR. */
static uint32_t it_bits(debug_run *r, const thumb_insn *insn)
{
    const uint8_t *code;
    if (insn->condition == THUMB_ALWAYS)
        return 0;
    for (uint32_t back = 2; back <= 14; back += 2) {
        if (back > insn->pc || !(code = image_bytes(r->im, insn->pc - back, back)))
            return 0;
        uint8_t conditions[4];
        uint16_t first = (uint16_t)(code[0] | code[1] << 8);
        int count = thumb_it(first, conditions);
        uint32_t at = 2, state = first & 0xff;
        for (int i = 0; i < count && at < back; i++) {
            at += thumb_size((uint16_t)(code[at] | code[at + 1] << 8));
            state = (state & 0xe0) | (state << 1 & 0x1f);
        }
        if (count && at == back && state & 0xf)
            return thumb_xpsr_it(state);
    }
    return 0;
}

bool debug_run_xpsr(debug_run *r, debug_instant at, uint32_t *value)
{
    const debug_window *w = window_at(r, at);
    const thumb_insn *insn = &r->source.f->statics[w->steps[at.step].instruction].insn;
    *value = (w->registers[THUMB_FLAGS] & WET_XPSR_FLAGS) | WET_XPSR_THUMB | it_bits(r, insn) | w->registers[WET_IPSR];
    return w->known >> THUMB_FLAGS & 1;
}

size_t debug_run_memory(debug_run *r, debug_instant at, uint32_t address, uint8_t *bytes, size_t size)
{
    debug_window *w = window_at(r, at);
    uint32_t value = 0;
    uint8_t mask = 0;
    for (size_t i = 0; i < size; i++) {
        uint32_t a = address + (uint32_t)i;
        if (!i || !(a & 3))
            mask = debug_window_word(w, r->source.past, a >> 2, &value);
        const uint8_t *loaded = mask >> (a & 3) & 1 ? NULL : image_loaded(r->im, a, 1);
        if (loaded)
            bytes[i] = *loaded;
        else if (mask >> (a & 3) & 1)
            bytes[i] = (uint8_t)(value >> 8 * (a & 3));
        else
            return i;
    }
    return size;
}
