/* SPDX-License-Identifier: MIT */
/* The uncompressed whole execution trace in memory, as it is gathered from a full recording; input of pack.h.
 *
 * Statement = machine instruction (with its IT outcome). It consists of one or more *operations*, so that what does not
 * depend on each other stays apart: pop {r4, pc} is three (sp, the load of r4, the load of the pc); most have one.
 * Node = Ball-Larus path: instructions executed one after the other with ascending addresses, within a procedure, cut
 * at calls, returns, backward jumps, exceptions and after WET_OPERATIONS_MAX operations. It is found by following the
 * run through a tree of the paths seen, not by its number. All operations of a node share the timestamp of its
 * execution.
 *
 * Zhang & Gupta, "Whole Execution Traces" (MICRO 2004), sections 2 and 3. */
#ifndef WEFT_TOOLS_LIB_WET_TRACE_H
#define WEFT_TOOLS_LIB_WET_TRACE_H

#include "tools/lib/image/image.h"
#include "tools/lib/machine/cfg.h"
#include "tools/lib/machine/decode.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/wet/rows.h"
#include "tools/lib/wet/snapshots.h"

#define WET_OPERATIONS_MAX 64u
#define WET_NONE UINT32_MAX
#ifndef WET_TIME_MAX
#define WET_TIME_MAX (UINT32_MAX - 4u) /* timestamps of a run that is refused */
#endif

/* A word that an operation produces or touches. */
typedef enum wet_slot_kind { WET_VALUE, WET_ADDRESS, WET_DATA, WET_DATA_HIGH } wet_slot_kind;

typedef struct wet_slot {
    uint8_t kind, loc; /* loc: of WET_VALUE */
    uint8_t operation; /* of the statement */
    uint8_t access;    /* of the operation: WET_ADDRESS and WET_DATA */
    uint8_t source;    /* index into the event's values or accesses */
    bool computed;     /* the value follows from what the operation reads, so far */
} wet_slot;

typedef struct wet_access {
    uint8_t size;
    bool store;
    uint8_t order; /* in the instruction */
} wet_access;

typedef struct wet_operation {
    uint64_t reads;    /* locations on which what it does depends */
    uint64_t computes; /* more that are read to compute values only */
    uint64_t defines;
    uint8_t first_access, access_count; /* in the statement's accesses */
} wet_operation;

/* A static instruction. */
typedef struct wet_static {
    thumb_insn insn;
    cfg_place place;
    uint32_t last;     /* statement that it was the last time */
    uint8_t exception; /* 0: an instruction; 1: entry; 2: return; 3: chained entry */
    uint16_t from, to; /* exception numbers */
} wet_static;

/* What executed: an instruction with a given outcome. */
typedef struct wet_statement {
    uint32_t instruction; /* wet_static */
    uint32_t other;       /* next statement of the same instruction */
    bool passed;
    uint64_t written, shape;
    wet_operation *operations;
    wet_access *accesses;
    wet_slot *slots;
    uint8_t operation_count, access_count;
    uint8_t slot_count;
} wet_statement;

/* A loaded access of a node. */
typedef struct wet_load {
    uint8_t operation, size;
    uint32_t slot; /* of its address */
} wet_load;

/* The producer of a byte that is not that of the load's first byte. */
typedef struct wet_part {
    uint32_t instance, load, byte, producer, producer_instance, age;
} wet_part;

typedef struct wet_use {
    uint8_t operation, loc;
    bool depends;     /* else it is read to compute values only */
    uint8_t producer; /* local operation, or 255 */
    uint16_t input;   /* of wet_node.inputs, when not local */
} wet_use;

/* A row holds an execution: timestamp | slots | a producer for each input | for each control: producer, its instance,
 * its age | the same for each load. An age is how many executions of the producer's node lie between. */
typedef struct wet_node {
    uint32_t *statements;
    uint32_t statement_count, operation_count, slot_count;
    uint32_t base;      /* producer number of operation 0 */
    uint32_t slot_base; /* number of slot 0 among all nodes' slots */
    uint8_t *operation_statement, *operation_in_statement;
    uint32_t *slot_first; /* of each operation */
    wet_use *uses;
    uint32_t use_count;
    size_t use_max;
    uint8_t *inputs; /* locations */
    uint32_t input_count;
    size_t input_max;
    uint8_t *parent;       /* of each operation: local operation it is control dependent on, or 255 */
    uint8_t *parent_input; /* else: of controls */
    uint32_t control_count;
    const uint32_t **control_sets;
    uint32_t *control_set_counts;
    wet_load *loads;
    uint32_t load_count;
    size_t load_max;
    uint32_t procedure, width;
    wet_rows *rows; /* while it is gathered and packed */
    uint32_t count; /* rows */
    wet_part *parts;
    uint32_t part_count;
    size_t part_max;
} wet_node;

typedef struct wet_trace {
    image *im;
    cfg *graph;
    wet_static *statics;
    uint32_t static_count;
    size_t static_max;
    wet_statement *statements;
    uint32_t statement_count;
    size_t statement_max;
    wet_node *nodes;
    uint32_t node_count;
    size_t node_max;
    uint32_t producer_count; /* 0 is "none" */
    uint32_t *producer_node;
    size_t producer_max;
    uint32_t slot_total;
    uint32_t time;     /* timestamps given: 1 .. time */
    uint64_t executed; /* statements */
    uint64_t values;   /* of locations */
    uint64_t unknown;  /* values and accesses that the recording marks so; they are 0 here */
    wet_snapshots *snapshots;
    struct wet_schedule *schedule;
    wet_store *store;            /* the rows of all nodes */
    struct wet_history *history; /* NULL: none is asked for */
    bool clears;                 /* an exception's entry clears registers */
    uint64_t dependences;        /* pairs that edges would carry without inference */
    char machine[64];
} wet_trace;

/* Offsets of a row. */
static inline uint32_t wet_row_inputs(const wet_node *node)
{
    return 1 + node->slot_count;
}

static inline uint32_t wet_row_controls(const wet_node *node)
{
    return wet_row_inputs(node) + node->input_count;
}

static inline uint32_t wet_row_loads(const wet_node *node)
{
    return wet_row_controls(node) + 3 * node->control_count;
}

#endif
