/* SPDX-License-Identifier: MIT */
#include "tools/weft/rerun_chosen.h"

#include <inttypes.h>
#include <string.h>

#include "tools/lib/base/text.h"
#include "tools/lib/image/vectors.h"
#include "tools/weft/command.h"

int rerun_chosen_begin(rerun_chosen *c, event_choice choice, const image *im)
{
    uint32_t address, size;
    *c = (rerun_chosen){.choice = choice, .im = im};
    if (choice.context && !vectors_find(im, choice.context, &c->context))
        return command_fail("rerun", EXIT_INPUT, "there is no context '%s': give a handler's name, thread, or a number",
                            choice.context);
    if (choice.function && !image_symbol_named(im, choice.function, &address, &size))
        return command_fail("rerun", EXIT_INPUT, "there is no function '%s'", choice.function);
    return EXIT_DONE;
}

static bool is_chosen(const rerun_chosen *c, uint32_t pc)
{
    if (c->choice.context && c->running != c->context)
        return false;
    const image_symbol *f = c->choice.function ? image_function(&c->im->symbols, pc) : NULL;
    return !c->choice.function || (f && !strcmp(f->name, c->choice.function));
}

void rerun_chosen_add(rerun_chosen *c, const full_event *event)
{
    if (event->kind == FULL_EXCEPTION) {
        c->running = event->to;
    } else if (is_chosen(c, event->instruction->pc)) {
        c->instructions++;
        c->accesses += event->access_count;
    }
}

void rerun_chosen_print(const rerun_chosen *c, FILE *to)
{
    if (!c->choice.context && !c->choice.function)
        return;
    fprintf(to, "%" PRIu64 " instruction%s, %" PRIu64 " access%s are of ", c->instructions,
            c->instructions == 1 ? "" : "s", c->accesses, c->accesses == 1 ? "" : "es");
    if (c->choice.function)
        text_print(to, c->choice.function);
    fputs(c->choice.function && c->choice.context ? " in " : "", to);
    if (c->choice.context)
        text_print(to, c->choice.context);
    fputc('\n', to);
}

void rerun_chosen_put(const rerun_chosen *c, json *j)
{
    if (!c->choice.context && !c->choice.function)
        return;
    json_object(j, "chosen");
    json_unsigned(j, "instructions", c->instructions);
    json_unsigned(j, "accesses", c->accesses);
    json_end_object(j);
}
