/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/packs_found.h"

#include <stdlib.h>

stored_packs *packs_found(const frame_index *index, uint32_t identity, uint32_t crc)
{
    stored_packs *all = NULL;
    uint8_t *buffer = NULL;
    container_frame frame;
    bool agree = true;
    for (size_t i = 0; i < index->pack_count; i++) {
        stored_packs *packs = NULL;
        if (index->pack[i].identity == identity) {
            index_read_at(index, &index->pack[i], &frame, &buffer);
            packs = stored_packs_read(frame.frame.body, frame.frame.body_size);
        }
        if (!packs || (crc && stored_packs_image(packs) && stored_packs_image(packs) != crc)) {
            stored_packs_free(packs);
        } else if (!all) {
            all = packs;
        } else {
            agree &= stored_packs_add(all, packs);
            stored_packs_free(packs);
        }
    }
    free(buffer);
    if (agree)
        return all;
    stored_packs_free(all);
    return NULL;
}
