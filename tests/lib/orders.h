/* SPDX-License-Identifier: MIT */
/* A naive model of what control calls promise (port/cortex-m/controls.h, trigger.h, activations.h, weft_target.h).
 * Given a log of the events and calls of a program, it says what a recording of it must hold, may hold, and must say.
 *
 * The log is in the order in which they began. An event or call that came while another one was at work overlaps it.
 * Where an event overlaps a call that changes what is recorded, either may come first; where two calls overlap, what is
 * recorded after them is unknown until the next pause, resume or stop. */
#ifndef WEFT_TESTS_LIB_ORDERS_H
#define WEFT_TESTS_LIB_ORDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum order {
    ORDER_PATH,  /* number: the path, another one for each event */
    ORDER_MARK,  /* an event of the firmware's own; number likewise */
    ORDER_ENTRY, /* an activation of the sampled function, with one path; number likewise */
    ORDER_EVENTS,
    ORDER_START = ORDER_EVENTS,
    ORDER_STOP,
    ORDER_PAUSE,
    ORDER_RESUME,
    ORDER_POLL,
    ORDER_FLUSH,
    ORDER_ONLY, /* number: the context */
    ORDER_OUT,
    ORDER_ALL,
    ORDER_ARM,     /* `before` paths, `after` paths; by ORDER_TRIGGER, or at a path from number to number + 2 */
    ORDER_TRIGGER, /* weft_trigger_now */
    ORDER_KEEP,    /* number: one activation in N */
    ORDERS
} order;

typedef struct order_logged {
    order what;
    uint32_t context, number;
    uint32_t before, after;
    bool at_path;
    int status;          /* weft_status of a call */
    bool going_on;       /* of ORDER_STOP that was refused: the recording has not ended */
    uint32_t begin, end; /* places in time; no two are the same */
} order_logged;

typedef struct order_log {
    order_logged *all;
    size_t count;
    bool strict; /* the sink took everything, nothing overlaps and the ring was never full: statuses are known too */
    bool cut;    /* frames of events were taken out of the recordings */
    bool roomy;  /* frames held for a trigger have room for what it asks for */
} order_log;

/* NULL, or what is wrong with the recordings. Valid until the next call. */
const char *orders_check(const order_log *log, const uint8_t *bytes, size_t size);

#endif
