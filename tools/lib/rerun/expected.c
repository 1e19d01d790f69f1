/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/expected.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/recording/unpack.h"

/* What the code of an exception records by itself. */
#define OWN                                                                                                            \
    (1u << RERUN_ITEM_PATH | 1u << RERUN_ITEM_VALUE | 1u << RERUN_ITEM_ACCESS | 1u << RERUN_ITEM_LAPS |                \
     1u << RERUN_ITEM_INPUT)

struct rerun_expected {
    const program *app;
    rerun_items *items;
    unpack *packs;
    uint64_t compared, counts;
    char error[300];
};

rerun_expected *rerun_expected_open(const program *app, const container *file)
{
    rerun_expected *e = memory_zero(1, sizeof *e);
    e->app = app;
    e->items = rerun_items_open(app, file);
    e->packs = unpack_open((pack_source){program_descriptors(app), NULL});
    return e;
}

void rerun_expected_close(rerun_expected *e)
{
    if (!e)
        return;
    unpack_close(e->packs);
    rerun_items_close(e->items);
    free(e);
}

static rerun_item *look(rerun_expected *e, size_t at)
{
    return rerun_items_look(e->items, at);
}

/* The first that is left of an exception, of those kinds (bits), from *at on, which becomes its place. It is not looked
 * for after a start of its handler or a gap, unless they are of those kinds. */
static rerun_item *next_of(rerun_expected *e, uint32_t exception, unsigned kinds, size_t *at)
{
    rerun_item *found;
    for (; (found = look(e, *at)); ++*at) {
        if (found->taken || (found->exception != exception && found->kind != RERUN_ITEM_STOP))
            continue;
        if (kinds >> found->kind & 1)
            return found;
        if (found->kind == RERUN_ITEM_STOP || found->kind == RERUN_ITEM_START)
            return NULL;
    }
    return NULL;
}

static rerun_item *first_of(rerun_expected *e, uint32_t exception, unsigned kinds)
{
    size_t at = 0;
    return next_of(e, exception, kinds, &at);
}

static void name_path(const rerun_expected *e, uint32_t path, char *text, size_t size)
{
    const descriptor_function *f = descriptors_of_path(program_descriptors(e->app), path);
    snprintf(text, size, "%" PRIu32 " of %s", path, f ? f->name : "no function");
}

/* What comes where another event was expected. */
static void say(rerun_expected *e, const rerun_item *next)
{
    char name[VECTORS_NAME_MAX];
    vectors_name(program_image(e->app), next->context, name);
    if (next->kind == RERUN_ITEM_STOP)
        snprintf(e->error, sizeof e->error, "the recording has a gap here, or another one begins");
    else if (next->kind == RERUN_ITEM_START)
        snprintf(e->error, sizeof e->error, "%s starts here, which the execution did not come to", name);
    else if (next->kind == RERUN_ITEM_INPUT)
        snprintf(e->error, sizeof e->error, "the recording has the answer of a device here, which nothing asked for");
    else if (next->kind == RERUN_ITEM_LAPS)
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
    if (rerun_items_error(e->items))
        snprintf(e->error, sizeof e->error, "%s", rerun_items_error(e->items));
    else if (rerun_items_break_off(e->items))
        snprintf(e->error, sizeof e->error, "the recording breaks off here");
}

