/* SPDX-License-Identifier: MIT */
/* What a frame is sealed with: check sum and COBS. */
#include "core/bytes.h"
#include "core/own.h"

/* For a given previous sum, different words give different sums. For a given word, different previous sums do too. */
static uint32_t sum_step(uint32_t sum, uint32_t word)
{
    sum ^= word;
    sum ^= sum >> 15; /* before the product, in which the highest bits would affect no others */
    return sum * 0x9e3779b1u + 0x7f4a7c15u;
}

static uint32_t little_word(const uint8_t *bytes)
{
#if defined(__ARM_FEATURE_UNALIGNED)
    uint32_t word;
    __builtin_memcpy(&word, bytes, sizeof word);
    return word;
#else
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
#endif
}

void weft_sum_start(weft_sum *sum)
{
    sum->sum = sum->part = sum->count = 0;
}

static void sum_byte(weft_sum *sum, uint8_t byte)
{
    sum->part |= (uint32_t)byte << 8 * sum->count++;
    if (sum->count < 4)
        return;
    sum->sum = sum_step(sum->sum, sum->part);
    sum->part = sum->count = 0;
}

#ifdef __OPTIMIZE_SIZE__
/* A word, where no part of one waits, or a byte. */
void weft_sum_put(weft_sum *sum, const uint8_t *bytes, size_t size)
{
    const uint8_t *end = bytes + size;
    while (bytes != end) {
        if (sum->count || end - bytes < 4) {
            sum_byte(sum, *bytes++);
        } else {
            sum->sum = sum_step(sum->sum, little_word(bytes));
            bytes += 4;
        }
    }
}
#else
void weft_sum_put(weft_sum *sum, const uint8_t *bytes, size_t size)
{
    /*@ loop invariant size <= \at(size, Pre) && bytes + size == \at(bytes, Pre) + \at(size, Pre);
        loop invariant sum->count <= 3;
        loop assigns *sum, bytes, size;
        loop variant size; */
    for (; size && sum->count; size--)
        sum_byte(sum, *bytes++);
    uint32_t words = sum->sum;
    /*@ loop invariant size <= \at(size, Pre) && bytes + size == \at(bytes, Pre) + \at(size, Pre);
        loop assigns words, bytes, size;
        loop variant size; */
    for (; size >= 8; size -= 8, bytes += 8) {
        words = sum_step(words, little_word(bytes));
        words = sum_step(words, little_word(bytes + 4));
    }
    sum->sum = words;
    /*@ loop invariant size <= \at(size, Pre) && bytes + size == \at(bytes, Pre) + \at(size, Pre);
        loop invariant sum->count <= 3;
        loop assigns *sum, bytes, size;
        loop variant size; */
    for (; size; size--)
        sum_byte(sum, *bytes++);
}
#endif

uint32_t weft_sum_end(const weft_sum *sum)
{
    return sum_step(sum_step(sum->sum, sum->part), sum->count);
}

uint32_t weft_sum_of(const uint8_t *bytes, size_t size)
{
    weft_sum sum;
    weft_sum_start(&sum);
    weft_sum_put(&sum, bytes, size);
    return weft_sum_end(&sum);
}

void weft_cobs_start(weft_cobs *cobs, uint8_t *out)
{
    cobs->out = cobs->code = out;
    cobs->to = out + 1;
}

/* Copies pairs of words up to the first one that holds a zero, and returns their bytes. The copy may overlap what is
 * read if `to` lies before it. Copies nothing where words must be aligned. */
