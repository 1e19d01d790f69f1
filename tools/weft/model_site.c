/* SPDX-License-Identifier: MIT */
#include "tools/weft/model_site.h"

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
        return nest->raw ? "irregular" : "plain";
    return several ? "piecewise" : nest->depth == 1 ? "linear" : leans ? "triangular" : "rectangular";
}

int64_t model_site_stride(const affine_nest *nest)
{
    return nest->depth ? nest->level[nest->depth - 1].coefficient : 0;
}

void model_site_describe(model_site *s, const model_places *places)
{
    uint32_t offset;
    const image_symbol *object = image_object(&places->im->symbols, (uint32_t)s->stream->number[0], &offset);
    s->place = places->at(places->own, s->stream->site);
    s->object = object ? object->name : NULL;
    s->longest = &s->model.nest[0];
    for (size_t i = 1; i < s->model.nests; i++)
        if (s->model.nest[i].accesses > s->longest->accesses)
            s->longest = &s->model.nest[i];
}
