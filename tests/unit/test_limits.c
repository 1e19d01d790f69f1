/* SPDX-License-Identifier: MIT */
/* What the analyses refuse, and what their checks detect. Each setting that cannot work is refused. Each invariant
 * that is broken on purpose is reported. */
#include <string.h>

#include "core/bfcm.h"
#include "core/ksf.h"
#include "core/loopnest.h"
#include "core/sequitur.h"
#include "tests/lib/check.h"

/* ---- core/bfcm */

enum { BFCM_VALUES = 16, BFCM_BITS = 3 };
static uint32_t tables[2u << BFCM_BITS], misses[BFCM_VALUES];
static uint8_t flags[BFCM_VALUES];
static weft_bfcm predictor;
static weft_bfcm_config bfcm_config = {WEFT_BFCM_FCM, 1, BFCM_BITS, tables, flags, BFCM_VALUES, misses, BFCM_VALUES};

static bool bfcm_refused(void)
{
    return weft_bfcm_init(&predictor, &bfcm_config) == WEFT_CONFIG;
}

static void predictors_refuse_what_cannot_work(void)
{
    CHECK_WITH(bfcm_config.method, WEFT_BFCM_METHODS, bfcm_refused());
    CHECK_WITH(bfcm_config.context, 3, bfcm_refused());
    CHECK_WITH(bfcm_config.table_bits, 0, bfcm_refused());
    CHECK_WITH(bfcm_config.table_bits, WEFT_BFCM_TABLE_BITS_MAX + 1, bfcm_refused());
    CHECK_WITH(bfcm_config.tables, NULL, bfcm_refused());
    CHECK_WITH(bfcm_config.flags, NULL, bfcm_refused());
    CHECK_WITH(bfcm_config.misses, NULL, bfcm_refused());
    CHECK_EQ(weft_bfcm_table_words(WEFT_BFCM_FCM, 1, WEFT_BFCM_TABLE_BITS_MAX), (size_t)2 << WEFT_BFCM_TABLE_BITS_MAX);
    bfcm_config.values_max = bfcm_config.misses_max = 0;
    bfcm_config.flags = NULL;
    bfcm_config.misses = NULL;
    CHECK(!bfcm_refused());
    CHECK_EQ(weft_bfcm_push(&predictor, 1), WEFT_FULL);
    bfcm_config = (weft_bfcm_config){WEFT_BFCM_LAST, 3, BFCM_BITS, tables, flags, BFCM_VALUES, misses, 2};
    CHECK(!bfcm_refused());
    CHECK(weft_bfcm_push(&predictor, 5) == WEFT_OK && weft_bfcm_push(&predictor, 6) == WEFT_OK);
    CHECK_EQ(weft_bfcm_push(&predictor, 7), WEFT_FULL); /* a third miss */
    CHECK_EQ(weft_bfcm_push(&predictor, 5), WEFT_OK);
    CHECK_EQ(weft_bfcm_backward(&predictor, NULL, 1), 1);
    CHECK_EQ(weft_bfcm_push(&predictor, 5), WEFT_CONFIG); /* not at the end */
    CHECK_EQ(weft_bfcm_forward(&predictor, NULL, 9), 1);
    CHECK(weft_bfcm_check(&predictor));
    bfcm_config.method = WEFT_BFCM_FCM; /* with room for fewer misses than steps */
    bfcm_config.context = 1;
    CHECK(!bfcm_refused());
    CHECK_EQ(weft_bfcm_push(&predictor, 0), WEFT_OK);
    CHECK_EQ(weft_bfcm_backward(&predictor, NULL, 9), 1);
    CHECK_EQ(weft_bfcm_forward(&predictor, NULL, 9), 1);
}

