#!/bin/bash
# SPDX-License-Identifier: MIT
# The ten lines of docs/BLACKBOX.md, followed in a program with a start-up and a linker script of its own. The files to
# link are those that step 2 names.
. tests/lib/check.sh
weft=build/host/weft
cc=(arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -g -I.)

cat >"$tmp/app.c" <<'C'
#include "port/cortex-m/blackbox.h"
#include "port/cortex-m/fault.h"
WEFT_BLACKBOX_DEF(4096);
extern uint32_t stack_top;
int main(void);
__attribute__((section(".vectors"), used))
const void *const vectors[16] = {&stack_top, main, 0, weft_fault_handler};
static volatile unsigned sums[16];
__attribute__((noinline)) static unsigned work(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum = i % 3 ? sum + i : sum ^ i;
    return sum;
}
int main(void)
{
    weft_blackbox_start();
    for (unsigned i = 0; i < 50; i++)
        sums[i % 16] = work(i);
    *(volatile uint32_t *)0xf0000000 = 1;
    for (;;)
        ;
}
void weft_fault_done(const weft_fault_head *fault)
{
    (void)fault;
    for (;;)
        ;
}
C
cat >"$tmp/app.ld" <<'LD'
MEMORY
{
    FLASH (rx) : ORIGIN = 0, LENGTH = 256K
    RAM (rwx) : ORIGIN = 0x20000000, LENGTH = 64K
}
stack_top = 0x20010000;
SECTIONS
{
    .text : { KEEP(*(.vectors)) *(.text* .rodata*) } > FLASH
    INCLUDE packaging/linker/weft-build-id.ld
    .data : { *(.data*) } > RAM
    .bss : { *(.bss* COMMON) } > RAM
    INCLUDE packaging/linker/weft-noinit.ld
}
LD
files=$(sed -n '/^2\. Link/,/^3\./p' docs/BLACKBOX.md | grep -oE '`[a-z_/]+\.c`' | tr -d '`' |
    sed -E '/\//!s|^|port/cortex-m/|')
"${cc[@]}" -O1 -fplugin="$($weft --plugin)" -fplugin-arg-weft_gcc-probes=last -c "$tmp/app.c" -o "$tmp/app.o" &&
    "${cc[@]}" -O2 -nostartfiles -Wl,--build-id=sha1 -L. -T "$tmp/app.ld" "$tmp/app.o" $files -o "$tmp/app.elf"
verdict "the files that docs/BLACKBOX.md names are enough to link" $? -eq 0 -a "$(wc -w <<<"$files")" -ge 6

# The emulator gives the memory that a debugger would read in step 7.
$weft seal "$tmp/app.elf"
$weft capture "$tmp/app.elf" --sink box --timeout 1 -o "$tmp/fault.weft" >"$tmp/log" 2>&1
$weft dump --elf "$tmp/app.elf" "$tmp/fault.weft" >"$tmp/dump" 2>>"$tmp/log"
verdict "the dump begins with the fault and where it is" \
    "$(grep -cE '^0 fault HardFault: bus fault at an access at 0xf0000000 .* main app.c:21$' "$tmp/dump")" = 1
verdict "and goes back over the last activations of work()" "$(grep -cE '^0 path [0-9]+ work app.c:' "$tmp/dump")" -ge 50
