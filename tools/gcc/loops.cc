/* SPDX-License-Identifier: MIT */
/* Loops of one path. Such a loop records nothing where it begins again; it counts. Where it is left, one call records
 * all its passes: first the path that led into it, then the path once around it, that many times.
 *
 *           |  register: entry                  counted is a loop
 *           v                                     - whose blocks are a chain: each but the header has one way in,
 *     +-> header --> ... --> latch --+              from the one before it;
 *     |     |         |        |     |            - with no cut within, so no call, but for its back edge;
 *     |     v exit    v exit   v     |            - with an edge that leaves it, since an endless one must go on
 *     +------------------------------+              recording.
 *
 * How many passes there were: GCC's scalar evolution may know it from what the loop began with. Otherwise a counter
 * does. Where GCC knows no bound of it, it records every LOOP_PASSES passes, so that it does not overflow, and a loop
 * that lasts goes on leaving frames. */
#include "tools/gcc/weft_gcc.h"

#include "cfgloop.h"
#include "gimplify.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-loop.h"
#include "tree-ssa-loop-niter.h"
#include "tree-cfgcleanup.h"

/* Asm that touches no value: an instruction that waits, or calls the supervisor. What handlers record then belongs
 * between the passes. */
static bool is_event(const gimple *stmt)
{
    const gasm *code = dyn_cast<const gasm *>(stmt);
    return code && (gimple_asm_noutputs(code) == 0 || gimple_asm_nclobbers(code) > 0);
}

bool has_event(basic_block block)
{
    for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
        if (is_event(gsi_stmt(i)))
            return true;
    return false;
}

/* All ways out are flows that can hold code. */
static bool has_plain_ends(const routine &r, uint32_t block)
{
    const ballarus *g = r.graph;
    for (uint32_t i = g->first[block]; i < g->first[block + 1]; i++)
        if (!r.flows[g->out[i]].cfg)
            return false;
    return g->first[block + 1] - g->first[block] == EDGE_COUNT(r.blocks[block]->succs);
}

/* The only edge into a block; BALLARUS_NONE. */
static uint32_t only_way_in(const routine &r, const std::vector<std::vector<uint32_t>> &into, uint32_t block)
{
    if (into[block].size() != 1 || EDGE_COUNT(r.blocks[block]->preds) != 1)
        return BALLARUS_NONE;
    return into[block][0];
}

/* Edges into each block. */
static std::vector<std::vector<uint32_t>> ways_in(const routine &r)
{
    std::vector<std::vector<uint32_t>> into(r.blocks.size());
    for (uint32_t i = 0; i < r.graph->edge_count; i++)
        if (r.graph->edge[i].to != BALLARUS_EXIT)
            into[r.graph->edge[i].to].push_back(i);
    return into;
}

/* Nothing but the back edge starts a path at the header. */
static bool starts_by(const routine &r, const std::vector<uint32_t> &into, uint32_t header, uint32_t back)
{
    for (uint32_t i : into)
        if (i != back && r.graph->edge[i].cut)
            return false;
    return into.size() > 1 && into.size() == EDGE_COUNT(r.blocks[header]->preds) &&
           !(r.block_flags[header] & (DESCRIPTOR_BLOCK_CALL | DESCRIPTOR_BLOCK_LANDING));
}

/* From the latch back to the header. Empty: it is not such a loop. */
static std::vector<uint32_t> chain_of(const routine &r, const std::vector<std::vector<uint32_t>> &into, uint32_t header,
                                      uint32_t latch)
{
    std::vector<uint32_t> chain;
    for (uint32_t b = latch;; b = r.graph->edge[into[b][0]].from) {
        chain.insert(chain.begin(), b);
        if (!has_plain_ends(r, b) || has_event(r.blocks[b]) || r.block_sites[b])
            return {};
        if (b == header)
            return chain;
        uint32_t way = only_way_in(r, into, b);
        if (way == BALLARUS_NONE || r.graph->edge[way].cut || r.graph->edge[way].from == BALLARUS_ENTRY)
            return {};
    }
}

