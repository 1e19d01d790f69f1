# SPDX-License-Identifier: MIT
# Arm MPS2+ with application note 386: Cortex-M4 with FPU.
BOARD_CPU_mps2-an386 := -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard
BOARD_DEFINES_mps2-an386 := -DBOARD_TIMER_IRQ=8 -DWEFT_EVENT_RING_SLOTS=256
BOARD_SOURCE_mps2-an386 := boards/mps2-an385/board.c
