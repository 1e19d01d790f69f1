/* SPDX-License-Identifier: MIT */
/* wet_check FULL.weft APP.elf X.wet [SLICES [SEED]]: the oracle of whole execution traces. The recording is kept whole;
 *   1. every instruction, value and access of X.wet must be that of the recording, in its order; found alone and in
 *   blocks
 *   2. SLICES random backward slices and as many forward must be those of a naive implementation that keeps every
 *      dependence. It shares no code with tools/lib: it reads the disassembly of objdump and the symbols of readelf,
 *      and finds post-dominators by removing instructions one by one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/wet/control.h"
#include "tools/lib/wet/open.h"
#include "tools/lib/wet/place.h"
#include "tools/lib/wet/slice.h"
#include "tools/lib/wet/word.h"

static const char *full_path, *elf_path, *wet_path;

/* ---- the naive side: disassembly ---- */

enum { TEXT_MAX = 96, PC_MAX = 0x40000 };

typedef struct text_line {
    bool known;
    unsigned size;
    char name[16], operands[TEXT_MAX];
} text_line;

static text_line *text; /* by pc / 2, within the first 512 KB */
static bool *start_of_procedure;

static text_line *line_at(uint32_t pc)
{
    return pc / 2 < PC_MAX ? &text[pc / 2] : &text[PC_MAX];
}

static void read_disassembly(void)
{
    char command[600], line[400];
    snprintf(command, sizeof command, "arm-none-eabi-objdump -d %s", elf_path);
    FILE *in = popen(command, "r");
    while (in && fgets(line, sizeof line, in)) {
        unsigned pc, used = 0;
        char raw[16] = "", rest[300] = "";
        if (sscanf(line, " %x:\t%15[0-9a-f ]\t%n", &pc, raw, &used) < 2 || !used || pc / 2 >= PC_MAX)
            continue;
        snprintf(rest, sizeof rest, "%s", line + used);
        text_line *t = line_at(pc);
        rest[strcspn(rest, "\n;@<")] = 0;
        char *tab = strchr(rest, '\t');
        snprintf(t->operands, sizeof t->operands, "%s", tab ? tab + 1 : "");
        if (tab)
            *tab = 0;
        snprintf(t->name, sizeof t->name, "%.15s", rest);
        t->name[strcspn(t->name, " ")] = 0;
        t->size = raw[4] == ' ' && raw[5] != ' ' && raw[5] ? 4 : 2;
        t->known = t->name[0] && t->name[0] != '.';
    }
    if (in)
        pclose(in);
}

static void read_procedures(void)
{
    char command[600], line[400], type[32], section[32];
    unsigned address, size;
    snprintf(command, sizeof command, "arm-none-eabi-readelf -sW %s", elf_path);
    FILE *in = popen(command, "r");
    while (in && fgets(line, sizeof line, in))
        if (sscanf(line, " %*d: %x %i %31s %*s %*s %31s", &address, (int *)&size, type, section) == 4 &&
            !strcmp(type, "FUNC") && strcmp(section, "UND") && address / 2 < PC_MAX)
            start_of_procedure[address / 2] = true;
    if (in)
        pclose(in);
}

/* ---- what an instruction reads, from its text ---- */

enum { FLAGS = 15, MEMORY = 64 };

static int register_number(const char *s, size_t n)
{
    static const char *const names[] = {"sl", "fp", "ip", "sp", "lr", "pc"};
    static const int numbers[] = {10, 11, 12, 13, 14, 16};
    for (int i = 0; i < 6; i++)
        if (n == 2 && !strncmp(s, names[i], 2))
            return numbers[i];
    if (n >= 2 && n <= 3 && s[0] == 'r' && s[1] >= '0' && s[1] <= '9')
        return atoi(s + 1) == 13 ? 13 : atoi(s + 1);
    return -1;
}

/* The registers of a text, in order. */
static int registers_in(const char *s, int list[32])
{
    int count = 0;
    while (*s && count < 30) {
        size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789");
        int reg = n ? register_number(s, n) : -1;
        if (reg >= 0) {
            list[count++] = reg;
            s += n;
            if (*s == '-' && s[1] == 'r') { /* r4-r7 */
                int last = atoi(s + 2);
                while (reg < last && count < 30)
                    list[count++] = ++reg;
                s += 1 + strspn(s + 1, "r0123456789");
            }
            continue;
        }
        s += n ? n : 1;
    }
    return count;
}

static bool begins(const char *s, const char *with)
{
    return !strncmp(s, with, strlen(with));
}

static bool is_one_of(const char *name, const char *list)
{
    char word[24];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(list, word) != NULL;
}

/* The name without .w or .n, without the IT condition, and without the s that sets flags (but for names that end
 * so). */
