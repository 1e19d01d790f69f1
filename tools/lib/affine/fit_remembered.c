/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/fit_remembered.h"

#include <stddef.h>
#include <string.h>

#include "tools/lib/affine/fit.h"

typedef struct answer {
    bool fits;
    unsigned count;
    affine_face face[AFFINE_FACES]; /* `count` of them */
} answer;

void fit_key_faces(memo_key *key, const affine_face *face, unsigned count, unsigned outer)
{
    memo_mix(key, count);
    for (unsigned f = 0; f < count; f++) {
        memo_mix_all(key, face[f].slope, outer);
        memo_mix(key, (uint64_t)face[f].constant);
        memo_mix(key, (uint64_t)face[f].divisor);
    }
}

static memo_key key_of(const affine_face *face, unsigned count, const fit_points *points, const fit_options *o)
{
    memo_key key = MEMO_KEY;
    memo_mix(&key, (uint64_t)points->count << 32 | points->outer);
    memo_mix(&key, (uint64_t)o->slopes << 48 | (uint64_t)o->faces_max << 32 | o->focus);
    memo_mix(&key, (uint64_t)o->margin);
    fit_key_faces(&key, face, count, points->outer);
    for (unsigned i = 0; i < points->count; i++) {
        memo_mix_all(&key, points->point[i].at, points->outer);
        memo_mix(&key, (uint64_t)points->point[i].value);
        memo_mix(&key, points->point[i].at_least);
    }
    return key;
}

bool fit_remembered(memo *m, affine_face *face, unsigned *count, const fit_points *points, const fit_options *options)
{
    if (!m)
        return fit_upper(face, count, points, options);
    memo_key key = key_of(face, *count, points, options);
    const answer *known = memo_find(m, key);
    if (known) {
        memcpy(face, known->face, known->count * sizeof *face);
        *count = known->count;
        return known->fits;
    }
    answer new;
    new.fits = fit_upper(face, count, points, options);
    new.count = new.fits ? *count : 0;
    memcpy(new.face, face, new.count * sizeof *face);
    memo_put(m, key, &new, offsetof(answer, face) + new.count * sizeof *face);
    return new.fits;
}
