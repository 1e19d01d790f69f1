/* SPDX-License-Identifier: MIT */
/* weft race: memory that contexts share without protection. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/inspect/race.h"
#include "tools/weft/command.h"
#include "tools/weft/inspected.h"

static const char help[] =
    "usage: weft race [--lock TAKE:GIVE,...] [--context NAME] [--function NAME] [--json] [--elf APP.elf] FULL.weft\n\n"
    "Objects in memory that an interrupt and what it can interrupt (or two threads) both use without protection, with\n"
    "one interleaving each: lost updates (load, change, store) and torn reads and writes (objects accessed in "
    "parts).\n\n"
    "  --elf APP.elf      the image that was recorded\n"
    "  --lock TAKE:GIVE   functions that take and give a lock, which r0 points to; those of FreeRTOS, CMSIS-RTOS2,\n"
    "                     Zephyr, ThreadX and ChibiOS are known\n"
    "  --context NAME     only races of this context: thread, a handler's name, or a number\n"
    "  --function NAME    only races that it is part of\n"
    "  --json             one JSON object: races (kind, object, address, size, over, by, interleaving, windows, "
    "seen)\n\n"
    "Wants a full recording (weft capture --full): what masks interrupts is read from its instructions (PRIMASK,\n"
    "BASEPRI, FAULTMASK) and stores (priorities, NVIC). A race is reported whether or not it happened in the run\n"
    "('seen'); code that did not run is not looked at. Exit status 0: also with races.\n";

static const char *const kinds[] = {"lost update", "torn read", "torn write"};

static bool is_wanted(const inspected *in, const race *r)
{
    bool any = !in->function;
    for (unsigned step = 0; step < 3; step++) {
        const image_symbol *f = image_function(&in->im->symbols, r->step[step].pc);
        any |= inspected_wants_function(in, f ? f->name : NULL);
    }
    return any && (inspected_wants(in, r->step[0].context) || inspected_wants(in, r->step[1].context));
}

/* What a step does to the object. */
static const char *does(const race *r, unsigned step)
{
    if (r->kind == RACE_LOST_UPDATE || step == 1)
        return r->step[step].store ? "stores" : "loads";
    if (step == 0)
        return r->step[0].store ? "stores a part of" : "loads a part of";
    return r->step[2].store ? "stores the rest of" : "loads the rest of";
}

/* ---- lines for people ---- */

static void print_step(const image *im, const race *r, unsigned step)
{
    const image_symbol *f = image_function(&im->symbols, r->step[step].pc);
    const image_line *line = image_line_at(im, r->step[step].pc);
    fputs("    ", stdout);
    text_print(stdout, step == 1 ? r->by : r->over);
    printf(" %s it", does(r, step));
    if (f) {
        fputs("  ", stdout);
        text_print(stdout, f->name);
    }
    if (line && line->file) {
        putchar(' ');
        text_print(stdout, inspected_base(line->file));
        printf(":%" PRIu32, line->line);
    }
    putchar('\n');
}

static void print_race(const image *im, const race *r)
{
    printf("%s of ", kinds[r->kind]);
    text_print(stdout, r->object);
    printf(" (0x%08" PRIx32 ", %" PRIu32 " bytes)", r->address, r->size);
    if (r->seen)
        printf(", happened %" PRIu64 " times", r->seen);
    printf(", could have happened %" PRIu64 " times\n", r->windows);
    for (unsigned i = 0; i < 3; i++)
        print_step(im, r, i);
}

static void print_all(const inspected *in, const races *all)
{
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++)
        if (is_wanted(in, &all->all[i])) {
            print_race(in->im, &all->all[i]);
            count++;
        }
    printf("%zu races; %" PRIu64 " bytes are shared between contexts\n", count, all->shared);
}

/* ---- JSON ---- */

static void put_step(json *j, const image *im, const race *r, unsigned step)
{
    const race_step *s = &r->step[step];
    const image_symbol *f = image_function(&im->symbols, s->pc);
    const image_line *line = image_line_at(im, s->pc);
    json_object(j, NULL);
    json_integer(j, "context", s->context);
    json_string(j, "name", step == 1 ? r->by : r->over);
    json_string(j, "does", does(r, step));
    json_integer(j, "pc", s->pc);
    if (f)
        json_string(j, "function", f->name);
    if (line && line->file) {
        json_string(j, "file", line->file);
        json_integer(j, "line", line->line);
    }
    json_end_object(j);
}

