/* SPDX-License-Identifier: MIT */
/* The debugger's word, with what needs filters and triggers. */
#include "core/own.h"
#include "port/cortex-m/controls.h"
#include "port/cortex-m/controls_parts.h"
#include "port/cortex-m/trigger.h"

static weft_status arm_at(uint32_t path)
{
    weft_control_trigger.first = path;
    weft_control_trigger.count = 1;
    return weft_trigger_arm(&weft_control_trigger);
}

static weft_status obey(uint32_t request, uint32_t argument)
{
    switch (request) {
    case WEFT_REQUEST_ONLY:
        return weft_filter_only(argument);
    case WEFT_REQUEST_OUT:
        return weft_filter_out(argument);
    case WEFT_REQUEST_ALL:
        return weft_filter_all();
    case WEFT_REQUEST_TRIGGER:
        weft_trigger_now();
        return WEFT_OK;
    case WEFT_REQUEST_ARM:
        return weft_trigger_arm(&weft_control_trigger);
    case WEFT_REQUEST_ARM_AT:
        return arm_at(argument);
    default:
        return weft_controls_obey(request);
    }
}

void weft_controls_poll_all(void)
{
    uint32_t word = weft_control_word;
    if (obey(word & 0xff, word >> 8) == WEFT_OK)
        weft_control_word = WEFT_REQUEST_NONE;
}
