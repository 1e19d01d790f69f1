/* SPDX-License-Identifier: MIT */
/* Status codes, handles and asserts that every module of the core shares. */
#ifndef WEFT_CORE_BASE_H
#define WEFT_CORE_BASE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/config.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The result of an operation: 0 done, positive "not now", negative an error. On an error the object is as it was before
 * the call. */
typedef enum weft_status {
    WEFT_OK = 0,       /* done */
    WEFT_AGAIN = 1,    /* refused for now; nothing was taken; try again later */
    WEFT_FULL = -1,    /* a pool or buffer of the caller has no room left */
    WEFT_CORRUPT = -2, /* the bytes are not what the format says */
    WEFT_VERSION = -3, /* a format version that this build does not know */
    WEFT_CONFIG = -4,  /* a size or setting that cannot work */
} weft_status;

/* Index into one of the caller's typed arrays. */
typedef uint16_t weft_handle;

/* No element. An array that handles point into therefore holds at most 65,535 elements. */
#define WEFT_NONE ((weft_handle)0xffff)

/* Checks a promise of the program itself, never of its input. Off unless WEFT_ASSERTS is 1. */
#if WEFT_ASSERTS
void weft_assert_failed(const char *file, int line); /* supplied by the port; does not return */
#define WEFT_ASSERT(x) ((x) ? (void)0 : weft_assert_failed(__FILE__, __LINE__))
#else
#define WEFT_ASSERT(x) ((void)0)
#endif

#define WEFT_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#ifdef __cplusplus
}
#endif

#endif
