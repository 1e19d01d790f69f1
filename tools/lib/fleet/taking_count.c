/* SPDX-License-Identifier: MIT */
#include "tools/lib/fleet/taking.h"

#include <string.h>

#include "core/format.h"
#include "tools/lib/base/memory.h"

/* Fills the forest, and with an image the tables of calls and loops. NULL, or what is wrong. */
const char *taking_count(taking *t)
{
    uint64_t k = 0;
    taking_image *of = t->image;
    bool forest = container_meta(t->file, WEFT_META_KSF_K, &k) && k >= 2 && k <= MERGED_K_MAX &&
                  container_next(t->file, WEFT_FRAME_PROFILE, 0) < container_frame_count(t->file);
    const char *why = container_without_paths(t->file);
    why = why ? why : container_packed(t->file);
    t->stream = !why && (of || !forest);
    if (!t->stream && !forest)
        return why;
    if (!t->stream && (t->choice.context || t->choice.function))
        return "a profile does not tell contexts apart, nor functions";
    t->k = !t->stream ? (uint32_t)k : of ? t->k_most : 1;
    t->forest = kipf_new(t->k < 2 ? 2 : t->k);
    if (!t->stream)
        return activations_feed_profile(t->file, t->forest);
    if (of)
        rounds_clear(of->loops);
    why = activations_feed_scripts(t->file, of ? of->paths : NULL, of ? program_descriptors(of->app) : NULL, &t->wanted,
                                   t->forest, of ? of->loops : NULL, &t->unread);
    if (why || !of)
        return why;
    t->functions = functions_new();
    functions_of_program(t->functions, of->app);
    if (t->choice.function)
        functions_only(t->functions, t->choice.function);
    const functions_choice of_context = {.one_context = t->wanted.one_context, .context = t->wanted.context};
    why = functions_feed_known(t->functions, t->file, of->app, of->paths, of->costs, of_context, &t->seen);
    functions_finish(t->functions);
    return why;
}

path_sums path_sums_of(const kipf *forest)
{
    path_sums sums = {0};
    for (uint32_t n = TRIE_FIRST; n < kipf_nodes(forest); n++) {
        const trie_node *node = kipf_node(forest, n);
        if (!node->count)
            continue;
        uint32_t before = sums.numbers.count, number = numbering_of(&sums.numbers, node->label);
        sums.count = memory_room(sums.count, number, &sums.max, sizeof *sums.count);
        sums.count[number] = (number == before ? 0 : sums.count[number]) + node->count;
    }
    return sums;
}

size_t taking_function_of(const descriptors *all, uint32_t path)
{
    const descriptor_function *f = descriptors_of_path(all, path);
    return f ? (size_t)(f - all->function) : all->count;
}

/* Calls and costs by function: what the replay counted, or what the paths say. False: a path that the image does not
 * have. */
bool taking_price(taking *t, const path_sums *sums)
{
    taking_image *of = t->image;
    const descriptors *all = program_descriptors(of->app);
    memset(of->calls, 0, (all->count + 1) * sizeof *of->calls);
    memset(of->self, 0, (all->count + 1) * sizeof *of->self);
    for (uint32_t i = 0; i < sums->numbers.count; i++) {
        uint32_t path = sums->numbers.values[i];
        const replay_script *script = scripts_path(of->paths, path);
        size_t f = taking_function_of(all, path);
        uint64_t cost;
        if (!script || f == all->count)
            return false;
        t->all->overflow |= __builtin_mul_overflow(sums->count[i], costs_of(of->costs, path).least, &cost);
        of->calls[f] += script->entry ? sums->count[i] : 0;
        merged_sum(t->all, &of->self[f], cost);
    }
    for (size_t f = 0; t->functions && f < all->count; f++) {
        of->calls[f] = t->functions->all[f].calls;
        of->self[f] = t->functions->all[f].self;
    }
    return true;
}
