/* SPDX-License-Identifier: MIT */
#include "tools/lib/inspect/devices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/inspect/processor.h"
#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/script.h"

#define CORE_BASE 0xe0000000u /* the core's registers are words */

/* Registers that each Cortex-M has, and SVD files leave out (ARMv7-M Architecture Reference Manual, B3). */
static const struct {
    uint32_t address, bytes; /* of all words */
    const char *name;        /* with more than one word, the number of the word follows */
} core_registers[] = {
    {0xe000e010, 4, "SysTick.CSR"},   {0xe000e014, 4, "SysTick.RVR"},     {0xe000e018, 4, "SysTick.CVR"},
    {0xe000e01c, 4, "SysTick.CALIB"}, {0xe000e100, 64, "NVIC.ISER"},      {0xe000e180, 64, "NVIC.ICER"},
    {0xe000e200, 64, "NVIC.ISPR"},    {0xe000e280, 64, "NVIC.ICPR"},      {0xe000e300, 64, "NVIC.IABR"},
    {0xe000e400, 496, "NVIC.IPR"},    {0xe000ed00, 4, "SCB.CPUID"},       {0xe000ed04, 4, "SCB.ICSR"},
    {0xe000ed08, 4, "SCB.VTOR"},      {0xe000ed0c, 4, "SCB.AIRCR"},       {0xe000ed10, 4, "SCB.SCR"},
    {0xe000ed14, 4, "SCB.CCR"},       {0xe000ed18, 4, "SCB.SHPR1"},       {0xe000ed1c, 4, "SCB.SHPR2"},
    {0xe000ed20, 4, "SCB.SHPR3"},     {0xe000ed24, 4, "SCB.SHCSR"},       {0xe000ed28, 4, "SCB.CFSR"},
    {0xe000ed2c, 4, "SCB.HFSR"},      {0xe000ed30, 4, "SCB.DFSR"},        {0xe000ed34, 4, "SCB.MMFAR"},
    {0xe000ed38, 4, "SCB.BFAR"},      {0xe000ed88, 4, "SCB.CPACR"},       {0xe000ef00, 4, "NVIC.STIR"},
    {0xe000ef34, 4, "FPU.FPCCR"},     {0xe000ef38, 4, "FPU.FPCAR"},       {0xe0001000, 4, "DWT.CTRL"},
    {0xe0001004, 4, "DWT.CYCCNT"},    {0xe000edfc, 4, "CoreDebug.DEMCR"},
};

bool devices_is(uint32_t address)
{
    return (address >= 0x40000000 && address < 0x60000000) || (address >= CORE_BASE && address < CORE_BASE + 0x100000);
}

static void core_name(uint32_t address, char *name, size_t size)
{
    for (size_t i = 0; i < sizeof core_registers / sizeof *core_registers; i++) {
        uint32_t offset = address - core_registers[i].address;
        if (offset >= core_registers[i].bytes)
            continue;
        if (core_registers[i].bytes == 4)
            snprintf(name, size, "%s", core_registers[i].name);
        else
            snprintf(name, size, "%s%" PRIu32, core_registers[i].name, offset / 4);
        return;
    }
    snprintf(name, size, "0x%08" PRIx32, address);
}

/* ---- the table ---- */

/* Accesses of a part of a named register belong to the register. */
static device_register *register_of(devices *d, const svd_register *is, uint32_t address)
{
    if (is)
        address = is->address;
    else if (address >= CORE_BASE)
        address &= ~3u;
    /* Two may have one address. Devices' addresses are larger than any index. */
    uint32_t at = numbering_of(&d->numbers, is ? (uint32_t)(is - d->names->all) : address);
    if (at < d->count)
        return &d->all[at];
    d->all = memory_room(d->all, d->count, &d->max, sizeof *d->all);
    device_register *r = &d->all[d->count++];
    *r = (device_register){.is = is, .address = address};
    if (is)
        snprintf(r->name, sizeof r->name, "%s", is->name);
    else
        core_name(address, r->name, sizeof r->name);
    if (is && is->field_count)
        r->field = memory_zero(is->field_count, sizeof *r->field);
    for (size_t i = 0; is && i < is->field_count; i++)
        r->field[i].field = &is->field[i];
    return r;
}

static void note_fields(device_register *r, const device_access *a)
{
    uint32_t from = 8 * (a->address - r->address), to = from + 8 * a->size;
    for (size_t i = 0; i < r->is->field_count; i++) {
        device_field *f = &r->field[i];
        if (f->field->first < from || f->field->first + f->field->width > to)
            continue;
        uint64_t bits = svd_bits(f->field, from < 64 ? a->value << from : 0);
        f->changes += f->any && bits != f->last;
        f->min = !f->any || bits < f->min ? bits : f->min;
        f->max = !f->any || bits > f->max ? bits : f->max;
        f->last = bits;
        f->any = true;
    }
}

static void note(devices *d, const device_access *a, const svd_register *is)
{
    device_register *r = register_of(d, is, a->address);
    if (!r->loads && !r->stores)
        r->first = a->time;
    r->last = a->time;
    *(a->store ? &r->stores : &r->loads) += 1;
    d->accesses++;
    if (a->known) {
        *(a->store ? &r->stored : &r->loaded) = a->value;
        *(a->store ? &r->stored_any : &r->loaded_any) = true;
        if (r->is)
            note_fields(r, a);
    }
    if (d->log.access)
        d->log.access(d->log.own, a, r);
}