static inline size_t nonzero_words(uint8_t *to, const uint8_t *in, size_t size)
{
    size_t done = 0;
#if defined(__ARM_FEATURE_UNALIGNED) || !defined(__arm__)
    for (uint32_t word[2]; size - done >= sizeof word; done += sizeof word) {
        __builtin_memcpy(&word[0], in + done, sizeof word[0]);
        __builtin_memcpy(&word[1], in + done + sizeof word[0], sizeof word[1]);
        if ((((word[0] - 0x01010101u) & ~word[0]) | ((word[1] - 0x01010101u) & ~word[1])) & 0x80808080u)
            break;
        /* NOLINTNEXTLINE: `to` is within the caller's buffer, never NULL */
        __builtin_memcpy(to + done, &word[0], sizeof word[0]);
        __builtin_memcpy(to + done + sizeof word[0], &word[1], sizeof word[1]); /* NOLINT: likewise */
    }
#else
    (void)to, (void)in, (void)size;
#endif
    return done;
}

void weft_cobs_put(weft_cobs *cobs, const uint8_t *in, size_t size)
{
    const uint8_t *end = in + size;
    uint8_t *to = cobs->to, *code = cobs->code;
    /*@ ghost size_t extra = 0; */ /* groups that were opened after a full one */
    /*@ loop invariant \base_addr(in) == \base_addr(end) && 0 <= end - in <= size;
        loop invariant \base_addr(to) == \base_addr(cobs->out);
        loop invariant to - \at(cobs->to, Pre) == size - (end - in) + extra;
        loop invariant 254 * extra + (code == \null ? 254 : to - code - 1) <= size - (end - in) + \at(group(cobs), Pre);
        loop invariant code != \null ==> \base_addr(code) == \base_addr(to) && cobs->out <= code;
        loop invariant code != \null ==> 1 <= to - code <= 254;
        loop assigns in, to, code, extra, *(cobs->out + (0 .. \at(most(cobs, size), Pre) - 1));
        loop variant end - in; */
    while (in != end) {
        /*@ ghost if (!code) extra++; */
        if (!code)
            code = to++;
        size_t room = 255 - (size_t)(to - code);
        const uint8_t *limit = (size_t)(end - in) > room ? in + room : end;
        uint8_t byte = 1;
        size_t words = nonzero_words(to, in, (size_t)(limit - in));
        in += words;
        to += words;
        /*@ loop invariant \base_addr(in) == \base_addr(limit) && 0 <= limit - in && byte != 0;
            loop invariant \base_addr(to) == \base_addr(code);
            loop invariant to - \at(to, LoopEntry) == in - \at(in, LoopEntry) >= 0;
            loop assigns in, to, byte, *(cobs->out + (0 .. \at(most(cobs, size), Pre) - 1));
            loop variant limit - in; */
        while (in != limit && (byte = *in++) != 0)
            *to++ = byte;
        if (byte == 0) {
            *code = (uint8_t)(to - code); /* the zero ends the group; another group follows, even if empty */
            code = to++;
        } else if (to - code == 255) {
            *code = 255; /* a full group: no zero follows it */
            code = NULL;
        }
    }
    cobs->to = to;
    cobs->code = code;
}

/* Both steps of a frame's bytes, of which the second reads what the first read: so one pass loads each word once, and
 * stores it as it is. A zero becomes the length of the group that it ends, in its place. */
