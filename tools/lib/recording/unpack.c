/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/unpack.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/descriptor.h"

enum { MEMO = 1024, LITERAL = 128, LITERAL_END = 192 };

/* What a pack was found to hold. */
typedef struct memo {
    uint32_t number, word, count; /* count 0: the entry is empty */
    uint32_t paths[BALLARUS_PACK_MAX];
} memo;

struct unpack {
    pack_source source;
    packs_gathered *seen; /* or NULL */
    memo *memos;
    uint32_t *table; /* words, by what came before and number */
    weft_reader reader;
    uint8_t slots_log2;
    uint32_t last;    /* word */
    uint32_t run;     /* predicted words to come */
    uint32_t literal; /* bytes of the word after these; 0: none */
    uint32_t left;    /* words to come */
};

unpack *unpack_open(pack_source source)
{
    unpack *u = memory_zero(1, sizeof *u);
    u->source = source;
    return u;
}

void unpack_gather(unpack *u, packs_gathered *seen)
{
    u->seen = seen;
}

void unpack_close(unpack *u)
{
    if (!u)
        return;
    free(u->memos);
    free(u->table);
    free(u);
}

void unpack_start(unpack *u, const trace_body *body)
{
    weft_reader_init(&u->reader, body->pack_bytes, body->pack_size);
    u->slots_log2 = body->pack_slots_log2;
    u->left = body->pack_bytes ? body->packs : 0;
    u->last = u->run = u->literal = 0;
    if (!u->left)
        return;
    if (!u->table)
        u->table = memory_grow(NULL, (size_t)1 << WEFT_PACK_SLOTS_LOG2_MAX, sizeof *u->table);
    memset(u->table, 0, sizeof *u->table << u->slots_log2);
}

bool unpack_is(const unpack *u, uint32_t number)
{
    const pack_source *by = &u->source;
    return by->program ? descriptors_of_pack(by->program, number) != NULL
                       : by->stored && stored_packs_has(by->stored, number);
}

/* The next item of the section. */
static void read_item(unpack *u)
{
    uint32_t first = weft_read_u8(&u->reader);
    if (first >= LITERAL && first < LITERAL_END) {
        u->run = (first - LITERAL) / 4;
        u->literal = first % 4 + 1;
    } else {
        u->run = first ? first : weft_read_varint(&u->reader);
        if (first >= LITERAL || u->run == 0) {
            u->reader.status = WEFT_CORRUPT;
            u->run = 1;
        }
    }
}

/* A word in the fewest bytes that hold it. */
static uint32_t read_literal(unpack *u)
{
    uint32_t word = 0, size = u->literal;
    for (uint32_t i = 0; i < size; i++)
        word |= (uint32_t)weft_read_u8(&u->reader) << 8 * i;
    if (word >> 8 * (size - 1) == 0)
        u->reader.status = WEFT_CORRUPT;
    u->literal = 0;
    return word;
}

bool unpack_word(unpack *u, uint32_t number, uint32_t *word)
{
    uint32_t hash = u->last * 0x9e3779b1u + number * 0x85ebca6bu;
    if (u->left == 0)
        return false;
    uint32_t *predicted = &u->table[u->slots_log2 ? hash >> (32 - u->slots_log2) : 0];
    if (!u->run && !u->literal)
        read_item(u);
    if (u->run) {
        u->run--;
        *word = *predicted;
    } else {
        *word = read_literal(u);
    }
    *predicted = u->last = *word;
    u->left--;
    return u->reader.status == WEFT_OK;
}

static size_t find_paths(const unpack *u, uint32_t number, uint32_t word, uint32_t *paths)
{
    if (!u->source.program)
        return stored_packs_unpack(u->source.stored, number, word, paths);
    const descriptor_function *f = descriptors_of_pack(u->source.program, number);
    size_t count = f ? descriptor_unpack(f, word, paths) : 0;
    if (count && u->seen)
        packs_gathered_add(u->seen, f, paths, count);
    return count;
}

size_t unpack_paths(unpack *u, uint32_t number, uint32_t word, const uint32_t **paths)
{
    if (!u->memos)
        u->memos = memory_zero(MEMO, sizeof *u->memos);
    memo *m = &u->memos[(word * 0x9e3779b1u + number * 0x85ebca6bu) >> 22];
    if (!m->count || m->number != number || m->word != word) {
        m->number = number;
        m->word = word;
        m->count = (uint32_t)find_paths(u, number, word, m->paths);
    }
    *paths = m->paths;
    return m->count;
}

bool unpack_done(const unpack *u)
{
    return u->reader.status == WEFT_OK && !u->left && !u->run && !u->literal && weft_reader_left(&u->reader) == 0;
}
