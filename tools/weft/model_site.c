/* SPDX-License-Identifier: MIT */
#include "tools/weft/model_site.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

const char *model_site_shape(const affine_nest *nest)
{
    bool leans = false, several = false;
    for (unsigned l = 0; l < nest->depth; l++) {
        const affine_level *level = &nest->level[l];
        several = several || level->uppers > 1 || level->lowers > 1;
        for (unsigned m = 0; m < l; m++)
            leans = leans || (level->uppers && level->upper[0].slope[m]) || (level->lowers && level->lower[0].slope[m]);
    }
    if (!nest->depth)
        return "plain";
    return several ? "piecewise" : nest->depth == 1 ? "linear" : leans ? "triangular" : "rectangular";
}

int64_t model_site_stride(const affine_nest *nest)
{
    return nest->depth ? nest->level[nest->depth - 1].coefficient : 0;
}

model_site model_site_begin(model_access is, int64_t address)
{
    return (model_site){.is = is, .first = address, .low = address, .high = address, .exact = true};
}

void model_site_access(model_site *s, model_access is, int64_t address)
{
    s->is = is;
    s->accesses++;
    s->low = address < s->low ? address : s->low;
    s->high = address > s->high ? address : s->high;
}

/* Takes a longer nest's shape. The first of several that are equally long stays. */
static bool take_longer(affine_nest *known, const affine_nest *nest)
{
    if (nest->accesses <= known->accesses)
        return false;
    affine_level *level = nest->depth ? memory_grow(known->level, nest->depth, sizeof *level) : known->level;
    if (nest->depth)
        memcpy(level, nest->level, nest->depth * sizeof *level);
    *known = *nest;
    known->raw = NULL;
    known->level = level;
    return true;
}

void model_site_nest(model_site *s, const affine_nest *nest, bool keep)
{
    affine_bytes own = {0}, *coded = keep ? &s->coded : &own;
    size_t before = coded->size;
    affine_encode(nest, coded);
    s->bytes += coded->size - before;
    free(own.bytes);
    s->nests++;
    s->affine += nest->depth ? nest->accesses : 0;
    if (take_longer(&s->longest, nest))
        s->irregular = nest->raw != NULL;
    if (nest->depth)
        take_longer(&s->loops, nest);
}

void model_site_describe(model_site *s, const model_places *places)
{
    uint32_t offset;
    const image_symbol *object = image_object(&places->im->symbols, (uint32_t)s->first, &offset);
    s->place = places->at(places->own, s->is.site);
    s->object = object ? object->name : NULL;
}

void model_site_free(model_site *s)
{
    affine_nest_free(&s->longest);
    affine_nest_free(&s->loops);
    free(s->coded.bytes);
}
