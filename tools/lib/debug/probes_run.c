/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/probes_run.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/bisect.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/debug/probes_read.h"
#include "tools/lib/machine/thumb.h"
#include "tools/lib/recording/announced.h"

probes_run *probes_run_read(const char *weft, const char *elf, char *message, size_t message_size)
{
    probes_run *r = memory_zero(1, sizeof *r);
    r->file = container_open(weft, message, message_size);
    r->app = r->file ? program_open(elf, message, message_size) : NULL;
    bool good = r->app && program_fits(r->app, r->file, message, message_size);
    if (good) {
        container_print_gaps(r->file, "gdb");
        r->scripts = scripts_open(r->app);
        r->code = tracks_open(r->app);
        good = probes_read(r, message, message_size);
        r->lost |= good && announced_say("gdb", r->app, ANNOUNCED_ACCESSES | ANNOUNCED_VALUES);
    }
    if (!good) {
        probes_run_free(r);
        return NULL;
    }
    return r;
}

void probes_run_free(probes_run *r)
{
    for (uint32_t i = 0; i < r->plan_count; i++)
        probes_plan_free(r->plans[i]);
    for (size_t i = 0; i < r->word_count; i++)
        free(r->words[i].entries);
    numbering_free(&r->word_numbers);
    for (uint32_t i = 0; i < r->context_count; i++) {
        free(r->contexts[i].stretches);
        free(r->contexts[i].name);
    }
    free(r->plans);
    free(r->words);
    free(r->contexts);
    free(r->pieces);
    free(r->activations);
    free(r->forgets);
    tracks_close(r->code);
    scripts_close(r->scripts);
    program_close(r->app);
    container_close(r->file);
    free(r);
}

uint32_t probes_pc(const probes_run *r, debug_instant at)
{
    const probes_piece *p = &r->pieces[at.window];
    const probes_plan *plan = r->plans[p->plan];
    uint32_t step = p->from + at.step;
    return p->count && step < plan->count ? plan->steps[step].pc : 0;
}

uint32_t probes_context_piece(const probes_run *r, uint32_t context, uint32_t piece)
{
    const probes_context *c = &r->contexts[context];
    size_t low =
        bisect_up_to(c->stretches, c->stretch_count, sizeof *c->stretches, offsetof(probes_stretch, first), piece);
    if (!low)
        return PROBES_NONE;
    const probes_stretch *s = &c->stretches[low - 1];
    return piece < s->last ? piece : s->last;
}

/* Where the function that a call leads into returns to; 0: not known. */
static uint32_t return_address(const probes_run *r, uint32_t call)
{
    const probes_piece *p = call == PROBES_NONE ? NULL : &r->pieces[call];
    if (!p || !p->count)
        return 0;
    uint32_t pc = probes_pc(r, (debug_instant){call, p->count - 1});
    const uint8_t *code = image_bytes(program_image(r->app), pc, 2);
    return code ? pc + thumb_size((uint16_t)(code[0] | code[1] << 8)) : 0;
}

const char *probes_function(const probes_run *r, uint32_t activation)
{
    return program_descriptors(r->app)->function[r->activations[activation].function].name;
}

size_t probes_callers(const probes_run *r, uint32_t activation, uint32_t *pcs, uint32_t *activations, size_t max)
{
    size_t count = 0;
    for (uint32_t a = activation; a != PROBES_NONE && count < max; a = r->activations[a].caller) {
        uint32_t caller = r->activations[a].caller;
        if (caller == PROBES_NONE)
            break;
        uint32_t pc = return_address(r, r->activations[a].call);
        if (!pc) /* at least in which function */
            pc = program_descriptors(r->app)->function[r->activations[caller].function].address & ~1u;
        pcs[count] = pc;
        activations[count++] = caller;
    }
    return count;
}
