/* SPDX-License-Identifier: MIT */
#include "core/own.h"
#include "port/cortex-m/control_hooks.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/weft_target.h"

/* Linked where trigger.c is. */
#pragma weak weft_trigger_after

weft_status weft_flush(void)
{
    weft_recorder *recorder = weft_poll() ? weft_delivery_own() : NULL;
    if (!recorder)
        return WEFT_AGAIN;
    (void)weft_delivery_drain(recorder);
    weft_status status = weft_recorder_flush(recorder);
    if (weft_trigger_after)
        weft_trigger_after(recorder); /* how many paths it still takes was set for the frame that has ended */
    (void)weft_delivery_release(recorder);
    return status == WEFT_OK && weft_poll() ? WEFT_OK : WEFT_AGAIN;
}
