/* SPDX-License-Identifier: MIT */
/* weft race: memory that contexts share without protection. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"
#include "tools/lib/inspect/race.h"
#include "tools/lib/inspect/race_groups.h"
#include "tools/lib/inspect/race_kernel.h"
#include "tools/weft/command.h"
#include "tools/weft/inspected.h"

static const char help[] =
    "usage: weft race [--lock TAKE:GIVE,...] [--kernel] [--context NAME] [--function NAME] [--json]\n"
    "                 [--elf APP.elf] IN\n\n"
    "Objects in memory that an interrupt and what it can interrupt (or two threads) both use without protection, with\n"
    "one interleaving each: lost updates (load, change, store), counts that are taken and cleared, torn reads and\n"
    "writes (objects accessed in parts).\n\n"
    "  --elf APP.elf      the image that was traced (default: beside IN.weft)\n"
    "  --lock TAKE:GIVE   functions that take and give a lock, which r0 points to; those of FreeRTOS, CMSIS-RTOS2,\n"
    "                     Zephyr, ThreadX and ChibiOS are known\n"
    "  --kernel           also races within the code of FreeRTOS, Zephyr or ThreadX, which protect their lists by\n"
    "                     means that are not seen here (a suspended scheduler); without it they are counted\n"
    "  --context NAME     only races of this context: thread, a handler's name, or a number\n"
    "  --function NAME    only races that it is part of\n"
    "  --summary          lines within the terminal's width in a pipe, too\n"
    "  --json             one JSON object: races (kind, object, address, size, over, by, interleaving, windows, "
    "seen),\n"
    "                     each pair of contexts on its own; kernel (how many were only counted), unknown\n\n"
    "IN is a full recording (weft capture --full), a .wet, or one whose probes announce loads and stores (PROBES=mem). "
    "What\n"
    "masks interrupts is read from the instructions (PRIMASK, BASEPRI, FAULTMASK) and stores (priorities, NVIC). A\n"
    "race is reported whether or not it happened in the run ('seen'); code that did not run is not looked at. With\n"
    "probes the instructions are those that the recorded paths stand for; if that leaves open what was masked, the\n"
    "output says so ('unknown'), and the exit status is 3, unless only one context ran. Exit status 0: also with\n"
    "races.\n";

typedef struct race_request {
    const char *lock;
    bool kernel;
} race_request;

static const char *const kinds[] = {"lost update", "torn read", "torn write", "taken and cleared"};

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
    if (r->kind == RACE_LOST_UPDATE || r->kind == RACE_TAKEN || step == 1)
        return r->step[step].store ? "stores" : "loads";
    if (step == 0)
        return r->step[0].store ? "stores a part of" : "loads a part of";
    return r->step[2].store ? "stores the rest of" : "loads the rest of";
}

/* ---- lines for people ---- */

static void print_step(FILE *out, const image *im, const race *r, unsigned step)
{
    const image_symbol *f = image_function(&im->symbols, r->step[step].pc);
    const image_line *line = image_line_at(im, r->step[step].pc);
    fputs("    ", out);
    text_print(out, step == 1 ? r->by : r->over);
    fprintf(out, " %s it", does(r, step));
    if (f) {
        fputs("  ", out);
        text_print(out, f->name);
    }
    if (line && line->file) {
        fputc(' ', out);
        text_print(out, text_base(line->file));
        fprintf(out, ":%" PRIu32, line->line);
    }
    fputc('\n', out);
}

/* What pairs of threads have in common, and how many there are. */
static void print_group(FILE *out, const image *im, const race_group *g)
{
    const race *r = g->first;
    const char *each = g->pairs > 1 ? " per pair" : "";
    fprintf(out, "%s of ", kinds[r->kind]);
    text_print(out, r->object);
    fprintf(out, " (0x%08" PRIx32 ", %" PRIu32 " bytes)", r->address, r->size);
    if (g->seen)
        fprintf(out, ", happened %s%" PRIu64 " times%s", g->pairs > 1 ? "up to " : "", g->seen, each);
    fprintf(out, ", could have happened ");
    if (g->least < g->most)
        fprintf(out, "%" PRIu64 " to ", g->least);
    fprintf(out, "%" PRIu64 " times%s\n", g->most, each);
    for (unsigned i = 0; i < 3; i++)
        print_step(out, im, r, i);
    if (g->pairs > 1)
        fprintf(out, "    %zu pairs of threads %s: %" PRIu32 " are interrupted, %" PRIu32 " come in between\n",
                g->pairs, race_has_name(r->over) && race_has_name(r->by) ? "have these names" : "are alike", g->over,
                g->by);
}

static void print_groups(FILE *out, const inspected *in, const race *const *wanted, size_t count, size_t *groups)
{
    enum { SCREEN_RACES = 6 };
    race_group *all = race_groups(wanted, count, groups);
    size_t shown = in->summary && *groups > SCREEN_RACES ? SCREEN_RACES : *groups;
    for (size_t i = 0; i < shown; i++)
        print_group(out, in->im, &all[i]);
    if (shown < *groups)
        fprintf(out, "... and %zu more: `weft race ... | cat` shows all\n\n", *groups - shown);
    free(all);
}

