#!/bin/bash
# SPDX-License-Identifier: MIT
# The choices of the Zephyr module, by an implementation of Kconfig: what is chosen where nothing is set, and which
# stacks the kernel then makes. Stand-ins take the place of Zephyr's own symbols.
. tests/lib/check.sh
cat >"$tmp/Kconfig" <<K
config CPU_CORTEX_M
	def_bool y
config ARMV7_M_ARMV8_M_MAINLINE
	def_bool n
config CPU_CORTEX_M_HAS_VTOR
	bool "VTOR"
config CPU_CORTEX_M_HAS_DWT
	bool
config CORTEX_M_SYSTICK
	bool
config TICKLESS_KERNEL
	bool
config USE_SEGGER_RTT
	bool
config SYS_CLOCK_HW_CYCLES_PER_SEC
	int
	default 25000000
source "$PWD/packaging/zephyr/Kconfig"
config ISR_STACK_SIZE
	int "interrupts"
	default 2048
config MAIN_STACK_SIZE
	int "main"
	default 1024
config SYSTEM_WORKQUEUE_STACK_SIZE
	int "work queue"
	default 1024
config IDLE_STACK_SIZE
	int "idle"
	default 320
K
cat >"$tmp/show.py" <<'P'
import sys
import kconfiglib
kconf = kconfiglib.Kconfig(sys.argv[1])
for word in sys.argv[2:]:
    name, value = word.split("=")
    if not kconf.syms[name].set_value(value):
        sys.exit("%s is refused" % word)
workers = [n for n in ("AUTO", "NONE") if kconf.syms["WEFT_WORKER_" + n].str_value == "y"]
workers += ["named"] if kconf.syms["WEFT_WORKER"].str_value == "y" else []
print(*workers, *(kconf.syms[n + "_STACK_SIZE"].str_value for n in ("ISR", "MAIN", "SYSTEM_WORKQUEUE", "IDLE")),
      kconf.syms["WEFT_WORKER_IRQ"].str_value or "-")
print(*kconf.warnings, file=sys.stderr)
P
chosen() { # SYMBOL=VALUE...
    /usr/bin/python3 "$tmp/show.py" "$tmp/Kconfig" "$@"
}
expect "without Weft the kernel's stacks are its own" 0 '2048 1024 1024 320 -' chosen CPU_CORTEX_M_HAS_VTOR=y
verdict "and Kconfig has no complaint" -z "$(grep -v '^$' "$tmp/stderr")"
expect "with it an interrupt is found, and needs stack" 0 'AUTO 3328 1024 1024 320 -' \
    chosen CPU_CORTEX_M_HAS_VTOR=y WEFT=y
expect "the kernel's idle thread, with probes" 0 'AUTO 3328 1024 1024 640 -' \
    chosen CPU_CORTEX_M_HAS_VTOR=y WEFT=y WEFT_KERNEL=y
expect "an interrupt by its number" 0 'named 3328 1024 1024 320 7' \
    chosen CPU_CORTEX_M_HAS_VTOR=y WEFT=y WEFT_WORKER=y WEFT_WORKER_IRQ=7
expect "no interrupt: each thread's stack" 0 'NONE 3328 2304 2304 1600 -' \
    chosen CPU_CORTEX_M_HAS_VTOR=y WEFT=y WEFT_WORKER_NONE=y WEFT_KERNEL=y
expect "a Cortex-M0 has none by default" 0 'NONE 3328 2304 2304 320 -' chosen WEFT=y
expect "what the program asks for stays" 0 'NONE 3328 4096 2304 320 -' chosen WEFT=y MAIN_STACK_SIZE=4096
