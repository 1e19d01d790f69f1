/* SPDX-License-Identifier: MIT */
/* Predictors of the numbers of a program's sites, one stream through all of them: core/bfcm's methods in their
 * forward-only form. The recorder codes values and addresses with them (core/recorder_bfcm.h), and a reader decodes
 * them (tools/lib/recording/numbers.c). Both must do exactly this; core/FORMAT.md, section 7, says the same in words.
 *
 * A site predicts by one method at a time. While that is right, the others need not be known. Where it is wrong all are
 * tried, and the first that was right is the site's method from then on. So the trial never ends, and needs no words in
 * the stream.
 *
 *   cell         FCM whose context is not the site's past. Of a value, it is the address that was accessed: the cell
 *                holds what was last loaded from there or stored. Of an address, the site and the address before
 *   last-stride  the site's last number and its last stride
 *   FCM, DFCM    the number (stride) that last followed the site's last number (stride)
 *   last         the site's last number
 *
 * One site whose numbers are 5, 9, 13, 5, 9 and, as values, are loaded from a new address each time (addresses not 0):
 *
 *   5    all methods say 0: a miss, 5 more than 0. The site's number is 5, its stride 5
 *   9    cell says 0, last-stride 10, FCM 0, DFCM 5, last 5: a miss, 4 more. The stride is 4
 *   13   last-stride says 13: a miss whose word is that method. From now on it is the site's
 *   5    17 is predicted; no method says 5: a miss, 8 less. last-stride stays the site's method
 *   9    -3 is predicted; FCM, whose row of 5 holds 9, is right: a miss whose word is FCM
 *
 * Contexts are of one number. Longer ones, which core/bfcm has, gained nothing in frames of a thousand events, which is
 * as long as a table lives. Numbers are of 64 bits. What is predicted is the lower half; the upper half is predicted to
 * be the site's last. */
#ifndef WEFT_CORE_BFCM_SITES_H
#define WEFT_CORE_BFCM_SITES_H

#include "core/base.h"
#include "core/bfcm_hash.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In the order in which they are tried. */
enum weft_bfcm_site_method {
    WEFT_SITE_CELL,
    WEFT_SITE_LAST_STRIDE,
    WEFT_SITE_FCM,
    WEFT_SITE_DFCM,
    WEFT_SITE_LAST,
    WEFT_SITE_METHODS
};

/* What a miss is written as: 1 + the method that was right; or DIFFERENCE + the zigzag of the difference from the
 * site's last number, lower halves; or HIGH, the upper half, and then a DIFFERENCE. */
enum { WEFT_SITE_CODE_HIGH = 1 + WEFT_SITE_METHODS, WEFT_SITE_CODE_DIFFERENCE };

typedef struct weft_bfcm_site {
    uint32_t low, high; /* the last number */
    uint32_t stride;    /* the last one, of lower halves */
    uint16_t epoch;     /* the slot is stale if this differs from weft_bfcm_sites.epoch */
    uint8_t method;
} weft_bfcm_site;

/* Sites share slots, as many as there are cells and rows. */
typedef struct weft_bfcm_sites {
    weft_bfcm_site *site;
    uint32_t *cell; /* lower halves, by key */
    uint32_t *row;  /* numbers of FCM, strides of DFCM, by hash */
    uint32_t mask;  /* slots - 1 */
    uint8_t shift;  /* 32 - log2 of the slots */
    uint16_t epoch;
} weft_bfcm_sites;

#define WEFT_BFCM_SITES_BITS_MAX 16u

/* Makes all slots stale. The words are cleared through volatile, since memset in small C libraries goes by bytes. */
static inline void weft_bfcm_sites_restart(weft_bfcm_sites *all)
{
    volatile uint32_t *cell = all->cell, *row = all->row;
#if WEFT_SMALL
    for (uint32_t i = 0; i <= all->mask; i++)
        cell[i] = row[i] = 0;
#else
    for (uint32_t i = 0; i <= all->mask; i += 2) { /* 2 to 2^16 */
        cell[i] = cell[i + 1] = 0;
        row[i] = row[i + 1] = 0;
    }
#endif
    if (++all->epoch)
        return;
    /* Once in 2^16 times the stamps start again. */
    for (uint32_t i = 0; i <= all->mask; i++)
        all->site[i].epoch = 0;
    all->epoch = 1;
}

/* Where a number stands: all that its prediction depends on. What follows is inlined, for values and for addresses
 * apart (`addresses` is a constant), so that the struct costs nothing. */
typedef struct weft_bfcm_place {
    const weft_bfcm_sites *all;
    weft_bfcm_site *site;
    uint32_t number;  /* of the site */
    uint32_t address; /* of a value: accessed last; of an address: coded last; in its epoch, or 0 */
    bool addresses;
} weft_bfcm_place;

