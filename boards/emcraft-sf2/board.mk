# SPDX-License-Identifier: MIT
# Emcraft's SmartFusion2 kit, M2S010: Cortex-M3.
BOARD_CPU_emcraft-sf2 := -mcpu=cortex-m3
BOARD_DEFINES_emcraft-sf2 := -DBOARD_TIMER_IRQ=14 -DWEFT_AUTO_RING=14336
