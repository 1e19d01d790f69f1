/* SPDX-License-Identifier: MIT */
/* weft stack: the deepest stack of each context. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/inspect/stack.h"
#include "tools/weft/command.h"
#include "tools/weft/inspected.h"

static const char help[] =
    "usage: weft stack [--context NAME] [--function NAME] [--json] [--elf APP.elf] IN\n\n"
    "The deepest stack of each context (thread mode, each thread, each interrupt), and the chain of calls and\n"
    "interrupts that made it, with the bytes that each activation holds.\n\n"
    "  --elf APP.elf    the image that was traced (default: beside IN)\n"
    "  --context NAME   only one context: thread, a handler's name, or a number\n"
    "  --function NAME  only stacks whose chain of calls has it\n"
    "  --summary        lines within the terminal's width in a pipe, too\n"
    "  --json           one JSON object: known, stacks (context, name, stack, bytes, own, at, chain)\n\n"
    "Of a full recording (weft capture --full) or a .wet the figures are exact. From a recording with probes\n"
    "they follow from the calls of functions with probes and the sizes of their frames in the ELF's call frame\n"
    "information: the stack of functions without probes (libraries, the probes themselves) is not in them.\n";

/* ---- lines for people ---- */

/* A call that recurses stands once, with how often it follows itself. */
static bool same_link(const stack_link *a, const stack_link *b)
{
    return a->bytes == b->bytes && a->context == b->context && a->line == b->line && a->function && b->function &&
           !strcmp(a->function, b->function) && !a->file == !b->file && (!a->file || !strcmp(a->file, b->file));
}

static void print_link(FILE *out, const stack_link *link, size_t times, const stack_use *use, const image *im)
{
    if (link->bytes == STACK_UNKNOWN)
        fprintf(out, "  %10s  ", "?");
    else
        fprintf(out, "  %10" PRIu32 "  ", link->bytes);
    text_print(out, link->function ? link->function : "?");
    if (link->file) {
        fputs("  ", out);
        text_print(out, text_base(link->file));
        fprintf(out, ":%" PRIu32, link->line);
    }
    if (link->context != use->context) {
        char name[VECTORS_NAME_MAX];
        fputs("  (", out);
        text_print(out, vectors_name(im, link->context, name));
        fputc(')', out);
    }
    if (times > 1)
        fprintf(out, "  %zu times", times);
    fputc('\n', out);
}

static void print_use(FILE *out, const stack_use *use, bool exact, const image *im)
{
    fprintf(out, "%10" PRIu64 " bytes  ", use->bytes);
    text_print(out, use->name);
    fprintf(out, ", %s stack", use->process ? "process" : "main");
    if (exact)
        fprintf(out, ", 0x%08" PRIx32 " to 0x%08" PRIx32, use->least, use->top);
    fprintf(out, "\n%18sits own at most %" PRIu64 "; after %" PRIu64 " instructions\n", "", use->own, use->at);
    for (size_t i = 0, times; i < use->link_count; i += times) {
        for (times = 1; i + times < use->link_count && same_link(&use->link[i], &use->link[i + times]);)
            times++;
        print_link(out, &use->link[i], times, use, im);
    }
}

/* A stack of the chosen context, whose chain of calls has the chosen function. */
static bool is_wanted(const inspected *in, const stack_use *use)
{
    bool any = !in->function;
    for (size_t i = 0; i < use->link_count; i++)
        any |= inspected_wants_function(in, use->link[i].function);
    return any && inspected_wants(in, use->context);
}

/* ---- JSON ---- */

static void put_known(json *j, const char *key, bool known, uint32_t value)
{
    if (known)
        json_integer(j, key, value);
    else
        json_null(j, key);
}

static void put_use(json *j, const stack_use *use, bool exact)
{
    json_object(j, NULL);
    json_integer(j, "context", use->context);
    json_string(j, "name", use->name);
    json_string(j, "stack", use->process ? "process" : "main");
    json_unsigned(j, "bytes", use->bytes);
    json_unsigned(j, "own", use->own);
    json_unsigned(j, "at", use->at);
    put_known(j, "top", exact, use->top);
    put_known(j, "least", exact, use->least);
    json_array(j, "chain");
    for (size_t i = 0; i < use->link_count; i++) {
        const stack_link *link = &use->link[i];
        json_object(j, NULL);
        json_string(j, "name", link->function);
        json_place(j, link->file, link->file ? link->line : 0);
        json_integer(j, "context", link->context);
        put_known(j, "bytes", link->bytes != STACK_UNKNOWN, link->bytes);
        json_end_object(j);
    }
    json_end_array(j);
    json_end_object(j);
}

static void put_all(const stacks *all, const inspected *in)
{
    bool exact = in->reader;
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_string(j, "known", exact ? "exact" : "frames");
    json_string(j, "unit", "bytes");
    json_unsigned(j, "unknown", all->unknown);
    inspected_put(j, in);
    json_array(j, "stacks");
    for (size_t i = 0; i < all->count; i++)
        if (is_wanted(in, &all->all[i]))
            put_use(j, &all->all[i], exact);
    json_end_array(j);
    json_end_object(j);
    json_finish(j);
}

static void print_all(const stacks *all, const inspected *in)
{
    char *lines;
    size_t size;
    bool exact = in->reader;
    FILE *out = memory_stream(&lines, &size);
    for (size_t i = 0; i < all->count; i++)
        if (is_wanted(in, &all->all[i]))
            print_use(out, &all->all[i], exact, in->im);
    if (!exact)
        fputs("from the frames of functions with probes, as the ELF gives them: other functions' stack is not "
              "counted\n",
              out);
    fclose(out);
    inspected_print(in, lines);
}

static int give(inspected *in, void *own)
{
    (void)own;
    stacks all = {0};
    const char *error =
        in->reader ? stacks_full(&all, in->reader, in->im) : stacks_probes(&all, in->file, in->app, &in->seen);
    inspected_note_cut(in, error);
    if (!inspected_failed(in, error))
        (in->json ? put_all : print_all)(&all, in);
    int status = inspected_end(in, error);
    if (status == EXIT_DONE && all.unknown)
        status = command_fail(in->name, EXIT_GAPS,
                              "the frames of %" PRIu64 " activations are not known: these stacks are at least as deep",
                              all.unknown);
    stacks_free(&all);
    return status;
}

int command_stack(int argc, char **argv)
{
    return inspected_run(argc, argv, &(inspection){help, NULL, give}, NULL);
}
