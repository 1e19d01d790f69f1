/* SPDX-License-Identifier: MIT */
#include "tools/lib/grammar/wpp_predictor.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/grammar/logistic.h"

static void mixers_init(mixer *m, size_t count, int32_t weight)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned j = 0; j < MIXER_LANES; j++)
            m[i].weight[j] = weight;
}

/* Before the first symbol, as if symbols 0 had come. */
static void contexts_init(predictor *p)
{
    p->hashed = UINT64_MAX;
    for (unsigned i = 0; i <= ORDERS; i++) {
        p->leaves[i] = 1;
        for (unsigned j = 0; j < wpp_hashed_symbols(i); j++)
            p->leaves[i] *= WPP_ROLL;
    }
}

predictor *wpp_predictor_new(bit_coder *c, uint64_t length, bool old)
{
    predictor *p = memory_zero(1, sizeof *p);
    p->c = c;
    p->old = old;
    contexts_init(p);
    p->slot_bits = SLOT_BITS_MIN;
    while (p->slot_bits < SLOT_BITS_MAX && length >> p->slot_bits)
        p->slot_bits++;
    p->history = memory_table((size_t)1 << HISTORY_BITS, sizeof *p->history);
    p->starts = memory_table((size_t)1 << p->slot_bits, sizeof *p->starts);
    for (unsigned i = 0; i < ORDERS; i++)
        p->here[i] = p->slots[i] = memory_table((size_t)1 << p->slot_bits, sizeof *p->slots[i]);
    p->by_last = memory_zero(4 << LAST_BITS, sizeof *p->by_last);
    mixers_init(p->by_last, 4 << LAST_BITS, WEIGHT_ONE * 3 / 10);
    mixers_init(p->by_state, 4 * 8 * 8, WEIGHT_ONE * 3 / 10);
    mixers_init(p->tree_mixer, 33, WEIGHT_ONE / 3);
    for (unsigned i = 0; i < 3; i++) {
        p->tree[i] = memory_table((size_t)1 << TREE_BITS, sizeof *p->tree[i]);
        bit_models_init(p->tree[i], (size_t)1 << TREE_BITS);
    }
    bit_models_init(p->go_on, 32);
    bit_models_init(p->sure, 1 << SURE_BITS);
    logistic_table(p->logit);
    for (int x = -LOGIT_MAX; x <= LOGIT_MAX; x++)
        p->squashed[LOGIT_MAX + x] = (int16_t)squash(x);
    wpp_values_init(&p->values);
    return p;
}

void wpp_predictor_free(predictor *p)
{
    for (unsigned i = 0; i < ORDERS; i++)
        free(p->slots[i]), free(p->more[i]);
    for (unsigned i = 0; i < 3; i++)
        free(p->tree[i]);
    free(p->history);
    free(p->starts);
    free(p->by_last);
    free(p->terminals);
    free(p);
}
