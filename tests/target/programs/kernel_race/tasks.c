/* SPDX-License-Identifier: MIT */
/* Stands for a kernel: a function has a name that only FreeRTOS's has. Its scheduler is suspended by a count, which a
 * race detector cannot know to protect `ready`. */
#include "kernel_race.h"

static volatile uint32_t suspended, ready;

void vTaskSwitchContext(void)
{
    if (!suspended)
        ready += 2;
}

void kernel_work(void)
{
    suspended++;
    ready++;
    suspended--;
}
