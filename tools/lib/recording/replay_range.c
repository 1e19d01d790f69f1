/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/replay_range.h"

#include "tools/lib/recording/replay_parts.h"

replay *replay_open_range(const container *file, replay_model model, size_t first, size_t end)
{
    replay *r = replay_open(file, model);
    size_t before = first;
    while (before && container_kind(file, before - 1) != WEFT_FRAME_TRACE)
        before--;
    r->next_frame = first;
    r->end = end;
    r->report.frame = &r->current->frame;
    if (!before)
        return r;
    window_load(r->current, file, before - 1);
    const trace_body *body = &r->current->body;
    r->recording = r->current->frame.recording;
    r->expected.paths = body->before.paths + body->counts.paths;
    r->expected.accesses = body->before.accesses + body->counts.accesses;
    r->expected.values = body->before.values + body->counts.values;
    r->expected.marks = body->before.marks + body->counts.marks;
    return r;
}

void replay_begin_call(replay *r, uint32_t context, replay_call call)
{
    context_state *state = contexts_state(&r->contexts, context, r->restarts, true);
    context_push(state, call.function);
    state->stack[state->depth - 1].caught = call.caught;
}

size_t replay_context_count(const replay *r)
{
    return r->contexts.count;
}

uint32_t replay_context_number(const replay *r, size_t index)
{
    return r->contexts.all[index].number;
}

size_t replay_context_depth(const replay *r, size_t index)
{
    const context_state *state = &r->contexts.all[index];
    return state->restarts == r->restarts ? state->depth : 0;
}

replay_call replay_context_call(const replay *r, size_t index, size_t depth)
{
    const activation *a = &r->contexts.all[index].stack[depth];
    return (replay_call){a->function, a->caught};
}

bool replay_pass_path(replay *r, uint32_t context, uint32_t path)
{
    const replay_script *script = r->model.script(r->model.context, path);
    if (!script)
        return false;
    r->report.state = contexts_state(&r->contexts, context, r->restarts, true);
    (void)report_items(&r->report, script, script->accesses, script->values);
    report_record(&r->report, script);
    return true;
}

void replay_pass_gap(replay *r)
{
    r->restarts++;
    r->report.state = NULL;
    (void)report_event(&r->report, REPLAY_GAP);
}

bool replay_pending(replay *r, replay_event *event)
{
    report *from = &r->report;
    if (from->at == from->count) {
        from->at = from->count = 0;
        return false;
    }
    *event = from->out[from->at++];
    return true;
}
