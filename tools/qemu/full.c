/* SPDX-License-Identifier: MIT */
/* Mode full: every instruction with what it wrote, every access with its value, every exception, in the stream of
 * FULL.md.
 *
 * The emulator translates one instruction at a time, so registers are up to date when its callback comes, just before
 * it executes. The callback of the next instruction, or the end, finishes the one before:
 *   1. did the core take an exception, or return from one, in between?
 *   2. which registers changed that the decoder did not name? They are added to the instruction's mask.
 *   3. the instruction is appended to the chunk's columns. */
#include <emmintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/machine/thumb.h"
#include "tools/lib/machine/writes.h"
#include "tools/lib/recording/full.h"
#include "tools/qemu/machine.h"
#include "tools/qemu/modes.h"
#include "tools/qemu/output.h"

#define UNNUMBERED UINT32_MAX
#define BUCKETS (1u << 16)
#define LEVELS 64u
#define CHUNK_INSTRUCTIONS (1u << 17)
#define SLACK 1024u /* no instruction appends more than this to one column */
#define NO_SOURCE 31u

enum { TAG_DESCRIPTION, TAG_CHUNK, TAG_END };
enum { NOTE_WRITES = 1, NOTE_SHAPE, NOTE_INCOMPLETE, NOTE_EXCEPTION };
enum { DEFINITIONS, RUNS, PASSED, VALUES, ACCESSES, NOTES, COLUMNS };

/* How the branch to an exception return value looks. */
typedef enum leave {
    LEAVE_NOT,
    LEAVE_REGISTER, /* bx */
    LEAVE_LOADED,   /* pop, ldm, ldr into the pc */
} leave;

/* An access of an instruction, as it was the last time. */
typedef struct slot {
    uint64_t value;
    uint32_t address;
    uint8_t shape;
} slot;

/* A static instruction. */
typedef struct node {
    struct node *next; /* in its bucket */
    uint64_t writes;
    uint32_t pc, number;
    uint16_t first, second;
    uint8_t size, condition, leave, slot_count;
    bool store_exclusive;
    uint32_t *last; /* one a bit of writes */
    slot *slots;
    uint32_t few_last[4];
} node;

typedef struct access {
    uint64_t value;
    uint32_t address;
    uint8_t size;
    bool store, device;
} access;

typedef struct column {
    uint8_t *bytes;
    uint32_t size, room;
} column;

static struct {
    const options *o;
    machine m;
    bool found, failed;
    node *buckets[BUCKETS];
    uint8_t *conditions; /* of the halfword at an address >> 1, plus 1; 0: not in an IT block */
    uint32_t numbered;

    node *current; /* the instruction that executes; NULL before the first */
    bool passed;
    access accesses[FULL_ACCESSES_MAX];
    uint32_t access_count;
    uint32_t before[16]; /* registers when it started */
    uint32_t apsr;
    uint32_t exception;
    struct {
        uint32_t exception, frame;
    } levels[LEVELS]; /* active handlers */
    uint32_t depth;

    column columns[COLUMNS];
    uint32_t in_chunk, run_start, run_length, run_before, note_at;
    uint64_t instructions, access_total, exception_total;
} full;

/* ---- columns ---- */

static inline void put_byte(int c, uint8_t byte)
{
    full.columns[c].bytes[full.columns[c].size++] = byte;
}

