/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/weft_target.h"
#include "core/own.h"

#include "hal/critical.h"
#include "port/cortex-m/context.h"

enum { FIRST_THREAD_CONTEXT = 512 };

/* From weft_start until weft_stop has given everything to the sink; weft_target_recorder ends before that. */
static weft_recorder *volatile started;
static volatile uint32_t runs; /* weft_start calls that were obeyed */

/* The note section: a head of 12 bytes, "GNU" and its zero, the id. */
extern const uint8_t weft_build_id_start[] __attribute__((weak));
extern const uint8_t weft_build_id_end[] __attribute__((weak));
enum { NOTE_HEAD = 16 };

/* A word per compiled file, from the plugin: a check sum of what it says about the file's functions. The linker names
 * the ends of a section whose name is a C identifier. */
extern const uint8_t __start_weft_id[] __attribute__((weak));
extern const uint8_t __stop_weft_id[] __attribute__((weak));

/* core/FORMAT.md, "Identity". */
static uint32_t image_identity(void)
{
    size_t size = (size_t)((uintptr_t)__stop_weft_id - (uintptr_t)__start_weft_id);
    uint32_t sum = size ? weft_crc32(0, __start_weft_id, size) : 0;
    return size && sum == 0 ? 1 : sum;
}

static void add_build_id(weft_recorder_config *config)
{
    size_t note_size = (size_t)((uintptr_t)weft_build_id_end - (uintptr_t)weft_build_id_start);
    if (config->build_id || note_size <= NOTE_HEAD || note_size > NOTE_HEAD + WEFT_RECORDER_BUILD_ID_MAX)
        return;
    config->build_id = weft_build_id_start + NOTE_HEAD;
    config->build_id_size = note_size - NOTE_HEAD;
}

weft_status weft_start(weft_recorder *recorder, const weft_recorder_config *config)
{
    weft_recorder_config full = *config;
    add_build_id(&full);
    if (!full.identity)
        full.identity = image_identity();
    uint32_t critical = weft_critical_enter();
    if (!full.run)
        full.run = runs + 1;
    weft_status status = started ? WEFT_AGAIN : weft_probes_begin();
    if (status == WEFT_OK)
        status = weft_recorder_init(recorder, &full);
    if (status == WEFT_OK) {
        started = recorder;
        runs++;
        weft_target_recorder = recorder;
    }
    weft_critical_leave(critical);
    return status;
}

/* One offer of what is left of recording `run`. WEFT_OK: all is out, or a context in between has stopped it. */
static weft_status finish(uint32_t run)
{
    uint32_t critical = weft_critical_enter();
    weft_status status = started && runs == run ? weft_recorder_finish(started) : WEFT_OK;
    if (status == WEFT_OK && runs == run)
        started = NULL;
    weft_critical_leave(critical);
    return status;
}

weft_status weft_stop(void)
{
    uint32_t critical = weft_critical_enter();
    uint32_t run = runs;
    bool drained = weft_poll();
    if (drained)
        weft_target_recorder = NULL;
    weft_critical_leave(critical);
    weft_status status = WEFT_AGAIN;
    for (uint32_t tries = 0; drained && status == WEFT_AGAIN && tries < WEFT_STOP_TRIES; tries++)
        status = finish(run);
    return status;
}

weft_status weft_stop_for_good(void)
{
    uint32_t critical = weft_critical_enter();
    bool whole = weft_probes_abandon();
    weft_target_recorder = NULL;
    if (!whole)
        started = NULL; /* it is in the middle of an event */
    weft_critical_leave(critical);
    weft_status status = weft_stop();
    started = NULL;
    return whole ? status : WEFT_AGAIN;
}

void weft_thread_switch(uint32_t thread)
{
    weft_target_thread = thread == WEFT_NO_THREAD ? 0 : FIRST_THREAD_CONTEXT + thread;
}
