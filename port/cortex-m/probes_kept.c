/* SPDX-License-Identifier: MIT */
/* Probes of functions of which not all activations are recorded. Those for values and loops are in files of their own,
 * as in probes_values.c and probes_loops.c. */
#include "port/cortex-m/probes_kept.h"
#include "core/own.h"

void __weft_kept_path(uint32_t path, uint32_t keep)
{
    if (keep)
        __weft_path(path);
}

void __weft_kept_access(uint32_t site, const volatile void *address, uint32_t keep)
{
    if (keep)
        __weft_access(site, address);
}