/* The slot of a site. A stale one starts again: its last number is `address` for addresses, and 0 for values. */
static inline weft_bfcm_site *weft_bfcm_sites_slot(const weft_bfcm_sites *all, bool addresses, uint32_t number,
                                                   uint32_t address)
{
    weft_bfcm_site *site = &all->site[number & all->mask];
    if (site->epoch != all->epoch) {
        site->low = addresses ? address : 0;
        site->high = site->stride = 0;
        site->epoch = all->epoch;
        site->method = addresses ? WEFT_SITE_LAST_STRIDE : WEFT_SITE_CELL;
    }
    return site;
}

#if WEFT_SMALL
/* The word of a method, computed in one place and not inlined. */
static WEFT_SMALL_APART uint32_t *weft_bfcm_sites_word(const weft_bfcm_place *p, unsigned method)
{
    bool plain = method == WEFT_SITE_CELL && !p->addresses;
    uint32_t at = method == WEFT_SITE_CELL ? p->address : method == WEFT_SITE_FCM ? p->site->low : p->site->stride;
    if (!plain)
        at = at * (method == WEFT_SITE_DFCM ? HASH_3 : HASH_1) + p->number * HASH_2;
    at = at * HASH_0 >> p->all->shift;
    return method == WEFT_SITE_CELL ? &p->all->cell[at] : &p->all->row[at];
}

static inline uint32_t *weft_bfcm_sites_cell(const weft_bfcm_place *p)
{
    return weft_bfcm_sites_word(p, WEFT_SITE_CELL);
}

static inline uint32_t *weft_bfcm_sites_fcm(const weft_bfcm_place *p)
{
    return weft_bfcm_sites_word(p, WEFT_SITE_FCM);
}

static inline uint32_t *weft_bfcm_sites_dfcm(const weft_bfcm_place *p)
{
    return weft_bfcm_sites_word(p, WEFT_SITE_DFCM);
}
#else
static inline uint32_t *weft_bfcm_sites_cell(const weft_bfcm_place *p)
{
    return &p->all->cell[(p->addresses ? p->address * HASH_1 + p->number * HASH_2 : p->address) * HASH_0 >>
                         p->all->shift];
}

static inline uint32_t *weft_bfcm_sites_fcm(const weft_bfcm_place *p)
{
    return &p->all->row[(p->site->low * HASH_1 + p->number * HASH_2) * HASH_0 >> p->all->shift];
}

static inline uint32_t *weft_bfcm_sites_dfcm(const weft_bfcm_place *p)
{
    return &p->all->row[(p->site->stride * HASH_3 + p->number * HASH_2) * HASH_0 >> p->all->shift];
}
#endif

/* The lower half that a method predicts. */
static inline uint32_t weft_bfcm_sites_predict(const weft_bfcm_place *p, unsigned method)
{
#if WEFT_SMALL
    bool stride = method == WEFT_SITE_LAST_STRIDE;
    uint32_t low = method == WEFT_SITE_CELL || method == WEFT_SITE_FCM ? 0 : p->site->low;
    return low + (stride ? p->site->stride : method == WEFT_SITE_LAST ? 0 : *weft_bfcm_sites_word(p, method));
#else
    switch (method) {
    case WEFT_SITE_CELL:
        return *weft_bfcm_sites_cell(p);
    case WEFT_SITE_LAST_STRIDE:
        return p->site->low + p->site->stride;
    case WEFT_SITE_FCM:
        return *weft_bfcm_sites_fcm(p);
    case WEFT_SITE_DFCM:
        return p->site->low + *weft_bfcm_sites_dfcm(p);
    default:
        return p->site->low;
    }
#endif
}

/* The number came, and was predicted by the site's method, which has nothing to learn from it. But a cell of values
 * stands for memory that other sites change, so it is set. */
static inline void weft_bfcm_sites_hit(const weft_bfcm_place *p, uint32_t low)
{
    if (!p->addresses && p->site->method != WEFT_SITE_CELL)
        *weft_bfcm_sites_cell(p) = low;
    p->site->stride = low - p->site->low;
    p->site->low = low;
}

/* The number came, and was not predicted. The site uses `method` from now on. */
static inline void weft_bfcm_sites_miss(const weft_bfcm_place *p, uint32_t low, uint32_t high, unsigned method)
{
    weft_bfcm_site *site = p->site;
    *weft_bfcm_sites_cell(p) = low;
    *weft_bfcm_sites_fcm(p) = low;
    *weft_bfcm_sites_dfcm(p) = low - site->low;
    site->stride = low - site->low;
    site->low = low;
    site->high = high;
    site->method = (uint8_t)method;
}

#ifdef __cplusplus
}
#endif

#endif
