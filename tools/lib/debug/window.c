/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/window.h"

#include <stdlib.h>

#define BIT(n) (UINT64_C(1) << (n))

void debug_window_free(debug_window *w)
{
    free(w->steps);
    free(w->changes);
    free(w->accesses);
    free(w->word_changes);
    debug_words_free(&w->words);
    free(w);
}

void debug_window_go(debug_window *w, uint32_t step)
{
    uint32_t from = w->steps[w->at].changes, to = w->steps[step].changes;
    for (; from < to; from++) {
        w->registers[w->changes[from].loc] = w->changes[from].after;
        w->known |= BIT(w->changes[from].loc);
    }
    while (from > to) {
        const debug_change *c = &w->changes[--from];
        w->registers[c->loc] = c->before;
        if (!c->known)
            w->known &= ~BIT(c->loc);
    }
    w->at = step;
}

/* Memory follows the place when it is asked for. */
static void words_go(debug_window *w)
{
    uint32_t to = w->steps[w->at].words;
    for (; w->words_at < to; w->words_at++) {
        const debug_word_change *c = &w->word_changes[w->words_at];
        debug_word *word = debug_words_find(&w->words, c->number);
        word->value = c->after;
        word->mask = c->mask_after;
    }
    while (w->words_at > to) {
        const debug_word_change *c = &w->word_changes[--w->words_at];
        debug_word *word = debug_words_find(&w->words, c->number);
        word->value = c->before;
        word->mask = c->mask_before;
    }
}

uint8_t debug_window_word(debug_window *w, wet_past *past, uint32_t number, uint32_t *value)
{
    words_go(w);
    const debug_word *word = debug_words_find(&w->words, number);
    if (!word)
        return wet_past_word(past, number, w->number, value);
    *value = word->value;
    return word->mask;
}
