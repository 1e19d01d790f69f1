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

static void empty(void *box)
{
    weft_blackbox_packed_empty(box);
}

static uint32_t sum(const void *box)
{
    return weft_blackbox_packed_sum(box);
}

static void open_box(void *box, weft_blackbox_found found)
{
    weft_blackbox_packed_open(box, found);
}

static uint32_t hold(void *box)
{
    weft_blackbox_packed_hold(box);
    return weft_blackbox_packed_count(box);
}

static void keep_sum(void *box, uint32_t count, uint32_t value)
{
    weft_blackbox_packed_keep_sum(box, count, value);
}

static void resume(void *box)
{
    weft_blackbox_packed_resume(box);
}

const weft_blackbox_choice weft_blackbox_chosen = {begin, empty, sum, open_box, hold, keep_sum, resume};
