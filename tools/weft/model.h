/* SPDX-License-Identifier: MIT */
#ifndef WEFT_TOOLS_WEFT_MODEL_H
#define WEFT_TOOLS_WEFT_MODEL_H

#include "tools/lib/affine/model.h"

/* Models the addresses of each site of a container. The exit status. */
int model_container(const char *path, const char *elf, const model_options *options, bool as_json);

#endif
