/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/probes_monitor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/digits.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/debug/monitor_choose.h"
#include "tools/lib/debug/probes_run.h"
#include "tools/lib/debug/probes_search.h"
#include "tools/lib/debug/probes_step.h"
#include "tools/lib/debug/probes_words.h"
#include "tools/lib/debug/sought.h"
#include "tools/lib/image/variables.h"

#define LISTED_MAX 20u
#define CALLERS_MAX 256u

typedef struct asked {
    probes_run *run;
    debug_instant at;
    const debug_context *context;
} asked;

static void print_function(const asked *s, FILE *out, uint32_t pc)
{
    const image *im = program_image(s->run->app);
    const image_symbol *f = image_function(&im->symbols, pc);
    const image_line *line = image_line_at(im, pc);
    text_print(out, f ? f->name : "?");
    if (!line || !line->file)
        return;
    fputs("  ", out);
    text_print(out, text_base(line->file));
    fprintf(out, ":%u", line->line);
}

static void print_instant(const asked *s, FILE *out, debug_instant at)
{
    const probes_run *r = s->run;
    uint32_t pc = probes_pc(r, at);
    fprintf(out, "%u.%u  0x%08x  ", at.window + 1, at.step, pc);
    print_function(s, out, pc);
    fprintf(out, "%s\n", r->plans[r->pieces[at.window].plan]->exact ? "" : "  (by its line)");
}

static void monitor_time(void *own, FILE *out, const char *rest)
{
    asked *s = own;
    (void)rest;
    fprintf(out, "time %u of %u; ", s->at.window + 1, s->run->piece_count);
    print_instant(s, out, s->at);
}

/* The instant itself, or the next one that there is. */
static debug_instant instant_from(const probes_run *r, debug_instant at)
{
    if (at.step >= r->pieces[at.window].count && !probes_next(r, &at))
        probes_previous(r, &at);
    return at;
}

static void monitor_goto(void *own, FILE *out, const char *rest)
{
    asked *s = own;
    const probes_run *r = s->run;
    char *end;
    unsigned long long time = strtoull(rest, &end, 10), step = *end == '.' ? strtoull(end + 1, &end, 10) : 0;
    if (!strcmp(rest, "start")) {
        s->at = instant_from(r, (debug_instant){0, 0});
    } else if (!strcmp(rest, "end")) {
        s->at = (debug_instant){r->piece_count, 0};
        probes_previous(r, &s->at);
    } else if (end != rest && !*end && time >= 1 && time <= r->piece_count && step < UINT32_MAX) {
        s->at = instant_from(r, (debug_instant){(uint32_t)time - 1, (uint32_t)step});
    } else {
        fprintf(out, "goto takes a time from 1 to %u, start or end\n", r->piece_count);
        return;
    }
    print_instant(s, out, s->at);
}

static void monitor_stack(void *own, FILE *out, const char *rest)
{
    asked *s = own;
    const probes_run *r = s->run;
    uint32_t pcs[CALLERS_MAX], activations[CALLERS_MAX];
    const debug_context *c = s->context;
    size_t count = probes_callers(r, r->pieces[c->at.window].activation, pcs, activations, CALLERS_MAX);
    bool plain = !strcmp(rest, "plain"); /* for scripts: addresses, and of what function */
    for (size_t i = 0; i <= count; i++) {
        uint32_t pc = i ? pcs[i - 1] : c->pc;
        if (plain) {
            fprintf(out, "%#x\n", pc);
            continue;
        }
        fprintf(out, "#%zu  0x%08x  ", i, pc);
        print_function(s, out, i ? pc - 1 : pc); /* of the call, not of what follows it */
        fputc('\n', out);
    }
}

/* ---- memory ---- */

/* OBJECT, OBJECT+N, table[2].member, an address. */
static bool place_find(asked *s, FILE *out, const char *text, debug_watch *watch)
{
    const image *im = program_image(s->run->app);
    char message[300], *name = memory_text(text);
    uint64_t number = 0;
    bool good = digits_whole(text, &number) && number <= UINT32_MAX;
    char *plus = strrchr(name, '+');
    *watch = (debug_watch){(uint32_t)number, 4, true, false};
    if (!good && plus) {
        *plus = 0;
        good = digits_whole(plus + 1, &number) && image_symbol_named(im, name, &watch->address, &watch->size) &&
               number < watch->size;
        watch->address += (uint32_t)number;
        watch->size = good ? 1 : 0;
    }
    good = good || image_symbol_named(im, text, &watch->address, &watch->size) ||
           image_variable(im, text, &watch->address, &watch->size, message, sizeof message);
    watch->size = watch->size ? watch->size : 4;
    free(name);
    if (!good)
        fprintf(out, "'%s' is not an address, object, member or element\n", text);
    return good;
}

