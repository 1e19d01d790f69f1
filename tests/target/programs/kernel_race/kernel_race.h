/* SPDX-License-Identifier: MIT */
#ifndef WEFT_TESTS_TARGET_PROGRAMS_KERNEL_RACE_H
#define WEFT_TESTS_TARGET_PROGRAMS_KERNEL_RACE_H

#include <stdint.h>

void vTaskSwitchContext(void);
void kernel_work(void);

#endif
