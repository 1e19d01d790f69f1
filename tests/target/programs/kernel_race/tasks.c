/* SPDX-License-Identifier: MIT */
/* Stands for a kernel: a function has a name that only FreeRTOS's has. Its scheduler is let in by a word that is not 0,
 * of which `weft race` does not know that it protects `ready`. */
#include "kernel_race.h"

static volatile uint32_t let_in = 1, ready;

void vTaskSwitchContext(void)
{
    if (let_in)
        ready += 2;
}

void kernel_work(void)
{
    let_in = 0;
    ready++;
    let_in = 1;
}