/* Whether a load at `at`, and no store, shows that a word was changed by code without probes; after which instant. */
static bool word_changed(const probes_word *w, debug_instant at, debug_instant *since)
{
    bool changed = false;
    for (uint32_t i = probes_word_before(w, at); i < w->count; i++) {
        if (debug_instant_compare(probes_entry_at(&w->entries[i]), at) != 0)
            break;
        if (w->entries[i].store)
            return false;
        unsigned bytes = probes_entry_changed(w, i);
        uint32_t last = bytes ? i : 0;
        while (last && !(w->entries[last - 1].touched & bytes))
            last--;
        changed |= last != 0;
        *since = last ? probes_entry_at(&w->entries[last - 1]) : *since;
    }
    return changed;
}

static void print_changed(asked *s, FILE *out, const debug_watch *watch, debug_instant at)
{
    debug_instant since;
    for (uint64_t a = watch->address & ~3u; a < watch->address + (uint64_t)watch->size; a += 4) {
        const probes_word *w = probes_word_find(s->run, (uint32_t)a >> 2);
        if (!w || !word_changed(w, at, &since))
            continue;
        fputs("    read here: code without probes stored it after\n    ", out);
        print_instant(s, out, since);
        return;
    }
}

static void print_write(asked *s, FILE *out, const debug_watch *watch, debug_instant at)
{
    uint8_t bytes[8] = {0};
    uint64_t value = 0;
    debug_instant after = at;
    size_t size = watch->size < 8 ? watch->size : 8;
    print_instant(s, out, at);
    if (!probes_next(s->run, &after))
        after.step++;
    bool known = probes_memory(s->run, after, watch->address, bytes, size) >= size;
    for (size_t i = size; i-- > 0;)
        value = value << 8 | bytes[i];
    if (known)
        fprintf(out, "    0x%08x (%u) = %llu (0x%llx)\n", watch->address, watch->size, (unsigned long long)value,
                (unsigned long long)value);
    else
        fprintf(out, "    0x%08x (%u) = not announced\n", watch->address, watch->size);
    print_changed(s, out, watch, at);
}

static void print_search(asked *s, FILE *out, const char *rest, bool first)
{
    debug_watch watch;
    if (!place_find(s, out, rest, &watch))
        return;
    debug_points points = {.watches = &watch, .watch_count = 1};
    debug_instant at = first ? instant_from(s->run, (debug_instant){0, 0}) : s->at;
    if (probes_search(s->run, &at, &points, !first).end != DEBUG_WATCH) {
        fprintf(out, "no store to '%s' was announced%s\n", rest, first ? "" : " before this instant");
        return;
    }
    if (!first)
        probes_previous(s->run, &at);
    print_write(s, out, &watch, at);
}

static void monitor_last_write(void *own, FILE *out, const char *rest)
{
    print_search(own, out, rest, false);
}

static void monitor_first_write(void *own, FILE *out, const char *rest)
{
    print_search(own, out, rest, true);
}

typedef struct written {
    debug_instant at;
    uint32_t address;
} written;

static int written_order(const void *a, const void *b)
{
    const written *x = a, *y = b;
    int order = debug_instant_compare(x->at, y->at);
    return order ? order : x->address < y->address ? -1 : x->address > y->address;
}

