/* SPDX-License-Identifier: MIT */
/* Steps: 1. each node's rows become columns, compressed; long ones that may not be needed are only estimated
 *           (pack_node.c, pack_edge.c, pack_load.c; several threads)
 *        2. words that follow from other words are dropped where they are large and found again in few steps, without
 *           circles (pack_choose.c)
 *        3. what was estimated and is needed is compressed (pack_code.c; several threads)
 *        4. directory and data are written (pack_program.c, pack_write.c), and counted (pack_report.c). */
#include "tools/lib/wet/pack.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/packing.h"

#define THREADS_MAX 8

static void *pack_thread(void *context)
{
    packing *p = context;
    squeeze_coder *coder = squeeze_coder_new();
    wet_rows_reader *reader = wet_rows_reader_new();
    for (uint32_t i; (i = atomic_fetch_add(&p->next, 1)) < p->t->node_count;)
        p->step(p, p->order[i], coder, reader);
    squeeze_coder_free(coder);
    wet_rows_reader_free(reader);
    return NULL;
}

typedef struct node_size {
    uint64_t words;
    uint32_t node;
} node_size;

static int size_order(const void *a, const void *b)
{
    const node_size *x = a, *y = b;
    return x->words != y->words ? (x->words > y->words ? -1 : 1) : x->node < y->node ? -1 : 1;
}

static uint32_t *order_make(const wet_trace *t)
{
    node_size *sizes = memory_zero(t->node_count + 1, sizeof *sizes);
    uint32_t *order = memory_zero(t->node_count + 1, sizeof *order);
    for (uint32_t i = 0; i < t->node_count; i++)
        sizes[i] = (node_size){(uint64_t)t->nodes[i].count * t->nodes[i].width, i};
    qsort(sizes, t->node_count, sizeof *sizes, size_order);
    for (uint32_t i = 0; i < t->node_count; i++)
        order[i] = sizes[i].node;
    free(sizes);
    return order;
}

/* As many threads as there are cores; where none can be made, this one does the work. */
static void pack_all(packing *p, void (*step)(packing *, uint32_t, squeeze_coder *, wet_rows_reader *))
{
    pthread_t threads[THREADS_MAX];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int wanted = cores < 1 ? 1 : cores > THREADS_MAX ? THREADS_MAX : (int)cores, count = 0;
    p->step = step;
    atomic_store(&p->next, 0);
    while (count < wanted && pthread_create(&threads[count], NULL, pack_thread, p) == 0)
        count++;
    if (!count)
        pack_thread(p);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static void packing_free(packing *p)
{
    for (uint32_t i = 0; i < p->t->node_count; i++) {
        packed_node *out = &p->nodes[i];
        for (uint32_t k = 0; k < p->t->nodes[i].input_count; k++)
            free(out->inputs[k].producers);
        for (uint32_t k = 0; k < p->t->nodes[i].control_count; k++)
            free(out->controls[k].producers);
        for (uint32_t k = 0; k < out->part_count; k++)
            free(out->parts[k].edge.producers);
        wet_columns_free(&out->columns);
        free(out->slots);
        free(out->way);
        free(out->cost);
        free(out->inputs);
        free(out->controls);
        free(out->parts);
        free(out->dropped);
        free(out->searched);
        free(out->steps);
    }
    free(p->nodes);
    free(p->order);
}

bool wet_pack_write(wet_trace *t, const char *path, int tier, wet_report *report, char *message, size_t message_size)
{
    packing p = {.t = t, .nodes = memory_zero(t->node_count + 1, sizeof(packed_node)), .tier = tier};
    *report = (wet_report){0};
    if (!wet_store_done(t->store, message, message_size)) {
        packing_free(&p);
        return false;
    }
    p.order = order_make(t);
    pack_all(&p, pack_node);
    pack_choose(&p);
    pack_all(&p, pack_code_node);
    bool good = pack_write(&p, path, report, message, message_size);
    if (good)
        pack_report(&p, report);
    packing_free(&p);
    return good;
}
