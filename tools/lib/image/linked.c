/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/lib/image/linked.h"

#include <string.h>

#include "tools/lib/base/digest.h"

static const uint8_t mark[12] = {'w', 'e', 'f', 't', '.', 'l', 'i', 'n', 'k', 'e', 'd', '='};

static const uint8_t *find(const uint8_t *bytes, size_t size)
{
    const uint8_t *found = memmem(bytes, size, mark, sizeof mark);
    return found && (size_t)(bytes + size - found) >= sizeof mark + LINKED_SIZE ? found + sizeof mark : NULL;
}

uint32_t linked_sum(const image *im, size_t *offset)
{
    static const uint8_t blank[LINKED_SIZE] = {0};
    const uint8_t *bytes;
    uint32_t address;
    size_t size, at, places = 0;
    uint64_t sum = 0;
    for (size_t i = 0; (bytes = image_kept(im, i, &address, &size, &at)); i++) {
        const uint8_t *place, *rest = bytes, *end = bytes + size;
        sum = digest_of(sum, &address, sizeof address);
        for (; (place = find(rest, (size_t)(end - rest))); rest = place + LINKED_SIZE) {
            places++;
            *offset = at + (size_t)(place - bytes);
            sum = digest_of(sum, rest, (size_t)(place - rest));
            sum = digest_of(sum, blank, sizeof blank);
        }
        sum = digest_of(sum, rest, (size_t)(end - rest));
    }
    uint32_t folded = (uint32_t)(sum ^ sum >> 32);
    return places != 1 ? 0 : folded ? folded : 1;
}
