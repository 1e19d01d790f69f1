# SPDX-License-Identifier: MIT
# Arm MPS3 with application note 547: Cortex-M55 with FPU and vector unit, started in secure state.
BOARD_CPU_mps3-an547 := -mcpu=cortex-m55 -mfloat-abi=hard
BOARD_DEFINES_mps3-an547 := -DBOARD_TIMER_IRQ=2 -DWEFT_EVENT_RING_SLOTS=256
