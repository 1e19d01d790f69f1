/* SPDX-License-Identifier: MIT */
/* Runs of correct predictions, and numbers that were not predicted, as the raw coder and the plain bus section write
 * them (FORMAT.md, sections 4 and 6). There is room: each region keeps the bytes of one item. Each function returns
 * where it ended. */
#ifndef WEFT_CORE_RECORDER_RUNS_H
#define WEFT_CORE_RECORDER_RUNS_H

#include "core/bytes.h"
#include "core/format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a run of predicted paths or addresses. There is always room for it. */
static inline uint8_t *weft_put_run_here(uint8_t *to, uint32_t run)
{
    if (run == 0)
        return to;
    if (run >= WEFT_RUN_LONG)
        *to++ = WEFT_RUN_LONG;
    return weft_put_varint(to, run);
}

/* The same, not inlined. */
uint8_t *weft_put_run_apart(uint8_t *to, uint32_t run);

static inline uint8_t *weft_put_run(uint8_t *to, uint32_t run)
{
#ifdef __OPTIMIZE_SIZE__
    return weft_put_run_apart(to, run);
#else
    return weft_put_run_here(to, run);
#endif
}

/* The first difference, as zigzag, that takes more than two bytes. */
#define WEFT_OTHER_LONG ((uint32_t)WEFT_CODE_OTHER * 128u)

/* Writes a path or address by its difference from the predicted one. */
static inline uint8_t *weft_put_other(uint8_t *to, uint32_t difference)
{
    uint32_t code = weft_zigzag((int32_t)difference);
    if (code < WEFT_CODE_OTHER) {
        *to++ = (uint8_t)(WEFT_CODE_OTHER | code);
        return to;
    }
    *to++ = (uint8_t)(0x80 | WEFT_CODE_OTHER | code);
    return weft_put_varint(to, code / WEFT_CODE_OTHER);
}

/* Writes a run of predicted words of packs. There is always room for it. */
static inline uint8_t *weft_put_pack_run(uint8_t *to, uint32_t run)
{
    if (run == 0)
        return to;
    if (run > WEFT_PACK_RUN_MAX)
        *to++ = WEFT_RUN_AGAIN;
    return weft_put_varint(to, run);
}

#ifdef __cplusplus
}
#endif

#endif