static void broken_predictors_are_seen(void)
{
    bfcm_config = (weft_bfcm_config){WEFT_BFCM_FCM, 1, BFCM_BITS, tables, flags, BFCM_VALUES, misses, BFCM_VALUES};
    CHECK(!bfcm_refused() && weft_bfcm_check(&predictor));
    CHECK_WITH(predictor.at, 1, !weft_bfcm_check(&predictor));
    CHECK_WITH(predictor.left, 1, !weft_bfcm_check(&predictor));
    CHECK_WITH(predictor.value, 1, !weft_bfcm_check(&predictor));
    CHECK_WITH(predictor.count, BFCM_VALUES + 1, !weft_bfcm_check(&predictor));
    CHECK_WITH(predictor.row, 1, !weft_bfcm_check(&predictor));
    for (uint32_t i = 0; i < 5; i++)
        CHECK_EQ(weft_bfcm_push(&predictor, i * i + 1), WEFT_OK);
    CHECK(weft_bfcm_check(&predictor));
    CHECK_WITH(predictor.right, 1, !weft_bfcm_check(&predictor));
    CHECK_WITH(predictor.left, BFCM_VALUES + 1, !weft_bfcm_check(&predictor));
    CHECK_WITH(predictor.row, predictor.row ^ 1, !weft_bfcm_check(&predictor));
    CHECK_EQ(weft_bfcm_backward(&predictor, NULL, 5), 5);
    CHECK(predictor.at == 0 && weft_bfcm_check(&predictor));
}

/* ---- core/ksf */

WEFT_KSF_DEF(forest, 2, 12, 4);

static bool ksf_refused(const weft_ksf_config *config)
{
    return weft_ksf_init(&forest, config) == WEFT_CONFIG;
}

static void forests_refuse_what_cannot_work(void)
{
    weft_ksf_config config = forest_config;
    uint8_t bytes[8];
    weft_writer out;
    CHECK_WITH(config.k, WEFT_KSF_K_MIN - 1, ksf_refused(&config));
    CHECK_WITH(config.k, WEFT_KSF_K_MAX + 1, ksf_refused(&config));
    CHECK_WITH(config.nodes_max, WEFT_KSF_NODES_MIN - 1, ksf_refused(&config));
    CHECK_WITH(config.nodes_max, 65535, ksf_refused(&config));
    CHECK_WITH(config.roots_max, 0, ksf_refused(&config));
    CHECK_WITH(config.roots_max, 3, ksf_refused(&config));
    CHECK_WITH(config.roots_max, 65536, ksf_refused(&config));
    CHECK(!ksf_refused(&config));
    weft_ksf_activation activation = {0};
    weft_writer_init(&out, bytes, sizeof bytes);
    CHECK_EQ(weft_ksf_flush(&forest, &out), WEFT_OK); /* it is empty */
    CHECK_EQ(weft_ksf_push(&forest, &activation, 3), WEFT_OK);
    CHECK_EQ(weft_ksf_flush(&forest, &out), WEFT_FULL);
    weft_writer_init(&out, NULL, 0);
    out.status = WEFT_FULL;
    CHECK_EQ(weft_ksf_flush(&forest, &out), WEFT_FULL);
}

/* The fast and the slow way to a counter both stop at its maximum. */
static void a_full_counter_ends_the_forest(void)
{
    weft_ksf_activation first = {0}, again = {0};
    CHECK(!ksf_refused(&forest_config));
    CHECK_EQ(weft_ksf_push(&forest, &first, 3), WEFT_OK);
    weft_ksf_activation before = first;
    CHECK_EQ(weft_ksf_push(&forest, &first, 4), WEFT_OK);
    forest.node[1].count = forest.node[2].count = UINT32_MAX;
    CHECK_EQ(weft_ksf_push(&forest, &again, 3), WEFT_FULL);
    CHECK_EQ(weft_ksf_push(&forest, &before, 4), WEFT_FULL);
    CHECK(forest.node[1].count == UINT32_MAX && forest.node[2].count == UINT32_MAX && weft_ksf_check(&forest));
}