static void plain_name(const text_line *t, int condition, char out[16])
{
    static const char *const conditions[] = {"eq", "ne", "cs", "cc", "mi", "pl", "vs",
                                             "vc", "hi", "ls", "ge", "lt", "gt", "le"};
    snprintf(out, 16, "%s", t->name);
    out[strcspn(out, ".")] = 0;
    size_t n = strlen(out);
    if (condition < 14 && n > 2 &&
        (!strcmp(out + n - 2, conditions[condition]) || (condition == 2 && !strcmp(out + n - 2, "hs")) ||
         (condition == 3 && !strcmp(out + n - 2, "lo"))))
        out[n - 2] = 0;
}

static bool reads_first_operand(const char *name, int operands)
{
    if (is_one_of(name, " cmp cmn tst teq cbz cbnz bx blx bfi bfc movt smlal umlal umaal tbb tbh "))
        return true;
    if (is_one_of(name, " mov movs movw mvn mvns uxtb uxth sxtb sxth clz rev rev16 rbit adr neg negs mrs "))
        return false;
    return operands == 2; /* adds r0, r1 */
}

typedef struct reads {
    uint64_t all;               /* of the instruction as a whole */
    uint64_t address;           /* base and index */
    int base;                   /* -1 */
    int moved[32], moved_count; /* registers loaded or stored, in order of the accesses; 16: pc */
    bool load, store, multiple;
} reads;

static int operand_count(const char *s)
{
    int count = *s != 0, depth = 0;
    for (; *s; s++) {
        depth += (*s == '[' || *s == '{') - (*s == ']' || *s == '}');
        count += *s == ',' && !depth;
    }
    return count;
}

static uint64_t mask_of(const int *list, int from, int count)
{
    uint64_t mask = 0;
    for (int i = from; i < count; i++)
        if (list[i] < 15)
            mask |= UINT64_C(1) << list[i];
    return mask;
}

static void reads_memory(const text_line *t, const char *name, reads *r)
{
    int list[32];
    const char *bracket = strchr(t->operands, '['), *brace = strchr(t->operands, '{');
    char part[TEXT_MAX];
    r->load = begins(name, "ld") || begins(name, "pop");
    r->store = begins(name, "st") || begins(name, "push");
    if (brace) { /* push, pop, ldm, stm */
        r->multiple = true;
        r->moved_count = registers_in(brace, r->moved);
        snprintf(part, sizeof part, "%.*s", (int)(brace - t->operands), t->operands);
        r->base = registers_in(part, list) ? list[0] : 13;
        r->address = UINT64_C(1) << r->base;
    } else if (bracket) {
        snprintf(part, sizeof part, "%.*s", (int)(bracket - t->operands), t->operands);
        r->moved_count = registers_in(part, r->moved);
        r->multiple = r->moved_count == 2;
        snprintf(part, sizeof part, "%s", bracket);
        int count = registers_in(part, list);
        r->base = count ? list[0] : -1;
        r->address = mask_of(list, 0, count);
    }
    r->all |= r->address;
    if (r->store)
        r->all |= mask_of(r->moved, 0, r->moved_count);
}

static reads reads_of(const text_line *t, int condition)
{
    reads r = {.base = -1};
    char name[16];
    int list[32], count = registers_in(t->operands, list);
    plain_name(t, condition, name);
    if (condition < 14)
        r.all |= 1 << FLAGS;
    if (is_one_of(name, " tbb tbh ")) {
        r.load = true;
        r.base = -1;
        r.all |= mask_of(list, 0, count);
        return r;
    }
    if (begins(name, "ld") || begins(name, "st") || begins(name, "push") || begins(name, "pop")) {
        reads_memory(t, name, &r);
        return r;
    }
    if (is_one_of(name, " adc adcs sbc sbcs rrx rrxs "))
        r.all |= 1 << FLAGS;
    if (name[0] == 'b' && strlen(name) == 3 && strcmp(name, "bfi") && strcmp(name, "bfc") && strcmp(name, "bic") &&
        strcmp(name, "blx")) /* beq ... */
        r.all |= 1 << FLAGS;
    if (!strcmp(name, "bkpt"))
        r.all |= 3;
    if (!strcmp(name, "mrs") && (strstr(t->operands, "PSR") || strstr(t->operands, "psr")))
        r.all |= strstr(t->operands, "IPSR") ? 0 : 1 << FLAGS;
    int first = 1;
    if (is_one_of(name, " umull smull "))
        first = 2;
    if (reads_first_operand(name, operand_count(t->operands)) || begins(name, "msr"))
        first = 0;
    r.all |= mask_of(list, first, count);
    return r;
}

/* ---- the recording, kept whole ---- */

typedef struct part {
    uint64_t reads, writes;
    int access_first, access_count;
} part;

typedef struct event_kept {
    full_event e;
    text_line *t;
    uint32_t first_part, part_count;
} event_kept;

