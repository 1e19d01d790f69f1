/* SPDX-License-Identifier: MIT */
/* Step 3: columns that were only estimated, and are needed, are made from the rows again. */
#include <stdlib.h>

#include "tools/lib/wet/packing.h"

static void slots_code(const pack_work *w)
{
    const packed_node *out = w->out;
    for (uint32_t i = 0; i < w->node->slot_count; i++) {
        if (out->dropped[i] || !wet_columns_waits(&out->columns, out->slots[i]))
            continue;
        uint32_t *words = pack_column(w, 1 + i);
        wet_columns_code(&w->out->columns, w->coder, out->slots[i], words);
        free(words);
    }
}

/* Those of registers and controls were made; but they may be the same as a column that waits. */
static void edges_code(const pack_work *w)
{
    const wet_node *node = w->node;
    const packed_node *out = w->out;
    uint32_t at = wet_row_inputs(node);
    for (uint32_t i = 0; i < node->input_count; i++, at++)
        if (pack_edge_waits(&out->columns, &out->inputs[i]))
            pack_edge_code(w, &out->inputs[i], (edge_words){.producers = pack_column(w, at)});
    for (uint32_t i = 0; i < node->control_count; i++, at += 3)
        if (pack_edge_waits(&out->columns, &out->controls[i]))
            pack_edge_code(w, &out->controls[i],
                           (edge_words){pack_column(w, at), pack_column(w, at + 1), pack_column(w, at + 2), NULL});
}

static void loads_code(const pack_work *w)
{
    const packed_node *out = w->out;
    for (uint32_t i = 0; i < out->part_count; i++) {
        const packed_part *part = &out->parts[i];
        if (out->searched[part->load] || !pack_edge_waits(&out->columns, &part->edge))
            continue;
        edge_words words = pack_load_words(w, part->load, part->byte);
        uint32_t *addresses = pack_column(w, 1 + w->node->loads[part->load].slot);
        words.addresses = addresses;
        pack_edge_code(w, &part->edge, words);
        free(addresses);
    }
}

void pack_code_node(packing *p, uint32_t number, squeeze_coder *coder, wet_rows_reader *reader)
{
    pack_work w = {p->t, &p->t->nodes[number], &p->nodes[number], coder, reader, NULL};
    slots_code(&w);
    edges_code(&w);
    loads_code(&w);
}
