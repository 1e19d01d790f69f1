/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/coverage_executed.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/machine/build.h"
#include "tools/lib/machine/decode_in.h"
#include "tools/lib/profile/back_edges.h"

/* Where an instruction may go on. */
typedef struct way_out {
    uint32_t to;
    uint64_t count;
} way_out;

typedef struct filler {
    coverage *all;
    const execution *run;
    const image_line **line; /* of each executed instruction */
    uint32_t *executed;      /* by halfword of the function that is looked at: its number + 1 */
    size_t executed_max;
    way_out *out; /* of one instruction */
    size_t out_count, out_max;
} filler;

static bool is_wanted(const filler *f, uint32_t pc)
{
    const image_symbol *s = f->all->only ? image_function(&f->run->im->symbols, pc) : NULL;
    return coverage_wants(f->all, s ? s->name : NULL);
}

static bool same_line(const image_line *a, const image_line *b)
{
    return a == b || (a && b && a->line == b->line && (a->file == b->file || !strcmp(a->file, b->file)));
}

static void add_line(filler *f, const image_line *line, uint64_t count)
{
    if (line && line->line)
        coverage_add_line(f->all, (coverage_line){line->file, line->line, count});
}

/* What ran. */
static void add_counts(filler *f)
{
    const execution *run = f->run;
    for (uint32_t i = 0; i < run->count; i++) {
        f->line[i] = image_line_at(run->im, run->all[i].insn.pc);
        if (run->all[i].entered && is_wanted(f, run->all[i].insn.pc))
            add_line(f, f->line[i], run->all[i].entered);
    }
    for (uint32_t i = 0; i < run->way_count; i++) {
        const executed_way *w = &run->way[i];
        bool back = run->all[w->to].insn.pc <= run->all[w->from].insn.pc;
        if ((back || !same_line(f->line[w->from], f->line[w->to])) && is_wanted(f, run->all[w->to].insn.pc))
            add_line(f, f->line[w->to], w->count);
    }
}

/* ---- loops ---- */

/* How often control came to the head of a loop from outside, and from within. */
typedef struct machine_loop {
    uint64_t entered, turns;
} machine_loop;

static void add_loop(filler *f, uint32_t head, const machine_loop *l)
{
    const image_symbol *s = image_function(&f->run->im->symbols, f->run->all[head].insn.pc);
    const image_line *line = f->line[head];
    if (s && coverage_wants(f->all, s->name))
        coverage_add_loop(f->all, (coverage_loop){line ? line->file : "?", s->name, line ? line->line : 0,
                                                  l->entered + f->run->all[head].entered, l->turns});
}

/* By way. Each function is walked from where it is entered. A loop that is tested at its end is entered at the test,
 * which is its head. */
static bool *back_ways(const execution *run)
{
    back_edges *ways = back_edges_open(run->count, run->way_count);
    uint32_t *way = memory_zero(run->way_count + 1, sizeof *way);
    for (uint32_t i = 0; i < run->count; i++) {
        uint32_t count = 0;
        for (uint32_t at = run->all[i].ways; at != EXECUTION_NONE; at = run->way[at].next)
            way[count++] = at;
        while (count--)
            back_edges_add(ways, way[count], i, run->way[way[count]].to);
    }
    free(way);
    for (uint32_t i = 0; i < run->count; i++)
        if (run->all[i].entered)
            back_edges_walk(ways, i);
    return back_edges_close(ways); /* the rest was entered before the recording began */
}

static void add_loops(filler *f)
{
    const execution *run = f->run;
    machine_loop *loops = memory_zero(run->count + 1, sizeof *loops);
    bool *back = back_ways(run);
    for (uint32_t i = 0; i < run->way_count; i++)
        *(back[i] ? &loops[run->way[i].to].turns : &loops[run->way[i].to].entered) += run->way[i].count;
    for (uint32_t i = 0; i < run->count; i++)
        if (loops[i].turns)
            add_loop(f, i, &loops[i]);
    free(back);
    free(loops);
}

/* ---- jumps ---- */