/* The aligned words, halves and bytes that an entry stores whole, and whose value is known. */
static bool stores_value(const probes_entry *e, const debug_sought *value, uint32_t *offset)
{
    static const struct {
        uint8_t mask, offset, size;
    } parts[] = {{15, 0, 4}, {3, 0, 2}, {12, 2, 2}, {1, 0, 1}, {2, 1, 1}, {4, 2, 1}, {8, 3, 1}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (e->touched == parts[i].mask) {
            *offset = parts[i].offset;
            return (e->known & e->touched) == e->touched &&
                   debug_sought_is(value, e->value >> 8 * parts[i].offset, parts[i].size);
        }
    return false;
}

static bool stores_word(const probes_entry *e, uint32_t value)
{
    return e->store && e->touched == 15 && e->known == 15 && e->value == value;
}

/* An entry stores the low word of a value of 64 bits, and the same step the high word beside it. */
static bool stores_halves(const probes_run *r, const probes_word *w, const probes_entry *e, const debug_sought *value)
{
    const probes_word *high = debug_sought_is_wide(value) && stores_word(e, (uint32_t)value->bits)
                                  ? probes_word_find(r, w->number + 1)
                                  : NULL;
    for (uint32_t i = high ? probes_word_before(high, probes_entry_at(e)) : 0; high && i < high->count; i++) {
        if (debug_instant_compare(probes_entry_at(&high->entries[i]), probes_entry_at(e)))
            return false;
        if (stores_word(&high->entries[i], (uint32_t)(value->bits >> 32)))
            return true;
    }
    return false;
}

static void monitor_find(void *own, FILE *out, const char *rest)
{
    asked *s = own;
    const probes_run *r = s->run;
    debug_sought value;
    written *found = NULL;
    size_t count = 0, max = 0;
    if (!debug_sought_parse(rest, &value)) {
        fputs(DEBUG_SOUGHT_TEXT, out);
        return;
    }
    for (size_t i = 0; i < r->word_count; i++)
        for (uint32_t k = 0; k < r->words[i].count; k++) {
            const probes_entry *e = &r->words[i].entries[k];
            uint32_t offset = 0;
            if (!e->store || (!stores_value(e, &value, &offset) && !stores_halves(r, &r->words[i], e, &value)))
                continue;
            found = memory_room(found, count, &max, sizeof *found);
            found[count++] = (written){probes_entry_at(e), r->words[i].number * 4 + offset};
        }
    if (count)
        qsort(found, count, sizeof *found, written_order);
    fprintf(out, "stored %zu time%s%s\n", count, count == 1 ? "" : "s",
            count > LISTED_MAX ? "; the first:"
            : count            ? ":"
                               : "");
    for (size_t i = 0; i < count && i < LISTED_MAX; i++) {
        uint32_t offset;
        const image_symbol *object = image_object(&program_image(r->app)->symbols, found[i].address, &offset);
        fprintf(out, "0x%08x ", found[i].address);
        if (object) {
            text_print(out, object->name);
            fprintf(out, "+%u", offset);
        }
        fputs("  ", out);
        print_instant(s, out, found[i].at);
    }
    free(found);
}

/* ---- calls ---- */

/* The calls of a function that began before its first piece. */
static void monitor_calls(void *own, FILE *out, const char *rest)
{
    asked *s = own;
    const probes_run *r = s->run;
    uint64_t count = 0;
    uint8_t *seen = memory_zero(r->activation_count + 1, 1);
    for (uint32_t i = 0; i < r->piece_count; i++) {
        uint32_t a = r->pieces[i].activation, pc, caller;
        const char *name = probes_function(r, a);
        if (!r->pieces[i].count || seen[a] || (strcmp(name, rest) && !image_is_copy(name, rest)))
            continue;
        seen[a] = 1;
        if (count++ >= LISTED_MAX)
            continue;
        fprintf(out, "%u.0  from ", i + 1);
        if (probes_callers(r, a, &pc, &caller, 1))
            print_function(s, out, pc - 1);
        else
            fputc('?', out);
        fputc('\n', out);
    }
    free(seen);
    if (count)
        fprintf(out, "%llu call%s\n", (unsigned long long)count, count == 1 ? "" : "s");
    else
        fprintf(out, "'%s' is not a function that was called\n", rest);
}

static void monitor_missing(void *own, FILE *out, const char *rest)
{
    (void)own;
    (void)rest;
    fputs("probes do not tell that: it needs a whole execution trace (weft capture --full, weft wet build)\n", out);
}

static const monitor_command commands[] = {
    {"time", monitor_time, "time             where we are"},
    {"goto", monitor_goto, "goto T           go there: a time, T.N for a step from there, start, end"},
    {"stack", monitor_stack, "stack            the calls that led here"},
    {"last-write", monitor_last_write, "last-write PLACE the last store to it before now"},
    {"first-write", monitor_first_write, "first-write PLACE the first store to it of the run"},
    {"find", monitor_find, "find VALUE       when and where it was stored"},
    {"calls", monitor_calls, "calls FUNCTION   its calls: when, from where"},
    {"why", monitor_missing, NULL},
    {"slice", monitor_missing, NULL},
    {NULL, NULL, NULL}};

void probes_monitor(probes_run *r, debug_instant *at, const debug_context *c, const char *command, FILE *out)
{
    asked a = {r, *at, c};
    monitor_choose(commands, command, &a, out);
    *at = a.at;
}
