/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/model_rows.h"

#include <stdlib.h>

#include "tools/lib/affine/model_limits.h"

static int by_size(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return left < right ? -1 : left > right;
}

/* True if one value is at least one in `share` of all. Sorts them. */
static bool one_frequent(int64_t *value, uint64_t count, unsigned share)
{
    uint64_t same = 1, most = 1;
    qsort(value, count, sizeof *value, by_size);
    for (uint64_t i = 1; i < count; i++) {
        same = value[i] == value[i - 1] ? same + 1 : 1;
        most = same > most ? same : most;
    }
    return most * share >= count;
}

static int64_t difference(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static bool regular(const int64_t *value, uint64_t count)
{
    int64_t stride[MODEL_STRIDES], apart[MODEL_STRIDES];
    uint64_t rows = 0, last = 0;
    for (uint64_t i = 0; i + 1 < count; i++)
        stride[i] = difference(value[i + 1], value[i]);
    for (uint64_t at = 1; at < count; at++)
        if (at > last + 1 && stride[at - 1] != stride[last]) { /* the row whose first stride this was has ended */
            apart[rows++] = difference(value[at], value[last]);
            last = at;
        }
    return one_frequent(stride, count - 1, MODEL_STRIDE_SHARE) &&
           (rows < MODEL_FEW_ROWS || one_frequent(apart, rows, MODEL_ROW_SHARE));
}

bool model_has_rows(const int64_t *values, uint64_t count)
{
    uint64_t look = count <= MODEL_STRIDES ? count : MODEL_STRIDES + 1;
    for (uint64_t place = 0; place < MODEL_PLACES; place++) {
        if (regular(values + (count - look) / (MODEL_PLACES - 1) * place, look))
            return true;
        if (look == count)
            break;
    }
    return false;
}

/* Rows repeat the strides within them and between them. So at least half of the strides are those of earlier ones. */
bool model_may_begin(const int64_t *values, uint64_t count)
{
    int64_t stride[MODEL_AHEAD];
    unsigned seen = 0, again = 0;
    for (; seen < MODEL_AHEAD && seen + 1 < count; seen++) {
        stride[seen] = difference(values[seen + 1], values[seen]);
        for (unsigned i = 0; i < seen; i++)
            if (stride[i] == stride[seen]) {
                again++;
                break;
            }
    }
    return seen < MODEL_AHEAD || 2 * again >= seen;
}