bool rerun_expected_path(rerun_expected *e, uint32_t exception, uint32_t path)
{
    rerun_item *next;
    while ((next = look(e, 0)) && (next->kind == RERUN_ITEM_VALUE || next->kind == RERUN_ITEM_ACCESS) &&
           next->exception == exception)
        next->taken = true; /* its probe was not come to: the paths will tell */
    if (next && (next->kind != RERUN_ITEM_PATH || next->exception != exception)) {
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
    rerun_item *next;
    while ((next = look(e, 0)) && next->kind != RERUN_ITEM_PATH)
        next->taken = true;
    return next;
}

bool rerun_expected_value(rerun_expected *e, uint32_t exception, rerun_value *value)
{
    const rerun_item *next = first_of(e, exception, 1u << RERUN_ITEM_VALUE);
    if (next)
        *value = next->value;
    return next;
}

static void take(rerun_expected *e, uint32_t exception, rerun_item_kind kind)
{
    rerun_item *next = first_of(e, exception, 1u << kind);
    if (next)
        next->taken = true;
}

void rerun_expected_take_value(rerun_expected *e, uint32_t exception)
{
    take(e, exception, RERUN_ITEM_VALUE);
}

bool rerun_expected_input(rerun_expected *e, uint32_t exception, unsigned past, uint32_t *value)
{
    size_t at = 0;
    const rerun_item *next = next_of(e, exception, 1u << RERUN_ITEM_INPUT, &at);
    if (next && past > next->input.left) {
        at++;
        next = next_of(e, exception, 1u << RERUN_ITEM_INPUT, &at);
    }
    if (next)
        *value = next->input.value;
    return next;
}

bool rerun_expected_take_input(rerun_expected *e, uint32_t exception, uint32_t value, uint8_t hash)
{
    rerun_item *next = first_of(e, exception, 1u << RERUN_ITEM_START | OWN);
    if (next && next->kind == RERUN_ITEM_INPUT && next->input.value == value && next->input.hash == hash) {
        next->taken = next->input.left == 0;
        next->input.left -= next->input.left > 0;
        return true;
    }
    if (next && next->kind == RERUN_ITEM_INPUT)
        snprintf(e->error, sizeof e->error, "a device answers %" PRIu32 " here, but the recording has %" PRIu32 "%s",
                 value, next->input.value, next->input.hash == hash ? "" : " at another place");
    else if (next || (next = look(e, 0)))
        say(e, next);
    else
        end_of(e);
    return false;
}

bool rerun_expected_access(rerun_expected *e, uint32_t exception, uint32_t site, uint32_t *address)
{
    const rerun_item *next = first_of(e, exception, 1u << RERUN_ITEM_START | OWN);
    if (!next || next->kind != RERUN_ITEM_ACCESS || next->access.site != site)
        return false;
    if (address)
        *address = next->access.address;
    return true;
}

void rerun_expected_take_access(rerun_expected *e, uint32_t exception)
{
    take(e, exception, RERUN_ITEM_ACCESS);
}

bool rerun_expected_start(rerun_expected *e, rerun_place *place)
{
    const rerun_item *next = look(e, 0);
    if (next && next->kind == RERUN_ITEM_START)
        *place = next->start;
    return next && next->kind == RERUN_ITEM_START;
}

bool rerun_expected_start_of(rerun_expected *e, uint32_t exception, rerun_place *place)
{
    const rerun_item *next = first_of(e, exception, 1u << RERUN_ITEM_START | OWN);
    if (!next || next->kind != RERUN_ITEM_START)
        return false;
    *place = next->start;
    return true;
}

bool rerun_expected_take_start(rerun_expected *e, uint32_t exception)
{
    rerun_item *next = first_of(e, exception, 1u << RERUN_ITEM_START | OWN);
    if (next && next->kind == RERUN_ITEM_START) {
        next->taken = true;
        return true;
    }
    if (next || (next = look(e, 0)))
        say(e, next);
    return false;
}

bool rerun_expected_laps(rerun_expected *e, uint32_t exception, uint32_t *laps)
{
    const rerun_item *next = look(e, 0);
    bool is = next && next->kind == RERUN_ITEM_LAPS && next->exception == exception;
    if (is)
        *laps = next->laps;
    return is;
}

bool rerun_expected_laps_last(rerun_expected *e)
{
    const rerun_item *next = look(e, 0);
    return next && next->kind == RERUN_ITEM_LAPS && !look(e, 1) && !rerun_items_break_off(e->items);
}

bool rerun_expected_take_laps(rerun_expected *e, uint32_t laps)
{
    rerun_item *next = look(e, 0);
    if (next && next->kind == RERUN_ITEM_LAPS) {
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
    const rerun_item *next = look(e, 0);
    if (next)
        *exception = next->exception;
    return next && next->kind != RERUN_ITEM_START && next->kind != RERUN_ITEM_STOP;
}

void rerun_expected_stray(rerun_expected *e)
{
    say(e, look(e, 0));
}

bool rerun_expected_gap(rerun_expected *e)
{
    const rerun_item *next = look(e, 0);
    if (next && next->kind == RERUN_ITEM_STOP && next->unresolved && !look(e, 1))
        look(e, 0)->taken = true; /* what was read meanwhile may have moved it */
    next = look(e, 0);
    if (next && next->kind == RERUN_ITEM_STOP)
        say(e, next);
    else if (!next && rerun_items_break_off(e->items))
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
