/* SPDX-License-Identifier: MIT */
#include "tools/lib/inspect/part_loops.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/machine/closes.h"
#include "tools/lib/machine/decode_in.h"
#include "tools/lib/machine/thumb.h"

/* A jump that closes a loop. */
typedef struct closing {
    uint32_t to;
    const part_executed *jump;
} closing;

typedef struct loops {
    const image *im;
    const part_executed *all; /* by address */
    size_t count;
    closing *closing; /* by where they lead, then by where they stand */
    size_t closing_count;
} loops;

static int by_address(const void *a, const void *b)
{
    const part_executed *x = a, *y = b;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static const part_executed *executed_at(const loops *l, uint32_t pc)
{
    part_executed key = {.pc = pc};
    return bsearch(&key, l->all, l->count, sizeof key, by_address);
}

/* A jump to a known place. */
static bool jump_at(const image *im, uint32_t pc, thumb_insn *insn)
{
    const uint8_t *bytes = image_bytes(im, pc, 2);
    unsigned size = bytes ? thumb_size((uint16_t)(bytes[0] | bytes[1] << 8)) : 2;
    bytes = image_bytes(im, pc, size);
    return bytes && thumb_decode_in(insn, im, pc, bytes, size, THUMB_ALWAYS) && insn->flow == THUMB_BRANCH;
}

static int by_head(const void *a, const void *b)
{
    const closing *x = a, *y = b;
    return x->to != y->to ? (x->to < y->to ? -1 : 1) : by_address(x->jump, y->jump);
}

static void find_closing(loops *l)
{
    thumb_insn insn;
    l->closing = memory_zero(l->count + 1, sizeof *l->closing);
    for (size_t i = 0; i < l->count; i++) {
        const image_symbol *f = l->all[i].back ? image_function(&l->im->symbols, l->all[i].pc) : NULL;
        if (f && jump_at(l->im, l->all[i].pc, &insn) && closes_loop(l->im, f, &insn))
            l->closing[l->closing_count++] = (closing){insn.target, &l->all[i]};
    }
    qsort(l->closing, l->closing_count, sizeof *l->closing, by_head);
}

/* Where the jumps lead to the head of the loop: how often control came there otherwise. Else the loop is tested at its
 * end, and what stands before it jumps to the test; or, failing that, it was left as often as the last jump was not
 * taken. */
static uint64_t entered(const loops *l, const closing *last, uint64_t turns)
{
    const part_executed *head = executed_at(l, last->to);
    if (head && head->count > turns)
        return head->count - turns;
    for (uint32_t size = 2; size <= 4; size += 2) {
        const part_executed *before = executed_at(l, last->to - size);
        thumb_insn insn;
        if (before && jump_at(l->im, before->pc, &insn) && insn.size == size && !insn.falls && insn.target > last->to &&
            insn.target <= last->jump->pc)
            return before->count;
    }
    return last->jump->count - last->jump->back;
}

static void add_loop(part_side *s, const loops *l, const closing *last, uint64_t turns)
{
    const image *im = s->im;
    uint32_t pc = last->jump->pc;
    const image_symbol *f = image_function(&im->symbols, pc);
    const image_line *line = image_line_at(im, pc), *first = image_line_at(im, f->address);
    uint32_t at = line ? line->line : 0;
    uint64_t key = part_hash_function(s, 4, f->name);
    if (line && line->file)
        key = part_hash(key, text_base(line->file));
    part_add_row(s, (part_row){.kind = PART_LOOP,
                               .key = part_hash_number(key, s->by_lines ? at - (first ? first->line : 0) : pc),
                               .name = (char *)f->name,
                               .file = line ? line->file : NULL,
                               .line = at,
                               .value = {(double)entered(l, last, turns), (double)turns}});
}

void part_loops_add(part_side *s, part_executed *all, size_t count)
{
    loops l = {.im = s->im, .all = all, .count = count};
    qsort(all, count, sizeof *all, by_address);
    find_closing(&l);
    uint64_t turns = 0;
    for (size_t i = 0; i < l.closing_count; i++) {
        turns += l.closing[i].jump->back;
        if (i + 1 < l.closing_count && l.closing[i + 1].to == l.closing[i].to)
            continue;
        add_loop(s, &l, &l.closing[i], turns);
        turns = 0;
    }
    free(l.closing);
    thumb_decode_end();
}
