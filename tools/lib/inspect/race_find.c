/* SPDX-License-Identifier: MIT */
/* Races, by two readings: which words are shared (race_share.c), then what could come between two accesses of one
 * (race_watch.h). */
#include "tools/lib/inspect/race_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/progress.h"
#include "tools/lib/inspect/devices.h"
#include "tools/lib/inspect/race_watch.h"

/* Eight bytes by one instruction (vldr of a double) are two words: an exception may come between. */
static void note_parts(race_watch *w, race_watched *own, const full_access *a, uint32_t pc, uint64_t time)
{
    full_access word = *a;
    uint32_t size = a->size > 4 && !(a->size & 3) ? 4 : a->size;
    word.size = (uint8_t)size;
    for (uint32_t done = 0; done < a->size; done += size) {
        word.address = a->address + done;
        word.value = a->value >> 8 * done;
        race_note_part(w, own, &word, pc, time);
    }
}

static void note_access(race_watch *w, race_watched *own, const full_event *event, uint32_t i, const thumb_insn *insn,
                        uint64_t sources, uint64_t *loaded)
{
    const full_access *a = &event->accesses[i];
    bool exclusive = thumb_is_store_exclusive((uint16_t)(insn->bytes[0] | insn->bytes[1] << 8),
                                              (uint16_t)(insn->bytes[2] | insn->bytes[3] << 8));
    uint32_t last = a->address + a->size - 1, pc = insn->pc;
    bool known = !(event->unknown >> i & 1);
    *loaded = 0;
    uint32_t first_word = race_share_find(&w->share, a->address), last_word = race_share_find(&w->share, last);
    bool beside = first_word != UINT32_MAX || last_word != UINT32_MAX; /* in an object that is shared */
    if ((first_word == UINT32_MAX || first_word >= w->share.shared) &&
        (last_word == UINT32_MAX || last_word >= w->share.shared)) {
        if (beside && !exclusive)
            note_parts(w, own, a, pc, event->time);
        if (a->store)
            flow_store_word(&own->flow, a->address, sources);
        else
            *loaded = flow_load_word(&own->flow, a->address);
        return;
    }
    uint64_t follows = sources | (a->store ? flow_reached(&own->flow, (uint32_t)a->value) : 0);
    if (a->store && !exclusive) {
        race_note_store(w, own, a, pc, follows, own->flow.control);
        race_note_cleared(w, own, a, pc, follows | own->flow.control);
        flow_store_word(&own->flow, a->address, sources);
    } else if (!a->store && !exclusive) {
        flow_token token = {a->address, a->size, pc, event->time,         a->value, own->locks, !known,
                            0,          0,       i,  w->p->registers[13], false,    {0}};
        *loaded = flow_load(&own->flow, &token);
    }
    if (!exclusive)
        note_parts(w, own, a, pc, event->time);
    race_note_view(w, own, a, known, pc, event->time, follows);
    if (a->store)
        race_guards_store(w, a, known, event->time);
    race_handovers_note(w, a, known, event->time);
}

/* A jump out of its function. */
static bool is_tail_call(const race_watch *w, const thumb_insn *insn)
{
    if (insn->flow != THUMB_BRANCH || insn->falls)
        return false;
    const image_symbol *from = image_function(&w->p->im->symbols, insn->pc);
    return from && from != image_function(&w->p->im->symbols, insn->target);
}

/* Not a jump into another function, which is `bx` of another register. */
static bool is_return(const thumb_insn *insn)
{
    return insn->flow == THUMB_RETURN && (insn->memory == THUMB_LOAD || insn->reads >> 14 & 1);
}

/* Where control goes: what decides on it, and where that ends. */
static void follow_control(race_watch *w, flow *f, const thumb_insn *insn, const full_event *event)
{
    uint32_t sp;
    if (f->leaving && is_tail_call(w, insn))
        flow_tail_call(f, w->p->registers[13]);
    bool moves = event->written & FULL_REGISTER(13) && processor_written(event, 13, &sp);
    if (moves && (f->control || f->leaving))
        flow_return(f, insn, sp);
    else if (insn->flow != THUMB_NEXT)
        f->leaving = 0;
    if (event->passed && (insn->flow == THUMB_CALL || insn->flow == THUMB_CALL_INDIRECT))
        flow_call(f);
    else if (event->passed && is_return(insn))
        flow_leave(f, moves ? sp : w->p->registers[13]);
}

static void execute(race_watch *w, const full_event *event)
{
    processor *p = w->p;
    uint64_t loaded[FULL_ACCESSES_MAX];
    unsigned loads = 0;
    if (race_kind_now(w) == RACE_NO_KIND)
        return;
    race_watched *own = race_watched_of(w, p->context);
    if (w->lock_count)
        race_locks_note(w, own, event->instruction->pc, event->time);
    if (!own->flow.live && !event->access_count)
        return;
    const thumb_insn *insn = w->source->insn(w->source->own, p, event);
    flow_compare(&own->flow, insn, event->passed);
    flow_branch(&own->flow, insn, p->registers[13]);
    uint64_t sources = flow_sources(&own->flow, insn);
    for (uint32_t i = 0; i < event->access_count; i++) {
        uint64_t of = flow_stored(&own->flow, insn, i, event->access_count, sources);
        if (event->accesses[i].store)
            race_note_kept(w, own, &event->accesses[i], of);
        if (devices_is(event->accesses[i].address))
            continue;
        note_access(w, own, event, i, insn, of, &loaded[loads]);
        loads += !event->accesses[i].store;
    }
    flow_write(&own->flow, insn, event, sources, loaded, loads);
    flow_compared(&own->flow, insn, event, loads);
    follow_control(w, &own->flow, insn, event);
}