/* What the register gains from the header to each block of the chain, and on the way around; the edges that leave. */
static void measure(const routine &r, const std::vector<std::vector<uint32_t>> &into, counted_loop &loop)
{
    const ballarus *g = r.graph;
    uint32_t sum = 0;
    for (uint32_t b : loop.chain) {
        if (b != loop.header)
            sum += g->edge[into[b][0]].increment;
        loop.sum.push_back(sum);
    }
    loop.around = sum + g->edge[loop.back].increment;
    loop.start = g->start_increment[loop.header];
    for (size_t k = 0; k < loop.chain.size(); k++)
        for (uint32_t i = g->first[loop.chain[k]]; i < g->first[loop.chain[k] + 1]; i++) {
            uint32_t index = g->out[i];
            bool stays = k + 1 < loop.chain.size() && index == into[loop.chain[k + 1]][0];
            if (index != loop.back && !stays)
                loop.exits.push_back(index);
        }
}

static bool is_expensive(tree expression)
{
#if GCCPLUGIN_VERSION_MAJOR < 14
    return expression_expensive_p(expression);
#else
    bool overflows;
    return expression_expensive_p(expression, &overflows);
#endif
}

/* The number of passes, if it follows from what the loop begins with. */
static tree known_passes(class loop *l, edge exit)
{
    class tree_niter_desc desc;
    if (!number_of_iterations_exit(l, exit, &desc, false) || !integer_zerop(desc.may_be_zero))
        return NULL_TREE;
    if (TYPE_PRECISION(TREE_TYPE(desc.niter)) > 32 || is_expensive(desc.niter))
        return NULL_TREE;
    return fold_convert(uint32_type_node, unshare_expr(desc.niter));
}

/* What GCC knows of a loop goes with the statements that leave it: blocks change. */
static void learn_loop(routine &r, class loop *l)
{
    HOST_WIDE_INT most = max_loop_iterations_int(l);
    auto_vec<edge> exits = get_loop_exit_edges(l);
    for (edge e : exits) {
        gimple *last = last_nondebug_stmt(e->src);
        if (!last || gimple_code(last) != GIMPLE_COND)
            continue;
        tree passes = exits.length() == 1 ? known_passes(l, e) : NULL_TREE;
        r.facts[last] = {most >= 0 && most < UINT32_MAX - 1, passes};
    }
}

static bool counts(void)
{
    const options &o = weft_options;
    return !o.exact && (!o.memory || o.inputs) && !o.last && !o.span && !o.ksf;
}

/* The analysis needs blocks of its own before and in each loop, which are taken away again. */
void learn_passes(routine &r)
{
    if (!counts() || !optimize)
        return;
    loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
    scev_initialize();
    for (auto loop : loops_list(r.fun, LI_ONLY_INNERMOST))
        learn_loop(r, loop);
    scev_finalize();
    loop_optimizer_finalize();
    cleanup_tree_cfg();
}

static tree gone_name(tree *part, int *, void *)
{
    return TREE_CODE(*part) == SSA_NAME && SSA_NAME_IN_FREE_LIST(*part) ? *part : NULL_TREE;
}

/* Of the loop in the graph. */
static void recall(const routine &r, counted_loop &loop)
{
    for (uint32_t index : loop.exits) {
        auto fact = r.facts.find(last_nondebug_stmt(r.blocks[r.graph->edge[index].from]));
        if (fact == r.facts.end())
            continue;
        loop.bounded |= fact->second.bounded;
        tree passes = fact->second.passes;
        if (passes && loop.exits.size() == 1 && !walk_tree(&passes, gone_name, NULL, NULL))
            loop.passes = passes;
    }
}

/* passes: a loop that makes fewer takes no longer if it records each where it ends */
#define PASSES_WORTH 4

