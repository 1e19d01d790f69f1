/* SPDX-License-Identifier: MIT */
/* What weft info says about the recordings of a file, one by one, and about the names that they give. */
#ifndef WEFT_TOOLS_WEFT_INFO_RECORDINGS_H
#define WEFT_TOOLS_WEFT_INFO_RECORDINGS_H

#include "tools/lib/base/json.h"
#include "tools/lib/recording/container.h"

/* Of the first recording. */
unsigned info_version(const container *file);
void info_print_recordings(const container *file);
void info_json_recordings(const container *file, json *j);
void info_print_names(const container *file);
void info_json_names(const container *file, json *j);

/* As hexadecimal text, cut to what fits. */
void info_hex(const uint8_t *bytes, size_t size, char *text, size_t text_size);

#endif