static inline void put_varint(int c, uint64_t value)
{
    uint8_t *to = full.columns[c].bytes + full.columns[c].size;
    while (value >= 0x80) {
        *to++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *to++ = (uint8_t)value;
    full.columns[c].size = (uint32_t)(to - full.columns[c].bytes);
}

static inline void put_difference(int c, uint32_t value, uint32_t last)
{
    put_varint(c, weft_zigzag((int32_t)(value - last)));
}

static void put_fixed(int c, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        put_byte(c, (uint8_t)(value >> 8 * i));
}

static void put_note(uint8_t kind)
{
    put_varint(NOTES, full.in_chunk - full.note_at);
    put_byte(NOTES, kind);
    full.note_at = full.in_chunk;
}

static void end_run(void)
{
    if (!full.run_length)
        return;
    put_varint(RUNS, full.run_length);
    put_difference(RUNS, full.run_start, full.run_before);
    full.run_before = full.run_start + full.run_length;
    full.run_length = 0;
}

static void write_chunk(void)
{
    end_run();
    if (!full.in_chunk)
        return;
    size_t size = (1 + COLUMNS) * WEFT_VARINT32_MAX;
    for (int c = 0; c < COLUMNS; c++)
        size += full.columns[c].size;
    uint8_t *bytes = malloc(size);
    if (!bytes) {
        fprintf(stderr, "weft_qemu: out of memory\n");
        exit(1);
    }
    weft_writer w;
    weft_writer_init(&w, bytes, size);
    weft_write_varint(&w, full.in_chunk);
    for (int c = 0; c < COLUMNS; c++)
        weft_write_varint(&w, full.columns[c].size);
    for (int c = 0; c < COLUMNS; c++) {
        weft_write_bytes(&w, full.columns[c].bytes, full.columns[c].size);
        full.columns[c].size = 0;
    }
    output_chunk(full.instructions, bytes, w.size);
    full.in_chunk = full.note_at = 0;
}

static bool chunk_is_full(void)
{
    if (full.in_chunk >= CHUNK_INSTRUCTIONS)
        return true;
    for (int c = 0; c < COLUMNS; c++)
        if (full.columns[c].size + SLACK > full.columns[c].room)
            return true;
    return false;
}

/* ---- static instructions ---- */

static uint8_t leave_of(uint16_t first, uint16_t second)
{
    if ((first & 0xff87) == 0x4700)
        return LEAVE_REGISTER;
    if ((first & 0xff00) == 0xbd00)
        return LEAVE_LOADED;
    if ((first & 0xfe50) == 0xe810 && second & 0x8000)
        return LEAVE_LOADED;
    if ((first & 0xff70) == 0xf850 && second >> 12 == 15)
        return LEAVE_LOADED;
    return LEAVE_NOT;
}

/* Notes the conditions of the instructions behind an IT. They follow in memory, at most 16 bytes on. */
static void note_it(uint32_t pc, uint16_t first)
{
    uint8_t conditions[4];
    int count = thumb_it(first, conditions);
    pc += 2;
    for (int i = 0; i < count; i++) {
        const uint8_t *bytes = machine_memory(pc);
        if (!bytes)
            return;
        full.conditions[pc >> 1] = (uint8_t)(conditions[i] + 1);
        pc += thumb_is_wide((uint16_t)(bytes[0] | bytes[1] << 8)) ? 4 : 2;
    }
}

static node *find_node(uint32_t pc, uint16_t first, uint16_t second)
{
    uint8_t it = full.conditions[pc >> 1];
    uint8_t condition = it ? (uint8_t)(it - 1) : FULL_ALWAYS;
    node **bucket = &full.buckets[(pc >> 1 ^ pc >> 17) % BUCKETS];
    for (node *n = *bucket; n; n = n->next)
        if (n->pc == pc && n->first == first && n->second == second && n->condition == condition)
            return n;
    node *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->pc = pc;
    n->first = first;
    n->second = second;
    n->condition = condition;
    n->size = thumb_is_wide(first) ? 4 : 2;
    n->number = UNNUMBERED;
    n->writes = thumb_writes(first, second, it != 0);
    n->leave = leave_of(first, second);
    n->store_exclusive = thumb_is_store_exclusive(first, second);
    int count = __builtin_popcountll(n->writes);
    n->last = count <= 4 ? n->few_last : calloc(FULL_VALUES_MAX, sizeof *n->last);
    n->next = *bucket;
    *bucket = n;
    return n->last ? n : NULL;
}

static void define(node *n)
{
    n->number = full.numbered++;
    put_fixed(DEFINITIONS, n->pc, 4);
    put_byte(DEFINITIONS, n->size);
    put_fixed(DEFINITIONS, n->first, 2);
    put_fixed(DEFINITIONS, n->second, 2);
    put_byte(DEFINITIONS, n->condition);
    put_fixed(DEFINITIONS, n->writes, 8);
}

/* The decoder missed a register that changed: the mask grows. */
static void learn(node *n, uint64_t more)
{
    n->writes |= more;
    if (n->last == n->few_last)
        n->last = malloc(FULL_VALUES_MAX * sizeof *n->last);
    if (!n->last)
        abort();
    memset(n->last, 0, FULL_VALUES_MAX * sizeof *n->last);
    n->slot_count = 0;
    put_note(NOTE_WRITES);
    put_fixed(NOTES, n->writes, 8);
}

/* ---- an executed instruction ---- */

/* What the instruction left in each thing that it writes, in the order of the mask. */
static uint32_t collect(const node *n, const uint32_t *registers, uint32_t apsr, uint32_t *values)
{
    uint32_t count = 0;
    uint32_t core = (uint32_t)n->writes & 0x7fff;
    for (; core; core &= core - 1)
        values[count++] = registers[__builtin_ctz(core)];
    if (n->writes & FULL_FLAGS)
        values[count++] = apsr;
    if (n->writes < FULL_FPSCR)
        return count;
    if (n->writes & FULL_FPSCR)
        values[count++] = machine_fpscr(&full.m);
    for (uint32_t floats = (uint32_t)(n->writes >> 32); floats; floats &= floats - 1)
        values[count++] = *full.m.floats[__builtin_ctz(floats)];
    return count;
}

static inline uint64_t low_bytes(uint64_t value, unsigned size)
{
    return size == 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1);
}