static bool is_worth(const counted_loop &loop)
{
    return !loop.passes || TREE_CODE(loop.passes) != INTEGER_CST || compare_tree_int(loop.passes, PASSES_WORTH) >= 0;
}

/* The passes on RTL would make several passes one: then nothing in the code says what one of them takes. */
static void keep_single(const routine &r, const counted_loop &loop)
{
    basic_block header = r.blocks[loop.header];
    if (loops_for_fn(r.fun) && header->loop_father && header->loop_father->header == header)
        header->loop_father->unroll = 1;
}

/* Blocks after an exit, as long as only one way leads there: where a path ends after them, one call records it with the
 * passes. */
struct loop_tail {
    std::vector<uint32_t> blocks, sums;
    size_t ends = 0, recorded = 0; /* edges out of it; those on which a path is recorded */
};

static bool joins_tail(const routine &r, const std::vector<std::vector<uint32_t>> &into, uint32_t index)
{
    const ballarus_edge &e = r.graph->edge[index];
    return !e.cut && e.to != BALLARUS_EXIT && r.loop_of[e.to] < 0 && only_way_in(r, into, e.to) == index &&
           has_plain_ends(r, e.to) && !has_event(r.blocks[e.to]) && !r.block_sites[e.to];
}

static loop_tail tail_of(const routine &r, const std::vector<std::vector<uint32_t>> &into, uint32_t exit, uint32_t sum)
{
    const ballarus *g = r.graph;
    loop_tail tail;
    std::vector<std::pair<uint32_t, uint32_t>> left = {{exit, sum}};
    while (!left.empty()) {
        auto [index, before] = left.back();
        const ballarus_edge &e = g->edge[index];
        left.pop_back();
        if (tail.blocks.size() >= LOOP_TAIL_BLOCKS || !joins_tail(r, into, index)) {
            tail.ends++;
            tail.recorded += e.cut || e.to == BALLARUS_EXIT;
            continue;
        }
        tail.blocks.push_back(e.to);
        tail.sums.push_back(before + e.increment);
        for (uint32_t i = g->first[e.to]; i < g->first[e.to + 1]; i++)
            left.push_back({g->out[i], before + e.increment});
    }
    return tail;
}

/* Puts the record off, past each exit where that saves a call. */
static void extend(routine &r, const std::vector<std::vector<uint32_t>> &into, size_t number)
{
    counted_loop &loop = r.loops[number];
    for (uint32_t index : loop.exits) {
        size_t k = 0;
        while (loop.chain[k] != r.graph->edge[index].from)
            k++;
        loop_tail tail = tail_of(r, into, index, loop.sum[k]);
        if (tail.recorded == 0 || tail.ends > LOOP_TAIL_ENDS)
            continue;
        for (size_t i = 0; i < tail.blocks.size(); i++) {
            r.loop_of[tail.blocks[i]] = number;
            loop.tail.push_back(tail.blocks[i]);
            loop.tail_sum.push_back(tail.sums[i]);
        }
    }
}

void find_counted_loops(routine &r)
{
    const ballarus *g = r.graph;
    r.loop_of.assign(r.blocks.size(), -1);
    if (!counts())
        return;
    std::vector<std::vector<uint32_t>> into = ways_in(r);
    for (uint32_t i = 0; i < g->edge_count; i++) {
        const ballarus_edge &e = g->edge[i];
        if (!e.cut || e.from == BALLARUS_ENTRY || !starts_by(r, into[e.to], e.to, i))
            continue;
        counted_loop loop;
        loop.header = e.to;
        loop.back = i;
        loop.chain = chain_of(r, into, e.to, e.from);
        if (loop.chain.empty())
            continue;
        measure(r, into, loop);
        recall(r, loop);
        if (loop.exits.empty() || !is_worth(loop))
            continue;
        for (uint32_t b : loop.chain)
            r.loop_of[b] = r.loops.size();
        keep_single(r, loop);
        r.loops.push_back(loop);
    }
    for (size_t i = 0; i < r.loops.size(); i++)
        extend(r, into, i);
}