static void broken_forests_are_seen(void)
{
    weft_ksf_activation first = {0}, second = {0};
    CHECK(!ksf_refused(&forest_config));
    CHECK(weft_ksf_push(&forest, &first, 3) == WEFT_OK && weft_ksf_push(&forest, &first, 4) == WEFT_OK);
    CHECK_EQ(weft_ksf_push(&forest, &first, 5), WEFT_OK);
    CHECK(weft_ksf_push(&forest, &second, 3) == WEFT_OK && weft_ksf_push(&forest, &second, 6) == WEFT_OK);
    CHECK(weft_ksf_check(&forest));
    CHECK_WITH(forest.used, forest.nodes_max, !weft_ksf_check(&forest));
    for (weft_handle node = 1; node <= forest.used; node++) {
        weft_ksf_node *n = &forest.node[node];
        weft_handle parent = n->parent;
        CHECK_WITH(n->parent, node, !weft_ksf_check(&forest));
        CHECK_WITH(n->parent, parent ? 0 : 2, !weft_ksf_check(&forest));
        CHECK_WITH(n->below, n->below + 1, !weft_ksf_check(&forest));
        CHECK_WITH(n->child, node, !weft_ksf_check(&forest));
        if (parent)
            CHECK_WITH(forest.node[parent].child, 0, !weft_ksf_check(&forest));
        CHECK_WITH(n->sibling, 0, !weft_ksf_check(&forest));
        if (n->sibling != node) {
            CHECK_WITH(n->label, forest.node[n->sibling].label, !weft_ksf_check(&forest));
            CHECK_WITH(n->sibling, node, !weft_ksf_check(&forest));
        }
    }
    for (unsigned slot = 0; slot <= forest.roots_mask; slot++) { /* to a child, a stub, nowhere, with another hash */
        weft_handle root = forest.roots[slot], child = forest.node[root].child;
        CHECK_WITH(forest.roots[slot], 2, !weft_ksf_check(&forest));
        CHECK_WITH(forest.roots[slot], forest.used + 1, !weft_ksf_check(&forest));
        if (root) {
            CHECK_WITH(forest.roots[slot], child, !weft_ksf_check(&forest));
            CHECK_WITH(forest.roots[(slot + 1) % 4], root, !weft_ksf_check(&forest));
        }
    }
    for (weft_handle node = 2; node <= forest.used; node++)
        forest.node[node].parent = (weft_handle)(node - 1); /* deeper than a forest is */
    CHECK(!weft_ksf_check(&forest));
    uint8_t part[100];
    weft_writer out;
    weft_writer_init(&out, part, sizeof part);
    CHECK_EQ(weft_ksf_flush(&forest, &out), WEFT_OK);
    CHECK_EQ(weft_ksf_push(&forest, &first, 6), WEFT_OK); /* below a stub, which no slot leads to */
    CHECK(forest.used == 2 && weft_ksf_check(&forest));
    CHECK_WITH(forest.roots[forest.node[1].label % 4], 1, !weft_ksf_check(&forest));
}

/* ---- core/loopnest */

WEFT_LOOPNEST_DEF(nest, 16, 4);
static weft_loopnest nest;

static bool nest_refused(const weft_loopnest_config *config)
{
    return weft_loopnest_init(&nest, config) == WEFT_CONFIG;
}

