/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/callees.h"

#include <stdlib.h>

#include "tools/lib/base/bisect.h"
#include "tools/lib/base/memory.h"

static int by_address(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The addresses of the functions that announce their accesses, in order. */
static uint32_t *list_announcing(const descriptor_function *function, size_t count, size_t *found)
{
    uint32_t *address = memory_zero(count ? count : 1, sizeof *address);
    for (size_t i = 0; i < count; i++)
        if (function[i].flags & DESCRIPTOR_MEMORY && function[i].address)
            address[(*found)++] = function[i].address & ~1u;
    if (*found)
        qsort(address, *found, sizeof *address, by_address);
    return address;
}

static bool is_callee_site(const descriptor_site *site)
{
    return site->flags & DESCRIPTOR_SITE_BASE && site->how == DESCRIPTOR_STATIC && site->linked && site->size &&
           site->target == DESCRIPTOR_NO_GROUP;
}

static void take_back(descriptor_site *callee, uint32_t before)
{
    uint32_t count = callee->size < before ? callee->size : before;
    for (descriptor_site *site = callee - (count < DESCRIPTOR_CALL_SITES ? count : DESCRIPTOR_CALL_SITES);
         site < callee; site++) {
        if (site->flags & DESCRIPTOR_SITE_BASE)
            continue;
        site->flags = (site->flags | DESCRIPTOR_SITE_BASE) & ~(uint32_t)DESCRIPTOR_SITE_LENGTH;
        site->target = DESCRIPTOR_NO_GROUP;
    }
}

void callees_apply(descriptor_function *function, size_t count)
{
    size_t found = 0;
    uint32_t *address = list_announcing(function, count, &found);
    for (size_t i = 0; found && i < count; i++) {
        descriptor_site *site = (descriptor_site *)function[i].site;
        for (uint32_t k = 0; k < function[i].site_count; k++) {
            uint32_t callee = site[k].constant & ~1u;
            if (is_callee_site(&site[k]) && bisect_up_to(address, found, sizeof *address, 0, callee) >
                                                bisect_below(address, found, sizeof *address, 0, callee))
                take_back(&site[k], k - function[i].block[site[k].block].first_site);
        }
    }
    free(address);
}
