/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/fault_frames.h"
#include "core/own.h"

#include "port/cortex-m/delivery.h"
#include "port/cortex-m/weft_target.h"

static weft_sink into_ring;

void weft_fault_frames_keep(weft_ram_ring *ring, size_t size)
{
    weft_recorder *recorder = weft_target_started();
    if (!recorder || weft_ram_ring_init(ring, size) != WEFT_OK)
        return;
    into_ring = weft_ram_ring_sink(ring);
    recorder->config.sink = &into_ring;
    recorder->config.clock = NULL; /* the clock may be what broke, or stand still */
    weft_delivery_seize();
    (void)weft_stop_for_good();
}
