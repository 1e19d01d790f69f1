/* SPDX-License-Identifier: MIT */
/* The graph of cfg.h, for its steps: instructions and their ways (cfg_build.c), then what decides over what
 * (cfg_control.c). */
#ifndef WEFT_TOOLS_LIB_MACHINE_CFG_GRAPH_H
#define WEFT_TOOLS_LIB_MACHINE_CFG_GRAPH_H

#include "tools/lib/machine/cfg.h"

#define CFG_NONE UINT32_MAX

typedef struct cfg_vertex {
    thumb_insn insn;
    uint32_t procedure, branch;
    uint32_t *ways; /* vertices; the exit is `count` */
    uint32_t way_count;
    uint32_t order;     /* in the postorder of the reversed graph */
    uint32_t dominator; /* immediate post-dominator */
    uint32_t *controls;
    uint32_t control_count;
} cfg_vertex;

typedef struct cfg_way {
    uint32_t from, to;
} cfg_way;

struct cfg {
    const image *im;
    uint32_t *starts; /* ascending, after finish */
    uint32_t start_count;
    size_t start_max;
    uint32_t *branches; /* of each procedure */
    cfg_way *ways;
    uint32_t way_count;
    size_t way_max;
    cfg_way *returns; /* of calls */
    uint32_t return_count;
    size_t return_max;
    uint32_t *switches; /* callees that choose where to come back; ascending, after finish */
    uint32_t switch_count;
    cfg_vertex *vertices;
    uint32_t count;
    size_t max;
    uint32_t *slots; /* pc -> vertex + 1, open addressing */
    uint32_t slot_count;
    uint32_t *before_first, *before; /* predecessors, by vertex; the exit last */
};

/* CFG_NONE: none stands there. */
uint32_t cfg_vertex_at(const cfg *g, uint32_t pc);
/* A way to an address; one that is not of the vertex's procedure is the exit. */
void cfg_way_push(cfg *g, cfg_vertex *v, uint32_t pc);
/* Ascending order of uint32_t, for qsort. */
int cfg_number_order(const void *a, const void *b);

#endif
