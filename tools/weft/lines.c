/* SPDX-License-Identifier: MIT */
#include "tools/weft/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"

/* At most four strings per line, each byte six when escaped. */
enum { LINE_ROOM = 16384, TEXT_MAX = 1024, FIRST_ROOM = 65536 };

void put_flush(out *o)
{
    if (!o->size)
        return;
    fwrite(o->text, 1, o->size, stdout);
    o->size = 0;
}

void put_close(out *o)
{
    free(o->text);
    *o = (out){0};
}

/* Room for a line of at most four strings. */
static void put_room(out *o)
{
    if (o->max - o->size >= LINE_ROOM)
        return;
    if (o->max && !o->keeps) {
        put_flush(o);
        return;
    }
    o->max = o->max ? 2 * o->max : FIRST_ROOM;
    o->text = memory_grow(o->text, o->max, 1);
}

/* Characters are made apart and put at once: a store through `text` may change `o`, as far as the compiler knows. */
static void put_bytes(out *o, const char *bytes, size_t size)
{
    memcpy(o->text + o->size, bytes, size);
    o->size += size;
}

void put_raw(out *o, const char *text)
{
    size_t size = strlen(text);
    put_bytes(o, text, size < TEXT_MAX ? size : TEXT_MAX);
}

void put_number(out *o, uint64_t value)
{
    char digits[20];
    unsigned at = sizeof digits;
    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    put_bytes(o, digits + at, sizeof digits - at);
}

void put_hex(out *o, uint64_t value)
{
    char digits[18];
    unsigned at = sizeof digits;
    do
        digits[--at] = "0123456789abcdef"[value & 15];
    while (value >>= 4);
    digits[--at] = 'x';
    digits[--at] = '0';
    put_bytes(o, digits + at, sizeof digits - at);
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

void put_address(out *o, const char *key, uint32_t address)
{
    put_key(o, key);
    if (o->json)
        put_number(o, address);
    else
        put_hex(o, address);
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
        put_string(o, "event", event);
        return;
    }
    put_number(o, context);
    put_raw(o, " ");
    put_raw(o, event);
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
