/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/text.h"

#include <inttypes.h>
#include <stdbool.h>
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

/* Most text is plain: its length, up to `room`, as far as no byte needs a second look. */
static size_t plain_length(const char *text, size_t room)
{
    size_t n = 0;
    while (n < room && (unsigned char)text[n] >= 0x20 && (unsigned char)text[n] < 0x7f)
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

const char *text_base(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

void text_line(FILE *file, unsigned columns, const char *head, const char *what, const char *tail)
{
    enum { LEAST = 12, DOTS = 3 };
    size_t taken = strlen(head) + strlen(tail), size = strlen(what), fits = size;
    size_t room = columns > taken + LEAST ? columns - taken : LEAST;
    if (size > room)
        for (fits = room - DOTS; fits && (what[fits] & 0xc0) == 0x80; fits--)
            ; /* back to the start of a character */
    fprintf(file, "%s%.*s%s%s\n", head, (int)fits, what, fits < size ? "..." : "", tail);
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

void text_wrapped(FILE *file, unsigned columns, const char *text)
{
    while (strlen(text) > columns) {
        size_t fits = columns;
        while (fits && text[fits] != ' ')
            fits--;
        if (!fits) /* one long word */
            fits = strcspn(text, " ");
        fprintf(file, "%.*s\n", (int)fits, text);
        text += fits + (text[fits] == ' ');
    }
    fprintf(file, "%s\n", text);
}
