/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/expected.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/rerun/expected_items.h"

rerun_expected *rerun_expected_open(const program *app, const container *file)
{
    rerun_expected *e = memory_zero(1, sizeof *e);
    e->app = app;
    e->scripts = scripts_open(app);
    e->events = replay_open(file, (replay_model){e->scripts, scripts_model});
    replay_leave_out(e->events, REPLAY_KIND(REPLAY_ENTRY) | REPLAY_KIND(REPLAY_EXIT) | REPLAY_KIND(REPLAY_BLOCK));
    weft_counts counts;
    e->breaks_off = container_cut(file) || !container_end_counts(file, 0, &counts);
    e->packs = unpack_open((pack_source){program_descriptors(app), NULL});
    return e;
}

void rerun_expected_close(rerun_expected *e)
{
    if (!e)
        return;
    unpack_close(e->packs);
    replay_close(e->events);
    scripts_close(e->scripts);
    free(e->items);
    free(e);
}

/* The first that is left of an exception, of those kinds (bits). It is not looked for after a start of its handler or a
 * gap, unless they are of those kinds. */
static item *first_of(rerun_expected *e, uint32_t exception, unsigned kinds)
{
    item *found;
    for (size_t at = 0; (found = rerun_expected_look(e, at)); at++) {
        if (found->taken || (found->exception != exception && found->kind != STOP))
            continue;
        if (kinds >> found->kind & 1)
            return found;
        if (found->kind == STOP || found->kind == START)
            return NULL;
    }
    return NULL;
}

static void name_path(const rerun_expected *e, uint32_t path, char *text, size_t size)
{
    const descriptor_function *f = descriptors_of_path(program_descriptors(e->app), path);
    snprintf(text, size, "%" PRIu32 " of %s", path, f ? f->name : "no function");
}

/* What comes where another event was expected. */
static void say(rerun_expected *e, const item *next)
{
    char name[VECTORS_NAME_MAX];
    vectors_name(program_image(e->app), next->context, name);
    if (next->kind == STOP)
        snprintf(e->error, sizeof e->error, "the recording has a gap here, or another one begins");
    else if (next->kind == START)
        snprintf(e->error, sizeof e->error, "%s starts here, which the execution did not come to", name);
    else if (next->kind == INPUT)
        snprintf(e->error, sizeof e->error, "the recording has the answer of a device here, which nothing asked for");
    else if (next->kind == LAPS)
        snprintf(e->error, sizeof e->error, "the recording has a count of laps here, which the execution did not make");
    else
        snprintf(e->error, sizeof e->error, "%s came in between, and the recording does not say where exactly", name);
}

static bool compare(rerun_expected *e, uint32_t recorded, uint32_t path)
{
    char said[120], made[120];
    e->compared += recorded == path;
    if (recorded == path)
        return true;
    name_path(e, recorded, said, sizeof said);
    name_path(e, path, made, sizeof made);
    snprintf(e->error, sizeof e->error, "it takes path %s, but the recording has path %s", made, said);
    return false;
}

/* Why nothing comes any more. No error: the recording has ended. */
static void end_of(rerun_expected *e)
{
    if (replay_error(e->events))
        snprintf(e->error, sizeof e->error, "%s", replay_error(e->events));
    else if (e->breaks_off)
        snprintf(e->error, sizeof e->error, "the recording breaks off here");
}

bool rerun_expected_path(rerun_expected *e, uint32_t exception, uint32_t path)
{
    item *next;
    while ((next = rerun_expected_look(e, 0)) && (next->kind == VALUE || next->kind == ACCESS) &&
           next->exception == exception)
        next->taken = true; /* its probe was not come to: the paths will tell */
    if (next && (next->kind != PATH || next->exception != exception)) {
        say(e, next);
        return false;
    }
    if (next) {
        next->taken = true;
        return compare(e, next->path, path);
    }
    end_of(e);
    return false;
}

bool rerun_expected_more(rerun_expected *e)
{
    item *next;
    while ((next = rerun_expected_look(e, 0)) && next->kind != PATH)
        next->taken = true;
    return next;
}

bool rerun_expected_value(rerun_expected *e, uint32_t exception, rerun_value *value)
{
    const item *next = first_of(e, exception, 1u << VALUE);
    if (next)
        *value = next->value;
    return next;
}

static void take(rerun_expected *e, uint32_t exception, item_kind kind)
{
    item *next = first_of(e, exception, 1u << kind);
    if (next)
        next->taken = true;
}

void rerun_expected_take_value(rerun_expected *e, uint32_t exception)
{
    take(e, exception, VALUE);
}

bool rerun_expected_input(rerun_expected *e, uint32_t exception, uint32_t *value)
{
    const item *next = first_of(e, exception, 1u << INPUT);
    if (next)
        *value = next->input.value;
    return next;
}