/* The register that the k-th access of a load or store moves; 16 if it is none of the core's. */
static unsigned moved_register(const node *n, unsigned k)
{
    unsigned first = n->first, second = n->second;
    if (!thumb_is_wide(n->first)) {
        if (first >> 12 == 9 || first >> 11 == 9)
            return first >> 8 & 7;
        bool stack = (first & 0xf600) == 0xb400; /* push, pop */
        if (first >> 12 == 12 || stack) {        /* or ldm, stm */
            unsigned list = first & 0xff;
            if (stack && first & 0x100)
                list |= first & 0x800 ? 1u << 15 : 1u << 14;
            for (; k && list; k--)
                list &= list - 1;
            return list ? (unsigned)__builtin_ctz(list) : 16;
        }
        return first >> 12 >= 5 && first >> 12 <= 8 ? first & 7 : 16;
    }
    if ((first & 0xec00) == 0xec00)
        return 16;
    if ((first & 0xfe40) == 0xe800) {
        for (; k && second; k--)
            second &= second - 1;
        return second ? (unsigned)__builtin_ctz(second) : 16;
    }
    return k ? second >> 8 & 15 : second >> 12;
}

/* Devices are not read twice: the register tells the value. */
static void fill_devices(const node *n, const uint32_t *after)
{
    for (uint32_t k = 0; k < full.access_count; k++) {
        access *a = &full.accesses[k];
        if (!a->device)
            continue;
        unsigned r = moved_register(n, k);
        a->value = r < 15 ? low_bytes(a->store ? full.before[r] : after[r], a->size) : 0;
    }
}

static inline uint8_t shape_of(const access *a)
{
    return (uint8_t)(__builtin_ctz(a->size) | a->store << 2);
}