static event_kept *events;
static size_t event_count, event_room;

/* A part of an event (what is apart in push, pop and the like), with what it depends on. */
typedef struct part_kept {
    uint32_t event;
    uint64_t reads, writes;
    uint32_t access_first, access_count;
    uint32_t *needs, need_count;
} part_kept;

static part_kept *parts;
static size_t part_count, part_room;

static void part_add(uint32_t event, uint64_t reads_mask, uint64_t writes, uint32_t first, uint32_t count)
{
    parts = memory_room(parts, part_count, &part_room, sizeof *parts);
    parts[part_count++] = (part_kept){event, reads_mask, writes, first, count, NULL, 0};
    events[event].part_count++;
}

static void need_add(part_kept *p, uint32_t other)
{
    p->needs = memory_grow(p->needs, p->need_count + 1, sizeof *p->needs);
    p->needs[p->need_count++] = other;
}

static void keep_event(const full_event *e)
{
    events = memory_room(events, event_count, &event_room, sizeof *events);
    events[event_count++] = (event_kept){.e = *e};
}

static bool read_recording(void)
{
    char message[256];
    full_reader *in = full_open(full_path, message, sizeof message);
    static full_event e;
    if (!in) {
        printf("# %s\n", message);
        return false;
    }
    /* Static instructions live as long as the reader, which is kept open. */
    while (full_next(in, &e) > 0)
        keep_event(&e);
    return full_error(in) == NULL;
}

static void parts_of_exception(uint32_t i, bool chained)
{
    const full_event *e = &events[i].e;
    static const uint64_t stacked[8] = {1, 2, 4, 8, 1 << 12, 1 << 14, 0, 1 << FLAGS};
    for (int k = 0; k < 8 && !chained; k++)
        part_add(i, 1 << 13 | (e->entry ? stacked[k] : 0), e->entry ? 0 : stacked[k], (uint32_t)k, 1);
    part_add(i, 1 << 13, 1 << 13, 0, 0);
    if (e->entry)
        part_add(i, 0, 1 << 14, 0, 0);
}

static void parts_of_instruction(uint32_t i)
{
    const full_event *e = &events[i].e;
    text_line *t = events[i].t = line_at(e->instruction->pc);
    reads r = reads_of(t, e->instruction->condition);
    uint64_t flags = e->instruction->condition < 14 ? 1 << FLAGS : 0, w = e->written;
    uint64_t base = r.base >= 0 && r.base < 15 ? UINT64_C(1) << r.base : 0;
    bool base_loaded = false;
    for (int k = 0; r.load && k < r.moved_count; k++)
        base_loaded |= r.moved[k] == r.base;
    bool base_moves = base && (w & base) && !base_loaded && (r.load || r.store);
    if (!e->passed) {
        part_add(i, flags, 0, 0, 0);
    } else if (r.multiple) {
        for (uint32_t k = 0; k < e->access_count; k++) {
            uint64_t moved = r.moved[k] < 15 ? UINT64_C(1) << r.moved[k] : 0;
            part_add(i, flags | base | (r.store ? moved : 0), r.load ? moved & w : 0, k, 1);
        }
        if (base_moves)
            part_add(i, flags | base, base, 0, 0);
    } else if (base_moves) {
        part_add(i, r.all, w & ~base, 0, e->access_count);
        part_add(i, flags | base, base, 0, 0);
    } else {
        part_add(i, r.all, w, 0, e->access_count);
    }
}

/* ---- procedures, ways, control dependence ---- */

static uint32_t procedure_of(uint32_t pc)
{
    uint32_t at = pc / 2;
    while (at && !start_of_procedure[at])
        at--;
    return 2 * at;
}

static bool is_call(const text_line *t)
{
    return !strcmp(t->name, "bl") || begins(t->name, "blx");
}

static bool list_with_pc(const text_line *t)
{
    const char *brace = strchr(t->operands, '{');
    return brace && strstr(brace, "pc");
}

/* How the instruction ends: 0 goes on, 1 direct branch, 2 return, 3 jump through a table. */
static int ending(const text_line *t)
{
    if (begins(t->name, "tbb") || begins(t->name, "tbh"))
        return 3;
    if (begins(t->name, "cb"))
        return 1;
    if (begins(t->name, "bx") || begins(t->name, "udf"))
        return 2;
    if (begins(t->name, "pop") || begins(t->name, "ldm"))
        return list_with_pc(t) ? 2 : 0;
    if (t->name[0] == 'b' && !is_call(t) && !begins(t->name, "bic") && !begins(t->name, "bfi") &&
        !begins(t->name, "bfc") && !begins(t->name, "bkpt"))
        return 1;
    if (begins(t->operands, "pc,") && !begins(t->name, "cmp"))
        return strstr(t->operands, "lr") || strstr(t->operands, "[sp") ? 2 : 3;
    return 0;
}

