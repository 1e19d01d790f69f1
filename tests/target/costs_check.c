/* SPDX-License-Identifier: MIT */
/* Instruction counts of paths from the ELF (tools/lib/machine/costs.h), held against a full recording of a run of the
 * same ELF.
 *
 *     costs_check APP.elf FULL.weft [-v]
 *
 * Follows calls and returns by the stack pointer, and counts for each path the instructions that its activation
 * executed from the path before it, or from the entry, to the call of the probe; with the last one also those to the
 * return. Passes of a loop whose paths are recorded where it is left are held against what was counted together with
 * the path after them. Prints how many executions of paths cost exactly what the ELF says, lie between the bounds that
 * it says, were counted otherwise, and have an estimate only. -v: also each path of the last two kinds. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/image.h"
#include "tools/lib/image/program.h"
#include "tools/lib/machine/build.h"
#include "tools/lib/machine/costs.h"
#include "tools/lib/recording/full.h"

enum { FRAMES = 1 << 12 };

/* An activation. */
typedef struct frame {
    uint32_t start, back, sp;            /* its function; where it returns to; the stack pointer then */
    uint32_t handler;                    /* the exception that entered it, or 0 */
    const full_instruction *interrupted; /* the handler came after this instruction, whose condition held or not */
    bool interrupted_passed;
    bool probe;     /* it began as a path probe, which may continue in other functions */
    uint32_t count; /* instructions since its last path */
    /* What the ELF says of the passes that were recorded since its last path. */
    int64_t passes_least, passes_most;
    bool passes_estimated;
    bool pending; /* its last path may last until the activation ends */
    uint32_t path;
    int64_t path_least, path_most; /* cost expected in that rest */
    bool path_estimated;
} frame;

typedef struct seen {
    uint64_t times, wrong, estimated;
    int64_t least, most; /* without the passes before it */
} seen;

static frame frames[FRAMES];
static unsigned depth = 1;
static const full_instruction *last; /* the previous instruction of this context */
static bool last_passed;
static uint32_t registers[15];
static seen *paths;
static program *app;
static path_costs *costs;
static uint64_t instructions;
static const image *im;
static uint32_t blocks[1 << 16];

static void add(uint32_t path, int64_t least, int64_t most, bool estimated)
{
    seen *s = &paths[path];
    path_cost cost = costs_of(costs, path);
    if (!s->times++) {
        s->least = least;
        s->most = most;
    }
    instructions += (uint64_t)(least + most) / 2;
    s->least = least < s->least ? least : s->least;
    s->most = most > s->most ? most : s->most;
    s->estimated += estimated || cost.estimated;
    s->wrong += !estimated && !cost.estimated && (most < cost.least_all || least > cost.most_all);
}

/* How the path ends. *exit: the routine is left. *away: control leaves without entering a block. *call_ends: the
 * block that it enters does not return. False: no such path. */
static bool ending(uint32_t path, bool *exit, bool *away, bool *call_ends)
{
    descriptor_path info;
    const descriptors *all = program_descriptors(app);
    const descriptor_function *f = descriptors_of_path(all, path);
    if (!f || f->block_count > sizeof blocks / sizeof *blocks ||
        !descriptor_expand(all, path, blocks, sizeof blocks / sizeof *blocks, &info))
        return false;
    *exit = info.exit;
    *away = !info.exit && info.enters == BALLARUS_NONE;
    *call_ends = info.enters != BALLARUS_NONE && f->block[info.enters].flags & DESCRIPTOR_BLOCK_NORETURN;
    return true;
}

static void settle(frame *f, bool with_rest)
{
    int64_t rest = with_rest ? f->count : 0;
    if (f->pending)
        add(f->path, f->path_least + rest, f->path_most + rest, f->path_estimated);
    f->pending = false;
    f->count = 0;
}

/* Counts a path that ended `times` times before the one that the call records; the call records `count` paths in
 * all. */
static void pass(frame *f, uint32_t path, uint32_t times, uint32_t count)
{
    path_cost cost = costs_of(costs, path);
    f->passes_least += (int64_t)times * cost.least_all;
    f->passes_most += (int64_t)times * cost.most_all + (int64_t)(count / 65535) * cost.rare_all;
    f->passes_estimated |= cost.estimated;
    paths[path].times += times;
    paths[path].estimated += cost.estimated ? times : 0;
    instructions += (uint64_t)times * (cost.least_all + cost.most_all) / 2;
}

/* A loop has been left, or some of its passes are recorded. The registers are: first, rest, after, count. */
static void record_passes(frame *f)
{
    uint32_t first = registers[0], rest = registers[1], count = registers[3];
    for (uint32_t i = 0; i < 2 && i < count; i++)
        pass(f, i ? rest : first, i ? count - 1 : 1, count);
}

