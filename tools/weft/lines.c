/* SPDX-License-Identifier: MIT */
#include "tools/weft/lines.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/text.h"

/* At most four strings per line, each byte six when escaped. */
enum { LINE_ROOM = 16384, TEXT_MAX = 1024 };

void put_flush(out *o)
{
    fwrite(o->text, 1, o->size, stdout);
    o->size = 0;
}

/* Room for a line of at most four strings. */
static void put_room(out *o)
{
    if (sizeof o->text - o->size < LINE_ROOM)
        put_flush(o);
}

void put_raw(out *o, const char *text)
{
    size_t size = strlen(text);
    if (size > TEXT_MAX)
        size = TEXT_MAX;
    memcpy(o->text + o->size, text, size);
    o->size += size;
}

void put_number(out *o, uint64_t value)
{
    char digits[20];
    unsigned n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n)
        o->text[o->size++] = digits[--n];
}

void put_hex(out *o, uint64_t value)
{
    unsigned shift = 60;
    put_raw(o, "0x");
    while (shift && !(value >> shift))
        shift -= 4;
    for (;; shift -= 4) {
        o->text[o->size++] = "0123456789abcdef"[value >> shift & 15];
        if (shift == 0)
            break;
    }
}

/* A string inside JSON quotes. What is not UTF-8 is replaced; control characters, also those of two bytes, are
 * escaped. */
static void put_escaped(out *o, const char *text)
{
    for (size_t n = 0, size; *text && n < 500; text += size, n += size) {
        unsigned char c = (unsigned char)*text;
        size = json_utf8(text);
        unsigned char next = size == 2 && c == 0xc2 ? (unsigned char)text[1] : 0xff;
        if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f || next < 0xa0) {
            o->size += (size_t)sprintf(o->text + o->size, "\\u%04x", next < 0xa0 ? next : c);
        } else {
            memcpy(o->text + o->size, size ? text : "\xef\xbf\xbd", size ? size : 3);
            o->size += size ? size : 3;
        }
        size += !size;
    }
}

void put_key(out *o, const char *key)
{
    if (!o->json) {
        o->text[o->size++] = ' ';
        return;
    }
    put_raw(o, ",\"");
    put_raw(o, key);
    put_raw(o, "\":");
}

void put_string(out *o, const char *key, const char *text)
{
    put_key(o, key);
    if (!o->json) {
        o->size += text_safe(o->text + o->size, TEXT_MAX + 1, text);
        return;
    }
    o->text[o->size++] = '"';
    put_escaped(o, text);
    o->text[o->size++] = '"';
}

void put_named(out *o, const char *key, uint64_t value)
{
    put_key(o, key);
    if (!o->json) {
        put_raw(o, key);
        put_raw(o, " ");
    }
    put_number(o, value);
}

void begin_line(out *o, uint32_t context, const char *event)
{
    put_room(o);
    if (o->json) {
        put_raw(o, "{\"context\":");
        put_number(o, context);
    } else {
        put_number(o, context);
    }
    put_string(o, "event", event);
}

void end_line(out *o)
{
    put_raw(o, o->json ? "}\n" : "\n");
}

void put_unchecked(out *o, const char *what)
{
    begin_line(o, 0, what);
    put_string(o, what, "unchecked");
    end_line(o);
}