static uint32_t target_of(const text_line *t)
{
    const char *comma = strrchr(t->operands, ',');
    return (uint32_t)strtoul(comma ? comma + 1 : t->operands, NULL, 16);
}

/* Conditions of an IT block reach the instructions after it: is this one conditional? */
static bool *conditional;

static void find_conditional(void)
{
    for (uint32_t at = 0; at < PC_MAX; at++) {
        const text_line *t = &text[at];
        if (!t->known || t->name[0] != 'i' || t->name[1] != 't')
            continue;
        uint32_t next = at + 1;
        for (size_t k = 1; t->name[k] == 't' || t->name[k] == 'e'; k++) {
            conditional[next] = true;
            next += text[next].size / 2;
        }
    }
}

typedef struct jump {
    uint32_t from, to;
} jump;
static jump *jumps; /* through tables, within a procedure */
static size_t jump_count;

/* Ways of an instruction inside its procedure; -1 is its exit. */
static int ways_of(uint32_t pc, int64_t ways[300])
{
    const text_line *t = line_at(pc);
    int count = 0, end = ending(t);
    bool falls =
        end == 0 || conditional[pc / 2] || begins(t->name, "cb") || (end == 1 && t->name[1] && t->name[1] != '.');
    if (end == 1)
        ways[count++] = target_of(t);
    if (end == 2)
        ways[count++] = -1;
    if (end == 3)
        for (size_t i = 0; i < jump_count && count < 298; i++)
            if (jumps[i].from == pc)
                ways[count++] = jumps[i].to;
    if (falls)
        ways[count++] = pc + t->size;
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (ways[i] >= 0 && (procedure_of((uint32_t)ways[i]) != procedure_of(pc) || !line_at((uint32_t)ways[i])->known))
            ways[i] = -1;
        bool twice = false;
        for (int k = 0; k < kept; k++)
            twice |= ways[k] == ways[i];
        if (!twice)
            ways[kept++] = ways[i];
    }
    if (!kept)
        ways[kept++] = -1;
    return kept;
}

/* Procedures that executed: their instructions and which of them control which. */
typedef struct procedure {
    uint32_t start, end, count;
    uint32_t *pcs;
    uint8_t *exits;    /* an endless loop's way out */
    uint8_t *controls; /* [x * count + b] */
} procedure;
static procedure *procedures;
static size_t procedure_count;

static int index_of(const procedure *p, int64_t pc)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->pcs[i] == pc)
            return (int)i;
    return -1;
}

/* From which instructions the exit is reached without passing `without` (-1: none). */
static void reach_exit(const procedure *p, int without, uint8_t *reaches, int (*table)[300], const int *counts)
{
    memset(reaches, 0, p->count);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = p->count; i-- > 0;) {
            if (reaches[i] || (int)i == without)
                continue;
            bool now = p->exits[i];
            for (int k = 0; k < counts[i]; k++)
                now |= table[i][k] < 0 || (table[i][k] != without && reaches[table[i][k]]);
            reaches[i] = now;
            changed |= now;
        }
    }
}

static void find_controls(procedure *p)
{
    int(*table)[300] = calloc(p->count, sizeof *table), *counts = calloc(p->count, sizeof *counts);
    uint8_t *reaches = calloc(p->count + 1, 1);
    for (uint32_t i = 0; i < p->count; i++) {
        int64_t ways[300];
        counts[i] = ways_of(p->pcs[i], ways);
        for (int k = 0; k < counts[i]; k++)
            table[i][k] = ways[k] < 0 ? -1 : index_of(p, ways[k]);
    }
    for (;;) { /* endless loops */
        int highest = -1;
        reach_exit(p, -1, reaches, table, counts);
        for (uint32_t i = 0; i < p->count; i++)
            if (!reaches[i])
                highest = (int)i;
        if (highest < 0)
            break;
        p->exits[highest] = 1;
    }
    for (uint32_t x = 0; x < p->count; x++) {
        reach_exit(p, (int)x, reaches, table, counts);
        /* x post-dominates y if y cannot reach the exit without x */
        for (uint32_t b = 0; b < p->count; b++) {
            if (counts[b] < 2)
                continue;
            bool one = false, strictly = b != x && !reaches[b];
            for (int k = 0; k < counts[b]; k++)
                one |= table[b][k] >= 0 && (table[b][k] == (int)x || !reaches[table[b][k]]);
            p->controls[x * p->count + b] = one && !strictly;
        }
    }
    free(table);
    free(counts);
    free(reaches);
}

