/* SPDX-License-Identifier: MIT */
/* What the steps of packing a whole execution trace share; pack.c lists the steps. Private to the room. */
#ifndef WEFT_TOOLS_LIB_WET_PACKING_H
#define WEFT_TOOLS_LIB_WET_PACKING_H

#include <stdatomic.h>

#include "tools/lib/wet/choice.h"
#include "tools/lib/wet/column.h"
#include "tools/lib/wet/sizes.h"
#include "tools/lib/wet/statement.h"

#define PACK_COST_MAX 128u    /* steps to find one word again: 1 to 65535. More: smaller files, slower queries */
#define PACK_HOP_COST 3u      /* steps of going to another node's execution. More: words are found in their own node */
#define PACK_WORTH_BITS 0.25  /* bits per execution: a word whose column takes fewer keeps it. More: faster queries */
#define PACK_SEARCH_BITS 0.25 /* bits per execution: a load whose edges take fewer keeps them. More: faster queries */
#define PACK_STEPS_MAX 32u /* executions that a search looks at to find a dropped word. More: smaller, slower queries */
#define PACK_NEWEST_MAX                                                                                                \
    12u /* producers of an edge: with more, the newest one is not looked for. More: slower queries */

/* How a slot can be found without a column of its own. */
enum { STORED, COMPUTED, LOADED };

typedef struct packed_edge {
    uint32_t *producers, producer_count;
    uint32_t which, when; /* columns; when: WET_NONE where it is always the latest */
    uint8_t mode;         /* WET_AGES ... */
    bool newest;          /* the producer is the one that executed last: `which` is not written */
} packed_edge;

typedef struct packed_part {
    uint32_t load, byte;
    packed_edge edge;
} packed_part;

typedef struct packed_node {
    wet_columns columns;
    uint32_t times;
    uint32_t *slots; /* columns */
    uint8_t *way;    /* of each slot: STORED, or how it could be found */
    uint16_t *cost;  /* of each slot, as far as it follows from words of the same execution */
    packed_edge *inputs, *controls;
    packed_part *parts; /* in the order of loads; byte 0 first */
    uint32_t part_count;
    bool *dropped;     /* of each slot: it has no column in the file */
    uint8_t *searched; /* of each load: its stores are found by address, not named */
    uint8_t *steps;    /* of each load: about how many executions a search by address looks at. 0: too many */
} packed_node;

typedef struct packing {
    wet_trace *t;
    packed_node *nodes;
    /* What the threads do with each node. */
    void (*step)(struct packing *p, uint32_t number, squeeze_coder *coder, wet_rows_reader *reader);
    uint32_t *order; /* the largest node first, so that no thread has to wait for it at the end */
    atomic_uint next;
    int tier;
} packing;

/* A node that a thread packs. */
typedef struct pack_work {
    const wet_trace *t;
    const wet_node *node;
    packed_node *out;
    squeeze_coder *coder;
    wet_rows_reader *reader;
    uint32_t *times;
} pack_work;

/* The words of an edge, one per execution. pack_edge takes the first three over. */
typedef struct edge_words {
    uint32_t *producers;
    uint32_t *instances, *ages; /* NULL: a register's, whose producer is the latest execution before */
    const uint32_t *addresses;  /* of a load; else NULL */
} edge_words;

/* Step 1. */
void pack_node(packing *p, uint32_t number, squeeze_coder *coder, wet_rows_reader *reader);
void pack_edge(const pack_work *w, packed_edge *edge, edge_words words, bool later);
void pack_load(const pack_work *w, uint32_t load);
/* The words of byte `byte` of a load, but for the addresses. */
edge_words pack_load_words(const pack_work *w, uint32_t load, uint32_t byte);
/* A column of the rows, from malloc. Few are held at once: a node may have millions of rows. */
uint32_t *pack_column(const pack_work *w, uint32_t at);
/* How far a search by address goes to the store of a load, on average: PACK_STEPS_MAX or less; 0: further. */
uint8_t pack_search_steps(const pack_work *w, uint32_t load);
/* A load's value and its edges imply each other: drops the larger of the two. */
void pack_weigh_loads(const pack_work *w);
uint32_t *pack_copy(const uint32_t *words, uint32_t count);

/* Step 2. */
void pack_choose(packing *p);
/* Edges that take much, and that no dropped value needs: their stores will be found by address. */
void pack_search_loads(const wet_trace *t, const wet_node *node, packed_node *out);

/* Step 3. */
void pack_code_node(packing *p, uint32_t number, squeeze_coder *coder, wet_rows_reader *reader);
/* Makes the columns of an edge that wait. Takes the words over as pack_edge does. */
void pack_edge_code(const pack_work *w, const packed_edge *edge, edge_words words);
bool pack_edge_waits(const wet_columns *columns, const packed_edge *edge);

/* Step 4. */
void pack_program(const wet_trace *t, int tier, squeeze_bytes *directory);
/* False and a message: the file cannot be written. */
bool pack_write(const packing *p, const char *path, wet_report *report, char *message, size_t message_size);
void pack_report(const packing *p, wet_report *report);

/* The only load of an operation whose register gets what was loaded; WET_NONE: there is none. */
uint32_t pack_plain_load(const wet_trace *t, const wet_node *node, uint32_t operation, const wet_slot *slot);

/* The data and address slots of a producer that is a plain store; node NULL: it is not. */
typedef struct plain_store {
    const wet_node *node;
    uint32_t data, address;
    uint32_t size; /* bytes stored */
} plain_store;

plain_store pack_plain_store(const wet_trace *t, uint32_t producer);
/* Whether every value loaded is what the store that the edge names has stored. */
bool pack_load_follows(const pack_work *w, uint32_t load, uint32_t slot, bool sign);

static inline bool pack_worth_dropping(const wet_node *node, uint64_t bytes)
{
    return bytes * 8 > node->count * PACK_WORTH_BITS + 64;
}

static inline const wet_statement *pack_statement(const wet_trace *t, const wet_node *node, uint32_t operation)
{
    return &t->statements[node->statements[node->operation_statement[operation]]];
}

static inline const thumb_insn *pack_insn(const wet_trace *t, const wet_node *node, uint32_t operation)
{
    return &t->statics[pack_statement(t, node, operation)->instruction].insn;
}

static inline uint32_t pack_slot_operation(const wet_node *node, uint32_t slot)
{
    uint32_t operation = node->operation_count - 1;
    while (node->slot_first[operation] > slot)
        operation--;
    return operation;
}

#endif
