/* SPDX-License-Identifier: MIT */
/* What the analyses refuse, and what their checks detect. Each setting that cannot work is refused. Each invariant
 * that is broken on purpose is reported. */
#include <string.h>

#include "core/bfcm.h"
#include "core/blackbox.h"
#include "core/blackbox_packed.h"
#include "core/frame.h"
#include "core/ksf.h"
#include "core/loopnest.h"
#include "core/sequitur.h"
#include "tests/lib/check.h"

/* `wrong` holds while `field` is `value`. */
#define CHECK_WITH(field, bad, wrong)                                                                                  \
    do {                                                                                                               \
        __typeof__(field) was_ = (field);                                                                              \
        (field) = (__typeof__(field))(bad);                                                                            \
        bool so_ = (wrong);                                                                                            \
        (field) = was_;                                                                                                \
        CHECK(so_);                                                                                                    \
    } while (0)

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
        CHECK_WITH(n->steps, n->steps + 1, !weft_ksf_check(&forest));
        CHECK_WITH(n->child, node, !weft_ksf_check(&forest));
        if (parent)
            CHECK_WITH(forest.node[parent].child, 0, !weft_ksf_check(&forest));
        CHECK_WITH(n->sibling, 0, !weft_ksf_check(&forest));
        if (n->sibling != node) {
            CHECK_WITH(n->label, forest.node[n->sibling].label, !weft_ksf_check(&forest));
            CHECK_WITH(n->sibling, node, !weft_ksf_check(&forest));
        }
    }
    for (weft_handle node = 2; node <= forest.used; node++)
        forest.node[node].parent = (weft_handle)(node - 1); /* deeper than a forest is */
    CHECK(!weft_ksf_check(&forest));
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

/* ---- black boxes */

static uint32_t box_ram[(sizeof(weft_blackbox_packed) + 300) / 4];

static void plain_boxes_go_on_only_where_all_fits(void)
{
    weft_blackbox *box = (weft_blackbox *)(void *)box_ram;
    weft_blackbox_found found;
    size_t size = sizeof *box + 64;
    for (unsigned form = WEFT_BLACKBOX_PLAIN16; form <= WEFT_BLACKBOX_PLAIN32; form++) {
        memset(box_ram, 0x5a, sizeof box_ram);
#define BEGIN(bytes) (weft_blackbox_begin(box, bytes, (weft_blackbox_form)form, 7, &found) == WEFT_OK ? (int)found : -1)
        CHECK_EQ(BEGIN(sizeof *box + 15), -1);
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_NOTHING);
        CHECK(box->size == 64 && box->mask == (form == WEFT_BLACKBOX_PLAIN16 ? 31u : 15u) && box->run == 1);
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_WENT_ON);
        CHECK(box->count == 1 && box->run == 2); /* the mark of a reset */
        uint32_t mark = form == WEFT_BLACKBOX_PLAIN16 ? WEFT_BLACKBOX_RESET & 0xffff : WEFT_BLACKBOX_RESET;
        uint32_t first =
            form == WEFT_BLACKBOX_PLAIN16 ? *(uint16_t *)(void *)(box + 1) : *(uint32_t *)(void *)(box + 1);
        CHECK_EQ(first, mark);
        weft_blackbox_resume(box); /* it is not held */
        CHECK_EQ(box->count, 1);
        weft_blackbox_hold(box);
        box->count = 99; /* a probe may still count */
        weft_blackbox_hold(box);
        CHECK_EQ(box->held_count, 1);
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_HELD);
        weft_blackbox_resume(box);
        CHECK_EQ(box->count, 2); /* and the mark of a pause */
        memset(box_ram, 0x5a, 8);
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_NOTHING);
        CHECK_WITH(box->version, 9, BEGIN(size) == WEFT_BLACKBOX_NOTHING);
        CHECK_WITH(box->form, 3, BEGIN(size) == WEFT_BLACKBOX_NOTHING);
        CHECK_EQ(BEGIN(size + 64), WEFT_BLACKBOX_NOTHING); /* another size */
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_NOTHING);
        box->identity = 8;
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_NOTHING);
        box->run++; /* the check sum */
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_NOTHING);
        box->mask = 3;
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_NOTHING);
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_WENT_ON);
#undef BEGIN
    }
}

