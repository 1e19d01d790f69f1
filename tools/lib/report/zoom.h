/* SPDX-License-Identifier: MIT */
/* The run itself, as a grammar: each symbol is a chain of calls, the path (or instruction) that it executed, and for
 * how long. So a page can show any part of a run exactly, however long the run is, if it repeats itself; of one that
 * does not, nothing is kept once the grammar takes more than ZOOM_BYTES. */
#ifndef WEFT_TOOLS_LIB_REPORT_ZOOM_H
#define WEFT_TOOLS_LIB_REPORT_ZOOM_H

#include "tools/lib/grammar/runs.h"

#define ZOOM_BYTES ((size_t)8 << 20)
#define ZOOM_SYMBOLS 14000u  /* elements of the rules that a page holds: more are left out; about 7 bytes each */
#define ZOOM_TERMINALS 6000u /* distinct symbols, likewise; about 12 bytes each */

typedef struct zoom_terminal {
    uint32_t node, path;
    uint64_t cost;
} zoom_terminal;

typedef struct zoom {
    grammar_runs *runs; /* NULL: it has ended, or there was too much */
    grammar *rules;     /* after zoom_end; NULL: there was too much */
    zoom_terminal *terminal;
    size_t count, max;
    uint32_t *slots; /* of the terminals: number + 1 */
    size_t slot_max;
    uint32_t waiting[1024];
    size_t waiting_count;
} zoom;

void zoom_begin(zoom *z);
void zoom_spend(zoom *z, uint32_t node, uint32_t path, uint64_t cost);
void zoom_end(zoom *z);
void zoom_free(zoom *z);

#endif