#if !defined(__OPTIMIZE_SIZE__) && (defined(__ARM_FEATURE_UNALIGNED) || !defined(__arm__))
static inline void put_little_word(uint8_t *bytes, uint32_t word)
{
#if defined(__ARM_FEATURE_UNALIGNED)
    __builtin_memcpy(bytes, &word, sizeof word);
#else
    for (unsigned i = 0; i < sizeof word; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
#endif
}

/* Ends a group at each zero of the eight bytes at `at`. Returns the place of the length of the group that is open then.
 * A function of its own, since in a pass without zeros all registers serve the words. */
static __attribute__((noinline)) uint8_t *end_groups(uint8_t *code, uint8_t *at)
{
    for (const uint8_t *end = at + 8; at != end; at += 4) {
        uint32_t word = little_word(at), low = word & 0x7f7f7f7fu;
        uint32_t zeros = ~((low + 0x7f7f7f7fu) | word | 0x7f7f7f7fu); /* 0x80 in each byte that is zero */
        for (; zeros; zeros &= zeros - 1) {
            uint8_t *place = at + (unsigned)__builtin_ctz(zeros) / 8;
            *code = (uint8_t)(place - code);
            code = place;
        }
    }
    return code;
}

/* Adds the eight bytes at `in` to the sum, and codes them to `to`: they do not fill the group. */
static inline uint8_t *put_pair(const uint8_t *in, uint8_t *to, uint8_t *code, uint32_t *sum)
{
    uint32_t first = little_word(in), second = little_word(in + 4);
    *sum = sum_step(sum_step(*sum, first), second);
    put_little_word(to, first);
    put_little_word(to + 4, second);
    if ((((first - 0x01010101u) & ~first) | ((second - 0x01010101u) & ~second)) & 0x80808080u)
        return end_groups(code, to);
    return code;
}

/* Codes bytes one by one, as a group may be full after each. */
static inline void code_bytes(weft_cobs *cobs, uint32_t bytes, size_t count)
{
    uint8_t *to = cobs->to, *code = cobs->code;
    for (; count; count--, bytes >>= 8) {
        uint8_t byte = (uint8_t)bytes;
        if (!code)
            code = to++;
        *to = byte;
        if (byte == 0) {
            *code = (uint8_t)(to - code);
            code = to;
        } else if (to + 1 - code == 255) {
            *code = 255;
            code = NULL;
        }
        to++;
    }
    cobs->to = to;
    cobs->code = code;
}

/* Whole words of the sum. Pairs of them, as long as the group is not full after one; else a word by its bytes. */
static const uint8_t *put_words(weft_sum *sum, weft_cobs *cobs, const uint8_t *in, size_t size)
{
    const uint8_t *end = in + size;
    uint32_t all = sum->sum;
    while (in != end) {
        uint8_t *to = cobs->to, *code = cobs->code;
        size_t room = code ? 254 - (size_t)(to - code) : 0;
        size_t pairs = (room < (size_t)(end - in) ? room : (size_t)(end - in)) / 8;
        for (const uint8_t *last = in + pairs / 2 * 16; in != last; in += 16, to += 16) {
            code = put_pair(in, to, code, &all);
            code = put_pair(in + 8, to + 8, code, &all);
        }
        if (pairs % 2) {
            code = put_pair(in, to, code, &all);
            in += 8;
            to += 8;
        }
        cobs->to = to;
        cobs->code = code;
        if (in != end) {
            uint32_t word = little_word(in);
            all = sum_step(all, word);
            code_bytes(cobs, word, 4);
            in += 4;
        }
    }
    sum->sum = all;
    return in;
}

void weft_seal_put(weft_sum *sum, weft_cobs *cobs, const uint8_t *in, size_t size)
{
    const uint8_t *end = in + size;
    if (!sum->count)
        in = put_words(sum, cobs, in, size / 4 * 4);
    while (in != end) {
        uint8_t byte = *in++;
        code_bytes(cobs, byte, 1);
        sum_byte(sum, byte);
        if (!sum->count)
            in = put_words(sum, cobs, in, (size_t)(end - in) / 4 * 4);
    }
}
#else
void weft_seal_put(weft_sum *sum, weft_cobs *cobs, const uint8_t *in, size_t size)
{
    /* The sum first: the coding may overwrite what it reads. */
    weft_sum_put(sum, in, size);
    weft_cobs_put(cobs, in, size);
}
#endif

size_t weft_cobs_end(weft_cobs *cobs)
{
    if (cobs->code)
        *cobs->code = (uint8_t)(cobs->to - cobs->code);
    return (size_t)(cobs->to - cobs->out);
}

size_t weft_cobs_encode(uint8_t *out, const uint8_t *in, size_t size)
{
    weft_cobs cobs;
    weft_cobs_start(&cobs, out);
    weft_cobs_put(&cobs, in, size);
    return weft_cobs_end(&cobs);
}
