# SPDX-License-Identifier: MIT
# Arm MPS2+ with application note 500: Cortex-M7 with a double-precision FPU.
BOARD_CPU_mps2-an500 := -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard
BOARD_DEFINES_mps2-an500 := -DBOARD_TIMER_IRQ=8 -DWEFT_EVENT_RING_SLOTS=256
BOARD_SOURCE_mps2-an500 := boards/mps2-an385/board.c
