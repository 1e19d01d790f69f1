/* SPDX-License-Identifier: MIT */
/* The plugin's entry point for probes=last, with the compressed black box: several times as many paths in the same
 * memory, and their contexts, at about twice the instructions. Interrupts are masked while it works. */
#include "core/blackbox_packed.h"
#include "core/own.h"
#include "port/cortex-m/blackbox_ram.h"
#include "port/cortex-m/cortexm.h"

void __weft_last(uint32_t path)
{
    uint32_t primask = weft_mask_interrupts();
    weft_blackbox_packed_path((weft_blackbox_packed *)weft_blackbox_ram, weft_ipsr(), path);
    weft_restore_interrupts(primask);
}

static weft_status begin(void *box, size_t bytes, uint32_t identity, weft_blackbox_found *found)
{
    return weft_blackbox_packed_begin(box, bytes, identity, found);
}

static void hold(void *box)
{
    weft_blackbox_packed_hold(box);
}

static void resume(void *box)
{
    weft_blackbox_packed_resume(box);
}

static void clear(void *box)
{
    weft_blackbox_packed_clear(box);
}

static uint32_t count(const void *box)
{
    return weft_blackbox_packed_count(box);
}

const weft_blackbox_choice weft_blackbox_chosen = {begin, hold, resume, clear, count};
