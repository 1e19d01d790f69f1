/* SPDX-License-Identifier: MIT */
/* Writes lines of `key value` or of JSON, for commands that print millions of them: through a buffer of their own,
 * since printf would be the slowest part. */
#ifndef WEFT_TOOLS_WEFT_LINES_H
#define WEFT_TOOLS_WEFT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero but for `json` and `keeps` at first. */
typedef struct out {
    char *text;
    size_t size, max;
    bool json;
    bool keeps; /* all lines until put_flush; else they are written when there are many */
} out;

void put_flush(out *o);
/* Frees what it holds. */
void put_close(out *o);
void put_raw(out *o, const char *text);
void put_number(out *o, uint64_t value);
void put_hex(out *o, uint64_t value);
/* ,"key": or, on plain lines, a blank. */
void put_key(out *o, const char *key);
void put_string(out *o, const char *key, const char *text);
/* An address: in hexadecimal on plain lines. */
void put_address(out *o, const char *key, uint32_t address);
/* A number that carries its name on plain lines too. */
void put_named(out *o, const char *key, uint64_t value);
/* A line begins: {"context":...,"event":... */
void begin_line(out *o, uint32_t context, const char *event);
void end_line(out *o);
/* A line that says so: nothing vouches for `what`, "identity" or "image". */
void put_unchecked(out *o, const char *what);

#endif