static void add_jumps(filler *f)
{
    const execution *run = f->run;
    for (uint32_t i = 0; i < run->way_count; i++) {
        const executed *from = &run->all[run->way[i].from], *to = &run->all[run->way[i].to];
        const image_line *line = f->line[run->way[i].from], *to_line = f->line[run->way[i].to];
        bool jumps = from->insn.flow == THUMB_BRANCH || from->insn.flow == THUMB_SWITCH;
        if (!jumps || to->insn.pc == from->insn.pc + from->insn.size || to->function != from->function ||
            !is_wanted(f, from->insn.pc) || !line || !line->line || !to_line || !to_line->line)
            continue;
        coverage_add_jump(
            f->all, (coverage_jump){.function = from->function,
                                    .file = line->file,
                                    .line = line->line,
                                    .to_file = to_line->file,
                                    .to_line = to_line->line,
                                    .choice = from->insn.pc,
                                    .count = run->way[i].count,
                                    .runs = from->insn.falls || from->insn.flow == THUMB_SWITCH ? from->count : 0});
    }
}

/* ---- branches ---- */

static void add_out(filler *f, uint32_t to, uint64_t count)
{
    for (size_t i = 0; i < f->out_count; i++)
        if (f->out[i].to == to) {
            f->out[i].count += count;
            return;
        }
    f->out = memory_room(f->out, f->out_count, &f->out_max, sizeof *f->out);
    f->out[f->out_count++] = (way_out){to, count};
}

