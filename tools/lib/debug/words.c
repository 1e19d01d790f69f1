/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/words.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

#define FREE UINT32_MAX

static debug_word *place_of(const debug_words *w, uint32_t number)
{
    uint32_t at = number * 0x9e3779b1u >> 7;
    while (w->places[at & (w->room - 1)].number != number && w->places[at & (w->room - 1)].number != FREE)
        at++;
    return &w->places[at & (w->room - 1)];
}

debug_word *debug_words_find(const debug_words *w, uint32_t number)
{
    debug_word *place = w->room ? place_of(w, number) : NULL;
    return place && place->number == number ? place : NULL;
}

static void grow(debug_words *w)
{
    debug_words old = *w;
    w->room = old.room ? 2 * old.room : 512;
    w->places = memory_grow(NULL, w->room, sizeof *w->places);
    memset(w->places, 0xff, w->room * sizeof *w->places);
    for (uint32_t i = 0; i < old.room; i++)
        if (old.places[i].number != FREE)
            *place_of(w, old.places[i].number) = old.places[i];
    free(old.places);
}

debug_word *debug_words_add(debug_words *w, uint32_t number)
{
    if (2 * w->count >= w->room)
        grow(w);
    debug_word *place = place_of(w, number);
    *place = (debug_word){number, 0, 0};
    w->count++;
    return place;
}

void debug_words_free(debug_words *w)
{
    free(w->places);
    *w = (debug_words){0};
}