/* The shape changed: finds for each access a written value that tells its own. */
static void reshape(node *n, const uint32_t *values, uint32_t count)
{
    if (full.access_count > n->slot_count) {
        slot *grown = realloc(n->slots, FULL_ACCESSES_MAX * sizeof *grown);
        if (!grown)
            abort();
        if (!n->slots)
            memset(grown, 0, FULL_ACCESSES_MAX * sizeof *grown);
        n->slots = grown;
    }
    n->slot_count = (uint8_t)full.access_count;
    put_note(NOTE_SHAPE);
    put_varint(NOTES, n->slot_count);
    for (uint32_t k = 0; k < full.access_count; k++) {
        const access *a = &full.accesses[k];
        uint8_t source = NO_SOURCE;
        for (uint32_t v = 0; v < count && v < NO_SOURCE && !a->store && source == NO_SOURCE; v++)
            if (low_bytes(values[v], a->size) == a->value)
                source = (uint8_t)v;
        n->slots[k].shape = (uint8_t)(shape_of(a) | source << 3);
        put_byte(NOTES, n->slots[k].shape);
    }
}

static inline bool shape_differs(const node *n)
{
    if (full.access_count != n->slot_count)
        return true;
    for (uint32_t k = 0; k < full.access_count; k++)
        if (shape_of(&full.accesses[k]) != (n->slots[k].shape & 7))
            return true;
    return false;
}

static void put_accesses(node *n, const uint32_t *values)
{
    uint32_t expected = n->slot_count ? n->slots[0].address : 0;
    for (uint32_t k = 0; k < full.access_count; k++) {
        const access *a = &full.accesses[k];
        slot *s = &n->slots[k];
        put_difference(ACCESSES, a->address, expected);
        s->address = a->address;
        expected = a->address + a->size;
        unsigned source = s->shape >> 3;
        uint64_t likely = source == NO_SOURCE ? s->value : low_bytes(values[source], a->size);
        put_varint(ACCESSES, weft_zigzag64((int64_t)(a->value - likely)));
        s->value = a->value;
    }
    full.access_total += full.access_count;
}

/* Step 3. `after`: registers behind the instruction; `completed`: it did not fault. */
static void append(node *n, const uint32_t *after, uint32_t apsr, uint64_t changed, bool completed)
{
    uint32_t values[FULL_VALUES_MAX] = {0}, count = 0;
    if (n->number == UNNUMBERED)
        define(n);
    if (n->number != full.run_start + full.run_length || !full.run_length) {
        end_run();
        full.run_start = n->number;
    }
    full.run_length++;
    if (n->condition != FULL_ALWAYS)
        put_byte(PASSED, full.passed);
    if (full.passed) {
        if (completed && changed & ~n->writes)
            learn(n, changed & ~n->writes);
        if (completed)
            count = collect(n, after, apsr, values);
        if (full.access_count)
            fill_devices(n, after);
        if (shape_differs(n))
            reshape(n, values, count);
        for (uint32_t i = 0; i < count; i++) {
            put_difference(VALUES, values[i], n->last[i]);
            n->last[i] = values[i];
        }
        put_accesses(n, values);
    }
    if (!completed)
        put_note(NOTE_INCOMPLETE);
}

/* ---- exceptions ---- */

static uint32_t guest_word(uint32_t address)
{
    const uint8_t *bytes = machine_memory(address);
    uint32_t word = 0;
    if (bytes)
        memcpy(&word, bytes, 4);
    return word;
}

/* The frame that the core has just stored: on the main stack, which the handler uses, or on the process stack. */
static uint32_t entry_frame(void)
{
    const uint32_t *now = full.m.registers;
    uint32_t frame = now[14] & 4 ? machine_other_stack(&full.m) : now[13];
    return guest_word(frame) == now[0] && guest_word(frame + 28) & 1u << 24 ? frame : 0;
}

/* The frame that the core has just restored: it ends at the stack pointer, perhaps with padding, and holds the
 * registers. Not always the one that the handler's entry stored: a scheduler goes on with another thread. 0: none is
 * found. */