static void print_all(const inspected *in, const races *all, size_t kernel)
{
    char *lines;
    size_t count = 0, groups, size;
    const race **wanted = memory_zero(all->count + 1, sizeof *wanted);
    FILE *out = memory_stream(&lines, &size);
    for (size_t i = 0; i < all->count; i++)
        if (is_wanted(in, &all->all[i]))
            wanted[count++] = &all->all[i];
    print_groups(out, in, wanted, count, &groups);
    free(wanted);
    fprintf(out, "%zu races", groups);
    if (groups < count)
        fprintf(out, " (%zu of pairs of threads: --json lists them)", count);
    fprintf(out, "; %" PRIu64 " bytes are shared between contexts%s\n", all->shared,
            all->contexts == 1 ? ": only one ran" : "");
    if (kernel)
        fprintf(out, "%zu more within the kernel's own code: --kernel shows them\n", kernel);
    fclose(out);
    inspected_print(in, lines);
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
    json_string(j, "function", f ? f->name : NULL);
    json_place(j, line ? line->file : NULL, line && line->file ? line->line : 0);
    json_end_object(j);
}

static uint64_t doubts_sum(const race_doubts *d)
{
    return d->masks + d->settings + d->paths + d->accesses;
}

static void put_all(const inspected *in, const races *all, size_t kernel, const race_doubts *doubts)
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
    json_unsigned(j, "kernel", kernel);
    json_unsigned(j, "unknown", doubts_sum(doubts));
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
        locks[count++] = (race_lock){part, colon + 1, false, RACE_ANY};
        locks[count] = (race_lock){NULL, NULL, false, RACE_ANY};
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

/* What a recording with probes cannot tell: its races may be more, or fewer. */
static int say_doubts(const char *name, const race_doubts *d)
{
    const struct {
        uint64_t count;
        const char *what;
    } all[] = {{d->masks, "values written to PRIMASK, BASEPRI or FAULTMASK are not known"},
               {d->settings, "values written to registers of the NVIC or the system control block are not known"},
               {d->paths, "executions of paths cannot be followed through the machine code"},
               {d->accesses, "announced accesses belong to no instruction that was found"}};
    int status = EXIT_DONE;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].count) {
            fprintf(stderr, "weft %s: not known: %" PRIu64 " %s\n", name, all[i].count, all[i].what);
            status = EXIT_GAPS;
        }
    return status;
}

/* Takes out the races within our own engine, and, but for `kernel`, those within a kernel's code: how many of these
 * there are that are wanted. */
static size_t leave_out(const inspected *in, races *all, bool kernel)
{
    size_t kept = 0, left = 0;
    race_kernel k;
    race_kernel_find(&k, in->im);
    for (size_t i = 0; i < all->count; i++) {
        bool own = !kernel && race_kernel_own(&k, &all->all[i]);
        left += own && is_wanted(in, &all->all[i]);
        if (!own && !race_kernel_engine(&k, &all->all[i]))
            all->all[kept++] = all->all[i];
    }
    all->count = kept;
    race_kernel_free(&k);
    return left;
}

static int find_races(inspected *in, const race_lock *locks, bool kernel)
{
    char message[400];
    const char *gap;
    race_doubts doubts = {0};
    races all;
    if (missing(in->im, locks))
        return command_fail(in->name, EXIT_USAGE, "--lock: '%s' has no function %s", in->im->path,
                            missing(in->im, locks));
    if (!in->reader)
        gap = races_probes(&all, in->file, in->app, locks, &in->seen, &doubts);
    else if (!races_full(&all, in->path, in->im, locks, &gap, message, sizeof message))
        return command_fail(in->name, EXIT_INPUT, "%s: %s", in->path, message);
    if (all.contexts == 1)
        doubts = (race_doubts){0}; /* there is no other context that a mask could keep out */
    size_t left = leave_out(in, &all, kernel);
    bool mixed = in->app && inspected_say_silent(in->name, in->app);
    inspected_note_cut(in, gap);
    if (!inspected_failed(in, gap) && in->json)
        put_all(in, &all, left, &doubts);
    else if (!inspected_failed(in, gap))
        print_all(in, &all, left);
    int status = inspected_end(in, gap);
    status = mixed && status == EXIT_DONE ? EXIT_GAPS : status;
    if (status == EXIT_DONE || status == EXIT_GAPS)
        status = say_doubts(in->name, &doubts) == EXIT_GAPS ? EXIT_GAPS : status;
    if (all.many) {
        fprintf(stderr, "weft %s: more than %d different exceptions: the later ones were not looked at\n", in->name,
                RACE_EXCEPTIONS_MAX);
        status = EXIT_GAPS;
    }
    if (all.many_locks) {
        fprintf(stderr, "weft %s: too many locks: the later ones were ignored\n", in->name);
        status = EXIT_GAPS;
    }
    races_free(&all);
    return status;
}

static int give(inspected *in, void *own)
{
    const race_request *wanted = own;
    if (!in->reader && !inspected_has_memory(in))
        return command_fail(in->name, EXIT_INPUT,
                            "'%s' has no function that announces its loads and stores (PROBES=mem)", in->im->path);
    char *text = wanted->lock ? memory_text(wanted->lock) : NULL;
    race_lock *locks = text ? parse_locks(text) : NULL;
    int status = text && !locks ? command_fail(in->name, EXIT_USAGE, "--lock takes TAKE:GIVE, not '%s'", wanted->lock)
                                : find_races(in, locks, wanted->kernel);
    free(locks);
    free(text);
    return status;
}

int command_race(int argc, char **argv)
{
    race_request wanted = {NULL};
    const command_option more[] = {{"lock", .text = &wanted.lock}, {"kernel", .flag = &wanted.kernel}, {NULL}};
    return inspected_run(argc, argv, &(inspection){help, more, give}, &wanted);
}
