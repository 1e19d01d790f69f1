/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/blackbox.h"
#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/identity.h"

static weft_blackbox *box(void)
{
    return (weft_blackbox *)weft_blackbox_ram;
}

weft_blackbox_found weft_blackbox_start(void)
{
    weft_blackbox_found found = WEFT_BLACKBOX_NOTHING;
    uint32_t identity = weft_image_identity(), primask = weft_mask_interrupts();
    (void)weft_blackbox_begin(box(), weft_blackbox_bytes, weft_blackbox_kind, identity, &found);
    weft_restore_interrupts(primask);
    return found;
}

void weft_blackbox_keep(void)
{
    uint32_t primask = weft_mask_interrupts();
    weft_blackbox_hold(box());
    weft_restore_interrupts(primask);
}

void weft_blackbox_go(void)
{
    uint32_t primask = weft_mask_interrupts();
    weft_blackbox_resume(box());
    weft_restore_interrupts(primask);
}

void weft_blackbox_forget(void)
{
    uint32_t primask = weft_mask_interrupts();
    weft_blackbox_clear(box());
    weft_restore_interrupts(primask);
}