/* An access of several registers is one of each: a word stored over four of a byte. */
static void take(devices *d, const device_access *a)
{
    if (d->one_context && a->context != d->context)
        return;
    if (d->function && (!a->function || strcmp(a->function, d->function) != 0))
        return;
    const svd_register *is = d->names ? svd_accessed(d->names, a->address, a->size, a->store) : NULL;
    if (is && is->address + is->size < a->address + a->size) {
        device_access rest = *a, part = *a;
        rest.address = svd_next(d->names, a->address, a->size);
        part.size = rest.address - a->address;
        rest.size -= part.size;
        if (rest.size) {
            part.value &= (UINT64_C(1) << 8 * part.size) - 1;
            rest.value >>= 8 * part.size;
            note(d, &part, is);
            take(d, &rest);
            return;
        }
    }
    note(d, a, is);
}

static int by_address(const void *a, const void *b)
{
    uint32_t x = ((const device_register *)a)->address, y = ((const device_register *)b)->address;
    if (x != y)
        return x < y ? -1 : 1;
    return strcmp(((const device_register *)a)->name, ((const device_register *)b)->name);
}

static void finish(devices *d)
{
    if (d->count)
        qsort(d->all, d->count, sizeof *d->all, by_address);
}

void devices_free(devices *d)
{
    for (size_t i = 0; i < d->count; i++)
        free(d->all[i].field);
    free(d->all);
    numbering_free(&d->numbers);
    d->all = NULL;
    d->numbers = (numbering){0};
    d->count = d->max = 0;
}

/* ---- full recordings ---- */

static void take_full(devices *d, const processor *p, const full_event *event)
{
    for (uint32_t i = 0; i < event->access_count; i++) {
        const full_access *access = &event->accesses[i];
        if (!devices_is(access->address))
            continue;
        const image_symbol *f = image_function(&p->im->symbols, event->instruction->pc);
        const image_line *line = image_line_at(p->im, event->instruction->pc);
        take(d, &(device_access){.time = event->time,
                                 .context = p->contexts[p->context].number,
                                 .address = access->address,
                                 .size = access->size,
                                 .store = access->store,
                                 .known = true,
                                 .value = access->value,
                                 .function = f ? f->name : NULL,
                                 .file = line ? line->file : NULL,
                                 .line = line ? line->line : 0});
    }
}

const char *devices_full(devices *d, full_reader *reader, const image *im)
{
    static full_event event;
    processor *p = processor_new(im);
    while (full_next(reader, &event) > 0) {
        if (event.kind == FULL_EXECUTED && event.access_count)
            take_full(d, p, &event);
        processor_feed(p, &event);
        if (!(event.time & 0xfffff))
            progress_show(event.time, "instructions");
    }
    progress_end();
    finish(d);
    processor_free(p);
    return full_error(reader);
}

/* ---- recordings with probes ---- */

typedef struct probed {
    devices *d;
    const program *app;
    functions_seen *seen;
    device_access waiting; /* its value may follow */
    uint32_t site;
    bool waits;
    uint64_t paths;
} probed;

static void give_waiting(probed *s)
{
    if (s->waits)
        take(s->d, &s->waiting);
    s->waits = false;
}

static void take_event(probed *s, const replay_event *event)
{
    if (event->kind == REPLAY_VALUE && s->waits && event->id == s->site) {
        s->waiting.known = true;
        s->waiting.value = event->value;
    }
    give_waiting(s);
    s->paths += event->kind == REPLAY_PATH;
    if (event->kind == REPLAY_GAP) {
        s->seen->gaps++;
        s->seen->lost += event->counted ? event->paths : 0;
    }
    if (event->kind != REPLAY_ACCESS || event->unknown || !devices_is(event->address))
        return;
    const descriptors *all = program_descriptors(s->app);
    const descriptor_function *f = descriptors_of_site(all, event->id);
    const descriptor_site *site = descriptors_site(all, event->id);
    s->site = event->id;
    s->waits = true;
    s->waiting = (device_access){.time = s->paths,
                                 .context = event->context,
                                 .address = event->address,
                                 .size = event->size,
                                 .store = event->store,
                                 .function = f ? f->name : NULL,
                                 .file = site ? site->place.file : NULL,
                                 .line = site ? site->place.line : 0};
}

const char *devices_probes(devices *d, const container *file, program *app, functions_seen *seen)
{
    static char message[240];
    uint64_t events = 0;
    probed s = {.d = d, .app = app, .seen = seen};
    scripts *paths = scripts_open(app);
    replay *r = replay_open(file, (replay_model){paths, scripts_model});
    for (replay_event event; replay_next(r, &event);) {
        take_event(&s, &event);
        if (++events % 65536 == 0)
            progress_show(events, "events");
    }
    give_waiting(&s);
    progress_end();
    finish(d);
    seen->unresolved += replay_unresolved(r);
    seen->unknown += replay_unknown(r);
    const char *error = replay_error(r);
    if (error)
        snprintf(message, sizeof message, "%s", error);
    replay_close(r);
    scripts_close(paths);
    return error ? message : NULL;
}