static void put_all(const inspected *in, const races *all)
{
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_unsigned(j, "shared", all->shared);
    json_array(j, "races");
    for (size_t i = 0; i < all->count; i++) {
        const race *r = &all->all[i];
        if (!is_wanted(in, r))
            continue;
        json_object(j, NULL);
        json_string(j, "kind", kinds[r->kind]);
        json_string(j, "object", r->object);
        json_integer(j, "address", r->address);
        json_integer(j, "size", r->size);
        json_integer(j, "over", r->step[0].context);
        json_integer(j, "by", r->step[1].context);
        json_unsigned(j, "windows", r->windows);
        json_unsigned(j, "seen", r->seen);
        json_array(j, "interleaving");
        for (unsigned step = 0; step < 3; step++)
            put_step(j, in->im, r, step);
        json_end_array(j);
        json_end_object(j);
    }
    json_end_array(j);
    json_end_object(j);
    json_finish(j);
}

/* ---- the command ---- */

/* "TAKE:GIVE,...": splits `text` in place. NULL: it is not that. */
static race_lock *parse_locks(char *text)
{
    size_t count = 0, max = 0;
    race_lock *locks = NULL;
    for (char *save, *part = strtok_r(text, ",", &save); part; part = strtok_r(NULL, ",", &save)) {
        char *colon = strchr(part, ':');
        if (!colon || colon == part || !colon[1]) {
            free(locks);
            return NULL;
        }
        *colon = 0;
        locks = memory_room(locks, count + 1, &max, sizeof *locks);
        locks[count++] = (race_lock){part, colon + 1, false};
        locks[count] = (race_lock){NULL, NULL, false};
    }
    return locks;
}

/* Of the functions that --lock names one is not there: its name, else NULL. */
static const char *missing(const image *im, const race_lock *locks)
{
    uint32_t address, size;
    for (const race_lock *l = locks; l && l->take; l++) {
        if (!image_symbol_named(im, l->take, &address, &size))
            return l->take;
        if (!image_symbol_named(im, l->give, &address, &size))
            return l->give;
    }
    return NULL;
}

static int find_races(inspected *in, const race_lock *locks)
{
    char message[400];
    const char *gap;
    races all;
    if (missing(in->im, locks))
        return command_fail(in->name, EXIT_USAGE, "--lock: '%s' has no function %s", in->im->path,
                            missing(in->im, locks));
    if (!races_full(&all, in->path, in->im, locks, &gap, message, sizeof message))
        return command_fail(in->name, EXIT_INPUT, "%s: %s", in->path, message);
    (in->json ? put_all : print_all)(in, &all);
    int status = inspected_end(in, gap);
    if (all.many) {
        fprintf(stderr, "weft %s: more than %d contexts: the later ones were not looked at\n", in->name,
                RACE_CONTEXTS_MAX);
        status = EXIT_GAPS;
    }
    races_free(&all);
    return status;
}

static int give(inspected *in, void *own)
{
    const char *const *lock = own;
    if (!in->reader)
        return command_fail(in->name, EXIT_INPUT,
                            "'%s' is a recording with probes, which does not say when interrupts were masked: this "
                            "wants a full one (weft capture --full)",
                            in->path);
    char *text = *lock ? memory_text(*lock) : NULL;
    race_lock *locks = text ? parse_locks(text) : NULL;
    int status = text && !locks ? command_fail(in->name, EXIT_USAGE, "--lock wants TAKE:GIVE, not '%s'", *lock)
                                : find_races(in, locks);
    free(locks);
    free(text);
    return status;
}

int command_race(int argc, char **argv)
{
    const char *lock = NULL;
    const command_option more[] = {{"lock", .text = &lock}, {NULL}};
    return inspected_run(argc, argv, &(inspection){help, more, give}, &lock);
}