static int packed_begin(size_t bytes)
{
    weft_blackbox_packed *box = (weft_blackbox_packed *)(void *)box_ram;
    weft_blackbox_found found;
    return weft_blackbox_packed_begin(box, bytes, 7, &found) == WEFT_OK ? (int)found : -1;
}

static void packed_boxes_go_on_only_where_all_fits(void)
{
    weft_blackbox_packed *box = (weft_blackbox_packed *)(void *)box_ram;
    size_t size = sizeof *box + 256;
    memset(box_ram, 0x5a, sizeof box_ram);
    CHECK_EQ(packed_begin(sizeof *box + 63), -1);
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_WENT_ON);
    weft_blackbox_packed_resume(box); /* it is not held */
    uint32_t count = weft_blackbox_packed_count(box);
    box->busy = 1; /* torn during a push, with a place that is damaged */
    box->undo_at = UINT32_MAX;
    box->undo_count = 0;
    box->undo_state = 3;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_WENT_ON);
    CHECK(box->busy == 0 && weft_blackbox_packed_count(box) >= 1 && count >= 1);
    weft_blackbox_packed cut = *box; /* while a push is at work, the symbols are those before it */
    cut.busy = 1;
    cut.undo_count = 5;
    cut.undo_state = 3u << 16;
    CHECK_EQ(weft_blackbox_packed_count(&cut), 8);
    box->busy = 1;
    box->undo_at = 5;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_WENT_ON);
    CHECK(box->busy == 0 && box->at >= 5);
    box->version++;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    box->form++;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    box->sets_log2++;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    box->identity++;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    box->run++;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    box->at = 2 * 256;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    box->size -= 4;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_WENT_ON);
}

/* ---- core/frame, core/bytes */

/* A frame as it was sealed in its version. The size on the wire, without the zero byte. */
static size_t sealed(uint8_t *bytes, const uint8_t *content, size_t size)
{
    uint8_t whole[70];
    weft_writer out;
    weft_writer_init(&out, whole, sizeof whole);
    weft_write_bytes(&out, content, size);
    weft_write_u32(&out, weft_frame_check(content, size));
    return weft_cobs_encode(bytes, whole, out.size);
}

/* Version 1 has no identity and no run. Of each version, every head that is cut is refused. */
static void heads_of_all_versions_come_back_whole_or_not_at_all(void)
{
    uint8_t bytes[80], content[60];
    for (unsigned version = WEFT_FORMAT_VERSION_MIN; version <= WEFT_FORMAT_VERSION; version++) {
        weft_frame frame = {(uint8_t)version, 2, 300, 5, 6, 0x12345678, 300, NULL, 0}, back;
        weft_writer out;
        weft_writer_init(&out, content, sizeof content);
        weft_frame_head(&out, &frame);
        size_t whole = out.size;
        for (size_t size = 1; size <= whole; size++) {
            size_t wire = sealed(bytes, content, size);
            CHECK_EQ(weft_frame_open(&back, bytes, wire), size == whole ? WEFT_OK : WEFT_CORRUPT);
        }
        CHECK(back.sequence == 300 && back.lost == 5 && back.time == 6 && back.body_size == 0);
        CHECK(back.identity == (version == 1 ? 0 : frame.identity) && back.run == (version == 1 ? 0 : frame.run));
    }
    content[0] = WEFT_FORMAT_VERSION_MIN - 1;
    weft_frame_piece piece = {content, 20};
    weft_frame back;
    CHECK_EQ(weft_frame_open(&back, bytes, weft_frame_seal_pieces(bytes, &piece, 1) - 1), WEFT_VERSION);
    content[0] = WEFT_FORMAT_VERSION + 1;
    CHECK_EQ(weft_frame_open(&back, bytes, weft_frame_seal_pieces(bytes, &piece, 1) - 1), WEFT_VERSION);
}

static void nothing_is_left_after_an_error(void)
{
    static const uint8_t bytes[3] = {1, 2, 3};
    weft_reader reader;
    weft_reader_init(&reader, bytes, sizeof bytes);
    CHECK_EQ(weft_reader_left(&reader), 3);
    CHECK(weft_read_bytes(&reader, 4) == NULL);
    CHECK_EQ(weft_reader_left(&reader), 0);
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
    RUN(plain_boxes_go_on_only_where_all_fits);
    RUN(packed_boxes_go_on_only_where_all_fits);
    RUN(heads_of_all_versions_come_back_whole_or_not_at_all);
    RUN(nothing_is_left_after_an_error);
    return check_failed();
}
