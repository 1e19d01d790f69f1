/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/entries.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/machine/thumb.h"

static const struct {
    const char *name;
    rerun_entry kind;
} named[] = {
    {"__weft_path", RERUN_PATH},
    {"__weft_loop", RERUN_LOOP},
    {"__weft_loop_path", RERUN_LOOP_PATH},
    {"__weft_packed", RERUN_PACK},
    {"__weft_packed_full", RERUN_PACK},
    {"__weft_value", RERUN_VALUE},
    {"__weft_value64", RERUN_VALUE64},
    {"__weft_access", RERUN_PROBE},
    {"__weft_mark", RERUN_PROBE},
    {"__weft_derived", RERUN_PROBE},
    {"weft_target_begin", RERUN_BEGIN},
    {"weft_start", RERUN_BEGIN},
    {"weft_target_end", RERUN_END},
    {"weft_stop", RERUN_END},
    {"weft_stop_for_good", RERUN_END},
    {"weft_target_done", RERUN_CALL},
    {"weft_poll", RERUN_CALL},
    {"weft_poll_in", RERUN_CALL},
    {"weft_event", RERUN_CALL},
    {"weft_event2", RERUN_CALL},
    {"weft_event_name", RERUN_CALL},
    {"weft_thread_name", RERUN_CALL},
    {"weft_exception_name", RERUN_CALL},
    {"weft_thread_switch", RERUN_CALL},
};

#define RETURN 0x4770 /* bx lr */

typedef struct place {
    uint32_t pc, back;
    rerun_entry kind;
} place;

struct rerun_entries {
    place all[WEFT_COUNT(named)]; /* by pc */
    size_t count;
};

static int by_pc(const void *a, const void *b)
{
    const place *one = a, *other = b;
    return (one->pc > other->pc) - (one->pc < other->pc);
}

/* The first `bx lr` of a function; 0: it has none. */
static uint32_t return_of(const image *im, uint32_t address, uint32_t size)
{
    for (uint32_t at = address; size >= 2 && at - address <= size - 2;) {
        const uint8_t *bytes = image_data_end(&im->symbols, at) ? NULL : image_bytes(im, at, 2);
        if (!bytes)
            return 0;
        uint16_t first = (uint16_t)(bytes[0] | bytes[1] << 8);
        if (first == RETURN)
            return at;
        at += thumb_size(first);
    }
    return 0;
}

/* Functions that return otherwise take the return of another one. */
static void share_returns(rerun_entries *entries)
{
    uint32_t any = 0;
    for (size_t i = 0; i < entries->count; i++)
        any = any ? any : entries->all[i].back;
    for (size_t i = 0; i < entries->count; i++)
        entries->all[i].back = entries->all[i].back ? entries->all[i].back : any;
}

rerun_entries *rerun_entries_find(const image *im)
{
    rerun_entries *entries = memory_zero(1, sizeof *entries);
    for (size_t i = 0; i < WEFT_COUNT(named); i++) {
        uint32_t address, size;
        if (image_symbol_named(im, named[i].name, &address, &size))
            entries->all[entries->count++] = (place){address, return_of(im, address, size), named[i].kind};
    }
    share_returns(entries);
    qsort(entries->all, entries->count, sizeof *entries->all, by_pc);
    return entries;
}

void rerun_entries_free(rerun_entries *entries)
{
    free(entries);
}

rerun_entry rerun_entries_at(const rerun_entries *entries, uint32_t pc, uint32_t *back)
{
    size_t low = 0, high = entries->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (entries->all[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == entries->count || entries->all[low].pc != pc)
        return RERUN_NO_ENTRY;
    *back = entries->all[low].back;
    return entries->all[low].kind;
}
