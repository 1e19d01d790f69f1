/* SPDX-License-Identifier: MIT */
/* Writes one JSON object to a stdio stream, through the yajl library. Strings that are not UTF-8 are written with
 * each bad byte as U+FFFD. Usage: json_begin, then json_object ... json_end_object, then json_finish. */
#ifndef WEFT_TOOLS_LIB_BASE_JSON_H
#define WEFT_TOOLS_LIB_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json json;

json *json_begin(FILE *file);
/* Ends the document with a newline; frees. */
void json_finish(json *j);
/* Ends one top-level value with a newline and readies for the next: a JSON object a line. */
void json_next(json *j);

/* `key` is NULL inside arrays and at the top level. */
void json_object(json *j, const char *key);
void json_array(json *j, const char *key);
void json_end_object(json *j);
void json_end_array(json *j);
void json_integer(json *j, const char *key, int64_t value);
void json_real(json *j, const char *key, double value);
void json_bool(json *j, const char *key, bool value);
void json_string(json *j, const char *key, const char *text);

/* Length of the UTF-8 sequence that `text` begins with, 0 if it is none. */
size_t json_utf8(const char *text);

#endif
