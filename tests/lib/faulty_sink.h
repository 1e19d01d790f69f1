/* SPDX-License-Identifier: MIT */
/* A sink in front of another one that refuses on demand: for tests of what is lost, and how that is reported. */
#ifndef WEFT_TESTS_LIB_FAULTY_SINK_H
#define WEFT_TESTS_LIB_FAULTY_SINK_H

#include "hal/sink.h"

typedef struct faulty_sink {
    const weft_sink *to;
    uint64_t refuse_from, refuse_count; /* writes refuse_from .. + refuse_count - 1 (from 1) are refused */
    uint32_t refuse_percent;            /* and this share of all, at random */
    uint32_t random;                    /* state; not 0 when refuse_percent is set */
    uint64_t writes, refused;           /* so far */
} faulty_sink;

/* The write function of a weft_sink whose context is a faulty_sink. */
weft_status faulty_sink_write(void *context, const uint8_t *frame, size_t size);

#endif
