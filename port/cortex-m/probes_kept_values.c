/* SPDX-License-Identifier: MIT */
#include "core/own.h"
#include "port/cortex-m/probes_kept.h"

void __weft_kept_value(uint32_t site, uint32_t value, uint32_t keep)
{
    if (keep)
        __weft_value(site, value);
}

void __weft_kept_value64(uint32_t site, uint64_t value, uint32_t keep)
{
    if (keep)
        __weft_value64(site, value);
}
