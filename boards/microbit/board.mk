# SPDX-License-Identifier: MIT
# BBC micro:bit: nRF51822, Cortex-M0.
BOARD_CPU_microbit := -mcpu=cortex-m0
BOARD_DEFINES_microbit := -DBOARD_TIMER_IRQ=9 -DBOARD_COMMAND_LINE_SIZE=160 -DWEFT_AUTO_FRAME=1024 -DWEFT_AUTO_SLOTS=128 -DWEFT_AUTO_VALUE_SLOTS=64 \
    -DWEFT_AUTO_RING=2048 -DWEFT_AUTO_FIFO=2048
BOARD_SPECS_microbit := --specs=nano.specs -u _printf_float
