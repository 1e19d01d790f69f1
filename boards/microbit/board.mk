# SPDX-License-Identifier: MIT
# BBC micro:bit: nRF51822, Cortex-M0.
BOARD_CPU_microbit := -mcpu=cortex-m0
BOARD_DEFINES_microbit := -DBOARD_COMMAND_LINE_SIZE=128
BOARD_SPECS_microbit := --specs=nano.specs -u _printf_float