static int by_target(const void *a, const void *b)
{
    const way_out *x = a, *y = b;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* An instruction's ways, if there are several, as branches of its line. */
static void add_branch(filler *f, const thumb_insn *insn, const executed *ran)
{
    const image_line *line = image_line_at(f->run->im, insn->pc);
    uint64_t sum = 0;
    for (uint32_t w = ran ? ran->ways : EXECUTION_NONE; w != EXECUTION_NONE; w = f->run->way[w].next)
        add_out(f, f->run->all[f->run->way[w].to].insn.pc, f->run->way[w].count);
    for (size_t i = 0; i < f->out_count; i++)
        sum += f->out[i].count;
    if (f->out_count > 1 && line && line->line) {
        qsort(f->out, f->out_count, sizeof *f->out, by_target);
        for (size_t i = 0; i < f->out_count; i++)
            coverage_add_branch(f->all,
                                (coverage_branch){line->file, line->line, insn->pc, (uint32_t)i, (uint32_t)f->out_count,
                                                  f->out[i].count, sum - f->out[i].count});
    }
    f->out_count = 0;
}

/* ---- functions ---- */

/* The ways of jumps through tables, executed or not. */
static void add_tables(filler *f, const image_symbol *s, uint32_t size)
{
    routine *code = routine_build(f->run->im, s->address, s->address + size, false);
    for (uint32_t i = 0; i < code->count; i++) {
        const routine_step *step = &code->steps[i];
        uint32_t at = f->executed[(step->insn.pc - s->address) / 2];
        if (step->insn.flow != THUMB_SWITCH)
            continue;
        for (uint32_t t = 0; t < step->table_count; t++)
            add_out(f, code->steps[step->table[t]].insn.pc, 0);
        add_branch(f, &step->insn, at ? &f->run->all[at - 1] : NULL);
    }
    routine_free(code);
}

/* Decodes one instruction of code that may never have run. Returns its size. */
static unsigned decode(const image *im, uint32_t pc, uint8_t *conditions, unsigned *left, thumb_insn *insn)
{
    const uint8_t *bytes = image_bytes(im, pc, 2);
    uint16_t first = bytes ? (uint16_t)(bytes[0] | bytes[1] << 8) : 0;
    unsigned size = thumb_size(first);
    bytes = bytes ? image_bytes(im, pc, size) : NULL;
    if (!bytes)
        return 0;
    thumb_decode_in(insn, im, pc, bytes, size, *left ? conditions[4 - *left] : THUMB_ALWAYS);
    *left -= *left > 0;
    uint8_t given[4];
    int count = size == 2 ? thumb_it(first, given) : 0;
    if (count > 0) {
        memcpy(conditions + 4 - count, given, (size_t)count);
        *left = (unsigned)count;
    }
    return size;
}

/* How often a branch left the function: its other ways are within an activation. */
static uint64_t left_by(const filler *f, const executed *ran)
{
    uint64_t left = ran ? ran->count : 0;
    for (uint32_t w = ran ? ran->ways : EXECUTION_NONE; w != EXECUTION_NONE; w = f->run->way[w].next)
        left -= f->run->way[w].count;
    return left;
}

/* All lines and conditional branches of a function. */
static void add_code(filler *f, const image_symbol *s, uint32_t size)
{
    const image *im = f->run->im;
    uint32_t end = s->address + size;
    uint8_t conditions[4];
    unsigned left = 0;
    bool table = false;
    for (uint32_t pc = s->address, next; pc < end; pc = next) {
        thumb_insn insn;
        uint32_t data = image_data_end(&im->symbols, pc);
        unsigned bytes = data ? 0 : decode(im, pc, conditions, &left, &insn);
        next = data > pc ? data : pc + (bytes ? bytes : 2);
        if (!bytes)
            continue;
        add_line(f, image_line_at(im, pc), 0);
        table |= insn.flow == THUMB_SWITCH;
        if (insn.flow != THUMB_BRANCH || !insn.falls)
            continue;
        uint32_t at = f->executed[(pc - s->address) / 2];
        const executed *ran = at ? &f->run->all[at - 1] : NULL;
        add_out(f, insn.target, insn.target - s->address < size ? 0 : left_by(f, ran));
        add_out(f, pc + bytes, 0);
        add_branch(f, &insn, ran);
    }
    if (table)
        add_tables(f, s, size);
}

/* Up to the next function: libgcc's assembler has functions that begin within others. */
static uint32_t size_of(const image *im, const image_symbol *s)
{
    uint32_t size = s->size;
    for (const image_symbol *next = s + 1; next < im->symbols.all + im->symbols.count; next++)
        if (next->function && next->address > s->address) {
            size = next->address - s->address < size ? next->address - s->address : size;
            break;
        }
    return image_bytes_from(im, s->address, size);
}

/* A function that has lines. `ran`: the executed instructions from its first one on; returns how many are its own. */
static size_t add_function(filler *f, const image_symbol *s, const executed **ran, size_t count)
{
    uint32_t size = size_of(f->run->im, s);
    const image_line *line = image_function_line(f->run->im, s->address);
    uint64_t calls = 0;
    size_t used = 0;
    f->executed = memory_room(f->executed, size / 2 + 1, &f->executed_max, sizeof *f->executed);
    memset(f->executed, 0, (size / 2 + 1) * sizeof *f->executed);
    for (; used < count && ran[used]->insn.pc - s->address < size; used++) {
        f->executed[(ran[used]->insn.pc - s->address) / 2] = (uint32_t)(ran[used] - f->run->all) + 1;
        calls += ran[used]->insn.pc == s->address ? ran[used]->entered : 0;
    }
    if (!line || !line->line || !coverage_wants(f->all, s->name))
        return used;
    coverage_add_function(f->all,
                          (coverage_function){line->file, s->name, line->line, coverage_calls(calls, used > 0)});
    add_code(f, s, size);
    return used;
}

void coverage_executed(coverage *all, const execution *run)
{
    filler f = {.all = all, .run = run, .line = memory_zero(run->count + 1, sizeof *f.line)};
    const image_symbols *symbols = &run->im->symbols;
    const executed **ran = execution_by_address(run);
    add_counts(&f);
    add_loops(&f);
    add_jumps(&f);
    size_t at = 0;
    for (size_t i = 0; i < symbols->count; i++) {
        const image_symbol *s = &symbols->all[i];
        if (!s->function || !s->loaded || !s->size || image_function(symbols, s->address) != s)
            continue;
        while (at < run->count && ran[at]->insn.pc < s->address)
            at++;
        at += add_function(&f, s, ran + at, run->count - at);
    }
    all->instructions = run->steps;
    coverage_sort(all);
    free(ran);
    free(f.line);
    free(f.executed);
    free(f.out);
}
