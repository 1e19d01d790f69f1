/* SPDX-License-Identifier: MIT */
/* What the path register holds. It is a pointer, label of the routine's paths + sum of increments, so that a record
 * takes it as it is. It exists only where a path number is not yet known: where all ways that lead to a block, since
 * the start of the path, have the same sum, the block has the sum as a constant, and a record there passes a constant.
 * Where ways with different sums meet, a phi node takes the constants; the out-of-SSA pass loads them on the edges. */
#include "tools/gcc/placing.h"

#include "tree-phinodes.h"

/* What the path register gains on an edge, and holds where a path starts. In a packed routine nothing at the start,
 * less what tells where that is, and nothing on the edges that are expected most (tools/gcc/graph.cc sorts them). */
uint32_t gain(const routine &r, uint32_t index)
{
    return r.packed ? r.graph->edge[index].value : r.graph->edge[index].increment;
}

uint32_t start_gain(const routine &r, uint32_t block)
{
    return r.packed ? r.graph->start_value[block] : r.graph->start_increment[block];
}

tree make_pack_name(void)
{
    return make_temp_ssa_name(uint32_type_node, NULL, "weft_pack");
}

bool is_pack(tree name)
{
    return TREE_CODE(name) == SSA_NAME && SSA_NAME_IDENTIFIER(name) == get_identifier("weft_pack");
}

tree add_sum(gimple_seq *seq, tree value, uint32_t constant)
{
    tree sum = make_ssa_name(uint32_type_node);
    gimple_seq_add_stmt(seq, gimple_build_assign(sum, PLUS_EXPR, value, build_int_cst(uint32_type_node, constant)));
    return sum;
}

/* In a packed routine the register is a number: a pack. */
tree pack_on(const routine &r, const path_value &v, uint32_t increment, gimple_seq *seq)
{
    if (v.known)
        return build_int_cst(uint32_type_node, (1u << pack_first(r)) + v.constant + increment);
    if (!increment)
        return v.name;
    tree pack = make_pack_name();
    gimple_seq_add_stmt(seq, gimple_build_assign(pack, PLUS_EXPR, v.name, build_int_cst(uint32_type_node, increment)));
    return pack;
}

/* The same where more paths may follow in it. The passes on RTL see no constant, and so leave a question where a path
 * ends, which readers of machine code look for (tools/lib/machine/ways.c). */
tree growing_pack_on(const routine &r, const path_value &v, uint32_t increment, gimple_seq *seq)
{
    tree pack = pack_on(r, v, increment, seq);
    if (TREE_CODE(pack) != INTEGER_CST)
        return pack;
    tree hidden = make_pack_name();
    vec<tree, va_gc> *inputs = NULL, *outputs = NULL;
    vec_safe_push(outputs, build_tree_list(build_tree_list(NULL_TREE, build_string(3, "=r")), hidden));
    vec_safe_push(inputs, build_tree_list(build_tree_list(NULL_TREE, build_string(2, "0")), pack));
    gasm *code = gimple_build_asm_vec("", inputs, outputs, NULL, NULL);
    SSA_NAME_DEF_STMT(hidden) = code;
    gimple_seq_add_stmt(seq, code);
    return hidden;
}

/* What an edge hands on. */
tree value_on(const routine &r, const path_value &v, uint32_t increment, gimple_seq *seq)
{
    if (r.packed)
        return pack_on(r, v, increment, seq);
    if (v.known)
        return numbered(r.path_label, v.constant + increment);
    if (increment == 0)
        return v.name;
    tree sum = make_ssa_name(ptr_type_node);
    tree step = build_int_cst(sizetype, (HOST_WIDE_INT)(int32_t)increment);
    gimple_seq_add_stmt(seq, gimple_build_assign(sum, POINTER_PLUS_EXPR, v.name, step));
    return sum;
}

bool ends_path(const ballarus_edge &e)
{
    return e.cut || e.to == BALLARUS_EXIT;
}

/* STOP is never recorded. */
bool is_recorded(const routine &r, uint32_t index)
{
    return ends_path(r.graph->edge[index]) && r.flows[index].kind != DESCRIPTOR_EDGE_STOP;
}

