/* SPDX-License-Identifier: MIT */
/* Probes of compilers that load no plugin of GCC's (docs/ADOPTION.md): calls that -fsanitize-coverage=trace-pc (or
 * trace-pc-guard) and -finstrument-functions insert. Each becomes a path record whose number is half of the address
 * that the call returns to. The host finds the calls in the image, and makes functions and lines of them
 * (tools/lib/image/edges.h). These flags and the plugin exclude one another in an image; Weft itself is compiled
 * without them. */
#include <stdint.h>

#include "core/own.h"
#include "port/cortex-m/probes.h"

WEFT_PROBE void __sanitizer_cov_trace_pc(void);
WEFT_PROBE void __sanitizer_cov_trace_pc_guard(uint32_t *guard);
WEFT_PROBE void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *end);
WEFT_PROBE void __cyg_profile_func_enter(void *function, void *site);
WEFT_PROBE void __cyg_profile_func_exit(void *function, void *site);

#define HERE ((uint32_t)((uintptr_t)__builtin_return_address(0) >> 1))

void __sanitizer_cov_trace_pc(void)
{
    __weft_path(HERE);
}

/* The guard's own number is not needed. */
void __sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
    (void)guard;
    __weft_path(HERE);
}

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *end)
{
    (void)start;
    (void)end;
}

void __cyg_profile_func_enter(void *function, void *site)
{
    (void)function;
    (void)site;
    __weft_path(HERE);
}

void __cyg_profile_func_exit(void *function, void *site)
{
    (void)function;
    (void)site;
    __weft_path(HERE);
}
