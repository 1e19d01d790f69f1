/* SPDX-License-Identifier: MIT */
/* Calls and costs of a recording of paths alone, counted by ranges of frames where what the ranges do to the stacks of
 * calls was found out wrong (tools/lib/profile/functions_effects.h): the tables are those of one replay of all.
 *
 *     ranges_check APP.elf RECORDING
 *
 * What is planted: a call, a context's calls, or all of a range's are forgotten; a call has ended, or has not; it is of
 * another path; there is a gap, or there is none. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/check.h"
#include "tests/lib/same_functions.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/profile/functions_probes.h"
#include "tools/lib/profile/functions_ranges.h"
#include "tools/lib/recording/script.h"

enum { THREADS = 3, FAULTS = 7 };

static program *app;
static container *file;
static functions *expected;

static functions *new_table(void)
{
    functions *all = functions_new();
    functions_of_program(all, app);
    return all;
}

static void plant(functions_effect *e, check_random *random)
{
    uint32_t fault = check_random_below(random, FAULTS);
    effect_context *c = e->count ? &e->all[check_random_below(random, (uint32_t)e->count)] : NULL;
    effect_call *call = c && c->count ? &c->calls[check_random_below(random, (uint32_t)c->count)] : NULL;
    if (fault == 0)
        e->reset = !e->reset;
    else if (fault == 1)
        for (size_t i = 0; i < e->count; i++)
            e->all[i].count = 0;
    else if (fault == 2 && c)
        c->count = 0;
    else if (fault == 3 && call)
        c->count--;
    else if (fault == 4 && call)
        call->first = call->first == FUNCTIONS_NONE ? call->last : FUNCTIONS_NONE;
    else if (call)
        call->last = e->noted[check_random_below(random, (uint32_t)e->noted_count)];
}

/* With `faults` faults in the effects of ranges. */
static bool counts_right(check_random *random, uint32_t faults)
{
    functions_seen seen = {0};
    replay_totals totals;
    functions *all = new_table();
    feeder f = {.all = all, .app = app, .file = file, .seen = &seen};
    f.paths = scripts_open(app);
    f.costs = costs_open(app);
    functions_effects *effects = functions_effects_of(&f);
    EXPECT(effects && effects->count == 4 * THREADS);
    for (uint32_t i = 0; i < faults; i++)
        plant(&effects->all[check_random_below(random, (uint32_t)effects->count)], random);
    EXPECT(functions_feed_ranges(&f, effects, &totals));
    functions_finish(all);
    bool same = same_tables(expected, all);
    functions_effects_free(effects);
    functions_feeder_free(&f);
    costs_close(f.costs);
    scripts_close(f.paths);
    functions_free(all);
    return same;
}

static void ranges_that_begin_wrongly_are_replayed_again(void)
{
    check_random random = {7};
    unsigned rounds = check_amount(10, 30, 300);
    for (unsigned i = 0; i < rounds; i++)
        CHECK(counts_right(&random, i % 5));
}

int main(int argc, char **argv)
{
    char message[400];
    functions_seen seen = {0};
    app = argc == 3 ? program_open(argv[1], message, sizeof message) : NULL;
    file = app ? container_open(argv[2], message, sizeof message) : NULL;
    if (!file || !program_fits(app, file, message, sizeof message)) {
        fprintf(stderr, "%s\n", argc == 3 ? message : "usage: ranges_check APP.elf RECORDING");
        return 2;
    }
    threads_choose(1);
    expected = new_table();
    const char *error = functions_feed(expected, file, app, (functions_choice){0}, &seen);
    functions_finish(expected);
    if (error) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    threads_choose(THREADS);
    RUN(ranges_that_begin_wrongly_are_replayed_again);
    functions_free(expected);
    container_close(file);
    program_close(app);
    return check_failed();
}
