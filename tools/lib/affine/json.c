/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/json.h"

static void json_faces(json *j, const char *key, const affine_face *face, unsigned faces, unsigned outer)
{
    static const affine_face zero = {.divisor = 1};
    if (!faces) {
        face = &zero;
        faces = 1;
    }
    json_array(j, key);
    for (unsigned f = 0; f < faces; f++) {
        json_object(j, NULL);
        json_array(j, "slopes");
        for (unsigned l = 0; l < outer; l++)
            json_integer(j, NULL, face[f].slope[l]);
        json_end_array(j);
        json_integer(j, "constant", face[f].constant);
        json_integer(j, "divisor", face[f].divisor);
        json_end_object(j);
    }
    json_end_array(j);
}

void model_json_nest(json *j, const affine_nest *nest)
{
    json_object(j, NULL);
    json_integer(j, "depth", nest->depth);
    json_integer(j, "accesses", (int64_t)nest->accesses);
    json_bool(j, "whole", nest->whole);
    json_array(j, "coefficients");
    for (unsigned l = 0; l < nest->depth; l++)
        json_integer(j, NULL, nest->level[l].coefficient);
    json_end_array(j);
    json_integer(j, "base", nest->base);
    json_array(j, "upper");
    for (unsigned l = 0; l < nest->depth; l++)
        json_faces(j, NULL, nest->level[l].upper, nest->level[l].uppers, l);
    json_end_array(j);
    json_array(j, "lower");
    for (unsigned l = 0; l < nest->depth; l++)
        json_faces(j, NULL, nest->level[l].lower, nest->level[l].lowers, l);
    json_end_array(j);
    if (nest->raw) {
        json_array(j, "values");
        for (uint64_t i = 0; i < nest->accesses; i++)
            json_integer(j, NULL, nest->raw[i]);
        json_end_array(j);
    }
    json_end_object(j);
}

void model_json_nests(json *j, const model *m)
{
    json_array(j, "nests");
    for (size_t i = 0; i < m->nests; i++)
        model_json_nest(j, &m->nest[i]);
    json_end_array(j);
}

affine_bytes model_encode(const model *m)
{
    affine_bytes out = {0};
    for (size_t i = 0; i < m->nests; i++)
        affine_encode(&m->nest[i], &out);
    return out;
}