static procedure *procedure_at(uint32_t pc)
{
    uint32_t start = procedure_of(pc);
    for (size_t i = 0; i < procedure_count; i++)
        if (procedures[i].start == start)
            return &procedures[i];
    procedures = memory_grow(procedures, procedure_count + 1, sizeof *procedures);
    procedure *p = &procedures[procedure_count++];
    *p = (procedure){.start = start};
    uint32_t at = start / 2, limit = at + 1;
    while (limit < PC_MAX && !start_of_procedure[limit])
        limit++;
    for (; at < limit; at++)
        if (text[at].known) {
            p->pcs = memory_grow(p->pcs, p->count + 1, sizeof *p->pcs);
            p->pcs[p->count++] = 2 * at;
        }
    p->exits = calloc(p->count + 1, 1);
    p->controls = calloc((size_t)p->count * p->count + 1, 1);
    find_controls(p);
    return p;
}

/* Starts that only the run shows, and ways of jump tables. */
static void scan_run(void)
{
    for (size_t i = 0; i + 1 < event_count; i++) {
        if (events[i + 1].e.kind == FULL_EXCEPTION)
            continue;
        uint32_t next = events[i + 1].e.instruction->pc;
        if (events[i].e.kind == FULL_EXCEPTION) {
            if (events[i].e.entry)
                start_of_procedure[next / 2] = true;
            continue;
        }
        if (!events[i].e.passed)
            continue;
        const text_line *t = line_at(events[i].e.instruction->pc);
        if (is_call(t))
            start_of_procedure[next / 2] = true;
        if (ending(t) == 3) {
            jumps = memory_grow(jumps, jump_count + 1, sizeof *jumps);
            jump new = {events[i].e.instruction->pc, next};
            bool known = false;
            for (size_t k = 0; k < jump_count; k++)
                known |= jumps[k].from == new.from &&jumps[k].to == new.to;
            if (!known)
                jumps[jump_count++] = new;
        }
    }
}

/* ---- dependences ---- */

enum { NONE = -1, ACTIVATIONS = 4096 };

/* Where a handler stopped the run: its last event before, NONE: it had none; and the last part. */
typedef struct stopped {
    int32_t event, part;
} stopped;

typedef struct activation {
    uint32_t procedure, back;
    int32_t caller; /* part */
    bool handler;
    uint32_t frame;
    stopped at;           /* of a handler */
    int32_t *last_branch; /* by instruction of the procedure: part, or NONE */
} activation;

static activation stack[ACTIVATIONS];
static int depth;

/* A thread that was switched away from: what stood below the handler, by the handler's frame. */
typedef struct thread_kept {
    uint32_t frame;
    stopped at;
    int depth;
    activation *stack;
} thread_kept;

static thread_kept threads[64];

static void push_activation(uint32_t pc, uint32_t back, int32_t caller, bool handler, uint32_t frame)
{
    activation *a = &stack[depth++];
    procedure *p = procedure_at(pc);
    *a = (activation){.procedure = p->start, .back = back, .caller = caller, .handler = handler, .frame = frame};
    a->last_branch = malloc((p->count + 1) * sizeof *a->last_branch);
    for (uint32_t i = 0; i < p->count; i++)
        a->last_branch[i] = NONE;
}

static void pop_activation(void)
{
    free(stack[--depth].last_branch);
}

static void replace_activation(uint32_t pc, int32_t caller)
{
    activation old = stack[depth - 1];
    pop_activation();
    push_activation(pc, old.back, caller, old.handler, old.frame);
    stack[depth - 1].at = old.at;
}

/* Where control goes from event i to the instruction at pc. */
static void follow(const event_kept *k, uint32_t pc, int32_t last_part)
{
    const text_line *t = k->t;
    int end = k->e.passed ? ending(t) : 0;
    bool leaves = procedure_of(pc) != stack[depth - 1].procedure;
    if (k->e.passed && is_call(t)) {
        push_activation(pc, k->e.instruction->pc + k->e.instruction->size, last_part, false, 0);
        return;
    }
    if (end == 2 || (end == 3 && leaves)) {
        for (int d = depth - 1; d > 0 && !stack[d].handler; d--)
            if (stack[d].back == pc) {
                while (depth > d)
                    pop_activation();
                return;
            }
        for (int d = depth - 1; d >= 0 && !start_of_procedure[pc / 2]; d--) {
            if (stack[d].procedure == procedure_of(pc)) {
                while (depth > d + 1)
                    pop_activation();
                return;
            }
            if (stack[d].handler)
                break;
        }
        replace_activation(pc, last_part);
        return;
    }
    if (leaves)
        replace_activation(pc, last_part);
}

static int32_t parent_of(uint32_t pc)
{
    activation *a = &stack[depth - 1];
    procedure *p = procedure_at(pc);
    int x = index_of(p, pc);
    int32_t best = NONE;
    for (uint32_t b = 0; x >= 0 && b < p->count; b++)
        if (p->controls[(uint32_t)x * p->count + b] && a->last_branch[b] > best)
            best = a->last_branch[b];
    return best != NONE ? best : a->caller;
}

static int32_t *pages[1 << 20];

