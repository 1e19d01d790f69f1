/* SPDX-License-Identifier: MIT */
/* Compares the places of interrupts that a target recorded with what the emulator saw of the same run.
 *
 *     places_check APP.elf FULL.weft TRACE.weft [same] [secure]   same: the runs are, by --icount;
 *                                                                 secure: on an ARMv8-M core, in Secure state
 *
 * The emulator shows each exception: where the processor stacked, and when that was taken back, what it was. Each call
 * of weft_delivery_place must give the frame of the exception whose handler runs, or none. The recording must have
 * places that were found so, each context's in order, each right after a switch, and each frame right after its place.
 *
 * Prints `calls N found N wrong N switches N placed N strange N`: calls, those that found a frame, and another one than
 * the exception's; switches to handlers in the recording, those with a place, and marks that stand or say what they
 * must not. Exit status 1 if something is wrong or strange, or nothing was found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/image/program.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/full.h"

enum { CONTEXTS = 512, SP = 13, LINK = 14, FRAME = 32, DEPTH = 16 };

/* An exception that was entered: what was stacked, once it was taken back. */
typedef struct entry {
    uint32_t frame, size, pc, check;
    uint8_t it; /* ITSTATE, where it interrupted */
    bool left, known;
} entry;

/* A call of weft_delivery_place: in which entry, and what it gave. */
typedef struct call {
    size_t entry;
    uint32_t context, to, back, place[3];
    bool found;
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
static size_t in_call[CONTEXTS]; /* by context: number of its open call + 1 */
static uint32_t now[15];         /* r0 to r14 */
static uint32_t context;
static uint8_t it;
static bool secure;  /* an ARMv8-M core in Secure state */
static bool returns; /* the last instruction returned from an exception */

static size_t entry_add(uint32_t frame, uint32_t size)
{
    entries = memory_room(entries, entry_count, &entry_max, sizeof *entries);
    entries[entry_count] = (entry){.frame = frame, .size = size, .it = it};
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
        active[depth++].entry = entry_add(frame_of(e), size_of(e));
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
    uint8_t bytes[FRAME];
    weft_writer writer;
    weft_writer_init(&writer, bytes, sizeof bytes);
    for (unsigned i = 0; i < 8; i++)
        weft_write_u32(&writer, words[i]);
    left->left = left->known = true;
    left->pc = e->pc;
    left->check = weft_sum_of(bytes, sizeof bytes);
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
    if (e->instruction->pc == function && context && depth) {
        calls = memory_room(calls, call_count, &call_max, sizeof *calls);
        calls[call_count] = (call){.entry = active[depth - 1].entry, .context = context, .to = now[0]};
        calls[call_count].back = now[LINK] & ~1u;
        in_call[context] = ++call_count;
    } else if (in_call[context] && e->instruction->pc == calls[in_call[context] - 1].back) {
        calls[in_call[context] - 1].found = now[0] & 0xff;
        in_call[context] = 0;
    }
    for (uint32_t i = 0; in_call[context] && i < e->access_count; i++) {
        call *c = &calls[in_call[context] - 1];
        const full_access *a = &e->accesses[i];
        for (uint32_t k = 0; a->store && k < a->size / 4; k++)
            if (a->address + 4 * k - c->to < sizeof c->place)
                c->place[(a->address - c->to) / 4 + k] = (uint32_t)(a->value >> 32 * k);
    }
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

static bool is_right(const call *c)
{
    const entry *e = &entries[c->entry];
    return c->place[0] == e->pc && c->place[1] == e->frame && c->place[2] == e->check;
}

/* Counts of the recording's marks. */
typedef struct marks {
    unsigned switches, placed, strange;
} marks;

/* The next call that found this place in this context. */
static size_t call_after(size_t at, uint32_t in, const uint32_t *place)
{
    while (at < call_count &&
           !(calls[at].found && calls[at].context == in && !memcmp(calls[at].place, place, sizeof calls[at].place)))
        at++;
    return at;
}

static marks read_marks(container *file, bool same_run)
{
    marks m = {0};
    static size_t from[CONTEXTS]; /* each context's come in order; others may come between a call and its event */
    uint32_t place[3] = {0};
    bool switched = false, place_came = false;
    control *events = control_open(file);
    for (control_event e; control_next(events, &e);) {
        bool is_place = e.kind == CONTROL_MARK && e.mark->kind == WEFT_MARK_PLACE;
        bool is_frame = e.kind == CONTROL_MARK && e.mark->kind == WEFT_MARK_FRAME;
        m.strange += place_came != is_frame || (is_place && !switched);
        if (e.kind == CONTROL_CONTEXT)
            m.switches += e.context > 0 && e.context < CONTEXTS;
        if (is_place)
            place[0] = (uint32_t)e.mark->argument * 2;
        if (is_frame) {
            place[1] = e.mark->value[0];
            place[2] = (uint32_t)e.mark->argument;
            m.placed++;
        }
        if (is_frame && same_run) {
            size_t *at = &from[e.context % CONTEXTS], found = call_after(*at, e.context, place);
            if (found == call_count)
                printf("# context %u: no call found %08x %08x %08x\n", e.context, place[0], place[1], place[2]);
            m.strange += found == call_count;
            *at = found < call_count ? found + 1 : *at;
        }
        switched = e.kind == CONTROL_CONTEXT;
        place_came = is_place;
    }
    m.strange += control_unread(events) != 0;
    control_close(events);
    return m;
}

int main(int argc, char **argv)
{
    char message[300];
    uint32_t function, size;
    program *app = argc >= 4 ? program_open(argv[1], message, sizeof message) : NULL;
    container *file = app ? container_open(argv[3], message, sizeof message) : NULL;
    if (!file || !program_find_symbol(app, "weft_delivery_place", &function, &size)) {
        puts("usage: places_check APP.elf FULL TRACE [same], and the image has weft_delivery_place");
        return 2;
    }
    bool same_run = false;
    for (int i = 4; i < argc; i++) {
        same_run |= !strcmp(argv[i], "same");
        secure |= !strcmp(argv[i], "secure");
    }
    container_know(file, program_descriptors(app));
    if (!read_full(argv[2], function & ~1u))
        return 2;
    unsigned found = 0, wrong = 0, open = 0;
    for (size_t i = 0; i < call_count; i++) {
        open += !entries[calls[i].entry].known;
        found += calls[i].found;
        wrong += calls[i].found && entries[calls[i].entry].known && !is_right(&calls[i]);
        if (calls[i].found && entries[calls[i].entry].known && !is_right(&calls[i]))
            printf("# context %u: place %08x %08x %08x, was %08x %08x %08x\n", calls[i].context, calls[i].place[0],
                   calls[i].place[1], calls[i].place[2], entries[calls[i].entry].pc, entries[calls[i].entry].frame,
                   entries[calls[i].entry].check);
    }
    marks m = read_marks(file, same_run);
    printf("calls %zu found %u wrong %u open %u switches %u placed %u strange %u\n", call_count, found, wrong, open,
           m.switches, m.placed, m.strange);
    container_close(file);
    program_close(app);
    free(entries);
    free(calls);
    return wrong || m.strange || !found || open > 8;
}
