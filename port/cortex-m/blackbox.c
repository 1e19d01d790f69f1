/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/blackbox.h"
#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/identity.h"

static void open_box(weft_blackbox_found found)
{
    uint32_t primask = weft_mask_interrupts();
    weft_blackbox_chosen.open(weft_blackbox_ram, found);
    weft_restore_interrupts(primask);
}

weft_blackbox_found weft_blackbox_start(void)
{
    weft_blackbox_found found = WEFT_BLACKBOX_NOTHING;
    (void)weft_blackbox_chosen.begin(weft_blackbox_ram, weft_blackbox_bytes, weft_image_identity(), &found);
    open_box(found);
    return found;
}

/* The sum is made with interrupts on, since it takes long. */
uint32_t weft_blackbox_keep(void)
{
    uint32_t primask = weft_mask_interrupts();
    uint32_t count = weft_blackbox_chosen.hold(weft_blackbox_ram);
    weft_restore_interrupts(primask);
    uint32_t sum = weft_blackbox_chosen.sum(weft_blackbox_ram);
    primask = weft_mask_interrupts();
    weft_blackbox_chosen.keep_sum(weft_blackbox_ram, count, sum);
    weft_restore_interrupts(primask);
    return count;
}

void weft_blackbox_go(void)
{
    uint32_t primask = weft_mask_interrupts();
    weft_blackbox_chosen.resume(weft_blackbox_ram);
    weft_restore_interrupts(primask);
}

void weft_blackbox_forget(void)
{
    weft_blackbox_chosen.empty(weft_blackbox_ram);
    open_box(WEFT_BLACKBOX_NOTHING);
}
