/* SPDX-License-Identifier: MIT */
/* The same as prop_event_ring.c, of a core with LDREX. */
#define WEFT_MAINLINE 1
#include "tests/prop/prop_event_ring.c"
