/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/fit_remembered.h"

#include "tools/lib/affine/fit.h"

/* An answer is numbers: how many faces, or NO_FIT; of each face its slopes, constant and divisor. */
enum { NO_FIT = -1, ANSWER_MAX = 1 + AFFINE_FACES * (AFFINE_DEPTH + 2) };

static size_t make_answer(int64_t *to, const affine_face *face, unsigned count, unsigned outer)
{
    size_t at = 0;
    to[at++] = count;
    for (unsigned f = 0; f < count; f++) {
        for (unsigned l = 0; l < outer; l++)
            to[at++] = face[f].slope[l];
        to[at++] = face[f].constant;
        to[at++] = face[f].divisor;
    }
    return at;
}

static void take_answer(const int64_t *from, affine_face *face, unsigned outer)
{
    unsigned count = (unsigned)*from++;
    for (unsigned f = 0; f < count; f++) {
        face[f] = (affine_face){0};
        for (unsigned l = 0; l < outer; l++)
            face[f].slope[l] = *from++;
        face[f].constant = *from++;
        face[f].divisor = *from++;
    }
}

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
    const int64_t *known = memo_find(m, key);
    if (known && *known != NO_FIT) {
        *count = (unsigned)*known;
        take_answer(known, face, points->outer);
    }
    if (known)
        return *known != NO_FIT;
    int64_t new[ANSWER_MAX];
    new[0] = NO_FIT;
    bool fits = fit_upper(face, count, points, options);
    size_t size = fits ? make_answer(new, face, *count, points->outer) : 1;
    memo_put(m, key, new, size * sizeof *new);
    return fits;
}
