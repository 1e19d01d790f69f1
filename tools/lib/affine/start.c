/* SPDX-License-Identifier: MIT */
/* Loops show best where no bound cuts them short. They are found from the inside out, one per round:
 *   1. a piece is a longest run of values whose strides are all known;
 *   2. the length of piece that most values lie in is taken as that of the full loop;
 *   3. the stride that stands most often between two full pieces is that of the next loop: it is known from now
 *      on. */
#include "tools/lib/affine/start.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE = 1 << 18, /* values : 2^10 to 2^24 : sees longer loops; slower, more memory */
    SLOTS = 1 << 12,  /* slots, 2^12 as the hash has : counts more lengths and strides */
    TRIES = 16,       /* slots : 1 to SLOTS : counts more of those that share a slot; slower on noise */
};

/* Counts by key, in a small table: keys that find no free slot are not counted. */
typedef struct tally {
    struct {
        int64_t key;
        uint64_t times;
    } slot[SLOTS];
    int64_t most; /* key counted most so far */
    uint64_t times;
} tally;

static void count_key(tally *t, int64_t key, uint64_t by)
{
    unsigned at = (unsigned)((uint64_t)key * 0x9e3779b97f4a7c15u >> 52);
    for (unsigned i = 0; i < TRIES; i++, at = (at + 1) % SLOTS) {
        if (t->slot[at].times && t->slot[at].key != key)
            continue;
        t->slot[at].key = key;
        t->slot[at].times += by;
        if (t->slot[at].times > t->times) {
            t->times = t->slot[at].times;
            t->most = key;
        }
        return;
    }
}

static int64_t stride_before(const int64_t *values, uint64_t at)
{
    return (int64_t)((uint64_t)values[at] - (uint64_t)values[at - 1]);
}

/* Joins pieces that stand `stride` apart. begin[count] is the end of the last one. Returns how many are left. */
static unsigned join(uint64_t *begin, unsigned count, const int64_t *values, int64_t stride)
{
    unsigned kept = 1;
    for (unsigned i = 1; i < count; i++)
        if (stride_before(values, begin[i]) != stride)
            begin[kept++] = begin[i];
    begin[kept] = begin[count];
    return kept;
}

/* The full piece nearest to the middle. */
static uint64_t full_piece(const uint64_t *begin, unsigned count, uint64_t length, uint64_t middle)
{
    uint64_t best = 0, best_off = UINT64_MAX;
    for (unsigned i = 0; i < count; i++) {
        uint64_t off = begin[i] > middle ? begin[i] - middle : middle - begin[i];
        if (begin[i + 1] - begin[i] == length && off < best_off) {
            best_off = off;
            best = begin[i];
        }
    }
    return best;
}

unsigned start_positions(uint64_t start[START_POSITIONS], const int64_t *values, uint64_t count)
{
    uint64_t from = count / 2 > SAMPLE / 2 ? count / 2 - SAMPLE / 2 : 0;
    unsigned size = count < SAMPLE ? (unsigned)count : SAMPLE, pieces = size, starts = 0;
    uint64_t *begin = malloc((size + 1) * sizeof *begin);
    tally *t = malloc(2 * sizeof *t);
    for (unsigned i = 0; begin && i <= size; i++)
        begin[i] = from + i;
    for (unsigned round = 0; begin && t && round < START_POSITIONS + 2 && pieces > 1; round++) {
        tally *length = t, *stride = t + 1;
        memset(t, 0, 2 * sizeof *t);
        for (unsigned i = 0; i < pieces; i++)
            count_key(length, (int64_t)(begin[i + 1] - begin[i]), begin[i + 1] - begin[i]);
        uint64_t full = (uint64_t)length->most;
        for (unsigned i = 1; i < pieces; i++)
            if (begin[i] - begin[i - 1] == full && begin[i + 1] - begin[i] == full)
                count_key(stride, stride_before(values, begin[i]), 1);
        uint64_t at = full_piece(begin, pieces, full, count / 2);
        if (round > 1 && at && starts < START_POSITIONS && (!starts || start[starts - 1] != at))
            start[starts++] = at;
        if (!stride->times)
            break;
        pieces = join(begin, pieces, values, stride->most);
    }
    free(begin);
    free(t);
    return starts;
}
