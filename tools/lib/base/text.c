/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"

/* The code of a character that is UTF-8 and `size` bytes long. */
static uint32_t code_of(const char *text, size_t size)
{
    static const uint8_t first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = (unsigned char)text[0] & first_bits[size];
    for (size_t i = 1; i < size; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

static bool is_safe(uint32_t code)
{
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) /* C0, delete, C1 */
        return false;
    if (code >= 0x2028 && code <= 0x202e) /* separators of lines, embeddings and overrides of direction */
        return false;
    return !(code >= 0x2066 && code <= 0x2069) && code != 0x200e && code != 0x200f && code != 0x061c;
}

/* The next character as it is printed; how many bytes of `text` it took, and of `shown` it gave (at most 16). */
static size_t next(const char *text, char shown[17], size_t *length)
{
    size_t size = json_utf8(text);
    *length = size;
    if (size && is_safe(code_of(text, size))) {
        memcpy(shown, text, size);
        return size;
    }
    size = size ? size : 1;
    for (size_t i = 0; i < size; i++)
        snprintf(shown + 4 * i, 5, "\\x%02x", (unsigned char)text[i]);
    *length = 4 * size;
    return size;
}

/* Whether all eight bytes are from 0x20 to 0x7e: the sums set the top bit of a byte that is not, or of one after it. */
static bool all_plain(const char *text)
{
    const uint64_t each = 0x0101010101010101u;
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    return !((bytes | (bytes + each) | (bytes - 0x20 * each)) & 0x80 * each);
}

/* Most text is plain: its length, up to `room`, as far as no byte needs a second look. */
static size_t plain_length(const char *text, size_t room)
{
    size_t n = 0, size = strnlen(text, room);
    while (n + 8 <= size && all_plain(text + n))
        n += 8;
    while (n < size && (unsigned char)text[n] >= 0x20 && (unsigned char)text[n] < 0x7f)
        n++;
    return n;
}

size_t text_safe(char *out, size_t room, const char *text)
{
    char shown[17];
    size_t used = plain_length(text, room - 1);
    memcpy(out, text, used);
    text += used;
    for (size_t length; *text; used += length) {
        text += next(text, shown, &length);
        if (used + length >= room)
            break;
        memcpy(out + used, shown, length);
    }
    out[used] = 0;
    return used;
}

void text_print(FILE *file, const char *text)
{
    char shown[17];
    for (size_t length; *text;) {
        text += next(text, shown, &length);
        fwrite(shown, 1, length, file);
    }
}

/* Bytes of a character that the byte is not the first of. */
static bool continues(char byte)
{
    return (byte & 0xc0) == 0x80;
}

/* Bytes of the first `count` characters of a safe text, or of all; *found is how many these are. */
static size_t leading(const char *text, unsigned count, unsigned *found)
{
    size_t at = 0;
    for (*found = 0; text[at] && *found < count; ++*found)
        do
            at++;
        while (continues(text[at]));
    return at;
}

void text_cell(FILE *file, unsigned width, const char *text)
{
    enum { DOTS = 2, LONGEST = 1024 };
    char safe[LONGEST];
    unsigned found;
    (void)text_safe(safe, sizeof safe, text);
    size_t size = leading(safe, width, &found);
    if (safe[size]) {
        size = leading(safe, width > DOTS ? width - DOTS : 0, &found);
        fprintf(file, "%.*s..", (int)size, safe);
    } else {
        fprintf(file, "%s%*s", safe, (int)(width - found), "");
    }
}

const char *text_base(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

/* `blanks` before the tail, so that the line is full. */
static void put_line(FILE *file, unsigned columns, const char *head, const char *what, const char *tail, bool blanks)
{
    enum { LEAST = 12, DOTS = 3 };
    size_t taken = strlen(head) + strlen(tail), size = strlen(what), fits = size;
    size_t room = columns > taken + LEAST ? columns - taken : LEAST;
    if (size > room)
        for (fits = room - DOTS; fits && continues(what[fits]); fits--)
            ; /* back to the start of a character */
    size_t used = fits + (fits < size ? DOTS : 0);
    for (size_t i = 0; i < fits; i++)
        used -= continues(what[i]);
    fprintf(file, "%s%.*s%s%*s%s\n", head, (int)fits, what, fits < size ? "..." : "",
            blanks && used < room ? (int)(room - used) : 0, "", tail);
}

void text_line(FILE *file, unsigned columns, const char *head, const char *what, const char *tail)
{
    put_line(file, columns, head, what, tail, false);
}

void text_row(FILE *file, unsigned columns, const char *head, const char *what, const char *tail)
{
    put_line(file, columns, head, what, tail, true);
}

const char *text_grouped(uint64_t number, char text[32])
{
    char digits[24];
    int size = snprintf(digits, sizeof digits, "%" PRIu64, number), at = 0;
    for (int i = 0; i < size; i++) {
        if (i && (size - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = 0;
    return text;
}

/* Bytes of `text` that a line of `room` takes: up to a blank, else with a comma, else as many whole characters as
 * there is room for. */
static size_t taken(const char *text, size_t size, size_t room)
{
    size_t fits = room;
    if (size <= room)
        return size;
    while (fits && text[fits] != ' ')
        fits--;
    while (fits && text[fits - 1] == ' ')
        fits--;
    if (fits)
        return fits;
    for (fits = room; fits && text[fits - 1] != ',';)
        fits--;
    if (fits)
        return fits;
    for (fits = room; fits > 1 && continues(text[fits]); fits--)
        ;
    return fits;
}

static void fold_line(FILE *file, unsigned columns, unsigned indent, const char *text, size_t size)
{
    size_t half = columns / 2, at = strspn(text, " ");
    size_t margin = at < half ? at : half, next = at + indent < half ? at + indent : half;
    do {
        size_t part = taken(text + at, size - at, columns - margin);
        fprintf(file, "%*s%.*s\n", (int)margin, "", (int)part, text + at);
        at += part;
        at += strspn(text + at, " ");
        margin = next;
    } while (at < size);
}

void text_folded(FILE *file, unsigned columns, unsigned indent, const char *lines)
{
    for (const char *end; *lines; lines = end + (*end != 0)) {
        end = lines + strcspn(lines, "\n");
        if ((size_t)(end - lines) <= columns)
            fprintf(file, "%.*s\n", (int)(end - lines), lines);
        else
            fold_line(file, columns, indent, lines, (size_t)(end - lines));
    }
}

void text_real(char *out, size_t room, double number, bool single)
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(out, room, "%.*g", digits, number);
        double back = strtod(out, NULL);
        if (back == number || (single && (float)back == (float)number))
            return;
    }
}
