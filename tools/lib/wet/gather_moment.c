/* SPDX-License-Identifier: MIT */
/* What goes into the snapshots (snapshots.h) and the schedule (schedule.h) while nodes are gathered. */
#include "tools/lib/base/memory.h"
#include "tools/lib/wet/core.h"
#include "tools/lib/wet/file.h"
#include "tools/lib/wet/gathering.h"
#include "tools/lib/wet/schedule.h"
#include "tools/lib/wet/semihost.h"

static bool read_word(void *context, uint32_t address, uint32_t *value)
{
    return wet_snapshots_word(context, address, value);
}

void gather_moment_executed(gather *g, const full_event *event, const thumb_insn *insn, uint32_t r0, uint32_t r1)
{
    wet_range ranges[2];
    if (wet_is_semihost(insn)) {
        unsigned count = wet_semihost_writes(r0, r1, g->registers[0], read_word, g->t->snapshots, ranges);
        for (unsigned i = 0; i < count; i++)
            wet_snapshots_forget(g->t->snapshots, ranges[i].address, ranges[i].size);
    }
    for (uint32_t i = 0; i < event->access_count; i++) {
        const full_access *a = &event->accesses[i];
        wet_snapshots_access(g->t->snapshots, a->address, a->size, a->store, a->value);
    }
}

/* s0..s15 and FPSCR. */
static void floats_take(const gather *g, uint32_t values[17])
{
    for (unsigned i = 0; i < 16; i++)
        values[i] = g->registers[32 + i];
    values[16] = g->registers[16];
}

/* The frame's words; where it is extended, room for more, which the core fills when it pleases. */
static void core_stacks(gather *g, const full_event *event)
{
    wet_resume at = g->entries_seen < g->resumes.count ? g->resumes.all[g->entries_seen] : (wet_resume){0, 0};
    wet_stacked s = wet_core_stack(g->registers, g->known, event->from, event->frame, at.pc,
                                   at.it | wet_core_mark(g->v8m, event->registers[14]));
    for (unsigned i = 0; i < WET_STACKED; i++)
        if (s.known >> i & 1)
            wet_snapshots_access(g->t->snapshots, event->frame + 4 * i, 4, true, s.words[i]);
        else
            wet_snapshots_forget(g->t->snapshots, event->frame + 4 * i, 4);
    wet_snapshots_entry(g->t->snapshots, at.pc, at.it);
    g->entries_seen++;
    if (event->registers[14] & WET_EXC_RETURN_BASIC)
        return;
    wet_snapshots_forget(g->t->snapshots, event->frame + WET_STACKED_FLOAT_AT, WET_STACKED_FLOAT_SIZE);
    g->frames = memory_room(g->frames, g->frame_count, &g->frame_max, sizeof *g->frames);
    g->frames[g->frame_count].frame = event->frame;
    floats_take(g, g->frames[g->frame_count++].values);
}

void gather_moment_before(gather *g, const full_event *event, uint8_t kind)
{
    if (kind == 1)
        core_stacks(g, event);
}

/* A return to an extended frame brings back its floating point registers. */
static void core_restores(gather *g, const full_event *event)
{
    for (uint32_t i = g->frame_count; i-- > 0;) {
        if (g->frames[i].frame != event->frame)
            continue;
        uint32_t now[17];
        floats_take(g, now);
        bool same = true;
        for (unsigned k = 0; k < 17; k++)
            same &= now[k] == g->frames[i].values[k];
        if (!same)
            wet_snapshots_restore(g->t->snapshots, g->exceptions_seen, g->frames[i].values);
        for (unsigned k = 0; k < 16; k++)
            g->registers[32 + k] = g->frames[i].values[k];
        g->registers[16] = g->frames[i].values[16];
        g->frames[i] = g->frames[--g->frame_count];
        return;
    }
}

void gather_moment_after(gather *g, const full_event *event, uint8_t kind)
{
    if (kind == 2)
        core_restores(g, event);
    g->registers[WET_IPSR] = event->to;
    g->exceptions_seen++;
}

void gather_moment_window(gather *g)
{
    wet_snapshots_window(g->t->snapshots, g->registers, g->known);
    wet_schedule_window(g->t->schedule);
}

void gather_moment_path(gather *g, uint32_t node)
{
    wet_schedule_add(g->t->schedule, node);
    if (g->t->time % WET_WINDOW == 0)
        gather_moment_window(g);
}
