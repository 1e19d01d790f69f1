/* SPDX-License-Identifier: MIT */
/* What the files that read a profile share: numbers whose errors stick, compared with the bytes that are left. */
#ifndef WEFT_TOOLS_LIB_FLEET_PROFILE_READING_H
#define WEFT_TOOLS_LIB_FLEET_PROFILE_READING_H

#include <string.h>

#include "core/bytes.h"
#include "tools/lib/fleet/profile_file.h"

/* What is read, and where it goes. */
typedef struct reading {
    weft_reader in;
    merged *all;
    bool adds;         /* else it only checks */
    bool leads, led;   /* paths have leads; one of them is not 0 */
    const char *error; /* what is wrong, if it is not damage */
    uint32_t *names;   /* by place in the file: number in all->names */
    uint32_t *sets;    /* by place + 1: number in all->sets; 0 is SETS_MORE */
    uint32_t *images;
    size_t name_count, set_count, image_count;
    struct {
        uint64_t image, k;
        const uint8_t *labels; /* NULL: none was read yet */
        size_t size;
    } last; /* group */
} reading;

static inline int compare_text(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
    int order = memcmp(a, b, a_size < b_size ? a_size : b_size);
    return order ? order : a_size < b_size ? -1 : a_size > b_size;
}

static inline bool good(const reading *r)
{
    return r->in.status == WEFT_OK && !r->error;
}

static inline void bad(reading *r)
{
    r->in.status = WEFT_CORRUPT;
}

/* In as few bytes as it takes: a profile has one form only. Most numbers are of one byte or two. */
static inline uint64_t number(reading *r)
{
    weft_reader *in = &r->in;
    const uint8_t *byte = in->bytes + in->at;
    size_t left = in->status == WEFT_OK ? in->size - in->at : 0;
    if (left && byte[0] < 128) {
        in->at++;
        return byte[0];
    }
    if (left > 1 && byte[1] && byte[1] < 128) {
        in->at += 2;
        return (byte[0] & 127u) | (unsigned)byte[1] << 7;
    }
    uint64_t value = weft_read_varint64(in);
    if (in->status == WEFT_OK && !in->bytes[in->at - 1])
        bad(r);
    return value;
}

/* A number of at most `max`. */
static inline uint64_t number_to(reading *r, uint64_t max)
{
    uint64_t value = number(r);
    if (value > max)
        bad(r);
    return good(r) ? value : 0;
}

/* A count of things of at least `size` bytes each. */
static inline size_t count_of(reading *r, size_t size)
{
    uint64_t value = number(r), left = r->in.size - r->in.at;
    if (value > left || value * size > left)
        bad(r);
    return good(r) ? (size_t)value : 0;
}

static inline wide wide_number(reading *r)
{
    weft_reader *in = &r->in;
    wide value = 0;
    for (unsigned shift = 0; shift < 128 && in->status == WEFT_OK && in->at < in->size; shift += 7) {
        uint8_t byte = in->bytes[in->at++];
        value |= (wide)(byte & 127) << shift;
        if (!byte && shift)
            break;
        if (!(byte & 128))
            return value;
    }
    bad(r);
    return 0;
}

/* Adds a step to a key, which must be above the last one unless it is the first. */
static inline uint32_t key_after(reading *r, bool first, uint32_t last, uint64_t delta)
{
    if ((!first && !delta) || delta > UINT32_MAX - last)
        bad(r);
    return (uint32_t)(last + delta);
}

static inline uint32_t next_key(reading *r, bool first, uint32_t last)
{
    uint32_t key = key_after(r, first, last, number(r));
    return good(r) ? key : 0;
}

static inline void sum(reading *r, uint64_t *to, uint64_t value)
{
    if (r->adds)
        merged_sum(r->all, to, value);
}

/* One group: totals, paths, functions, loops, trees of paths and of calls. */
void profile_read_group(reading *r);

#endif
