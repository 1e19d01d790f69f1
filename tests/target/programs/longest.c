/* SPDX-License-Identifier: MIT */
/* Searches chains of earlier places for the longest repetition, as LZ4's slow compressor does. A turn reads three
 * addresses: they follow from the place tried and from the longest length so far, which seldom changes. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 2500, TRIES = 24, LEAST = 4, MOST = 60 };

static uint8_t text[SIZE + MOST];
static uint16_t chain[SIZE], table[256];

__attribute__((noinline)) static int equal(const uint8_t *a, const uint8_t *b)
{
    int n = 0;
    while (n < MOST && a[n] == b[n])
        n++;
    return n;
}

__attribute__((noinline)) static int longest_at(const uint8_t *at, const uint8_t **found)
{
    int longest = LEAST - 1;
    unsigned place = table[at[0] ^ (at[1] << 4 & 255)];
    for (int tries = TRIES; place && tries > 0; tries--) {
        const uint8_t *match = text + place;
        if (at[longest] == match[longest]) {
            int length = equal(at, match);
            if (length > longest) {
                longest = length;
                *found = match;
            }
        }
        place = chain[place];
    }
    return longest;
}

int main(void)
{
    uint32_t random = 1;
    long sum = 0;
    for (int i = 0; i < SIZE; i++) {
        random = random * 1664525 + 1013904223;
        text[i] = i > 200 && random >> 24 < 248 ? text[i - 97 - (i >> 9)] : (uint8_t)(random >> 16 & 7);
    }
    for (int i = 1; i < SIZE; i++) {
        const uint8_t *found = text;
        int length = longest_at(text + i, &found);
        sum += length >= LEAST ? length * (text + i - found) : 1;
        uint8_t hash = (uint8_t)(text[i] ^ text[i + 1] << 4);
        chain[i] = table[hash];
        table[hash] = (uint16_t)i;
    }
    printf("%ld\n", sum);
    return 0;
}
