/* SPDX-License-Identifier: MIT */
/* Of an engine that is built without places: what a program calls that may also be built with them. weft_places is not
 * among it: who calls that wants places. */
#include "core/own.h"
#include "port/cortex-m/places.h"

#if defined WEFT_PLACES && !WEFT_PLACES
void weft_check(void)
{
}

void weft_input_memory(const volatile void *start, size_t size)
{
    (void)start;
    (void)size;
}

void weft_check_memory(const volatile void *start, size_t size)
{
    (void)start;
    (void)size;
}
#endif
