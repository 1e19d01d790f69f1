/* SPDX-License-Identifier: MIT */
/* Registers and threads as gdb knows them: the feature of M-profile cores, and its floating point registers where the
 * program uses them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/serving.h"
#include "tools/lib/wet/core.h"

#define CORE 17u /* r0..r15, xPSR */

char *serve_target(const debug_server *s)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_got(open_memstream(&text, &size));
    fputs("<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
          "<architecture>arm</architecture><feature name=\"org.gnu.gdb.arm.m-profile\">",
          out);
    for (unsigned i = 0; i < 13; i++)
        fprintf(out, "<reg name=\"r%u\" bitsize=\"32\"/>", i);
    fputs("<reg name=\"sp\" bitsize=\"32\" type=\"data_ptr\"/><reg name=\"lr\" bitsize=\"32\"/>"
          "<reg name=\"pc\" bitsize=\"32\" type=\"code_ptr\"/><reg name=\"xpsr\" bitsize=\"32\" "
          "regnum=\"25\"/></feature>",
          out);
    if (s->floats) {
        fputs("<feature name=\"org.gnu.gdb.arm.vfp\">", out);
        for (unsigned i = 0; i < 16; i++)
            fprintf(out, "<reg name=\"d%u\" bitsize=\"64\" type=\"ieee_double\"/>", i);
        fputs("<reg name=\"fpscr\" bitsize=\"32\" type=\"int\" group=\"float\"/></feature>", out);
    }
    fputs("</target>", out);
    fclose(out);
    return text;
}

/* Names come from symbols: foreign text. */
static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++)
        if (strchr("<>&\"'", *text))
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
}

char *serve_threads(debug_server *s)
{
    char *text = NULL, name[200];
    size_t size;
    FILE *out = memory_got(open_memstream(&text, &size));
    debug_contexts c = debug_contexts_at(s->run, s->at);
    fputs("<?xml version=\"1.0\"?><threads>", out);
    for (uint32_t i = 0; i < c.count; i++) {
        debug_context_name(s->run, c.all[i].id, name, sizeof name);
        fprintf(out, "<thread id=\"%x\" name=\"", c.all[i].id);
        put_escaped(out, name);
        fprintf(out, "\">%s</thread>", i ? "waits" : "runs");
    }
    fputs("</threads>", out);
    fclose(out);
    debug_contexts_free(&c);
    return text;
}

unsigned serve_register_size(unsigned i)
{
    return i >= CORE && i < CORE + 16 ? 8 : 4;
}

unsigned serve_register_number(unsigned i)
{
    return i < 16 ? i : SERVE_XPSR + (i - 16);
}

static void store(uint8_t *bytes, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static bool word_register(debug_server *s, const debug_context *c, unsigned i, uint32_t *value)
{
    if (i == 15 && debug_instant_compare(c->at, s->at) == 0) {
        *value = debug_run_pc(s->run, c->at);
        return true;
    }
    if (i == 15) {
        *value = c->pc;
        return c->has_pc;
    }
    if (i < 15)
        return debug_run_register(s->run, c->at, i, value);
    if (i == CORE + 16)
        return debug_run_register(s->run, c->at, 16, value);
    debug_run_xpsr(s->run, c->at, value); /* gdb does nothing without T: flags that are not known yet are 0 */
    *value = debug_instant_compare(c->at, s->at) == 0 ? *value : (*value & ~WET_XPSR_IT) | c->xpsr_it;
    return true;
}

bool serve_register(debug_server *s, const debug_context *c, unsigned i, uint8_t bytes[8])
{
    uint32_t low, high;
    if (i < CORE || i == CORE + 16) {
        if (!word_register(s, c, i, &low))
            return false;
        store(bytes, low);
        return true;
    }
    unsigned loc = 32 + 2 * (i - CORE);
    if (!debug_run_register(s->run, c->at, loc, &low) || !debug_run_register(s->run, c->at, loc + 1, &high))
        return false;
    store(bytes, low);
    store(bytes + 4, high);
    return true;
}
