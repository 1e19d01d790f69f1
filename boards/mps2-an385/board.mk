# SPDX-License-Identifier: MIT
# Arm MPS2+ with application note 385: Cortex-M3.
BOARD_CPU_mps2-an385 := -mcpu=cortex-m3
BOARD_DEFINES_mps2-an385 := -DBOARD_TIMER_IRQ=8 -DWEFT_EVENT_RING_SLOTS=256