static uint32_t restored_frame(uint32_t pc)
{
    const uint32_t *now = full.m.registers;
    for (uint32_t shape = 0; shape < 4; shape++) {
        uint32_t padding = shape & 1 ? 4 : 0, frame = now[13] - (shape & 2 ? 0x68 : 0x20) - padding,
                 xpsr = guest_word(frame + 28);
        bool same = xpsr & 1u << 24 && !(xpsr & 1u << 9) == !padding && (guest_word(frame + 24) & ~1u) == pc;
        for (int i = 0; i < 4; i++)
            same &= guest_word(frame + 4 * (uint32_t)i) == now[i];
        if (same && guest_word(frame + 16) == now[12] && guest_word(frame + 20) == now[14])
            return frame;
    }
    return 0;
}

/* The frame that stays when a handler starts in place of another; a scheduler may have changed the process stack. 0:
 * none. */
static uint32_t kept_frame(void)
{
    uint32_t frame = full.m.registers[14] & 4 ? machine_other_stack(&full.m) : full.m.registers[13];
    return guest_word(frame + 28) & 1u << 24 ? frame : 0;
}

/* Registers as the interrupted instruction left them: the frame has what the entry overwrote. */
static void undo_entry(uint32_t frame, uint32_t *after, uint32_t *apsr)
{
    uint32_t xpsr = guest_word(frame + 28), size = after[14] & 16 ? 0x20 : 0x68;
    after[14] = guest_word(frame + 20);
    after[13] = frame + size + (xpsr & 1u << 9 ? 4 : 0);
    *apsr = xpsr & 0xf80f0000u;
}

/* Registers as an exception return left them before the core restored the frame: only a load has written any. */
static void undo_return(const node *n, uint32_t *after)
{
    memcpy(after, full.before, sizeof full.before);
    uint32_t k = 0;
    for (uint32_t core = (uint32_t)n->writes & 0x5fff; core && k < full.access_count; core &= core - 1)
        after[__builtin_ctz(core)] = (uint32_t)full.accesses[k++].value;
    if (n->writes & FULL_REGISTER(13))
        after[13] += 4 * full.access_count;
}

static bool is_active(uint32_t exception)
{
    for (uint32_t i = 0; i < full.depth; i++)
        if (full.levels[i].exception == exception)
            return true;
    return false;
}

static void push_level(uint32_t exception, uint32_t frame)
{
    if (full.depth == LEVELS)
        full.depth--;
    full.levels[full.depth].exception = exception;
    full.levels[full.depth++].frame = frame;
}

static void note_exception(uint32_t from, uint32_t to, bool entry, const uint32_t *registers, uint32_t pc,
                           uint32_t xpsr, uint32_t frame)
{
    put_note(NOTE_EXCEPTION);
    put_varint(NOTES, from);
    put_varint(NOTES, to);
    put_byte(NOTES, entry);
    for (int r = 0; r < 15; r++)
        put_fixed(NOTES, registers[r], 4);
    put_fixed(NOTES, pc, 4);
    put_fixed(NOTES, xpsr, 4);
    put_fixed(NOTES, frame, 4);
    full.exception_total++;
}

static bool is_fault(uint32_t exception)
{
    return (exception >= 2 && exception <= 7) || exception == 12;
}

/* A handler that another one interrupted before its first instruction: what it started with. */
typedef struct unbegun {
    uint32_t exception; /* 0: there is none */
    uint32_t registers[16], pc, xpsr, frame;
} unbegun;

/* `frame` is that of an entry which should have interrupted `interrupted`, `after` the registers as it found them,
 * which become those from before the unbegun handler. */