/* Whether the next path goes into the register with the path that ends on the edge. Not if that is never recorded. */
bool is_appended(const placer &p, uint32_t index)
{
    return appends(p.r, index) && p.needed[p.r.graph->edge[index].to];
}

void find_needed(placer &p)
{
    const ballarus *g = p.r.graph;
    for (uint32_t k = 0; k < g->order_count; k++) { /* order: what is led to comes first */
        uint32_t b = g->order[k];
        for (uint32_t i = g->first[b]; i < g->first[b + 1]; i++) {
            uint32_t index = g->out[i];
            if (is_recorded(p.r, index) || (!ends_path(g->edge[index]) && p.needed[g->edge[index].to]))
                p.needed[b] = true;
        }
    }
    for (uint32_t i = 0; i < g->edge_count; i++) {
        if (!ends_path(g->edge[i]))
            p.into[g->edge[i].to].push_back(i);
        else if (is_appended(p, i))
            p.appended[g->edge[i].to] = true;
    }
}

const path_value at_entry = {true, true, false, true, 0, NULL_TREE};

const path_value at_exit = {true, false, false, true, 0, NULL_TREE};

/* Paths are appended on edges that lead to a block. */
static const path_value at_append = {true, false, false, false, 0, NULL_TREE};

/* The loop that an edge leaves, or NULL. */
counted_loop *loop_left(routine &r, uint32_t index)
{
    const ballarus_edge &e = r.graph->edge[index];
    int inside = e.from == BALLARUS_ENTRY ? -1 : r.loop_of[e.from];
    bool stays = inside < 0 || (e.to != BALLARUS_EXIT && r.loop_of[e.to] == inside);
    return stays ? NULL : &r.loops[inside];
}

/* The loop whose header the block is, or NULL. */
counted_loop *loop_at(routine &r, uint32_t block)
{
    int inside = r.loop_of[block];
    return inside >= 0 && r.loops[inside].header == block ? &r.loops[inside] : NULL;
}

/* A loop that is left gives a new value. */
const path_value &value_on_way(const placer &p, uint32_t index)
{
    uint32_t from = p.r.graph->edge[index].from;
    if (loop_left(p.r, index))
        return at_exit;
    return from == BALLARUS_ENTRY ? at_entry : p.in[from];
}

/* Its passes may be too many for a counter, so it records some of them on its back edge. */
static bool records_within(const counted_loop &loop)
{
    return !loop.passes && !loop.bounded;
}

/* Adds one way into a block: the same constant, or not. */
static void meet(path_value &v, const path_value &from, uint32_t increment)
{
    uint32_t constant = from.constant + increment;
    if (!v.seen)
        v = {true, from.known, false, from.single, constant, NULL_TREE};
    else if (!from.known || v.constant != constant)
        v.known = false;
    v.single &= from.single;
}

/* Before the value at the header gets a name: it needs one if the back edge records, since that changes it. */
static void make_counter(const routine &r, counted_loop &loop, path_value &at_header)
{
    if (records_within(loop))
        at_header.known = false;
    if (loop.passes)
        return;
    loop.counter = make_ssa_name(uint32_type_node);
    create_phi_node(loop.counter, r.blocks[loop.header]);
}

/* The value at the start of each block, sources first; SSA names for those not known. */
void find_values(placer &p)
{
    const ballarus *g = p.r.graph;
    for (uint32_t k = g->order_count; k-- > 0;) {
        uint32_t b = g->order[k];
        path_value &v = p.in[b];
        counted_loop *loop = loop_at(p.r, b);
        if (g->start[b] && !loop)
            meet(v, p.appended[b] ? at_append : at_entry, start_gain(p.r, b));
        for (uint32_t i : p.into[b])
            meet(v, value_on_way(p, i), gain(p.r, i));
        if (loop)
            make_counter(p.r, *loop, v);
        if (v.known || !p.needed[b] || (p.r.loop_of[b] >= 0 && !loop))
            continue;
        if (EDGE_COUNT(p.r.blocks[b]->preds) > 1 || p.appended[b]) {
            v.phi = true;
            v.name = p.r.packed ? make_pack_name() : make_ssa_name(ptr_type_node);
            create_phi_node(v.name, p.r.blocks[b]);
        }
    }
}

gphi *phi_of(tree name)
{
    return as_a<gphi *>(SSA_NAME_DEF_STMT(name));
}