/* The activation has ended. */
static void close_frame(frame *f)
{
    bool exit = false, away, call_ends;
    if (f->pending)
        ending(f->path, &exit, &away, &call_ends);
    settle(f, exit);
}

static void record(frame *f, uint32_t path)
{
    bool exit, away, call_ends;
    uint32_t count = f->count;
    settle(f, false);
    if (ending(path, &exit, &away, &call_ends)) {
        f->pending = true;
        f->path = path;
        f->path_least = count - f->passes_most;
        f->path_most = count - f->passes_least;
        f->path_estimated = f->passes_estimated;
    }
    f->passes_least = f->passes_most = 0;
    f->passes_estimated = false;
}

static bool is_path_probe(const image_symbol *f)
{
    return !strcmp(f->name, "__weft_path") || !strcmp(f->name, "__weft_kpath") || !strcmp(f->name, "__weft_kpath_exit");
}

static bool is_pack_probe(const image_symbol *f)
{
    return !strcmp(f->name, "__weft_packed") || !strcmp(f->name, "__weft_packed_full");
}

/* Whether the probe records several paths. */
static bool is_loop_probe(const image_symbol *f)
{
    return !strcmp(f->name, "__weft_loop") || !strcmp(f->name, "__weft_loop_path") || is_pack_probe(f);
}

static void record_pack(frame *top)
{
    uint32_t packed[BALLARUS_PACK_MAX];
    const descriptor_function *f = descriptors_of_pack(program_descriptors(app), registers[0]);
    size_t count = f ? descriptor_unpack(f, registers[1], packed) : 0;
    for (size_t i = 0; i + 1 < count; i++)
        pass(top, packed[i], 1, 1);
    if (!count)
        return;
    record(top, packed[count - 1]);
    path_cost last_cost = costs_of(costs, packed[count - 1]); /* part of the cost of a full pack comes after the call */
    top->passes_most += last_cost.most_all - last_cost.least_all;
}

/* Whether this call is part of another probe, which has already said what it records. */
static bool is_in_probe(void)
{
    for (unsigned i = depth; i-- > 0;) {
        if (frames[i].probe)
            return true;
        if (frames[i].handler)
            return false;
    }
    return false;
}

static void record_loop(frame *top, const image_symbol *f)
{
    if (is_pack_probe(f)) {
        record_pack(top);
        return;
    }
    record_passes(top);
    if (!strcmp(f->name, "__weft_loop_path"))
        record(top, registers[2] + (registers[3] ? 0 : registers[0] - registers[1]));
}

static bool is_call(const full_instruction *i)
{
    uint32_t first = i->bytes[0] | (uint32_t)i->bytes[1] << 8, second = i->bytes[2] | (uint32_t)i->bytes[3] << 8;
    return i->size == 4 ? (first & 0xf800) == 0xf000 && (second & 0xd000) == 0xd000 : (first & 0xff80) == 0x4780;
}

/* GCC for ARMv6-M jumps within a large function by bl. */
static bool is_far_jump(const full_instruction *from, uint32_t pc, const image_symbol *to)
{
    return to && from->size == 4 && from->pc >= to->address && from->pc < to->address + to->size && pc != to->address;
}

/* bx, mov pc: their target may also be the next instruction. */
static bool is_jump(const full_instruction *i)
{
    uint32_t first = i->bytes[0] | (uint32_t)i->bytes[1] << 8;
    return i->size == 2 && ((first & 0xff80) == 0x4700 || (first & 0xff87) == 0x4687);
}

/* longjmp: how far the last paths of the activations that it left went is not known. */
static void jump_back(const image_symbol *f)
{
    for (unsigned i = depth - 1; i-- > 0 && !frames[i + 1].handler;)
        if (frames[i].start == f->address && frames[i + 1].sp <= registers[13]) {
            frames[i].pending = frames[i].passes_estimated = false;
            frames[i].count = 0;
            frames[i].passes_least = frames[i].passes_most = 0;
            depth = i + 1;
            return;
        }
}

/* Control came from elsewhere: a call, a return (over several activations, where library code goes without some), or
 * a jump into another function. */
