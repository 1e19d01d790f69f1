/* SPDX-License-Identifier: MIT */
#include "tools/weft/report_reading.h"

#include "tools/lib/recording/times.h"

static void on_enter(void *own, const functions_moment *at, uint32_t function)
{
    (void)function;
    report_run_enter(((report_watcher *)own)->run, at->context);
}

static void on_leave(void *own, const functions_moment *at, uint32_t function)
{
    (void)function;
    report_run_leave(((report_watcher *)own)->run, at->context);
}

static void on_gap(void *own, const functions_moment *at, const functions_loss *loss)
{
    (void)at, (void)loss;
    report_run_gap(((report_watcher *)own)->run);
}

static void tell_time(report_watcher *w, const replay_event *event)
{
    if (event->kind == REPLAY_PATH)
        (void)timeline_path(w->time, event->id, event->context);
    else if (event->kind == REPLAY_MARK && event->mark->kind == WEFT_MARK_STAMP)
        timeline_stamp(w->time, event->recording, event->time);
    else
        return;
    report_run_clock(w->run, timeline_now(w->time));
}

/* Of a path or an access. */
static uint32_t function_of(const report_watcher *w, const replay_event *event)
{
    const descriptor_function *f =
        event->kind == REPLAY_ACCESS ? descriptors_of_site(program_descriptors(w->app), event->id) : NULL;
    return f                            ? (uint32_t)(f - program_descriptors(w->app)->function)
           : event->kind == REPLAY_PATH ? event->function
                                        : FUNCTIONS_NONE;
}

static void on_event(void *own, const functions *all, const replay_event *event)
{
    report_watcher *w = own;
    bool wanted = functions_wanted(all, function_of(w, event));
    if (event->kind == REPLAY_PATH && wanted) {
        uint64_t cost = all->total - w->total, more = all->more - w->more;
        report_run_spend(w->run, event->context, functions_charged(all), event->id, cost);
        structure_path(&w->run->structure, event->id, (2 * cost + more + 1) / 2); /* the middle, as weft hot does */
    } else if (event->kind == REPLAY_ACCESS && !event->unknown && wanted) {
        report_run_access(w->run, event->id, event->address, event->size, event->store);
        w->devices |= devices_is(event->address);
    }
    if (event->kind == REPLAY_PATH) { /* what an exit added (a longjmp) goes to the path after it */
        w->total = all->total;
        w->more = all->more;
    }
    if (w->time)
        tell_time(w, event);
}

static void on_cost(void *own, const functions_moment *at, uint32_t node, uint64_t cost)
{
    report_watcher *w = own;
    report_run_spend(w->run, at->context, node, execution_pc(w->execution), cost);
}

static void on_access(void *own, uint32_t function, uint32_t address, uint32_t size, bool store, bool known)
{
    report_watcher *w = own;
    (void)function;
    if (!known)
        return;
    report_run_access(w->run, execution_pc(w->execution), address, size, store);
    w->devices |= devices_is(address);
}

static void on_block(void *own, uint32_t first, uint32_t end, uint32_t instructions)
{
    structure_block(&((report_watcher *)own)->run->structure, first, end, instructions);
}

int report_read(profiled *run, report_watcher *w)
{
    functions_watch watch = {w, on_event};
    w->app = run->app;
    functions_listener listener = {.own = w, .enter = on_enter, .leave = on_leave, .gap = on_gap};
    if (run->kind != EXECUTED_PATHS) {
        w->execution = run->run;
        execution_on_block(w->execution, (execution_blocks){w, on_block});
        listener.spend = on_cost;
        listener.access = on_access;
    }
    if (run->file && times_chosen(run->file)) {
        w->costs = costs_open(run->app);
        w->time = timeline_open(run->file, w->costs);
    }
    functions_listen(run->all, listener);
    return profiled_read_watched(run, &watch);
}
