/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/build.h"

#include "tools/lib/base/memory.h"
#include "tools/lib/machine/counted.h"
#include "tools/lib/machine/cycles.h"
#include "tools/lib/machine/needs.h"
#include "tools/lib/machine/trips.h"
#include "tools/lib/machine/ways.h"

enum { STEPS_MAX = 1 << 18 };

routine *routine_build(const image *im, uint32_t start, uint32_t end, bool gotos)
{
    routine *r = memory_zero(1, sizeof *r);
    if (end > start)
        end = start + image_bytes_from(im, start, end - start);
    *r = (routine){.im = im, .start = start, .end = end, .known = end > start && (end - start) / 2 < STEPS_MAX};
    if (!r->known)
        return r;
    r->steps = memory_zero((end - start) / 2 + 1, sizeof *r->steps);
    r->index = memory_zero((end - start) / 2 + 1, sizeof *r->index);
    ways_find(r, gotos);
    r->steps = memory_grow(r->steps, r->count + 1, sizeof *r->steps); /* literals and the like are not steps */
    r->known &= r->count > 0;
    if (r->known) {
        needs_find(r);
        cycles_find_joins(r);
        counted_find(r);
        trips_settle(r);
        cycles_find_joins(r);
        cycles_find_heads(r);
    }
    return r;
}
