/* SPDX-License-Identifier: MIT */
/* Records twice, is reset, and records twice more: the numbers of the recordings. */
#include <stdio.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/weft_target.h"

WEFT_RECORDER_DEF(trace, 512, 16, 0);
static uint32_t again __attribute__((section(".noinit")));

static weft_status write(void *context, const uint8_t *frame, size_t size)
{
    (void)context;
    (void)frame;
    (void)size;
    return WEFT_OK;
}

int main(void)
{
    static const weft_sink nowhere = {.write = write};
    const uint32_t mark = 0x5eed1e55;
    trace_config.sink = &nowhere;
    for (int i = 0; i < 2; i++) {
        if (weft_start(&trace, &trace_config) || weft_stop())
            return 1;
        printf("run %lu\n", (unsigned long)trace.config.run);
    }
    if (again == mark)
        return 0;
    again = mark;
    WEFT_SCB_AIRCR = 0x05fa0004;
    for (;;)
        ;
}
