/* SPDX-License-Identifier: MIT */
/* What the files of the black box share. */
#ifndef WEFT_PORT_BLACKBOX_RAM_H
#define WEFT_PORT_BLACKBOX_RAM_H

#include "core/blackbox.h"
#include "port/cortex-m/probes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The head (weft_blackbox), and then the entries. */
extern uint32_t weft_blackbox_ram[];
extern const size_t weft_blackbox_bytes;
/* Of the entry point that is linked. */
extern const weft_blackbox_form weft_blackbox_kind;

/* The plugin's entry point for probes=last. */
WEFT_PROBE void __weft_last(uint32_t path);

#ifdef __cplusplus
}
#endif

#endif
