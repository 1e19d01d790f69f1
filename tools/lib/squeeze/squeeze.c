/* SPDX-License-Identifier: MIT */
#include "tools/lib/squeeze/squeeze.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define VERSION 1u
#define KIND_WIDE 0x40u
#define TRIAL_MAX 8192u /* values of the prefix that all methods are tried on */
#define TABLE_BITS_LARGEST 16u
#define ZSTD_WORTH 48u /* payloads below this are left as they are */

/* ---- bytes ---- */

static void *must(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

void squeeze_bytes_add(squeeze_bytes *bytes, const void *data, size_t size)
{
    if (bytes->room - bytes->size < size) {
        bytes->room = (bytes->size + size) * 2 + 64;
        bytes->data = must(realloc(bytes->data, bytes->room));
    }
    if (size && data)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void squeeze_bytes_varint(squeeze_bytes *bytes, uint64_t value)
{
    uint8_t text[WEFT_VARINT64_MAX];
    weft_writer writer;
    weft_writer_init(&writer, text, sizeof text);
    weft_write_varint64(&writer, value);
    squeeze_bytes_add(bytes, text, writer.size);
}

void squeeze_bytes_free(squeeze_bytes *bytes)
{
    free(bytes->data);
    *bytes = (squeeze_bytes){0};
}

/* ---- sparse bits: the bytes that are not 0, under a bit map of them, under a bit map of that, ... ---- */

#define LEVELS_MAX 12

/* Appends levels from the smallest down. The sizes of the levels follow from `size`. */
static void bits_pack(squeeze_bytes *out, const uint8_t *bits, size_t size)
{
    const uint8_t *level[LEVELS_MAX] = {bits};
    size_t sizes[LEVELS_MAX] = {size};
    int top = 0;
    while (sizes[top] > 1) {
        uint8_t *map = must(calloc(1, sizes[top] / 8 + 1));
        for (size_t i = 0; i < sizes[top]; i++)
            if (level[top][i])
                map[i >> 3] |= (uint8_t)(1u << (i & 7));
        sizes[top + 1] = (sizes[top] + 7) / 8;
        level[++top] = map;
    }
    if (size)
        squeeze_bytes_add(out, level[top], 1);
    for (int l = top - 1; l >= 0; l--) {
        for (size_t i = 0; i < sizes[l]; i++)
            if (level[l][i])
                squeeze_bytes_add(out, &level[l][i], 1);
    }
    for (int l = 1; l <= top; l++)
        free((void *)(uintptr_t)level[l]);
}

/* Spreads one level's bytes over `out` (zeroed), as its map says. */
static void level_unpack(weft_reader *reader, uint8_t *out, size_t size, const uint8_t *map)
{
    for (size_t m = 0; m < (size + 7) / 8; m++)
        for (unsigned rest = map[m]; rest; rest &= rest - 1) {
            size_t i = m * 8 + (unsigned)__builtin_ctz(rest);
            if (i >= size) {
                reader->status = WEFT_CORRUPT;
                return;
            }
            out[i] = weft_read_u8(reader);
        }
}

/* `bits` has `size` zero bytes. */
static void bits_unpack(weft_reader *reader, uint8_t *bits, size_t size)
{
    size_t sizes[LEVELS_MAX] = {size};
    int top = 0;
    while (sizes[top] > 1) {
        sizes[top + 1] = (sizes[top] + 7) / 8;
        top++;
    }
    if (!size)
        return;
    uint8_t first = weft_read_u8(reader), *map = NULL;
    if (top == 0)
        bits[0] = first;
    for (int l = top; l > 0; l--) {
        uint8_t *below = l == 1 ? bits : must(calloc(1, sizes[l - 1]));
        level_unpack(reader, below, sizes[l - 1], l == top ? &first : map);
        free(map);
        map = l == 1 ? NULL : below;
    }
}

/* ---- words: mapped so that they are small, a nibble for the size of each, the lowest bytes, the next bytes, ... ---- */

enum { MAP_PLAIN, MAP_SIGN, MAP_DELTA, MAPS };

/* Strides are signed; values are best taken as they are or as differences from the last that was not 0. */
static uint64_t word_map(unsigned map, unsigned width, uint64_t word, uint64_t *last)
{
    unsigned shift = 64 - width;
    uint64_t mapped = word;
    if (map == MAP_SIGN)
        mapped = weft_zigzag64((int64_t)(word << shift) >> shift);
    if (map == MAP_DELTA && word)
        mapped = 1 + weft_zigzag64((int64_t)((word - *last) << shift) >> shift);
    if (word)
        *last = word;
    return mapped;
}

static uint64_t word_unmap(unsigned map, unsigned width, uint64_t mapped, uint64_t *last)
{
    uint64_t mask = width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1, word = mapped;
    if (map == MAP_SIGN)
        word = (uint64_t)weft_unzigzag64(mapped) & mask;
    if (map == MAP_DELTA && mapped)
        word = (*last + (uint64_t)weft_unzigzag64(mapped - 1)) & mask;
    if (word)
        *last = word;
    return word;
}

static unsigned byte_count(uint64_t value)
{
    return value ? (unsigned)(71 - __builtin_clzll(value)) / 8 : 0;
}

static unsigned best_map(const uint64_t *words, size_t count, unsigned width)
{
    size_t sizes[MAPS] = {0};
    unsigned best = 0;
    for (unsigned map = 0; map < MAPS; map++) {
        uint64_t last = 0;
        for (size_t i = 0; i < count; i++) {
            uint64_t mapped = word_map(map, width, words[i], &last);
            /* A 64-bit delta of the largest magnitude does not fit once 1 is added. */
            sizes[map] += map == MAP_DELTA && words[i] && !mapped ? SIZE_MAX / 4 : byte_count(mapped);
        }
        if (sizes[map] < sizes[best])
            best = map;
    }
    return best;
}

static void words_pack(squeeze_bytes *out, const uint64_t *words, size_t count, unsigned width)
{
    unsigned map = best_map(words, count, width);
    uint8_t first = (uint8_t)map;
    uint64_t last = 0;
    squeeze_bytes_varint(out, count);
    if (!count)
        return;
    squeeze_bytes_add(out, &first, 1);
    size_t nibbles = out->size;
    squeeze_bytes_add(out, NULL, (count + 1) / 2);
    memset(out->data + nibbles, 0, (count + 1) / 2);
    size_t planes[9] = {0};
    for (size_t i = 0; i < count; i++) {
        unsigned size = byte_count(word_map(map, width, words[i], &last));
        out->data[nibbles + i / 2] |= (uint8_t)(size << (4 * (i & 1)));
        for (unsigned k = 0; k < size; k++)
            planes[k + 1]++;
    }
    size_t first_plane = out->size;
    for (unsigned k = 0; k < 8; k++)
        planes[k + 1] += planes[k];
    squeeze_bytes_add(out, NULL, planes[8]);
    last = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t mapped = word_map(map, width, words[i], &last);
        for (unsigned k = 0; mapped >> (8 * k); k++) {
            out->data[first_plane + planes[k]++] = (uint8_t)(mapped >> (8 * k));
            if (k == 7)
                break;
        }
    }
}

/* At most `room` words go to `store` through `put`; the count is returned. */
typedef void put_word(void *context, size_t index, uint64_t word);

static size_t words_unpack(weft_reader *reader, size_t room, unsigned width, put_word *put, void *context)
{
    uint64_t count = weft_read_varint64(reader), last = 0;
    if (reader->status != WEFT_OK || count > room) {
        reader->status = WEFT_CORRUPT;
        return 0;
    }
    if (!count)
        return 0;
    unsigned map = weft_read_u8(reader);
    const uint8_t *nibbles = weft_read_bytes(reader, (size_t)(count + 1) / 2);
    if (!nibbles || map >= MAPS) {
        reader->status = WEFT_CORRUPT;
        return 0;
    }
    size_t planes[9] = {0};
    for (size_t i = 0; i < count; i++)
        for (unsigned k = nibbles[i / 2] >> (4 * (i & 1)) & 15; k > 0; k--)
            planes[k < 8 ? k : 8]++;
    for (unsigned k = 0; k < 8; k++)
        planes[k + 1] += planes[k];
    const uint8_t *bytes = weft_read_bytes(reader, planes[8]);
    if (!bytes) {
        reader->status = WEFT_CORRUPT;
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        unsigned size = nibbles[i / 2] >> (4 * (i & 1)) & 15;
        uint64_t mapped = 0;
        if (size > 8) {
            reader->status = WEFT_CORRUPT;
            return 0;
        }
        for (unsigned k = 0; k < size; k++)
            mapped |= (uint64_t)bytes[planes[k]++] << (8 * k);
        put(context, i, word_unmap(map, width, mapped, &last));
    }
    return (size_t)count;
}

/* ---- packing ---- */

struct squeeze_packer {
    uint64_t *tables; /* 2 << TABLE_BITS_LARGEST */
    uint64_t *misses;
    uint64_t *words;
    uint8_t *flags;
    size_t room; /* values that misses and flags hold */
    squeeze_bytes payload, packed;
    ZSTD_CCtx *zstd;
};

squeeze_packer *squeeze_packer_new(void)
{
    squeeze_packer *packer = must(calloc(1, sizeof *packer));
    packer->tables = must(calloc((size_t)2 << TABLE_BITS_LARGEST, sizeof *packer->tables));
    packer->zstd = must(ZSTD_createCCtx());
    return packer;
}

void squeeze_packer_free(squeeze_packer *packer)
{
    free(packer->tables);
    free(packer->misses);
    free(packer->words);
    free(packer->flags);
    squeeze_bytes_free(&packer->payload);
    squeeze_bytes_free(&packer->packed);
    ZSTD_freeCCtx(packer->zstd);
    free(packer);
}

static void packer_room(squeeze_packer *packer, size_t count)
{
    if (count <= packer->room)
        return;
    packer->room = count;
    packer->misses = must(realloc(packer->misses, count * sizeof *packer->misses));
    packer->words = must(realloc(packer->words, count * sizeof *packer->words));
    packer->flags = must(realloc(packer->flags, count / 2 + 1));
}

/* Rows enough for the contexts of `count` values. */
static uint8_t table_bits_of(size_t count)
{
    uint8_t bits = 4;
    while (bits < TABLE_BITS_LARGEST && (size_t)1 << bits < count)
        bits++;
    return bits;
}

squeeze_choice squeeze_choose32(squeeze_packer *packer, const uint32_t *values, size_t count)
{
    size_t trial = count < TRIAL_MAX ? count : TRIAL_MAX;
    weft_bfcm_config config = {.table_bits = table_bits_of(trial), .tables = (uint32_t *)packer->tables};
    weft_bfcm_choose(&config, values, trial);
    return (squeeze_choice){config.method, config.context};
}

squeeze_choice squeeze_choose64(squeeze_packer *packer, const uint64_t *values, size_t count)
{
    size_t trial = count < TRIAL_MAX ? count : TRIAL_MAX;
    weft_bfcm64_config config = {.table_bits = table_bits_of(trial), .tables = packer->tables};
    weft_bfcm64_choose(&config, values, trial);
    return (squeeze_choice){config.method, config.context};
}

/* The head, and the payload as it is or compressed. */
static void block_write(squeeze_packer *packer, squeeze_bytes *out, squeeze_choice choice, bool wide, uint8_t bits,
                        size_t count)
{
    const squeeze_bytes *payload = &packer->payload;
    uint8_t head[3] = {(uint8_t)(VERSION << 4 & 0x30) | (wide ? KIND_WIDE : 0) | (uint8_t)choice.method, choice.context,
                       bits};
    uint8_t crc[4];
    uint32_t sum = weft_crc32(0, payload->data, payload->size);
    const uint8_t *data = payload->data;
    size_t size = payload->size;
    if (size >= ZSTD_WORTH) {
        packer->packed.size = 0;
        squeeze_bytes_add(&packer->packed, NULL, ZSTD_compressBound(size));
        size_t packed = ZSTD_compressCCtx(packer->zstd, packer->packed.data, packer->packed.size, data, size, 9);
        if (!ZSTD_isError(packed) && packed < size) {
            data = packer->packed.data;
            size = packed;
        }
    }
    for (int i = 0; i < 4; i++)
        crc[i] = (uint8_t)(sum >> (8 * i));
    squeeze_bytes_add(out, head, sizeof head);
    squeeze_bytes_varint(out, count);
    squeeze_bytes_varint(out, payload->size);
    squeeze_bytes_varint(out, size);
    squeeze_bytes_add(out, crc, sizeof crc);
    squeeze_bytes_add(out, data, size);
}

/* The rows' right words that are not 0, as sparse bits and words. */
static void table_pack(squeeze_packer *packer, const void *tables, bool wide, size_t rows)
{
    uint8_t *used = must(calloc(1, rows / 8 + 1));
    uint64_t *words = must(malloc((rows + 1) * sizeof *words));
    size_t count = 0;
    for (size_t row = 0; row < rows; row++) {
        uint64_t word = wide ? ((const uint64_t *)tables)[2 * row + 1] : ((const uint32_t *)tables)[2 * row + 1];
        if (!word)
            continue;
        used[row >> 3] |= (uint8_t)(1u << (row & 7));
        words[count++] = word;
    }
    bits_pack(&packer->payload, used, (rows + 7) / 8);
    words_pack(&packer->payload, words, count, wide ? 64 : 32);
    free(used);
    free(words);
}

static void state_pack(squeeze_packer *packer, bool wide, squeeze_choice choice, uint8_t bits, size_t count,
                       size_t right)
{
    packer->payload.size = 0;
    bits_pack(&packer->payload, packer->flags, weft_bfcm_flags_size(choice.method, choice.context, count));
    for (size_t i = 0; i < right; i++)
        packer->words[i] = wide ? packer->misses[count - right + i] : ((uint32_t *)packer->misses)[count - right + i];
    words_pack(&packer->payload, packer->words, right, wide ? 64 : 32);
    if (choice.method < WEFT_BFCM_LAST)
        table_pack(packer, packer->tables, wide, (size_t)1 << bits);
}

void squeeze_pack32(squeeze_packer *packer, squeeze_bytes *out, squeeze_choice choice, const uint32_t *values,
                    size_t count)
{
    packer_room(packer, count);
    weft_bfcm b;
    weft_bfcm_config config = {.method = choice.method,
                               .context = choice.context,
                               .table_bits = table_bits_of(count),
                               .tables = (uint32_t *)packer->tables,
                               .flags = packer->flags,
                               .values_max = count,
                               .misses = (uint32_t *)packer->misses,
                               .misses_max = count};
    weft_bfcm_init(&b, &config);
    for (size_t i = 0; i < count; i++)
        weft_bfcm_push(&b, values[i]);
    weft_bfcm_backward(&b, NULL, count);
    state_pack(packer, false, choice, config.table_bits, count, b.right);
    block_write(packer, out, choice, false, config.table_bits, count);
}

void squeeze_pack64(squeeze_packer *packer, squeeze_bytes *out, squeeze_choice choice, const uint64_t *values,
                    size_t count)
{
    packer_room(packer, count);
    weft_bfcm64 b;
    weft_bfcm64_config config = {.method = choice.method,
                                 .context = choice.context,
                                 .table_bits = table_bits_of(count),
                                 .tables = packer->tables,
                                 .flags = packer->flags,
                                 .values_max = count,
                                 .misses = packer->misses,
                                 .misses_max = count};
    weft_bfcm64_init(&b, &config);
    for (size_t i = 0; i < count; i++)
        weft_bfcm64_push(&b, values[i]);
    weft_bfcm64_backward(&b, NULL, count);
    state_pack(packer, true, choice, config.table_bits, count, b.right);
    block_write(packer, out, choice, true, config.table_bits, count);
}

/* ---- opening ---- */

typedef struct block_head {
    weft_bfcm_method method;
    uint8_t context, bits;
    bool wide;
    size_t count, plain_size, size;
    uint32_t crc;
    const uint8_t *payload;
} block_head;

static weft_status head_read(weft_reader *reader, block_head *head)
{
    uint8_t kind = weft_read_u8(reader);
    head->method = (weft_bfcm_method)(kind & 3);
    head->wide = (kind & KIND_WIDE) != 0;
    head->context = weft_read_u8(reader);
    head->bits = weft_read_u8(reader);
    uint64_t count = weft_read_varint64(reader), plain = weft_read_varint64(reader), size = weft_read_varint64(reader);
    head->crc = weft_read_u32(reader);
    if (reader->status != WEFT_OK)
        return WEFT_CORRUPT;
    if ((kind >> 4 & 3) != VERSION || kind & 0x8c)
        return WEFT_VERSION;
    if (!count || count > SQUEEZE_BLOCK_MAX || size > plain || plain > count * 24 + ((size_t)16 << TABLE_BITS_LARGEST))
        return WEFT_CORRUPT;
    if (head->bits > TABLE_BITS_LARGEST || !weft_bfcm_table_words(head->method, head->context, head->bits))
        return WEFT_CORRUPT;
    head->count = (size_t)count;
    head->plain_size = (size_t)plain;
    head->size = (size_t)size;
    head->payload = weft_read_bytes(reader, head->size);
    return head->payload ? WEFT_OK : WEFT_CORRUPT;
}

/* The payload, decompressed into *own if it must be; NULL: damaged. */
static const uint8_t *payload_open(const block_head *head, uint8_t **own)
{
    const uint8_t *payload = head->payload;
    *own = NULL;
    if (head->size < head->plain_size) {
        *own = malloc(head->plain_size);
        if (!*own || ZSTD_decompress(*own, head->plain_size, payload, head->size) != head->plain_size) {
            free(*own);
            return *own = NULL;
        }
        payload = *own;
    }
    if (weft_crc32(0, payload, head->plain_size) == head->crc)
        return payload;
    free(*own);
    return *own = NULL;
}

/* Where the words of a block go. */
typedef struct block_arrays {
    void *tables, *misses;
    uint8_t *flags, *used;
    size_t rows, row, count;
    bool wide;
} block_arrays;

static void put_miss(void *context, size_t index, uint64_t word)
{
    block_arrays *a = context;
    if (a->wide)
        ((uint64_t *)a->misses)[index] = word;
    else
        ((uint32_t *)a->misses)[index] = (uint32_t)word;
}

static void put_row(void *context, size_t index, uint64_t word)
{
    block_arrays *a = context;
    (void)index;
    while (a->row < a->rows && !(a->used[a->row >> 3] >> (a->row & 7) & 1))
        a->row++;
    if (a->row == a->rows)
        return;
    size_t at = 2 * a->row++ + 1;
    if (a->wide)
        ((uint64_t *)a->tables)[at] = word;
    else
        ((uint32_t *)a->tables)[at] = (uint32_t)word;
}

static size_t bits_set(const uint8_t *bits, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += (size_t)__builtin_popcount(bits[i]);
    return count;
}

/* Misses that the flags call for. */
static size_t misses_flagged(const block_head *head, const uint8_t *flags)
{
    unsigned bits = weft_bfcm_flag_bits(head->method, head->context), mask = (1u << bits) - 1, miss = mask;
    size_t misses = 0;
    for (size_t i = 0; i < head->count; i++)
        misses += (flags[i * bits >> 3] >> (i * bits & 7) & mask) == miss;
    return misses;
}

static bool payload_spread(const block_head *head, block_arrays *a, const uint8_t *payload, size_t *right)
{
    weft_reader reader;
    unsigned width = a->wide ? 64 : 32;
    weft_reader_init(&reader, payload, head->plain_size);
    bits_unpack(&reader, a->flags, weft_bfcm_flags_size(head->method, head->context, head->count));
    *right = words_unpack(&reader, head->count, width, put_miss, a);
    if (reader.status == WEFT_OK && head->method < WEFT_BFCM_LAST) {
        a->rows = (size_t)1 << head->bits;
        a->used = must(calloc(1, a->rows / 8 + 1));
        bits_unpack(&reader, a->used, (a->rows + 7) / 8);
        size_t words = words_unpack(&reader, a->rows, width, put_row, a);
        if (words != bits_set(a->used, a->rows / 8))
            reader.status = WEFT_CORRUPT;
        free(a->used);
    }
    return reader.status == WEFT_OK && weft_reader_left(&reader) == 0 && misses_flagged(head, a->flags) == *right;
}

static void cursor_set(squeeze_cursor *cursor, const block_head *head, const block_arrays *a, size_t right)
{
    size_t word = a->wide ? 8 : 4;
    memmove((uint8_t *)a->misses + (head->count - right) * word, a->misses, right * word);
    cursor->wide = a->wide;
    if (a->wide) {
        weft_bfcm64_config config = {head->method, head->context, head->bits, a->tables,
                                     a->flags,     head->count,   a->misses,  head->count};
        cursor->wide_bfcm = (weft_bfcm64){.config = config, .count = head->count, .right = right};
    } else {
        weft_bfcm_config config = {head->method, head->context, head->bits, a->tables,
                                   a->flags,     head->count,   a->misses,  head->count};
        cursor->bfcm = (weft_bfcm){.config = config, .count = head->count, .right = right};
    }
}

weft_status squeeze_open(squeeze_cursor *cursor, const uint8_t *bytes, size_t size, size_t *used)
{
    weft_reader reader;
    block_head head;
    uint8_t *own;
    size_t right;
    weft_reader_init(&reader, bytes, size);
    weft_status status = head_read(&reader, &head);
    if (status != WEFT_OK)
        return status;
    const uint8_t *payload = payload_open(&head, &own);
    if (!payload)
        return WEFT_CORRUPT;
    size_t word = head.wide ? 8 : 4, words = weft_bfcm_table_words(head.method, head.context, head.bits);
    size_t flags = weft_bfcm_flags_size(head.method, head.context, head.count);
    cursor->memory = must(calloc(1, (words + head.count) * word + flags));
    block_arrays a = {.tables = cursor->memory, .wide = head.wide, .count = head.count};
    a.misses = (uint8_t *)cursor->memory + words * word;
    a.flags = (uint8_t *)a.misses + head.count * word;
    bool good = payload_spread(&head, &a, payload, &right);
    free(own);
    if (!good) {
        free(cursor->memory);
        return WEFT_CORRUPT;
    }
    cursor_set(cursor, &head, &a, right);
    *used = reader.at;
    return WEFT_OK;
}

void squeeze_close(squeeze_cursor *cursor)
{
    free(cursor->memory);
    cursor->memory = NULL;
}

size_t squeeze_count(const squeeze_cursor *cursor)
{
    return cursor->wide ? cursor->wide_bfcm.count : cursor->bfcm.count;
}

size_t squeeze_forward(squeeze_cursor *cursor, uint64_t *out, size_t steps)
{
    if (cursor->wide)
        return weft_bfcm64_forward(&cursor->wide_bfcm, out, steps);
    uint32_t part[1024];
    size_t done = 0, got = 1;
    while (done < steps && got) {
        got = weft_bfcm_forward(&cursor->bfcm, part, steps - done < 1024 ? steps - done : 1024);
        for (size_t i = 0; i < got; i++)
            out[done + i] = part[i];
        done += got;
    }
    return done;
}

size_t squeeze_backward(squeeze_cursor *cursor, uint64_t *out, size_t steps)
{
    if (cursor->wide)
        return weft_bfcm64_backward(&cursor->wide_bfcm, out, steps);
    uint32_t part[1024];
    size_t done = 0, got = 1;
    while (done < steps && got) {
        got = weft_bfcm_backward(&cursor->bfcm, part, steps - done < 1024 ? steps - done : 1024);
        for (size_t i = 0; i < got; i++)
            out[done + i] = part[i];
        done += got;
    }
    return done;
}