static void arrive(const full_instruction *from, bool passed, uint32_t pc)
{
    frame *top = &frames[depth - 1];
    const image_symbol *f = image_function(&im->symbols, pc);
    bool exit, away, call_ends;
    if (passed && is_call(from) && is_far_jump(from, pc, f))
        return;
    if (passed && is_call(from)) {
        if (f && f->address == pc && is_path_probe(f) && !is_in_probe())
            record(top, registers[0]);
        else if (f && f->address == pc && is_loop_probe(f) && !is_in_probe())
            record_loop(top, f);
        else if (top->pending && ending(top->path, &exit, &away, &call_ends) && call_ends)
            settle(top, true);
        if (depth == FRAMES)
            abort();
        frames[depth++] = (frame){.start = f ? f->address : pc,
                                  .back = from->pc + from->size,
                                  .sp = registers[13],
                                  .probe = f && (is_path_probe(f) || is_loop_probe(f))};
        return;
    }
    for (unsigned i = depth; i-- > 1 && !frames[i].handler;)
        if (frames[i].back == pc && frames[i].sp == registers[13]) {
            while (depth > i)
                close_frame(&frames[--depth]);
            return;
        }
    if (f && f->address == pc && f->address != top->start) {
        if (!is_in_probe() && is_path_probe(f))
            record(top, registers[0]);
        else if (!is_in_probe() && is_loop_probe(f))
            record_loop(top, f);
        close_frame(top);
        top->start = pc;
        top->probe |= is_path_probe(f) || is_loop_probe(f);
    } else if (f && f->address != top->start) {
        jump_back(f);
    } else if (top->pending && ending(top->path, &exit, &away, &call_ends) && away && is_jump(from)) {
        settle(top, true);
    }
}

/* The frame of the innermost handler, or 0. */
static unsigned innermost(void)
{
    unsigned i = depth - 1;
    while (i > 0 && !frames[i].handler)
        i--;
    return i;
}

/* Ends the innermost handler: what it interrupted goes on. */
static void end_handler(void)
{
    unsigned i = innermost();
    if (i == 0)
        return;
    depth = i + 1;
    close_frame(&frames[i]);
    depth = i;
    last = frames[i].interrupted;
    last_passed = frames[i].interrupted_passed;
}

static void exception(const full_event *event)
{
    bool in_place =
        event->entry && event->from; /* of one that has ended, if both go back to thread mode or to the same frame */
    if (!event->entry)
        end_handler();
    else if (in_place && !(event->registers[14] & 8) && frames[innermost()].sp == event->frame)
        end_handler();
    while (in_place && event->registers[14] & 8 && innermost())
        end_handler();
    while (!event->entry && innermost() && frames[innermost()].handler != event->to)
        end_handler();
    if (depth == FRAMES)
        abort();
    if (event->entry) {
        frames[depth++] =
            (frame){.sp = event->frame, .handler = event->to, .interrupted = last, .interrupted_passed = last_passed};
        last = NULL;
    }
    memcpy(registers, event->registers, sizeof registers);
}

static void follow(full_reader *reader)
{
    for (full_event event; full_next(reader, &event) > 0;) {
        if (event.kind == FULL_EXCEPTION) {
            exception(&event);
            continue;
        }
        const full_instruction *i = event.instruction;
        if (last && (i->pc != last->pc + last->size || is_jump(last)))
            arrive(last, last_passed, i->pc);
        frames[depth - 1].count++;
        uint64_t written = event.written;
        for (unsigned k = 0; k < event.value_count; k++, written &= written - 1)
            if (__builtin_ctzll(written) < 15)
                registers[__builtin_ctzll(written)] = event.values[k];
        last = i;
        last_passed = event.passed;
    }
}

int main(int argc, char **argv)
{
    char message[300] = "costs_check APP.elf FULL.weft [-v]";
    app = argc > 2 ? program_open(argv[1], message, sizeof message) : NULL;
    im = app ? program_image(app) : NULL;
    costs = im ? costs_open(app) : NULL;
    full_reader *reader = costs ? full_open(argv[2], message, sizeof message) : NULL;
    if (!reader)
        return fprintf(stderr, "%s\n", message), 2;
    uint32_t count = program_descriptors(app)->path_end;
    uint64_t exact = 0, between = 0, wrong = 0, estimated = 0, program_least = 0, program_most = 0;
    paths = memory_zero(count, sizeof *paths);
    follow(reader);
    for (uint32_t p = 0; p < count; p++) {
        const seen *s = &paths[p];
        path_cost c;
        if (!s->times)
            continue;
        c = costs_of(costs, p);
        uint64_t right = s->times - s->wrong - s->estimated;
        estimated += s->estimated;
        wrong += s->wrong;
        exact += c.least_all == c.most_all ? right : 0;
        between += c.least_all != c.most_all ? right : 0;
        program_least += s->times * (uint64_t)c.least;
        program_most += s->times * (uint64_t)c.most;
        if (argc > 3 && (s->wrong || s->estimated))
            printf("# path %u of %s: %" PRIu64 " times %" PRId64 " to %" PRId64 ", from the ELF %u to %u%s\n", p,
                   descriptors_of_path(program_descriptors(app), p)->name, s->times, s->least, s->most, c.least_all,
                   c.most_all, s->estimated ? " (estimated)" : "");
    }
    printf("costs: exact=%" PRIu64 " between=%" PRIu64 " wrong=%" PRIu64 " estimated=%" PRIu64 " instructions=%" PRIu64
           " program=%" PRIu64 "..%" PRIu64 "\n",
           exact, between, wrong, estimated, instructions, program_least, program_most);
    return wrong ? 1 : 0;
}
