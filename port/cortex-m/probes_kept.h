/* SPDX-License-Identifier: MIT */
/* The entry points that the compiler plugin calls in functions that control=GLOBS names. They do what those of
 * port/cortex-m/probes.h do, but nothing in an activation that is left out. */
#ifndef WEFT_PORT_PROBES_KEPT_H
#define WEFT_PORT_PROBES_KEPT_H

#include "port/cortex-m/probes.h"

#ifdef __cplusplus
extern "C" {
#endif

struct weft_function; /* port/cortex-m/activations.h */
/* At the entry of a function. Returns `keep`, for all probes of this activation. 0: the activation is left out. */
WEFT_PROBE uint32_t __weft_enter(struct weft_function *function, uint32_t first_path);

WEFT_PROBE void __weft_kept_path(uint32_t path, uint32_t keep);
WEFT_PROBE void __weft_kept_access(uint32_t site, const volatile void *address, uint32_t keep);
WEFT_PROBE void __weft_kept_value(uint32_t site, uint32_t value, uint32_t keep);
WEFT_PROBE void __weft_kept_value64(uint32_t site, uint64_t value, uint32_t keep);
WEFT_PROBE uint32_t __weft_kept_loop(uint32_t first, uint32_t rest, uint32_t after, uint32_t count, uint32_t keep);
WEFT_PROBE void __weft_kept_loop_path(uint32_t first, uint32_t rest, uint32_t after, uint32_t count, uint32_t keep);

#ifdef __cplusplus
}
#endif

#endif