static void detectors_refuse_what_cannot_work(void)
{
    weft_loopnest_config config = nest_config;
    CHECK_WITH(config.terms, NULL, nest_refused(&config));
    CHECK_WITH(config.buckets, NULL, nest_refused(&config));
    CHECK_WITH(config.window, WEFT_LOOPNEST_WINDOW_MIN - 1, nest_refused(&config));
    CHECK_WITH(config.window, WEFT_LOOPNEST_WINDOW_MAX + 1, nest_refused(&config));
    CHECK_WITH(config.window, config.terms_max + 1, nest_refused(&config));
    CHECK_WITH(config.buckets_max, 0, nest_refused(&config));
    CHECK_WITH(config.buckets_max, 3, nest_refused(&config));
    CHECK_WITH(config.terms_max, 24, nest_refused(&config));
    CHECK_WITH(config.depth_max, 0, nest_refused(&config));
    CHECK_WITH(config.depth_max, WEFT_LOOPNEST_DEPTH_MAX + 1, nest_refused(&config));
    CHECK_WITH(config.progress, WEFT_LOOPNEST_PROGRESS_MAX + 1, nest_refused(&config));
    config.progress = WEFT_LOOPNEST_PROGRESS_MAX;
    config.depth_max = WEFT_LOOPNEST_DEPTH_MAX;
    CHECK(!nest_refused(&config));
    config.terms_max = 2u * WEFT_LOOPNEST_WINDOW_MAX; /* not used by init */
    config.window = WEFT_LOOPNEST_WINDOW_MAX;
    CHECK(!nest_refused(&config));
}

static void broken_detectors_are_seen(void)
{
    static const uint32_t symbols[] = {1, 2, 3, 4, 500, 600, 1, 1, 1, 700, 8, 9, 8, 9, 8, 9};
    uint8_t bytes[200];
    weft_writer out;
    CHECK(!nest_refused(&nest_config));
    weft_writer_init(&out, bytes, sizeof bytes);
    for (unsigned i = 0; i < WEFT_COUNT(symbols); i++) {
        CHECK_EQ(weft_loopnest_push(&nest, symbols[i], &out), WEFT_OK);
        CHECK(weft_loopnest_check(&nest, &out));
    }
    CHECK_EQ(nest.open, WEFT_LOOPNEST_LOOP);
    CHECK_WITH(nest.rest, bytes + 1, !weft_loopnest_check(&nest, &out));
    CHECK_WITH(out.size, out.size - 1, !weft_loopnest_check(&nest, &out));     /* the open loop is cut */
    CHECK_WITH(nest.level[0].header[0], 4, !weft_loopnest_check(&nest, &out)); /* and is not a loop */
    CHECK_WITH(nest.config.depth_max, 0, !weft_loopnest_check(&nest, &out));
    uint32_t last = (nest.next - 1) & nest.terms_mask;
    CHECK_WITH(nest.config.terms[last].start, bytes, !weft_loopnest_check(&nest, &out));
    CHECK_WITH(nest.config.terms[last].start, nest.config.terms[last].start + 1, !weft_loopnest_check(&nest, &out));
    CHECK_WITH(nest.config.terms[last].key, nest.config.terms[last].key ^ 1, !weft_loopnest_check(&nest, &out));
    uint8_t *run = nest.config.terms[(nest.next - 2) & nest.terms_mask].start; /* 3 times 1 */
    CHECK(run[0] == 3 && run[1] == 3);
    CHECK_WITH(run[0], 1, !weft_loopnest_check(&nest, &out));
    CHECK_WITH(run[1], 1, !weft_loopnest_check(&nest, &out));
    CHECK(weft_loopnest_check(&nest, &out));
}

/* ---- core/sequitur */

WEFT_SEQ_DEF(grammar, 64, 16, 20, 32, false);

static bool grammar_refused(const weft_seq_config *config)
{
    return weft_seq_init(&grammar, config) == WEFT_CONFIG;
}

