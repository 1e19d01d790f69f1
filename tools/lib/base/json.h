/* SPDX-License-Identifier: MIT */
/* Writes JSON to a stdio stream, through the yajl library. In strings each byte that is not UTF-8 is written as U+FFFD.
 * A key that an object has in one answer it has in all: null says that nothing is known.
 * Usage: json_begin, then json_object ... json_end_object, then json_finish. */
#ifndef WEFT_TOOLS_LIB_BASE_JSON_H
#define WEFT_TOOLS_LIB_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json json;

json *json_begin(FILE *file);
/* Ends the document with a newline; frees. */
void json_finish(json *j);
/* Frees without a newline: more text follows. */
void json_leave(json *j);
/* Ends one top-level value with a newline and makes ready for the next: one JSON object per line. */
void json_next(json *j);

/* `key` is NULL inside arrays and at the top level. */
void json_object(json *j, const char *key);
void json_array(json *j, const char *key);
void json_end_object(json *j);
void json_end_array(json *j);
void json_integer(json *j, const char *key, int64_t value);
/* A count, which may be beyond what json_integer holds. */
void json_unsigned(json *j, const char *key, uint64_t value);
void json_real(json *j, const char *key, double value);
void json_thousandths(json *j, const char *key, uint64_t value); /* as a number with three decimals */
void json_bool(json *j, const char *key, bool value);
void json_string(json *j, const char *key, const char *text); /* NULL: null */
void json_null(json *j, const char *key);
/* "file" and "line"; each null where it is not known: NULL, 0. */
void json_place(json *j, const char *file, uint32_t line);

/* Something that a command says of its whole result. From now on, the first outermost object of each document on
 * standard output ends with this key and string. There may be a few keys, each once; text NULL takes one back. The
 * texts must stay. */
void json_remark(const char *key, const char *text);
/* For an object that is written by hand: the same, with a comma before each. */
void json_print_remarks(FILE *file);

/* Bytes of the UTF-8 sequence that `text` begins with; 0 if it does not begin with one. */
size_t json_utf8(const char *text);
/* The text as UTF-8: each byte that is not becomes U+FFFD. The caller's. */
char *json_fit(const char *text);

#endif