static void begin_activation(race_watch *w)
{
    const processor *p = w->p;
    bool handler = p->change == PROCESSOR_ENTERED || p->change == PROCESSOR_CHAINED;
    if (race_kind_now(w) == RACE_NO_KIND || (!handler && p->depth))
        return;
    race_watched *own = race_watched_of(w, p->context);
    if (handler || p->switched)
        own->activation++;
    if (!handler)
        return;
    flow_clear(&own->flow);
    memset(own->spans, 0, sizeof own->spans);
}

/* With probes the store that enables an interrupt may be known late: when the path is recorded that it is on. That may
 * be after the interrupt has come. (Other exceptions need no such store, and most come only where they are caused.) */
static void note_enabled(race_watch *w, const full_event *event)
{
    processor *p = w->p;
    if (!w->source->probes || !event->entry || event->to < PROCESSOR_SYSTICK || event->to >= PROCESSOR_EXCEPTIONS ||
        p->enabled_once[event->to] || p->enabled[event->to])
        return;
    p->enabled[event->to] = true;
    p->version++;
}

static const char *read_again(race_watch *w)
{
    const race_source *source = w->source;
    static full_event event;
    w->context = w->version = UINT32_MAX;
    race_open_find(w, 0);
    race_watched_of(w, 0)->activation = 1;
    while (source->next(source->own, &event) > 0) {
        if (event.kind == FULL_EXECUTED)
            execute(w, &event);
        processor_feed(w->p, &event);
        if (event.kind == FULL_EXCEPTION) {
            begin_activation(w);
            note_enabled(w, &event);
        }
        if (w->p->switched)
            race_guards_switched(w);
        race_open_find(w, event.time);
        if (!(event.time & 0xfffff))
            progress_show(event.time, "instructions");
    }
    progress_end();
    return source->error(source->own);
}

static int by_object(const void *a, const void *b)
{
    const race *x = a, *y = b;
    int order = strcmp(x->object, y->object);
    if (order)
        return order;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    order = strcmp(x->over, y->over);
    return order ? order : strcmp(x->by, y->by);
}

/* Lock functions of the usual kernels. */
static const race_lock usual_locks[] = {
    {"xQueueSemaphoreTake", "xQueueGenericSend", false, RACE_NOT_ZERO},
    {"xQueueTakeMutexRecursive", "xQueueGiveMutexRecursive", false, RACE_NOT_ZERO},
    {"vTaskSuspendAll", "xTaskResumeAll", true, RACE_ANY},
    {"osKernelLock", "osKernelUnlock", true, RACE_ANY},
    {"osMutexAcquire", "osMutexRelease", false, RACE_ZERO},
    {"osMutexWait", "osMutexRelease", false, RACE_ZERO},
    {"osSemaphoreAcquire", "osSemaphoreRelease", false, RACE_ZERO},
    {"z_impl_k_mutex_lock", "z_impl_k_mutex_unlock", false, RACE_ZERO},
    {"z_impl_k_sem_take", "z_impl_k_sem_give", false, RACE_ZERO},
    {"k_sched_lock", "k_sched_unlock", true, RACE_ANY},
    {"_tx_mutex_get", "_tx_mutex_put", false, RACE_ZERO},
    {"_tx_semaphore_get", "_tx_semaphore_put", false, RACE_ZERO},
    {"chMtxLock", "chMtxUnlock", false, RACE_ANY},
    {NULL, NULL, false, RACE_ANY},
};

static void free_watch(race_watch *w)
{
    for (uint32_t i = 0; w->of && i < w->share.contexts; i++) {
        if (w->of[i])
            flow_free(&w->of[i]->flow);
        free(w->of[i]);
    }
    free(w->of);
    free(w->stores);
    free(w->came);
    if (w->types)
        types_close(w->types);
    processor_free(w->p);
    race_share_free(&w->share);
    free(w->views);
    free(w->all);
    free(w->slots);
    free(w->locks);
}

/* What came though no store enabled it was enabled before the recording. */
static void assume_enabled(race_watch *w)
{
    for (uint64_t left = w->share.assumed; left; left &= left - 1)
        w->p->enabled[w->share.number[__builtin_ctzll(left)]] = true;
}

bool races_find(races *out, const race_source *source, const image *im, const race_lock *locks, const char **gap)
{
    static char text[300];
    static race_watch w;
    w = (race_watch){.source = source};
    *out = (races){0};
    *gap = NULL;
    bool good = race_share_read(&w.share, source, im);
    const char *early = good ? source->error(source->own) : NULL; /* a file may fail to be read in one reading only */
    if (early) {
        snprintf(text, sizeof text, "%s", early);
        *gap = text;
    }
    w.p = processor_new(im);
    good = good && source->begin(source->own, w.p);
    if (good) {
        w.types = types_open(im);
        w.views = memory_zero(w.share.user_count + 1, sizeof *w.views);
        w.stores = memory_zero(w.share.shared + 1, sizeof *w.stores);
        w.of = memory_zero(w.share.contexts + (size_t)1, sizeof(race_watched *));
        race_locks_add(&w, usual_locks);
        race_locks_add(&w, locks);
        race_guards_find(&w);
        assume_enabled(&w);
        const char *error = read_again(&w);
        if (error) {
            snprintf(text, sizeof text, "%s", error);
            *gap = text;
        }
        race_judge(out, &w);
        out->contexts = w.p->context_count;
        if (out->count)
            qsort(out->all, out->count, sizeof *out->all, by_object);
    }
    free_watch(&w);
    return good;
}

void races_free(races *out)
{
    for (size_t i = 0; i < out->name_count; i++)
        free(out->name[i]);
    free(out->name);
    free(out->all);
    *out = (races){0};
}
