/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/weft_target.h"
#include "core/own.h"

#include "hal/critical.h"
#include "port/cortex-m/context.h"

enum { FIRST_THREAD_CONTEXT = 512 };

static weft_recorder *started;

/* The note section: a head of 12 bytes, "GNU" and its zero, the id. */
extern const uint8_t weft_build_id_start[] __attribute__((weak));
extern const uint8_t weft_build_id_end[] __attribute__((weak));
enum { NOTE_HEAD = 16 };

weft_status weft_start(weft_recorder *recorder, const weft_recorder_config *config)
{
    weft_recorder_config full = *config;
    size_t note_size = (size_t)((uintptr_t)weft_build_id_end - (uintptr_t)weft_build_id_start);
    if (!full.build_id && note_size > NOTE_HEAD && note_size <= NOTE_HEAD + WEFT_RECORDER_BUILD_ID_MAX) {
        full.build_id = weft_build_id_start + NOTE_HEAD;
        full.build_id_size = note_size - NOTE_HEAD;
    }
    weft_status status = weft_recorder_init(recorder, &full);
    if (status == WEFT_OK) {
        started = recorder;
        weft_target_recorder = recorder;
    }
    return status;
}

weft_status weft_stop(void)
{
    if (!started)
        return WEFT_OK;
    uint32_t critical = weft_critical_enter();
    bool drained = weft_poll();
    if (drained)
        weft_target_recorder = NULL;
    weft_critical_leave(critical);
    if (!drained)
        return WEFT_AGAIN;
    weft_status status = WEFT_AGAIN;
    for (uint32_t tries = 0; status == WEFT_AGAIN && tries < WEFT_STOP_TRIES; tries++) {
        critical = weft_critical_enter();
        status = weft_recorder_finish(started);
        weft_critical_leave(critical);
    }
    started = NULL;
    return status;
}

void weft_thread_switch(uint32_t thread)
{
    weft_target_thread = thread == WEFT_NO_THREAD ? 0 : FIRST_THREAD_CONTEXT + thread;
}
