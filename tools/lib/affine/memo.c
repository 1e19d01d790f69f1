/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/memo.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

enum { SLOTS = 1 << 17 }; /* answers : 2^8 to 2^20 : remembers more; more memory, 32 bytes and the answer each */

typedef struct slot {
    memo_key key;
    void *answer; /* NULL: free */
    size_t max;
} slot;

struct memo {
    slot slot[SLOTS];
    memo_kept kept;
};

memo *memo_new(void)
{
    return memory_zero(1, sizeof(memo));
}

void memo_free(memo *m)
{
    for (unsigned i = 0; m && i < SLOTS; i++)
        free(m->slot[i].answer);
    if (m && m->kept.all)
        m->kept.release(m->kept.all);
    free(m);
}

memo_kept *memo_keep(memo *m)
{
    return &m->kept;
}

const void *memo_find(const memo *m, memo_key key)
{
    const slot *s = &m->slot[key.a % SLOTS];
    return s->key.a == key.a && s->key.b == key.b ? s->answer : NULL;
}

void memo_put(memo *m, memo_key key, const void *answer, size_t size)
{
    slot *s = &m->slot[key.a % SLOTS];
    s->key = key;
    if (size > s->max) {
        s->answer = memory_grow(s->answer, size, 1);
        s->max = size;
    }
    memcpy(s->answer, answer, size);
}
