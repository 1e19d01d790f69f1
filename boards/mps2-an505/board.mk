# SPDX-License-Identifier: MIT
# Arm MPS2+ with application note 505: Cortex-M33 with FPU, started in secure state.
BOARD_CPU_mps2-an505 := -mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -mfloat-abi=hard
BOARD_DEFINES_mps2-an505 := -DBOARD_TIMER_IRQ=3 -DWEFT_EVENT_RING_SLOTS=256
