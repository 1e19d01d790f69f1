/* SPDX-License-Identifier: MIT */
/* What interrupts did: how often, how long, how regularly, how late, and who interrupted whom. Times are instructions
 * of the run; of a recording with probes that has a clock, on request, nanoseconds. A handler's time
 * includes the handlers that interrupted it; its own time does not.
 *
 *     instructions     100        112         140        150              300
 *     runs      thread  | SysTick  | IRQ8      | SysTick  | thread         | SysTick ...
 *
 *     SysTick: time 50, own 22, interval 200. IRQ8: time 28, own 28. SysTick interrupted the thread twice, IRQ8
 *     SysTick once.
 *
 * How late one is (its latency) is known where software asked for it (PendSV, SysTick's and the NVIC's pending bits,
 * STIR), in full recordings: instructions from the store to the handler's first. When a device asks, no recording
 * says. */
#ifndef WEFT_TOOLS_LIB_INSPECT_IRQ_H
#define WEFT_TOOLS_LIB_INSPECT_IRQ_H

#include "tools/lib/image/program.h"
#include "tools/lib/inspect/processor.h"
#include "tools/lib/profile/functions_probes.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/full.h"

typedef struct irq_figure {
    uint64_t count, sum, min, max, max_at; /* max_at: of the run, when that one began */
    double squares;
} irq_figure;

double irq_mean(const irq_figure *f);
double irq_deviation(const irq_figure *f); /* standard deviation */

typedef struct irq {
    uint32_t number; /* exception number; external interrupt n is 16 + n */
    char name[96];
    int priority;   /* as last set; -1: not known (recordings with probes) */
    uint64_t count; /* begun */
    uint64_t chained;
    irq_figure time, own, interval, latency; /* interval: from a beginning to the next */
    uint64_t last;                           /* when it last began */
    bool followed;                           /* nothing is missing since then: the next is one interval later */
} irq;

/* `over` was interrupted by `by`. */
typedef struct irq_pair {
    uint32_t over, by; /* numbers of contexts */
    uint64_t count;
} irq_pair;

typedef struct irq_running {
    uint32_t number;
    uint64_t began, nested; /* nested: instructions of handlers above it */
} irq_running;

typedef struct irqs {
    irq *all; /* by number, after irqs_full and irqs_probes */
    size_t count, max;
    irq_pair *pair;
    size_t pair_count, pair_max;
    irq_running *running;
    size_t depth, running_max;
    uint64_t total;    /* instructions of the run */
    uint64_t accesses; /* of a full recording: all that they made */
    uint64_t unended;
} irqs;

/* Both give NULL, or what is wrong; of a damaged full recording the figures up to there are in *out. */
const char *irqs_full(irqs *out, full_reader *reader, const image *im);
const char *irqs_probes(irqs *out, const container *file, program *app, bool clocked, functions_seen *seen);
void irqs_free(irqs *out);

/* One event of a full recording, which is fed to the processor too; *all is zero at first. */
void irqs_feed(irqs *all, processor *p, const full_event *event);

#endif
