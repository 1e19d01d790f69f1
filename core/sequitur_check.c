/* SPDX-License-Identifier: MIT */
/* The invariants of core/sequitur_push.c, for tests: in a file of its own, so that firmware does not link it. */
#include "core/own.h"
#include "core/sequitur_parts.h"

/* Whether the ring of a rule is whole. Adds its symbols. */
static bool check_ring(const weft_seq *q, weft_handle guard, unsigned *symbols)
{
    unsigned length = 0;
    weft_handle at = guard;
    do {
        weft_handle next = q->symbols[at].next;
        if (next >= q->fresh || q->symbols[next].prev != at || length > q->used)
            return false;
        at = next;
        length++;
    } while (!weft_seq_is_guard(q, at));
    *symbols += length;
    return at == guard && (length > 2 || guard == WEFT_SEQ_START);
}

/* Whether a rule is used as often as it says, and at least twice. */
static bool check_uses(const weft_seq *q, weft_handle guard)
{
    unsigned uses = 0;
    for (weft_handle i = 0; i < q->fresh; i++)
        if (q->symbols[i].chain != WEFT_SEQ_FREE && q->symbols[i].chain != WEFT_SEQ_GUARD &&
            q->symbols[i].value == (guard | WEFT_SEQ_RULE))
            uses++;
    return guard == WEFT_SEQ_START ? uses == 0 : uses == q->symbols[guard].value && uses >= 2;
}

/* The symbol in the table that begins the same digram as this one, or 0. */
static weft_handle find(const weft_seq *q, const weft_seq_symbol *s)
{
    weft_handle right = q->symbols[s->next].value;
    weft_handle at = *weft_seq_bucket(q, s->value, right);
    while (at && (q->symbols[at].value != s->value || q->symbols[q->symbols[at].next].value != right))
        at = q->symbols[at].chain;
    return at;
}

/* Whether the symbol's digram is in the table once, overlaps its twin there, or waits for the look-ahead. */
static bool check_digram(const weft_seq *q, weft_handle symbol)
{
    const weft_seq_symbol *s = &q->symbols[symbol];
    weft_handle known = find(q, s);
    if (!known)
        return q->loose && s->next == q->symbols[WEFT_SEQ_START].prev;
    return known == symbol || q->symbols[known].next == symbol || s->next == known || q->deferred == symbol;
}

bool weft_seq_check(const weft_seq *q)
{
    unsigned symbols = 0, rules = 0;
    for (weft_handle i = 0; i < q->fresh; i++) {
        if (q->symbols[i].chain == WEFT_SEQ_FREE)
            continue;
        if ((q->symbols[i].chain != WEFT_SEQ_GUARD && !weft_seq_is_guard(q, q->symbols[i].next)) && !check_digram(q, i))
            return false;
        if (q->symbols[i].chain != WEFT_SEQ_GUARD)
            continue;
        rules++;
        if (!check_ring(q, i, &symbols) || !check_uses(q, i))
            return false;
    }
    return symbols == q->used && rules == q->rules + 1u && !q->pending;
}
