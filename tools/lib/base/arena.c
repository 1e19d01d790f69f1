/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/arena.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1 /* as GCC says it */
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
#define PIECE_MAX 0u
#else
#define PIECE_MAX (UINT32_C(4) << 20) /* bytes; from this size on, memory_table asks for large pages */
#endif
#define PIECE_MIN (UINT32_C(16) << 10) /* of the first piece; each has twice the last one's */

/* Before the arrays of a piece. */
typedef struct piece {
    _Alignas(max_align_t) struct piece *before;
} piece;

static void piece_add(arena *a, size_t least)
{
    size_t size = a->size < PIECE_MIN ? PIECE_MIN : 2 * a->size;
    size = size > PIECE_MAX ? PIECE_MAX : size;
    if (least > SIZE_MAX - sizeof(piece))
        memory_got(NULL);
    size = size < sizeof(piece) + least ? sizeof(piece) + least : size;
    piece *p = memory_table(1, size);
    p->before = a->last;
    a->size = size;
    a->last = p;
    a->next = (uint8_t *)(p + 1);
    a->left = size - sizeof *p;
}

void *arena_zero(arena *a, size_t count, size_t size)
{
    size_t align = size & -size; /* what an element may need at most */
    align = align > _Alignof(max_align_t) ? _Alignof(max_align_t) : align;
    if (size && count > SIZE_MAX / size)
        memory_got(NULL);
    size_t bytes = count * size, unused = align ? -(uintptr_t)a->next & (align - 1) : 0;
    if (!a->last || unused > a->left || bytes > a->left - unused) {
        piece_add(a, bytes);
        unused = 0;
    }
    uint8_t *array = a->next + unused;
    a->next = array + bytes;
    a->left -= unused + bytes;
    return array;
}

void arena_free(arena *a)
{
    for (piece *p = a->last, *before; p; p = before) {
        before = p->before;
        free(p);
    }
    *a = (arena){0};
}