bool rerun_expected_take_input(rerun_expected *e, uint32_t exception, uint32_t value, uint8_t hash)
{
    item *next = first_of(e, exception, 1u << START | OWN);
    if (next && next->kind == INPUT && next->input.value == value && next->input.hash == hash) {
        next->taken = next->input.left == 0;
        next->input.left -= next->input.left > 0;
        return true;
    }
    if (next && next->kind == INPUT)
        snprintf(e->error, sizeof e->error, "a device answers %" PRIu32 " here, but the recording has %" PRIu32 "%s",
                 value, next->input.value, next->input.hash == hash ? "" : " at another place");
    else if (next || (next = rerun_expected_look(e, 0)))
        say(e, next);
    else
        end_of(e);
    return false;
}

bool rerun_expected_access(rerun_expected *e, uint32_t exception, uint32_t site, uint32_t *address)
{
    const item *next = first_of(e, exception, 1u << START | OWN);
    if (!next || next->kind != ACCESS || next->access.site != site)
        return false;
    if (address)
        *address = next->access.address;
    return true;
}

void rerun_expected_take_access(rerun_expected *e, uint32_t exception)
{
    take(e, exception, ACCESS);
}

bool rerun_expected_start(rerun_expected *e, rerun_place *place)
{
    const item *next = rerun_expected_look(e, 0);
    if (next && next->kind == START)
        *place = next->start;
    return next && next->kind == START;
}

bool rerun_expected_start_of(rerun_expected *e, uint32_t exception, rerun_place *place)
{
    const item *next = first_of(e, exception, 1u << START | OWN);
    if (!next || next->kind != START)
        return false;
    *place = next->start;
    return true;
}

bool rerun_expected_take_start(rerun_expected *e, uint32_t exception)
{
    item *next = first_of(e, exception, 1u << START | OWN);
    if (next && next->kind == START) {
        next->taken = true;
        return true;
    }
    if (next || (next = rerun_expected_look(e, 0)))
        say(e, next);
    return false;
}

bool rerun_expected_laps(rerun_expected *e, uint32_t exception, uint32_t *laps)
{
    const item *next = rerun_expected_look(e, 0);
    bool is = next && next->kind == LAPS && next->exception == exception;
    if (is)
        *laps = next->laps;
    return is;
}

bool rerun_expected_laps_last(rerun_expected *e)
{
    const item *next = rerun_expected_look(e, 0);
    return next && next->kind == LAPS && !rerun_expected_look(e, 1) && !e->breaks_off;
}

bool rerun_expected_take_laps(rerun_expected *e, uint32_t laps)
{
    item *next = rerun_expected_look(e, 0);
    if (next && next->kind == LAPS) {
        next->taken = true;
        e->counts += next->laps == laps;
        if (next->laps == laps)
            return true;
        snprintf(e->error, sizeof e->error, "it has counted %" PRIu32 " laps, but the recording has %" PRIu32, laps,
                 next->laps);
    } else if (next) {
        say(e, next);
    } else {
        snprintf(e->error, sizeof e->error, "the recording ends without its count of laps");
    }
    return false;
}

bool rerun_expected_next(rerun_expected *e, uint32_t *exception)
{
    const item *next = rerun_expected_look(e, 0);
    if (next)
        *exception = next->exception;
    return next && next->kind != START && next->kind != STOP;
}

void rerun_expected_stray(rerun_expected *e)
{
    say(e, rerun_expected_look(e, 0));
}

bool rerun_expected_gap(rerun_expected *e)
{
    const item *next = rerun_expected_look(e, 0);
    if (next && next->kind == STOP && next->unresolved && !rerun_expected_look(e, 1))
        e->items[e->first].taken = true;
    next = rerun_expected_look(e, 0); /* what was read meanwhile may have moved it */
    if (next && next->kind == STOP)
        say(e, next);
    else if (!next && e->breaks_off)
        snprintf(e->error, sizeof e->error, "the recording breaks off here");
    return *e->error;
}

bool rerun_expected_own(rerun_expected *e, uint32_t exception)
{
    return first_of(e, exception, OWN);
}

bool rerun_expected_pack(rerun_expected *e, uint32_t exception, uint32_t number, uint32_t word)
{
    const uint32_t *paths;
    size_t count = unpack_paths(e->packs, number, word, &paths);
    if (!count)
        snprintf(e->error, sizeof e->error, "its probe records a pack that the image does not know");
    bool same = count > 0;
    for (size_t i = 0; i < count && same; i++)
        same = rerun_expected_path(e, exception, paths[i]);
    return same;
}

const char *rerun_expected_error(const rerun_expected *e)
{
    return *e->error ? e->error : NULL;
}

uint64_t rerun_expected_counts(const rerun_expected *e)
{
    return e->counts;
}

uint64_t rerun_expected_compared(const rerun_expected *e)
{
    return e->compared;
}
