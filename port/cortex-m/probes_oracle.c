/* SPDX-License-Identifier: MIT */
/* The plugin's entry points of oracle builds. */
#include "core/own.h"
#include "port/cortex-m/probes.h"

void __weft_mark(uint32_t block)
{
    __asm volatile("" : : "r"(block));
}

void __weft_derived(uint32_t site, const volatile void *address)
{
    __asm volatile("" : : "r"(site), "r"(address));
}