static unbegun find_unbegun(uint32_t frame, uint32_t interrupted, uint32_t *after, uint32_t *apsr)
{
    unbegun u = {.exception = guest_word(frame + 28) & 0x1ff,
                 .pc = guest_word(frame + 24) & ~1u,
                 .xpsr = guest_word(frame + 28)};
    if (u.exception == interrupted || after[14] >> 24 != 0xff)
        return (unbegun){0};
    memcpy(u.registers, after, sizeof u.registers);
    u.frame = after[14] & 4 ? machine_other_stack(&full.m) : after[13];
    undo_entry(u.frame, after, apsr);
    return u;
}

/* The same where a handler returned and `frame` may stay from its own entry: it interrupted the one below it. */
static unbegun find_unbegun_in_chain(uint32_t frame)
{
    uint32_t registers[16], apsr, below = full.depth ? full.levels[full.depth - 1].exception : 0;
    memcpy(registers, full.m.registers, sizeof registers);
    undo_entry(frame, registers, &apsr);
    return find_unbegun(frame, below, registers, &apsr);
}

/* Step 1, when something happened between the current instruction and the one at `pc`. */
static void finish_with_exception(uint32_t pc, bool returned)
{
    node *n = full.current;
    uint32_t after[16], apsr = machine_apsr(&full.m), frame = 0;
    uint32_t from = full.exception, to = *full.m.exception;
    bool entry = !returned && to != 0, completed = true;
    unbegun between = {0};
    memcpy(after, full.m.registers, sizeof after);
    if (entry) {
        frame = entry_frame();
        completed = !(is_fault(to) && guest_word(frame + 24) == n->pc);
        if (frame) {
            undo_entry(frame, after, &apsr);
            between = find_unbegun(frame, full.exception, after, &apsr);
        }
        if (between.exception)
            push_level(between.exception, between.frame);
        push_level(to, frame);
    } else if (returned) {
        undo_return(n, after);
        apsr = full.apsr;
        uint32_t stored = full.depth ? full.levels[--full.depth].frame : 0;
        entry = to != 0 && !is_active(to);
        frame = entry ? kept_frame() : restored_frame(pc);
        if (entry && frame)
            between = find_unbegun_in_chain(frame);
        frame = frame ? frame : stored;
        if (between.exception)
            push_level(between.exception, between.frame);
        if (entry)
            push_level(to, frame);
    } else {
        full.depth = 0; /* the core was reset */
    }
    append(n, after, apsr, 0, completed);
    if (between.exception)
        note_exception(from, between.exception, true, between.registers, between.pc, between.xpsr, between.frame);
    note_exception(between.exception ? between.exception : from, to, entry, full.m.registers, pc, machine_xpsr(&full.m),
                   frame);
}

/* ---- callbacks ---- */

/* Step 2: the registers that differ from before, as a mask. */
static inline uint32_t changed_registers(const uint32_t *now)
{
    uint32_t same = 0;
    for (int i = 0; i < 4; i++) {
        __m128i a = _mm_loadu_si128((const __m128i *)(now + 4 * i));
        __m128i b = _mm_loadu_si128((const __m128i *)(full.before + 4 * i));
        same |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(a, b))) << 4 * i;
    }
    return ~same & 0x7fff;
}

static inline bool leaves_handler(const node *n)
{
    if (n->leave == LEAVE_NOT || !full.exception || !full.passed)
        return false;
    uint32_t target = n->leave == LEAVE_REGISTER ? full.before[n->first >> 3 & 15] : 0;
    if (n->leave == LEAVE_LOADED && full.access_count)
        target = (uint32_t)full.accesses[full.access_count - 1].value;
    return target >> 24 == 0xff;
}

static void finish(uint32_t pc)
{
    node *n = full.current;
    bool returned = leaves_handler(n);
    if (__builtin_expect(*full.m.exception != full.exception || returned, 0)) {
        finish_with_exception(pc, returned);
    } else {
        uint32_t apsr = machine_apsr(&full.m);
        uint64_t changed = changed_registers(full.m.registers);
        if (apsr != full.apsr)
            changed |= FULL_FLAGS;
        append(n, full.m.registers, apsr, changed, true);
    }
    full.in_chunk++;
    full.instructions++;
    if (chunk_is_full())
        write_chunk();
}