static void grammars_refuse_what_cannot_work(void)
{
    weft_seq_config config = grammar_config;
    uint8_t bytes[4];
    weft_writer out;
    CHECK_WITH(config.symbols_max, WEFT_SEQ_SYMBOLS_MIN - 1, grammar_refused(&config));
    CHECK_WITH(config.symbols_max, 32768, grammar_refused(&config));
    CHECK_WITH(config.digrams_max, 8, grammar_refused(&config));
    CHECK_WITH(config.digrams_max, 24, grammar_refused(&config));
    CHECK_WITH(config.digrams_max, 65536, grammar_refused(&config));
    CHECK_WITH(config.terminals_max, 0, grammar_refused(&config));
    CHECK_WITH(config.terminals_max, 32768, grammar_refused(&config));
    CHECK_WITH(config.slots_max, 16, grammar_refused(&config));
    CHECK_WITH(config.digrams_max, 0, grammar_refused(&config));
    CHECK_WITH(config.slots_max, 48, grammar_refused(&config));
    CHECK_WITH(config.slots_max, 131072, grammar_refused(&config));
    CHECK(!grammar_refused(&config));
    CHECK_EQ(weft_seq_push(&grammar, 1, WEFT_SEQ_SEGMENT_MIN), WEFT_OK);
    weft_writer_init(&out, bytes, 0);
    CHECK_EQ(weft_seq_flush(&grammar, &out), WEFT_FULL);
    CHECK_EQ(weft_seq_push(&grammar, 1, WEFT_SEQ_SEGMENT_MIN), WEFT_OK);
    CHECK_EQ(weft_seq_flush(&grammar, &out), WEFT_FULL); /* the writer's error sticks */
    weft_writer_init(&out, NULL, 0);
    CHECK_EQ(weft_seq_flush(&grammar, &out), WEFT_OK); /* of an empty grammar: nothing */
    CHECK_EQ(out.size, 0);
    CHECK_EQ(weft_seq_push(&grammar, 1, WEFT_SEQ_SEGMENT_MIN), WEFT_OK);
    CHECK_EQ(weft_seq_flush(&grammar, &out), WEFT_OK); /* only measured */
    CHECK(out.size > 0 && out.size <= WEFT_SEQ_SEGMENT_MIN);
}

static void broken_grammars_are_seen(void)
{
    CHECK(!grammar_refused(&grammar_config));
    for (const char *at = "abcdbcabcdxyxyz"; *at; at++)
        CHECK_EQ(weft_seq_push(&grammar, (uint32_t)*at, 1000), WEFT_OK);
    CHECK(weft_seq_check(&grammar) && grammar.rules >= 2);
    CHECK_WITH(grammar.used, grammar.used + 1, !weft_seq_check(&grammar));
    CHECK_WITH(grammar.used, 1, !weft_seq_check(&grammar));
    CHECK_WITH(grammar.rules, grammar.rules + 1, !weft_seq_check(&grammar));
    CHECK_WITH(grammar.pending, 1, !weft_seq_check(&grammar));
    CHECK_WITH(grammar.loose, NULL, !weft_seq_check(&grammar));
    for (weft_handle i = 0; i < grammar.fresh; i++) {
        weft_seq_symbol *s = &grammar.symbols[i];
        if (s->chain == 0xfffd)
            continue; /* returned */
        CHECK_WITH(s->next, grammar.fresh, !weft_seq_check(&grammar));
        CHECK_WITH(s->prev, s->prev + 1, !weft_seq_check(&grammar));
        if (s->chain == WEFT_SEQ_GUARD && i) {
            CHECK_WITH(s->value, s->value + 1, !weft_seq_check(&grammar));
            CHECK_WITH(s->value, 1, !weft_seq_check(&grammar));
        } else if (s->value & WEFT_SEQ_RULE && i) {
            CHECK_WITH(s->value, 0, !weft_seq_check(&grammar));
        }
    }
}

int main(void)
{
    RUN(predictors_refuse_what_cannot_work);
    RUN(broken_predictors_are_seen);
    RUN(forests_refuse_what_cannot_work);
    RUN(a_full_counter_ends_the_forest);
    RUN(broken_forests_are_seen);
    RUN(detectors_refuse_what_cannot_work);
    RUN(broken_detectors_are_seen);
    RUN(grammars_refuse_what_cannot_work);
    RUN(broken_grammars_are_seen);
    return check_failed();
}
