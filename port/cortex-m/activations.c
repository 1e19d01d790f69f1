/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/activations.h"
#include "core/own.h"
#include "port/cortex-m/controls_parts.h"
#include "port/cortex-m/exclusive.h"
#include "port/cortex-m/probes_kept.h"
#include "port/cortex-m/trigger.h"
#include "port/cortex-m/weft_target.h"

#pragma weak weft_trigger_now

/* frames: after that many the marks are repeated, since earlier ones may be lost. Larger: fewer bytes */
enum { TELL_EVERY = 32 };

static volatile uint32_t missed; /* marks that were not recorded */

void weft_sampling_missed(void)
{
    missed++; /* contexts that come in between may lose one: the next mark is told again all the same */
}

void weft_delivery_record_sampling(weft_recorder *recorder, const weft_event_slot *event)
{
    if (weft_recorder_change(recorder, WEFT_CHANGE_FUNCTION, event->data) != WEFT_OK ||
        weft_recorder_change(recorder, WEFT_CHANGE_SAMPLING, event->data_high) != WEFT_OK)
        weft_sampling_missed();
}

/* Another number for each recording, and after each mark that is missing from it: then all are told again. */
static uint32_t told_in(void)
{
    return weft_target_runs() + (missed << 16);
}

_Static_assert(sizeof(weft_function) == 24, "as the plugin reserves it (tools/gcc/weft_gcc.h)");

/* Writes the mark that says which activations are recorded from now on. */
static void tell(weft_function *function, uint32_t first_path, uint32_t keep, const weft_recorder *recorder)
{
    uint32_t run = told_in(), sequence = recorder->sequence;
    if (function->told == keep && function->told_run == run && sequence - function->told_sequence < TELL_EVERY)
        return;
    if (keep == 1 && function->told_run != run)
        return; /* all are recorded, as ever */
    function->told = keep;
    function->told_run = run;
    function->told_sequence = sequence;
    weft_deliver(WEFT_TAG_OWN | WEFT_TAG_ONE, WEFT_EVENT_SAMPLING, first_path, keep);
}

/* Counts an activation, and returns whether it is recorded. Several contexts may do so at the same time. */
static bool is_kept(weft_function *function, uint32_t keep)
{
    uint32_t seen, state;
    do
        seen = weft_exclusive_load(&function->seen, &state);
    while (!weft_exclusive_store(&function->seen, seen + 1 >= keep ? 0 : seen + 1, state));
    return seen == 0 || seen >= keep;
}

static __attribute__((noinline)) uint32_t decide(weft_function *function, uint32_t first_path)
{
    const weft_recorder *recorder = weft_target_recorder;
    uint32_t keep = function->keep ? function->keep : 1;
    if (function->trigger && weft_trigger_now) {
        function->trigger = 0;
        weft_trigger_now();
    }
    if (!recorder || recorder->config.profiler)
        return 1;
    tell(function, first_path, keep, recorder);
    if (keep == 1 || is_kept(function, keep))
        return 1;
    weft_left_out_activation();
    return 0;
}

uint32_t __weft_enter(weft_function *function, uint32_t first_path)
{
    if (function->keep <= 1 && function->told <= 1 && !function->trigger)
        return 1;
    return decide(function, first_path);
}
