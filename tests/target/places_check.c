/* SPDX-License-Identifier: MIT */
/* Compares where handlers started, as a target recorded it, with what the emulator saw of the same run.
 *
 *     places_check APP.elf FULL.weft TRACE.weft [secure]   secure: on an ARMv8-M core, in Secure state
 *
 * The emulator shows each exception: what it interrupted, where the processor stacked, and when that was taken back,
 * what it was. Each handler that calls __weft_handler must have one place in the recording, in order, which says that.
 *
 * Prints `calls N placed N wrong N open N strange N`: handlers that called it; places in the recording, and those that
 * are not what the emulator saw; handlers that had not ended; marks that stand where they must not. Exit status 1 if
 * something is wrong, strange or missing, or nothing was recorded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/image/program.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/full.h"

enum { CONTEXTS = 512, SP = 13, LINK = 14, FRAME = 32, DEPTH = 16 };

/* An exception that was entered: what it interrupted and stacked, the latter once it was taken back. */
typedef struct entry {
    uint32_t frame, size, interrupted, words[8];
    uint8_t it; /* ITSTATE, where it interrupted */
    bool left, known;
} entry;

/* A call of __weft_handler: in which entry. */
typedef struct call {
    size_t entry;
    uint32_t context;
} call;

static entry *entries;
static size_t entry_count, entry_max;
static call *calls;
static size_t call_count, call_max;
/* Handlers that run or were interrupted, the newest last. */
static struct {
    uint32_t context;
    size_t entry;
} active[DEPTH];
static unsigned depth;
static uint32_t now[15]; /* r0 to r14 */
static uint32_t context;
static uint8_t it;
static bool secure;  /* an ARMv8-M core in Secure state */
static bool returns; /* the last instruction returned from an exception */

static size_t entry_add(uint32_t frame, uint32_t size, uint32_t interrupted)
{
    entries = memory_room(entries, entry_count, &entry_max, sizeof *entries);
    entries[entry_count] = (entry){.frame = frame, .size = size, .interrupted = interrupted, .it = it};
    return entry_count++;
}

/* What it stacked, with or without the registers of the FPU, as EXC_RETURN says. */
static uint32_t size_of(const full_event *e)
{
    return e->registers[LINK] & 16 ? FRAME : FRAME + 72;
}

/* Where the processor stacked: below the stack pointer that was in use. */
static uint32_t frame_of(const full_event *e)
{
    return e->registers[LINK] & 4 ? (now[SP] - size_of(e)) & ~7u : e->registers[SP];
}

static void enter(const full_event *e)
{
    if (returns && depth) { /* to the next handler: what was stacked stays */
        active[depth - 1].context = e->to;
    } else if (depth < DEPTH) {
        active[depth].context = e->to;
        active[depth++].entry = entry_add(frame_of(e), size_of(e), e->from);
    }
}

/* Of entries that were not left, the newest whose frame ends there. */
static entry *entry_at(uint32_t end)
{
    for (size_t i = entry_count; i-- > 0 && entry_count - i < 4096;)
        if (entries[i].frame + entries[i].size == end && !entries[i].left)
            return &entries[i];
    return NULL;
}

static void leave(const full_event *e)
{
    uint32_t sp = e->registers[SP], aligned = 0;
    entry *left = entry_at(sp);
    if (!left || sp % 8) {
        left = entry_at(sp - 4);
        aligned = 1u << 9;
    }
    if (depth)
        depth--;
    if (!left)
        return;
    it = left->it;
    uint32_t its = (it & 3u) << 25 | (it >> 2u) << 10;
    its |= secure && left->size != FRAME ? 1u << 20 : 0; /* SFPA */
    const uint32_t words[8] = {e->registers[0],  e->registers[1],  e->registers[2], e->registers[3],
                               e->registers[12], e->registers[14], e->pc,           e->xpsr | aligned | its};
    memcpy(left->words, words, sizeof words);
    left->left = left->known = true;
}

/* An IT instruction, or what is in its block. */
static void note_it(const full_instruction *i)
{
    bool begins = i->size == 2 && i->bytes[1] == 0xbf && i->bytes[0] & 15;
    it = begins ? i->bytes[0] : it & 7 ? (uint8_t)((it & 0xe0) | (it << 1 & 0x1f)) : 0;
}

/* bx, pop, ldm or ldr of the pc, with a value that returns from an exception. */
static void note_return(const full_event *e)
{
    const uint8_t *b = e->instruction->bytes;
    bool bx = e->instruction->size == 2 && b[1] == 0x47 && b[0] < 0x80;
    bool pop = e->instruction->size == 2 ? b[1] == 0xbd : (b[3] & 0x80) != 0;
    uint32_t to = bx                       ? now[(b[0] >> 3) % 15]
                  : pop && e->access_count ? (uint32_t)e->accesses[e->access_count - 1].value
                                           : 0;
    returns = to >= 0xffffff80;
}

