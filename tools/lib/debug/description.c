/* SPDX-License-Identifier: MIT */
/* Registers and threads as gdb knows them: the feature of M-profile cores, and its floating point registers where the
 * program uses them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/debug/serving.h"

char *serve_target(const debug_server *s)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_stream(&text, &size);
    fputs("<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
          "<architecture>arm</architecture><feature name=\"org.gnu.gdb.arm.m-profile\">",
          out);
    for (unsigned i = 0; i < 13; i++)
        fprintf(out, "<reg name=\"r%u\" bitsize=\"32\"/>", i);
    fputs("<reg name=\"sp\" bitsize=\"32\" type=\"data_ptr\"/><reg name=\"lr\" bitsize=\"32\"/>"
          "<reg name=\"pc\" bitsize=\"32\" type=\"code_ptr\"/><reg name=\"xpsr\" bitsize=\"32\" "
          "regnum=\"25\"/></feature>",
          out);
    if (s->subject->floats) {
        fputs("<feature name=\"org.gnu.gdb.arm.vfp\">", out);
        for (unsigned i = 0; i < 16; i++)
            fprintf(out, "<reg name=\"d%u\" bitsize=\"64\" type=\"ieee_double\"/>", i);
        fputs("<reg name=\"fpscr\" bitsize=\"32\" type=\"int\" group=\"float\"/></feature>", out);
    }
    if (s->subject->stacks)
        fprintf(out,
                "<feature name=\"org.gnu.gdb.arm.m-system\"><reg name=\"msp\" bitsize=\"32\" type=\"data_ptr\" "
                "regnum=\"%u\"/><reg name=\"psp\" bitsize=\"32\" type=\"data_ptr\"/></feature>",
                serve_register_number(DEBUG_MSP));
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
    FILE *out = memory_stream(&text, &size);
    debug_contexts c = s->subject->contexts(s->subject->own, s->at);
    fputs("<?xml version=\"1.0\"?><threads>", out);
    for (uint32_t i = 0; i < c.count; i++) {
        s->subject->context_name(s->subject->own, c.all[i].id, name, sizeof name);
        fprintf(out, "<thread id=\"%x\" name=\"", c.all[i].id);
        put_escaped(out, name);
        fprintf(out, "\">%s</thread>", i ? "waits" : "runs");
    }
    fputs("</threads>", out);
    fclose(out);
    debug_contexts_free(&c);
    return text;
}

bool serve_has_register(const debug_server *s, unsigned i)
{
    return i <= DEBUG_XPSR || (i < DEBUG_MSP ? s->subject->floats : s->subject->stacks);
}

unsigned serve_register_size(unsigned i)
{
    return i >= DEBUG_D0 && i < DEBUG_FPSCR ? 8 : 4;
}

unsigned serve_register_number(unsigned i)
{
    return i < 16 ? i : SERVE_XPSR + (i - 16);
}

bool serve_register(debug_server *s, const debug_context *c, unsigned i, uint8_t bytes[8])
{
    uint64_t value;
    if (!s->subject->get(s->subject->own, s->at, c, i, &value))
        return false;
    for (unsigned k = 0; k < serve_register_size(i); k++)
        bytes[k] = (uint8_t)(value >> 8 * k);
    return true;
}
