/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/blackbox.h"
#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/identity.h"

weft_blackbox_found weft_blackbox_start(void)
{
    weft_blackbox_found found = WEFT_BLACKBOX_NOTHING;
    uint32_t identity = weft_image_identity(), primask = weft_mask_interrupts();
    (void)weft_blackbox_chosen.begin(weft_blackbox_ram, weft_blackbox_bytes, identity, &found);
    weft_restore_interrupts(primask);
    return found;
}

uint32_t weft_blackbox_keep(void)
{
    uint32_t primask = weft_mask_interrupts();
    weft_blackbox_chosen.hold(weft_blackbox_ram);
    uint32_t count = weft_blackbox_chosen.count(weft_blackbox_ram);
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
    uint32_t primask = weft_mask_interrupts();
    weft_blackbox_chosen.clear(weft_blackbox_ram);
    weft_restore_interrupts(primask);
}