static int32_t *byte_at(uint32_t address)
{
    int32_t **page = &pages[address >> 12];
    if (!*page) {
        *page = malloc(4096 * sizeof **page);
        for (int i = 0; i < 4096; i++)
            (*page)[i] = NONE;
    }
    return &(*page)[address & 4095];
}

static int32_t defined_by[64];

/* Reads first, for all parts; then what they write. */
static void depend(uint32_t i, int32_t parent, const full_access *accesses)
{
    event_kept *k = &events[i];
    for (uint32_t q = k->first_part; q < k->first_part + k->part_count; q++) {
        part_kept *p = &parts[q];
        for (int loc = 0; loc < 64; loc++)
            if (p->reads >> loc & 1 && defined_by[loc] != NONE)
                need_add(p, (uint32_t)defined_by[loc]);
        if (parent != NONE)
            need_add(p, (uint32_t)parent);
    }
    for (uint32_t q = k->first_part; q < k->first_part + k->part_count; q++) {
        part_kept *p = &parts[q];
        for (uint32_t a = p->access_first; a < p->access_first + p->access_count; a++)
            for (uint32_t b = 0; b < accesses[a].size; b++) {
                int32_t *by = byte_at(accesses[a].address + b);
                if (accesses[a].store)
                    *by = (int32_t)q;
                else if (*by != NONE)
                    need_add(p, (uint32_t)*by);
            }
    }
    for (uint32_t q = k->first_part; q < k->first_part + k->part_count; q++)
        for (int loc = 0; loc < 64; loc++)
            if (parts[q].writes >> loc & 1)
                defined_by[loc] = (int32_t)q;
}

static uint32_t handler_frame(void)
{
    for (int d = depth - 1; d >= 0; d--)
        if (stack[d].handler)
            return stack[d].frame;
    return 0;
}

/* The handler on top ends, and what was stopped at a frame goes on; depth 0: a new thread. */
static stopped end_handler(uint32_t frame)
{
    int kept = 0, next = 0;
    activation handler = stack[depth - 1];
    pop_activation();
    if (handler.frame == frame)
        return handler.at;
    while (threads[kept].stack)
        kept++;
    threads[kept] = (thread_kept){handler.frame, handler.at, depth, malloc(sizeof stack)};
    memcpy(threads[kept].stack, stack, sizeof stack);
    while (next < 64 && !(threads[next].stack && threads[next].frame == frame))
        next++;
    depth = next < 64 ? threads[next].depth : 0;
    if (next == 64)
        return (stopped){NONE, NONE};
    memcpy(stack, threads[next].stack, sizeof stack);
    free(threads[next].stack);
    threads[next].stack = NULL;
    return threads[next].at;
}

static stopped resumed = {NONE, NONE}; /* what goes on after an exception return */

static void exception_event(uint32_t i)
{
    const full_event *e = &events[i].e;
    bool chained = e->entry && e->from && (e->registers[14] & 8 || handler_frame() == e->frame);
    int32_t last = (int32_t)part_count - 1;
    full_access accesses[8];
    for (uint32_t k = 0; k < 8; k++)
        accesses[k] = (full_access){.address = e->frame + 4 * k, .size = 4, .store = e->entry};
    parts_of_exception(i, chained);
    stopped at = i && events[i - 1].e.kind == FULL_EXECUTED ? (stopped){(int32_t)i - 1, last} : resumed;
    depend(i, NONE, accesses);
    if (chained || !e->entry) {
        while (!stack[depth - 1].handler)
            pop_activation();
        at = end_handler(e->frame);
    }
    resumed = e->entry ? (stopped){NONE, NONE} : at;
    if (e->entry) {
        push_activation(e->pc, UINT32_MAX, NONE, true, e->frame);
        stack[depth - 1].at = at;
    }
}

static void find_dependences(void)
{
    for (int loc = 0; loc < 64; loc++)
        defined_by[loc] = NONE;
    for (uint32_t i = 0; i < event_count; i++) {
        event_kept *k = &events[i];
        k->first_part = (uint32_t)part_count;
        if (k->e.kind == FULL_EXCEPTION) {
            exception_event(i);
            continue;
        }
        uint32_t pc = k->e.instruction->pc;
        if (i && events[i - 1].e.kind == FULL_EXECUTED)
            follow(&events[i - 1], pc, (int32_t)part_count - 1);
        else if (!depth)
            push_activation(pc, UINT32_MAX, NONE, false, 0);
        else if (i && resumed.event != NONE)
            follow(&events[resumed.event], pc, resumed.part);
        parts_of_instruction(i);
        depend(i, parent_of(pc), k->e.accesses);
        int at = index_of(procedure_at(pc), pc);
        int64_t ways[300];
        if (at >= 0 && ways_of(pc, ways) > 1)
            stack[depth - 1].last_branch[at] = (int32_t)part_count - 1;
    }
}

