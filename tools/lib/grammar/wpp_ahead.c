/* SPDX-License-Identifier: MIT */
#include "tools/lib/grammar/wpp_ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/grammar/wpp_model.h"
#include "tools/lib/grammar/wpp_stream.h"

enum {
    QUEUE = 1 << 22,                  /* symbols; memory 4 bytes each; at least BEGIN and a block that is pushed */
    AT_ONCE = 1 << 16,                /* symbols that are predicted between two looks at the queue */
    BEGIN = 1 << (SLOT_BITS_MAX - 1), /* symbols from which on the model's tables have their largest size */
    ELEMENTS_MIN = 1000               /* of the grammar by then; less: its rules will be few bytes, most likely */
};

struct wpp_ahead {
    uint32_t *queue;
    uint64_t pushed, predicted; /* symbols so far; the queue has those between */
    uint32_t *values;           /* of the symbols' numbers */
    size_t value_count, values_max;
    bool runs;    /* the thread was started */
    bool ended;   /* nothing more comes */
    bool dropped; /* nothing more is wanted */
    bit_coder coder;
    pthread_t thread;
    pthread_mutex_t lock; /* of all above but the coder, once the thread runs */
    pthread_cond_t changed;
};

wpp_ahead *wpp_ahead_open(void)
{
    if (threads_count() < 2 || memory_limit())
        return NULL;
    wpp_ahead *a = memory_zero(1, sizeof *a);
    a->queue = memory_grow(NULL, QUEUE, sizeof *a->queue);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->changed, NULL);
    bit_coder_encode(&a->coder);
    return a;
}

/* ---- the thread ---- */

/* The values that the thread knows. */
typedef struct known {
    uint32_t *values;
    size_t count, max;
} known;

static void learn(known *k, const wpp_ahead *a)
{
    for (; k->count < a->value_count; k->count++) {
        k->values = memory_room(k->values, k->count, &k->max, sizeof *k->values);
        k->values[k->count] = a->values[k->count];
    }
}

/* How many symbols of the queue come next, and lie side by side; 0: no more. */
static size_t await(wpp_ahead *a, known *k)
{
    pthread_mutex_lock(&a->lock);
    while (a->pushed == a->predicted && !a->ended && !a->dropped)
        pthread_cond_wait(&a->changed, &a->lock);
    uint64_t count = a->dropped ? 0 : a->pushed - a->predicted, to_end = QUEUE - a->predicted % QUEUE;
    learn(k, a);
    pthread_mutex_unlock(&a->lock);
    count = count < to_end ? count : to_end;
    return (size_t)(count < AT_ONCE ? count : AT_ONCE);
}

static void *predict(void *own)
{
    wpp_ahead *a = own;
    known k = {0};
    predictor *p = wpp_predictor_new(&a->coder, BEGIN, false);
    for (size_t count; (count = await(a, &k)) > 0;) {
        wpp_model_write(p, a->queue + a->predicted % QUEUE, count, k.values);
        pthread_mutex_lock(&a->lock);
        a->predicted += count;
        pthread_cond_signal(&a->changed);
        pthread_mutex_unlock(&a->lock);
    }
    wpp_predictor_free(p);
    free(k.values);
    return NULL;
}

/* ---- the caller ---- */

static void end_thread(wpp_ahead *a, bool drop)
{
    pthread_mutex_lock(&a->lock);
    a->ended = true;
    a->dropped |= drop;
    pthread_cond_signal(&a->changed);
    pthread_mutex_unlock(&a->lock);
    if (a->runs)
        pthread_join(a->thread, NULL);
    a->runs = false;
}

void wpp_ahead_drop(wpp_ahead *a)
{
    if (!a)
        return;
    end_thread(a, true);
    free(a->queue);
    free(a->coder.out);
    a->queue = NULL;
    a->coder.out = NULL;
}

void wpp_ahead_close(wpp_ahead *a)
{
    if (!a)
        return;
    wpp_ahead_drop(a);
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->changed);
    free(a->values);
    free(a);
}

void wpp_ahead_value(wpp_ahead *a, uint32_t value)
{
    if (!a || a->dropped)
        return;
    pthread_mutex_lock(&a->lock);
    a->values = memory_room(a->values, a->value_count, &a->values_max, sizeof *a->values);
    a->values[a->value_count++] = value;
    pthread_mutex_unlock(&a->lock);
}

/* As many symbols as there is room for, without a wrap; waits until there is some. */
static size_t push_some(wpp_ahead *a, const uint32_t *numbers, size_t count)
{
    size_t at = a->pushed % QUEUE;
    pthread_mutex_lock(&a->lock);
    while (a->pushed - a->predicted == QUEUE)
        pthread_cond_wait(&a->changed, &a->lock);
    size_t room = QUEUE - (size_t)(a->pushed - a->predicted);
    pthread_mutex_unlock(&a->lock);
    room = room < QUEUE - at ? room : QUEUE - at;
    count = count < room ? count : room;
    memcpy(a->queue + at, numbers, count * sizeof *numbers);
    pthread_mutex_lock(&a->lock);
    a->pushed += count;
    pthread_cond_signal(&a->changed);
    pthread_mutex_unlock(&a->lock);
    return count;
}

void wpp_ahead_push(wpp_ahead *a, const uint32_t *numbers, size_t count, size_t elements)
{
    for (size_t done = 0; a && !a->dropped && done < count;) {
        size_t to_begin = a->pushed < BEGIN ? BEGIN - (size_t)a->pushed : count;
        done += push_some(a, numbers + done, to_begin < count - done ? to_begin : count - done);
        bool begin = a->pushed >= BEGIN && !a->runs;
        if (a->pushed > WPP_STREAM_LENGTH_MAX || (begin && elements < ELEMENTS_MIN))
            wpp_ahead_drop(a);
        else if (begin && !(a->runs = !pthread_create(&a->thread, NULL, predict, a)))
            wpp_ahead_drop(a);
    }
}

bool wpp_ahead_finish(wpp_ahead *a, bit_coder *coded)
{
    if (!a || !a->runs)
        return false;
    end_thread(a, false);
    bit_coder_finish(&a->coder);
    *coded = a->coder;
    a->coder.out = NULL;
    return true;
}
