/* SPDX-License-Identifier: MIT */
/* Placing path probes: what the files that do it share. */
#ifndef WEFT_TOOLS_GCC_PLACING_H
#define WEFT_TOOLS_GCC_PLACING_H

#include "tools/gcc/weft_gcc.h"

/* What the path register holds at a point: a constant, or an SSA name. */
struct path_value {
    bool seen = false; /* some way leads here */
    bool known = false;
    bool phi = false;    /* `name` is a phi node of the block */
    bool single = false; /* it holds one path; else it is a pack, and `name` is known to be set */
    uint32_t constant = 0;
    tree name = NULL_TREE;
};

struct placer {
    routine &r;
    std::vector<path_value> in;              /* by block */
    std::vector<bool> needed;                /* by block: some way on records the register */
    std::vector<std::vector<uint32_t>> into; /* edges that lead into a block, uncut */
    std::vector<bool> appended;              /* by block: paths that start there may be appended */
};

/* What the path register holds (tools/gcc/register.cc). */

/* What the path register gains on an edge, and holds where a path starts. In a packed routine nothing at the start,
 * less what tells where that is, and nothing on the edges that are expected most (tools/gcc/graph.cc sorts them). */
uint32_t gain(const routine &r, uint32_t index);
uint32_t start_gain(const routine &r, uint32_t block);
tree add_sum(gimple_seq *seq, tree value, uint32_t constant);
/* In a packed routine the register is a number: a pack. */
tree pack_on(const routine &r, const path_value &v, uint32_t increment, gimple_seq *seq);
/* The same where more paths may follow in it. */
tree growing_pack_on(const routine &r, const path_value &v, uint32_t increment, gimple_seq *seq);
/* What an edge hands on. */
tree value_on(const routine &r, const path_value &v, uint32_t increment, gimple_seq *seq);
bool ends_path(const ballarus_edge &e);
/* A path ends on the edge, and its record is not left out. */
bool is_recorded(const routine &r, uint32_t index);
/* The next path goes into the register with the one that ends on the edge. */
bool is_appended(const placer &p, uint32_t index);
/* The loop that an edge leaves, or NULL. */
counted_loop *loop_left(routine &r, uint32_t index);
/* The loop whose header the block is, or NULL. */
counted_loop *loop_at(routine &r, uint32_t block);
extern const path_value at_entry, at_exit;
/* What the register holds before an edge. A loop that is left gives a new value. */
const path_value &value_on_way(const placer &p, uint32_t index);
gphi *phi_of(tree name);
void find_needed(placer &p);
/* The value at the start of each block; SSA names for those not known. */
void find_values(placer &p);

/* Counted loops (tools/gcc/counted.cc). */

/* Where a loop is left: its passes, and the path that ends there, if one does. */
path_value place_exit(const placer &p, const counted_loop &loop, uint32_t index, gimple_seq *seq);
/* Before the edges out of a loop are placed, which read the counter. */
void place_counted(const routine &r, counted_loop &loop);
/* What the phi nodes of a loop's header hold; after all else. */
void place_loop(const placer &p, counted_loop &loop);

/* An SSA name that is a packed routine's register, and whether one is. */
tree make_pack_name(void);
bool is_pack(tree name);
/* Says where the pack is, or a black box's path, when all probes are there (tools/gcc/fault_pack.cc). */
void tell_packs(const placer &p);

/* On the edges where a path is appended (tools/gcc/packs.cc). */
void place_appends(const placer &p);

/* After labels, and after what restores the frame when control comes from another function. */
gimple_stmt_iterator block_start(basic_block block);

/* A question on an edge, `check`, and what is done where its answer is yes, which is rare: `record`
 * (tools/gcc/asides.cc). */
struct aside {
    basic_block check, record;
    edge after, around; /* to where the edge led: from record, and from check */
};
aside split_aside(edge cfg);
/* Adds code to a block's end. */
void fill(basic_block block, gimple_seq code);
void copy_phi_args(edge from, edge to);
void set_phi_arg(edge e, tree phi, tree value);

#endif
