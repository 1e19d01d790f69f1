/* SPDX-License-Identifier: MIT */
#include "core/own.h"
#include "port/cortex-m/probes_kept.h"

/* What the path register then holds does not depend on what is recorded. */
uint32_t __weft_kept_loop(uint32_t first, uint32_t rest, uint32_t after, uint32_t count, uint32_t keep)
{
    if (keep)
        return __weft_loop(first, rest, after, count);
    return count ? after : first + after - rest;
}

void __weft_kept_loop_path(uint32_t first, uint32_t rest, uint32_t after, uint32_t count, uint32_t keep)
{
    if (keep)
        __weft_loop_path(first, rest, after, count);
}
