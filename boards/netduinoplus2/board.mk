# SPDX-License-Identifier: MIT
# Netduino Plus 2: STM32F405, Cortex-M4 with FPU.
BOARD_CPU_netduinoplus2 := -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard
BOARD_DEFINES_netduinoplus2 := -DBOARD_TIMER_IRQ=28 -DWEFT_AUTO_RING=16384
