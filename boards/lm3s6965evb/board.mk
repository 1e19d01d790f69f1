# SPDX-License-Identifier: MIT
# Stellaris LM3S6965 evaluation board: Cortex-M3.
BOARD_CPU_lm3s6965evb := -mcpu=cortex-m3
BOARD_DEFINES_lm3s6965evb := -DBOARD_TIMER_IRQ=19 -DWEFT_AUTO_RING=14336