/* ---- slices ---- */

static uint8_t *naive_slice(uint32_t event, bool forward)
{
    uint8_t *in = calloc(part_count + 1, 1), *slice = calloc(event_count + 1, 1);
    for (uint32_t q = events[event].first_part; q < events[event].first_part + events[event].part_count; q++)
        in[q] = 1;
    if (forward) {
        for (size_t q = 0; q < part_count; q++)
            for (uint32_t k = 0; k < parts[q].need_count; k++)
                in[q] |= in[parts[q].needs[k]];
    } else {
        for (size_t q = part_count; q-- > 0;)
            for (uint32_t k = 0; in[q] && k < parts[q].need_count; k++)
                in[parts[q].needs[k]] = 1;
    }
    for (size_t q = 0; q < part_count; q++)
        slice[parts[q].event] |= in[q];
    free(in);
    return slice;
}

/* ---- comparing ---- */

static wet_file *wet;
static uint32_t *first_event;     /* of each time */
static wet_instance *instance_of; /* of each event */
static uint32_t event_max, event_total;

static bool same_instruction(const full_event *e, wet_instance at)
{
    const wet_statement *s = &wet->statements[wet->nodes[at.node].n.statements[at.statement]];
    uint32_t values[64];
    uint8_t locations[64];
    wet_access_seen seen[FULL_ACCESSES_MAX];
    EXPECT(wet->statics[s->instruction].insn.pc == e->instruction->pc);
    EXPECT(s->passed == e->passed && s->written == e->written);
    EXPECT(wet_values_of(wet, at, values, locations) == e->value_count);
    for (uint32_t i = 0; i < e->value_count; i++)
        EXPECT(values[i] == e->values[i]);
    EXPECT(wet_accesses_of(wet, at, seen) == e->access_count);
    for (uint32_t i = 0; i < e->access_count; i++) {
        EXPECT(seen[i].address == e->accesses[i].address && seen[i].size == e->accesses[i].size);
        EXPECT(seen[i].store == e->accesses[i].store && seen[i].known && seen[i].value == e->accesses[i].value);
    }
    return true;
}

static full_event *current; /* of the recording, read along */

/* The next event is this one of the trace. */
static bool same_event(full_reader *in, uint32_t event, wet_instance at)
{
    const wet_node *n = &wet->nodes[at.node].n;
    EXPECT(full_next(in, current) > 0);
    if (current->kind == FULL_EXCEPTION)
        EXPECT(wet->statics[wet->statements[n->statements[at.statement]].instruction].exception);
    else if (!same_instruction(current, at)) {
        printf("# event %u at pc %x\n", event, current->instruction->pc);
        return false;
    }
    return true;
}

static void every_instruction_value_and_access_is_that_of_the_emulator(void)
{
    char message[256];
    wet_control *c = wet_control_new(wet, 1, UINT32_MAX, false);
    full_reader *in = full_open(full_path, message, sizeof message);
    uint32_t low, count, event = 0;
    const uint32_t *nodes, *instances;
    bool same = in != NULL;
    current = calloc(1, sizeof *current);
    while (same && (count = wet_control_next(c, &low, &nodes, &instances)) > 0)
        for (uint32_t i = 0; same && i < count; i++) {
            first_event[low + i] = event;
            for (uint32_t k = 0; same && k < wet->nodes[nodes[i]].n.statement_count; k++, event++) {
                wet_instance at = {nodes[i], k, instances[i]};
                same = event < event_max && same_event(in, event, at);
                if (same)
                    instance_of[event] = at;
            }
        }
    wet_control_free(c);
    CHECK(same);
    CHECK(full_next(in, current) == 0 && !full_error(in));
    CHECK(!wet->damaged);
    event_total = event;
    full_close(in);
}

static void backward_control_is_the_mirror(void)
{
    wet_control *c = wet_control_new(wet, 1, UINT32_MAX, true);
    uint32_t low, count, event = event_total;
    const uint32_t *nodes, *instances;
    while ((count = wet_control_next(c, &low, &nodes, &instances)) > 0)
        for (uint32_t i = count; i-- > 0;) {
            const wet_node *n = &wet->nodes[nodes[i]].n;
            for (uint32_t k = n->statement_count; k-- > 0;) {
                event--;
                CHECK(instance_of[event].node == nodes[i] && instance_of[event].instance == instances[i] &&
                      instance_of[event].statement == k);
            }
        }
    CHECK_EQ(event, 0);
    wet_control_free(c);
}