static void on_instruction(unsigned vcpu, void *user)
{
    (void)vcpu;
    node *n = user;
    if (full.current)
        finish(n->pc);
    full.current = n;
    full.access_count = 0;
    memcpy(full.before, full.m.registers, sizeof full.before);
    full.exception = *full.m.exception;
    full.apsr = machine_apsr(&full.m);
    full.passed = n->condition == FULL_ALWAYS || thumb_holds(n->condition, full.apsr);
}

static void on_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
    (void)vcpu;
    (void)user;
    bool store = qemu_plugin_mem_is_store(info);
    if (full.access_count == FULL_ACCESSES_MAX || !full.current || (full.current->store_exclusive && !store))
        return;
    access *a = &full.accesses[full.access_count++];
    a->address = (uint32_t)address;
    a->size = (uint8_t)(1u << qemu_plugin_mem_size_shift(info));
    a->store = store;
    a->device = false;
    a->value = 0;
    for (unsigned i = 0; i < a->size;) {
        unsigned part = (a->address & 1023) + a->size > 1024 ? 1 : a->size; /* byte by byte across a page */
        const uint8_t *bytes = machine_memory(a->address + i);
        if (!bytes) {
            a->device = true;
            return;
        }
        memcpy((uint8_t *)&a->value + i, bytes, part);
        i += part;
    }
}

static void describe(void)
{
    char text[128];
    int size = snprintf(text, sizeof text, "format=1\nmachine=%.60s\n", full.o->machine ? full.o->machine : "");
    output_plain(TAG_DESCRIPTION, 0, text, (size_t)size);
}

/* The first translation, when the core exists and has not run. */
static bool find_machine(void)
{
    full.found = machine_find(&full.m);
    full.failed = !full.found;
    if (full.found)
        describe();
    return full.found;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    if (full.failed || (!full.found && !find_machine()))
        return;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint32_t pc = (uint32_t)qemu_plugin_insn_vaddr(insn);
        uint16_t halves[2] = {0, 0};
        size_t size = qemu_plugin_insn_size(insn);
        memcpy(halves, qemu_plugin_insn_data(insn), size < 4 ? size : 4);
        note_it(pc, halves[0]);
        node *n = find_node(pc, halves[0], halves[1]);
        if (!n) {
            fprintf(stderr, "weft_qemu: out of memory\n");
            exit(1);
        }
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_instruction, QEMU_PLUGIN_CB_R_REGS, n);
        qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, n);
    }
}

static void on_end(qemu_plugin_id_t id, void *user)
{
    (void)id;
    (void)user;
    if (full.current && !full.failed)
        finish(full.current->pc + full.current->size);
    write_chunk();
    uint8_t bytes[3 * WEFT_VARINT64_MAX];
    weft_writer w;
    weft_writer_init(&w, bytes, sizeof bytes);
    weft_write_varint64(&w, full.instructions);
    weft_write_varint64(&w, full.access_total);
    weft_write_varint64(&w, full.exception_total);
    output_plain(TAG_END, full.instructions, bytes, w.size);
    output_close();
}

bool full_start(qemu_plugin_id_t id, const options *o)
{
    static const uint32_t rooms[COLUMNS] = {1u << 17, 1u << 19, 1u << 18, 1u << 20, 1u << 20, 1u << 17};
    full.o = o;
    full.conditions = calloc(1u << 31, 1); /* touched only where there is code */
    if (!full.conditions || !machine_single_step() || !output_open(o->out))
        return false;
    for (int c = 0; c < COLUMNS; c++) {
        full.columns[c].room = rooms[c] + SLACK;
        full.columns[c].bytes = malloc(full.columns[c].room + SLACK);
        if (!full.columns[c].bytes)
            return false;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_end, NULL);
    return true;
}