static void note_writes(const full_event *e)
{
    unsigned value = 0;
    for (unsigned i = 0; i < 64; i++) {
        if (!(e->written >> i & 1))
            continue;
        if (i < 15)
            now[i] = e->values[value];
        value++;
    }
}

static void note_call(const full_event *e, uint32_t function)
{
    if (e->instruction->pc != function || !depth || now[1] < 0xffffff80)
        return;
    calls = memory_room(calls, call_count, &call_max, sizeof *calls);
    calls[call_count++] = (call){active[depth - 1].entry, context};
}

static bool read_full(const char *path, uint32_t function)
{
    char message[300];
    full_reader *reader = full_open(path, message, sizeof message);
    if (!reader) {
        puts(message);
        return false;
    }
    for (full_event e; full_next(reader, &e) > 0;) {
        if (e.kind == FULL_EXECUTED) {
            note_call(&e, function);
            note_return(&e);
            note_writes(&e);
            note_it(e.instruction);
            continue;
        }
        if (e.entry)
            enter(&e);
        else
            leave(&e);
        it = e.entry ? 0 : it;
        context = e.to % CONTEXTS;
        memcpy(now, e.registers, sizeof now);
    }
    bool fine = !full_error(reader);
    full_close(reader);
    return fine;
}

typedef struct counts {
    unsigned placed, wrong, open, strange;
} counts;

static bool is_right(const entry *e, const trace_mark *mark, uint32_t pc)
{
    uint32_t low = 0, high = weft_stacked_hash(e->words[4]) | weft_stacked_hash(e->words[5]) << 8 |
                             weft_stacked_hash(e->words[7] & WEFT_STACKED_STATE) << 16;
    for (unsigned i = 0; i < 4; i++)
        low |= weft_stacked_hash(e->words[i]) << 8 * i;
    return pc == e->words[6] && mark->argument >> 2 == e->interrupted &&
           (mark->argument >> 1 & 1) == (e->size != FRAME) && mark->value[WEFT_STACKED_FRAME] == e->frame &&
           mark->value[WEFT_STACKED_LOW] == low && mark->value[WEFT_STACKED_HIGH] == high;
}

/* The next call in a context. */
static size_t call_after(size_t at, uint32_t in)
{
    while (at < call_count && calls[at].context != in)
        at++;
    return at;
}

static void compare(counts *c, size_t *from, uint32_t in, const trace_mark *mark, uint32_t pc)
{
    size_t found = call_after(*from, in);
    c->placed++;
    c->strange += found == call_count;
    if (found == call_count)
        return;
    const entry *e = &entries[calls[found].entry];
    bool wrong = e->known && !is_right(e, mark, pc);
    c->wrong += wrong;
    if (wrong)
        printf("# context %u: place %08x %08x of %u, was %08x %08x of %u\n", in, pc, mark->value[WEFT_STACKED_FRAME],
               (unsigned)(mark->argument >> 2), e->words[6], e->frame, e->interrupted);
    *from = found + 1;
}

static counts read_marks(container *file)
{
    counts c = {0};
    static size_t from[CONTEXTS]; /* each context's come in order; others may come between a call and its event */
    uint32_t pc = 0;
    bool place_came = false;
    control *events = control_open(file);
    for (control_event e; control_next(events, &e);) {
        bool is_place = e.kind == CONTROL_MARK && e.mark->kind == WEFT_MARK_PLACE;
        bool is_stacked = e.kind == CONTROL_MARK && e.mark->kind == WEFT_MARK_STACKED;
        c.strange += place_came != is_stacked;
        if (is_place)
            pc = (uint32_t)e.mark->argument * 2;
        if (is_stacked)
            compare(&c, &from[e.context % CONTEXTS], e.context, e.mark, pc);
        place_came = is_place;
    }
    c.strange += control_unread(events) != 0;
    control_close(events);
    return c;
}

int main(int argc, char **argv)
{
    char message[300];
    uint32_t function, size;
    program *app = argc >= 4 ? program_open(argv[1], message, sizeof message) : NULL;
    container *file = app ? container_open(argv[3], message, sizeof message) : NULL;
    if (!file || !program_find_symbol(app, "__weft_handler", &function, &size)) {
        puts("usage: places_check APP.elf FULL TRACE [secure], and the image has __weft_handler");
        return 2;
    }
    secure = argc > 4 && !strcmp(argv[4], "secure");
    container_know(file, program_descriptors(app));
    if (!read_full(argv[2], function & ~1u))
        return 2;
    counts c = read_marks(file);
    for (size_t i = 0; i < call_count; i++)
        c.open += !entries[calls[i].entry].known;
    printf("calls %zu placed %u wrong %u open %u strange %u\n", call_count, c.placed, c.wrong, c.open, c.strange);
    container_close(file);
    program_close(app);
    free(entries);
    free(calls);
    return c.wrong || c.strange || !c.placed || c.placed != call_count || c.open > 8;
}
