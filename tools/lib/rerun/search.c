/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/search.h"

#include <string.h>

#include "core/format.h"
#include "tools/lib/rerun/pending.h"

enum { SEARCH_MAX = 50000000 }; /* instructions without a probe that are looked through */

uint32_t rerun_laps(rerun *r)
{
    uint64_t laps = 0;
    (void)rerun_load(r->m.space, r->counter, 4, &laps);
    return (uint32_t)laps;
}

/* Whether what the processor would stack now is what it stacked then, as far as both are known. */
static bool fits(const rerun_core *core, const rerun_place *place)
{
    static const uint8_t stacked[6] = {0, 1, 2, 3, 12, RERUN_LR};
    uint32_t sp = core->word[RERUN_SP];
    if (core->pc != place->pc || !rerun_knows(core, RERUN_BIT(RERUN_SP)) ||
        ((sp - rerun_place_size(place)) & ~7u) != place->frame)
        return false;
    for (unsigned i = 0; i < 6; i++)
        if (rerun_knows(core, RERUN_BIT(stacked[i])) && !(core->spoiled >> stacked[i] & 1) &&
            weft_stacked_hash(core->word[stacked[i]]) != place->hashes[i])
            return false;
    bool flags = (core->flags_known & RERUN_APSR) == RERUN_APSR && !core->flags_spoiled;
    return !flags || weft_stacked_hash(rerun_stacked_state(core) & WEFT_STACKED_STATE) == place->hashes[6];
}

/* Whether the place may be within this call, which records nothing. In the function itself, lr mostly says which: then
 * this is `sure`, unless the function itself puts something else there. */
static bool may_stand_in(const rerun *r, const rerun_place *place, bool *sure)
{
    const rerun_core *core = &r->m.core;
    const image_symbol *f = image_function(&r->im->symbols, core->pc);
    bool itself = f && image_function(&r->im->symbols, place->pc) == f;
    *sure = !itself || !place->counted || weft_stacked_hash(core->word[RERUN_LR]) == place->hashes[5];
    return rerun_entries_reach(r->entries, core->pc, place->pc) &&
           (*sure || !rerun_entries_keeps_link(r->entries, place->pc));
}

static void count_call(rerun_calls *calls, uint64_t steps)
{
    if (!calls->count++)
        calls->first = steps;
}

/* From here to the next event. others: calls that are not sure. */
static void look(rerun *r, const rerun_place *place, rerun_search *s, rerun_calls *others)
{
    rerun_core first = {0};
    uint64_t stores = 0; /* before it */
    rerun_moment before = {.most = 0};
    const image_symbol *function = image_function(&r->im->symbols, place->pc);
    full_event event;
    uint64_t steps = 0;
    uint32_t back;
    if (function && rerun_entries_at(r->entries, function->address, &back) != RERUN_NO_ENTRY)
        function = NULL; /* of a probe only the return is executed */
    for (;;) {
        rerun_core *core = &r->m.core;
        if (place->counted && rerun_laps(r) != place->laps)
            return;
        if (fits(core, place)) {
            s->also |= s->found && (stores != r->m.stores || !rerun_same_core(&first, core));
            first = s->found ? first : *core;
            stores = s->found ? stores : r->m.stores;
            s->steps = s->found ? s->steps : steps;
            s->found = true;
        }
        rerun_entry entry = rerun_entries_at(r->entries, core->pc, &back);
        s->cut = steps > SEARCH_MAX;
        s->own = rerun_pending(&r->m);
        s->comes = !s->own && rerun_records(r, entry);
        if (s->own || s->comes || rerun_leaves(core) || s->cut || rerun_waits(&r->m, &before))
            return;
        if (entry != RERUN_NO_ENTRY) {
            bool sure;
            if (may_stand_in(r, place, &sure))
                count_call(sure ? &s->calls : others, steps);
            rerun_return(r, entry, back);
            if (!back)
                continue;
        } else {
            s->visited |= function && image_function(&r->im->symbols, core->pc) == function;
        }
        rerun_status status = rerun_step(&r->m, &event);
        s->cut = status != RERUN_DONE && status != RERUN_ENDED;
        if (status != RERUN_DONE)
            return;
        steps++;
    }
}

/* Does it come to the end of the recording before it counts again? */
static bool comes_to_end(rerun *r, uint32_t laps)
{
    full_event event;
    uint32_t back;
    for (uint64_t steps = 0; steps < SEARCH_MAX && rerun_laps(r) == laps; steps++) {
        rerun_entry entry = rerun_entries_at(r->entries, r->m.core.pc, &back);
        if (entry == RERUN_END || entry == RERUN_CHECK || rerun_records(r, entry) || rerun_leaves(&r->m.core) ||
            rerun_pending(&r->m))
            return true;
        if (entry != RERUN_NO_ENTRY)
            rerun_return(r, entry, back);
        if ((entry == RERUN_NO_ENTRY || back) && rerun_step(&r->m, &event) != RERUN_DONE)
            return true;
    }
    return false;
}

/* What is done tentatively: then all is as it was. */
typedef struct trial {
    rerun_machine machine;
    rerun_summary sum;
    bool high;
    size_t mark;
} trial;

static trial begin_trial(const rerun *r)
{
    return (trial){r->m, r->sum, r->high, rerun_mark(r->m.space)};
}

static void end_trial(rerun *r, const trial *before)
{
    rerun_back(r->m.space, before->mark);
    r->m = before->machine;
    r->sum = before->sum;
    r->high = before->high;
}

rerun_search rerun_look_ahead(rerun *r, const rerun_place *place)
{
    rerun_search s = {0};
    trial before = begin_trial(r);
    rerun_calls others = {0};
    look(r, place, &s, &others);
    end_trial(r, &before);
    if (!s.calls.count)
        s.calls = others;
    return s;
}

bool rerun_is_leaving(const rerun *r, uint32_t pc)
{
    const image_symbol *f = image_function(&r->im->symbols, pc);
    return f && (!strcmp(f->name, "weft_target_leave") || !strcmp(f->name, "weft_target_catch"));
}

bool rerun_ended_outside(rerun *r, uint32_t laps)
{
    if (!rerun_expected_laps_last(r->expected))
        return false;
    trial before = begin_trial(r);
    bool comes = comes_to_end(r, laps);
    end_trial(r, &before);
    return !comes;
}
