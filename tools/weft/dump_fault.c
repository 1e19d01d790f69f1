/* SPDX-License-Identifier: MIT */
#include "tools/weft/dump_fault.h"

#include <stdio.h>

#include "core/blackbox.h"
#include "tools/weft/dump_marks.h"

static void put_code(out *o, program *app, const char *key, uint32_t address)
{
    if (!o->json) {
        put_raw(o, " ");
        put_raw(o, key);
    }
    dump_code(o, app, key, address);
}

static void put_register(out *o, const char *name, uint32_t value)
{
    if (!o->json) {
        put_raw(o, " ");
        put_raw(o, name);
        put_raw(o, " ");
        put_hex(o, value);
        return;
    }
    put_key(o, name);
    put_number(o, value);
}

static void print_registers(out *o, const weft_fault_head *h, uint32_t context)
{
    bool all = h->flags & WEFT_FAULT_FRAME;
    char name[8];
    begin_line(o, context, "registers");
    for (unsigned i = 0; i < 13; i++) {
        snprintf(name, sizeof name, "r%u", i);
        if (all || (i >= 4 && i < 12))
            put_register(o, name, h->r[i]);
    }
    put_register(o, "sp", h->sp);
    if (all) {
        put_register(o, "lr", h->lr);
        put_register(o, "pc", h->pc);
        put_register(o, "xpsr", h->xpsr);
    }
    put_register(o, "msp", h->msp);
    put_register(o, "psp", h->psp);
    put_register(o, "control", h->control);
    put_register(o, "primask", h->primask);
    put_register(o, "exc_return", h->exc_return);
    if (h->flags & WEFT_FAULT_STATUS) {
        put_register(o, "cfsr", h->cfsr);
        put_register(o, "hfsr", h->hfsr);
        put_register(o, "mmfar", h->mmfar);
        put_register(o, "bfar", h->bfar);
    }
    end_line(o);
}

static void print_stack(out *o, const fault *f, uint32_t context)
{
    if (!f->head.stack_words)
        return;
    begin_line(o, context, "stack");
    put_address(o, "address", f->head.sp);
    if (o->json) {
        put_key(o, "words");
        put_raw(o, "[");
    }
    for (uint32_t i = 0; i < f->head.stack_words; i++) {
        put_raw(o, !o->json ? " " : i ? "," : "");
        if (o->json)
            put_number(o, fault_stack_word(f, i));
        else
            put_hex(o, fault_stack_word(f, i));
    }
    put_raw(o, o->json ? "]" : "");
    end_line(o);
}

void dump_fault(out *o, program *app, const fault *f, uint32_t context)
{
    const weft_fault_head *h = &f->head;
    char name[300];
    uint32_t address;
    fault_name(f, name, sizeof name);
    begin_line(o, context, "fault");
    put_string(o, "name", name);
    if (o->json)
        put_named(o, "exception", h->exception);
    if (o->json && fault_address(f, &address))
        put_named(o, "address", address);
    if (h->flags & WEFT_FAULT_FRAME)
        put_code(o, app, "pc", h->pc);
    else
        put_string(o, "note", "the stack pointer is outside RAM: pc and lr are lost");
    end_line(o);
    if (h->flags & WEFT_FAULT_FRAME) {
        begin_line(o, context, "caller");
        put_code(o, app, "lr", h->lr & ~1u);
        end_line(o);
    }
    print_registers(o, h, context);
    print_stack(o, f, context);
}
