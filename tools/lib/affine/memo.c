/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/memo.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

enum {
    SLOTS = 1 << 17, /* answers : 2^8 to 2^20 : remembers more; more memory, 128 bytes and a long answer each */
    SHORT = 96       /* bytes : 8 to 224 : more answers lie beside their key; more memory */
};

/* Two lines of the cache. */
typedef struct slot {
    memo_key key;
    void *answer; /* a long one, from malloc; NULL: none */
    uint32_t max; /* bytes of that */
    bool used, is_short;
    uint64_t inside[SHORT / sizeof(uint64_t)]; /* a short one */
} slot;

struct memo {
    slot *slot; /* SLOTS of them */
    memo_kept kept;
};

memo *memo_new(void)
{
    memo *m = memory_zero(1, sizeof *m);
    m->slot = memory_table(SLOTS, sizeof *m->slot); /* lookups are scattered over all of it */
    return m;
}

void memo_free(memo *m)
{
    for (unsigned i = 0; m && i < SLOTS; i++)
        free(m->slot[i].answer);
    if (m && m->kept.all)
        m->kept.release(m->kept.all);
    free(m ? m->slot : NULL);
    free(m);
}

memo_kept *memo_keep(memo *m)
{
    return &m->kept;
}

const void *memo_find(const memo *m, memo_key key)
{
    const slot *s = &m->slot[key.a % SLOTS];
    if (s->key.a != key.a || s->key.b != key.b || !s->used)
        return NULL;
    return s->is_short ? s->inside : s->answer;
}

void memo_put(memo *m, memo_key key, const void *answer, size_t size)
{
    slot *s = &m->slot[key.a % SLOTS];
    s->key = key;
    s->used = true;
    s->is_short = size <= SHORT;
    if (!s->is_short && size > s->max) {
        s->answer = memory_grow(s->answer, size, 1);
        s->max = (uint32_t)size;
    }
    memcpy(s->is_short ? s->inside : s->answer, answer, size);
}
