/* SPDX-License-Identifier: MIT */
#include "tests/lib/made_windows.h"

#include "tests/lib/check.h"
#include "tools/lib/debug/run.h"
#include "tools/lib/debug/running.h"
#include "tools/lib/debug/window_make.h"
#include "tools/lib/wet/open.h"

/* Without them, a file is not for a debugger. */
static bool has_snapshots(const char *wet)
{
    char message[256];
    wet_file *f = wet_file_open(wet, message, sizeof message);
    bool has = f && f->window;
    if (f)
        wet_file_close(f);
    return has;
}

static bool same_step(const debug_step *a, const debug_step *b)
{
    return a->time == b->time && a->node == b->node && a->instance == b->instance && a->instruction == b->instruction &&
           a->changes == b->changes && a->accesses == b->accesses && a->words == b->words &&
           a->statement == b->statement && a->exception == b->exception;
}

static void same_windows(const debug_window *a, const debug_window *b)
{
    CHECK(a->step_count == b->step_count && a->change_count == b->change_count);
    CHECK(a->access_count == b->access_count && a->word_change_count == b->word_change_count);
    for (uint32_t i = 0; i <= a->step_count && i <= b->step_count; i++)
        CHECK(same_step(&a->steps[i], &b->steps[i]));
    for (uint32_t i = 0; i < a->change_count && i < b->change_count; i++)
        CHECK(a->changes[i].loc == b->changes[i].loc && a->changes[i].after == b->changes[i].after);
    for (uint32_t i = 0; i < a->access_count && i < b->access_count; i++)
        CHECK(a->accesses[i].address == b->accesses[i].address && a->accesses[i].value == b->accesses[i].value);
    for (uint32_t i = 0; i < a->word_change_count && i < b->word_change_count; i++)
        CHECK(a->word_changes[i].number == b->word_changes[i].number &&
              a->word_changes[i].after == b->word_changes[i].after);
}

/* Some parts at a time, and between them whole windows elsewhere, whose executions the order forgets the others for. */
void made_windows_compare(const char *wet, const char *elf)
{
    char message[256];
    if (!has_snapshots(wet))
        return;
    debug_run *r = debug_run_open(wet, elf, message, sizeof message);
    CHECK(r != NULL);
    uint32_t count = run_windows(r);
    for (uint32_t i = 0; i < 24; i++) {
        uint32_t number = (uint32_t)((uint64_t)i * (count - 1) / 23), left = UINT32_MAX;
        debug_window *whole = debug_window_new(&r->source, number);
        debug_making *m = debug_making_new(&r->source, number);
        for (uint32_t parts = 1; debug_making_left(m); parts += i + 1) {
            debug_making_go(m, parts);
            CHECK(debug_making_left(m) < left);
            left = debug_making_left(m);
            run_window(r, (number + parts) % count);
        }
        debug_window *made = debug_making_end(m);
        same_windows(whole, made);
        debug_window_free(whole);
        debug_window_free(made);
    }
    CHECK(!r->source.f->damaged);
    debug_run_close(r);
}

static bool is_made(const debug_run *r, uint32_t number)
{
    for (unsigned i = 0; i < RUN_WINDOWS; i++)
        if (r->windows[i] && r->windows[i]->number == number)
            return true;
    return false;
}

/* From `at` as who steps asks: a step that leaves the window finds the next one made. */
static void border_stepped(debug_run *r, debug_instant at, bool backward)
{
    uint32_t window = at.window, beyond = backward ? window - 1 : window + 1;
    run_arrive(r, at);
    for (bool made = false; at.window == window; made = is_made(r, beyond)) {
        bool more = backward ? debug_run_previous(r, &at) : debug_run_next(r, &at);
        CHECK(more && (at.window == window || made));
        if (!more)
            return;
        run_prepare(r, at, backward);
    }
}

void made_windows_step(const char *wet, const char *elf)
{
    static const uint32_t distances[] = {1, 3, 20, 300};
    char message[256];
    for (uint32_t i = 0; i < 8 && has_snapshots(wet); i++) {
        debug_run *r = debug_run_open(wet, elf, message, sizeof message);
        CHECK(r != NULL);
        uint32_t windows = run_windows(r), distance = distances[i / 2], size = r->source.f->window;
        if (windows > 1 && distance < size) {
            uint32_t border = (windows / 2) * size;
            debug_instant at = debug_run_at(r, i & 1 ? border + 1 : border + 1 - distance, 0);
            for (uint32_t k = 0; i & 1 && k < distance; k++)
                debug_run_next(r, &at);
            border_stepped(r, at, i & 1);
        }
        debug_run_close(r);
    }
}