/* Of a file opened anew: nothing was found before. */
static void words_found_in_blocks_are_those_found_alone(void)
{
    char message[256];
    static uint32_t words[WET_BLOCK];
    wet_file *fresh = wet_file_open(wet_path, message, sizeof message);
    CHECK(fresh != NULL);
    for (uint32_t i = 0; i < wet->node_count; i++)
        for (uint32_t slot = 0; slot < wet->nodes[i].n.slot_count; slot++) {
            uint32_t count = wet->nodes[i].n.count < WET_BLOCK ? wet->nodes[i].n.count : WET_BLOCK;
            wet_words(fresh, i, slot, wet->nodes[i].n.count - count, count, words);
            for (uint32_t k = 0; k < count; k++)
                CHECK_EQ(words[k], wet_word(wet, i, slot, wet->nodes[i].n.count - count + k));
        }
    CHECK(!fresh->damaged && !wet->damaged);
    wet_file_close(fresh);
}

static void visit(void *context, uint32_t node, uint32_t instance, uint64_t operations)
{
    uint8_t *slice = context;
    const wet_node *n = &wet->nodes[node].n;
    for (uint32_t o = 0; o < n->operation_count; o++)
        if (operations >> o & 1)
            slice[first_event[wet_time(wet, node, instance)] + n->operation_statement[o]] = 1;
}

static int slice_count;
static check_random seed;

static bool same_slice(uint32_t event, bool forward)
{
    uint8_t *naive = naive_slice(event, forward), *mine = calloc(event_count + 1, 1);
    wet_slice *slice = wet_slice_run(wet, instance_of[event], forward, visit, mine);
    uint64_t instances = 0;
    bool same = true;
    for (uint32_t i = 0; i < event_count; i++) {
        instances += mine[i] && events[i].e.kind == FULL_EXECUTED;
        if (naive[i] == mine[i] || !same)
            continue;
        same = false;
        printf("# %s slice of event %u (pc %x): event %u (pc %x, %s %s) %s\n", forward ? "forward" : "backward", event,
               events[event].e.instruction->pc, i, events[i].e.kind == FULL_EXECUTED ? events[i].e.instruction->pc : 0,
               events[i].t ? events[i].t->name : "exception", events[i].t ? events[i].t->operands : "",
               naive[i] ? "is missing" : "is too much");
        for (uint32_t q = events[i].first_part; q < events[i].first_part + events[i].part_count; q++)
            for (uint32_t k = 0; k < parts[q].need_count; k++)
                printf("#   needs event %u\n", parts[parts[q].needs[k]].event);
        for (size_t q = 0; q < part_count; q++)
            for (uint32_t k = 0; k < parts[q].need_count; k++)
                if (parts[parts[q].needs[k]].event == i && naive[parts[q].event])
                    printf("#   needed by event %u\n", parts[q].event);
    }
    EXPECT(!same || slice->instances == instances);
    wet_slice_free(slice);
    free(naive);
    free(mine);
    return same;
}

static void slices(bool forward)
{
    for (int i = 0; i < slice_count; i++) {
        uint32_t event = check_random_below(&seed, (uint32_t)event_count);
        while (events[event].e.kind == FULL_EXCEPTION)
            event = check_random_below(&seed, (uint32_t)event_count);
        if (i == 0)
            event = forward ? 0 : (uint32_t)event_count - 1;
        CHECK(same_slice(event, forward));
    }
    CHECK(!wet->damaged);
}

static void backward_slices_equal_the_naive_ones(void)
{
    slices(false);
}

static void forward_slices_equal_the_naive_ones(void)
{
    slices(true);
}

int main(int argc, char **argv)
{
    char message[512];
    if (argc < 4)
        return 2;
    full_path = argv[1];
    elf_path = argv[2];
    wet_path = argv[3];
    slice_count = argc > 4 ? atoi(argv[4]) : 0;
    seed.state = argc > 5 ? (uint32_t)atoi(argv[5]) : 1;
    text = calloc(PC_MAX + 1, sizeof *text);
    start_of_procedure = calloc(PC_MAX + 1, 1);
    conditional = calloc(PC_MAX + 8, 1);
    wet = wet_file_open(wet_path, message, sizeof message);
    if (!wet || (slice_count && !read_recording())) {
        printf("not ok wet_check cannot read: %s\n", message);
        return 1;
    }
    first_event = calloc((size_t)wet->time + 2, sizeof *first_event);
    event_max = (uint32_t)wet->executed + wet->time;
    instance_of = calloc((size_t)event_max + 1, sizeof *instance_of);
    RUN(every_instruction_value_and_access_is_that_of_the_emulator);
    if (!check_failed())
        RUN(words_found_in_blocks_are_those_found_alone);
    if (!check_failed())
        RUN(backward_control_is_the_mirror);
    if (slice_count && !check_failed()) {
        read_disassembly();
        read_procedures();
        find_conditional();
        scan_run();
        find_dependences();
        RUN(backward_slices_equal_the_naive_ones);
        RUN(forward_slices_equal_the_naive_ones);
    }
    wet_file_close(wet);
    return check_failed();
}
