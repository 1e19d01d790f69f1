/* SPDX-License-Identifier: MIT */
#include "tools/weft/dump_left.h"

#include <string.h>

#include "tools/lib/debug/local_value.h"
#include "tools/lib/recording/open_path.h"

/* Whether a path of that number can be open at the instruction. The compiler may say wrongly where the register is:
 * statements move. */
static bool may_be_open(program *app, uint32_t pc, const pack_left *left)
{
    open_path open;
    open_path_find(&open, app, &pc, left->paths, left->count, &left->open);
    bool some = open.ways > 0;
    open_path_free(&open);
    return some;
}

pack_left pack_left_at(program *app, const fault *f)
{
    pack_left left = {.known = false};
    const weft_fault_head *h = &f->head;
    uint32_t r[16], word;
    bool whole = h->flags & WEFT_FAULT_FRAME;
    const descriptor_function *at =
        whole ? open_path_function(program_descriptors(app), program_image(app), h->pc) : NULL;
    left.none = at && !(at->flags & DESCRIPTOR_PACKED);
    if (!at)
        return left;
    memcpy(r, h->r, 13 * sizeof *r);
    r[13] = h->sp;
    r[14] = h->lr;
    r[15] = h->pc;
    if (left.none) {
        left.known = debug_local_value(program_image(app), h->pc, "weft_path", r, 0xffff, &left.open) &&
                     may_be_open(app, h->pc, &left);
        return left;
    }
    left.known = debug_local_value(program_image(app), h->pc, "weft_pack", r, 0xffff, &word);
    left.count = left.known ? descriptor_unpack(at, word, left.paths) : 0;
    left.known = left.count > 0;
    if (left.known)
        left.open = left.paths[--left.count];
    left.known = left.known && may_be_open(app, h->pc, &left);
    if (!left.known)
        left.count = 0;
    return left;
}
