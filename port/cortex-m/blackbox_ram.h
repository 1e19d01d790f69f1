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
/* What the file of the entry point defines, which is the choice of the form: core/blackbox.h has what they do. Those
 * after `sum` want interrupts masked. `hold` returns how much was ever pushed. */
typedef struct weft_blackbox_choice {
    weft_status (*begin)(void *box, size_t bytes, uint32_t identity, weft_blackbox_found *found);
    void (*empty)(void *box);
    uint32_t (*sum)(const void *box);
    void (*open)(void *box, weft_blackbox_found found);
    uint32_t (*hold)(void *box);
    void (*keep_sum)(void *box, uint32_t count, uint32_t sum);
    void (*resume)(void *box);
} weft_blackbox_choice;
extern const weft_blackbox_choice weft_blackbox_chosen;

/* The plugin's entry point for probes=last. */
WEFT_PROBE void __weft_last(uint32_t path);

#ifdef __cplusplus
}
#endif

#endif
