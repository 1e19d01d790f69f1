/* SPDX-License-Identifier: MIT */
/* The steps, per block:
 *   1  push all values through the predictor, then run it backward to the start. Its state then stands for the values
 *   2  that state as bytes: flags, misses, the rows of the table that are not 0
 *   3  the head, and these bytes, compressed if that makes them shorter */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tools/lib/base/checksum.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/squeeze/block.h"
#include "tools/lib/squeeze/squeeze.h"
#include "tools/lib/squeeze/words.h"

#define TRIAL_MAX 8192u /* first values, on which all methods are tried. More: slower, rarely a better choice */
#define ZSTD_WORTH 48u  /* bytes: a smaller state is not compressed */
#define ZSTD_LEVEL 9    /* higher: slower to pack, a little shorter */

struct squeeze_packer {
    uint64_t *tables; /* 2 << SQUEEZE_TABLE_BITS_MAX */
    uint64_t *misses;
    uint64_t *words;
    uint8_t *flags;
    size_t room; /* values for which misses and flags have room */
    squeeze_bytes payload, packed;
    ZSTD_CCtx *zstd;
};

squeeze_packer *squeeze_packer_new(void)
{
    squeeze_packer *packer = memory_zero(1, sizeof *packer);
    packer->tables = memory_zero((size_t)2 << SQUEEZE_TABLE_BITS_MAX, sizeof *packer->tables);
    packer->zstd = memory_got(ZSTD_createCCtx());
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
    packer->misses = memory_grow(packer->misses, count, sizeof *packer->misses);
    packer->words = memory_grow(packer->words, count, sizeof *packer->words);
    packer->flags = memory_grow(packer->flags, count / 2 + 1, 1);
}

/* log2 of the rows that are enough for the contexts of `count` values. */
static uint8_t table_bits_of(size_t count)
{
    uint8_t bits = 4;
    while (bits < SQUEEZE_TABLE_BITS_MAX && (size_t)1 << bits < count)
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
    uint8_t head[3] = {(uint8_t)(SQUEEZE_VERSION << SQUEEZE_VERSION_SHIFT) | (wide ? SQUEEZE_WIDE : 0) |
                           (uint8_t)choice.method,
                       choice.context, bits};
    uint8_t crc[4];
    uint32_t sum = checksum_crc32(0, payload->data, payload->size);
    const uint8_t *data = payload->data;
    size_t size = payload->size;
    if (size >= ZSTD_WORTH) {
        packer->packed.size = 0;
        squeeze_bytes_add(&packer->packed, NULL, ZSTD_compressBound(size));
        size_t packed =
            ZSTD_compressCCtx(packer->zstd, packer->packed.data, packer->packed.size, data, size, ZSTD_LEVEL);
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

/* The right words of the rows that are not 0, as sparse bits and words. */
static void table_pack(squeeze_packer *packer, const void *tables, bool wide, size_t rows)
{
    uint8_t *used = memory_zero(rows / 8 + 1, 1);
    uint64_t *words = memory_grow(NULL, rows + 1, sizeof *words);
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
